import type { ElementTable } from './element-table.ts';
import { type Hiding, readHiding } from './hiding-declarations.ts';

/** Rules kept of one page, and selectors looked at. */
const MAX_RULES = 4000;
const MAX_SELECTOR_LENGTH = 200;
/** UTF-16 units of one style element read. */
const MAX_SHEET_LENGTH = 1_000_000;
/** Selectors of one rule looked at. */
const MAX_SELECTORS = 100;
/** Class attributes whose candidate rules are remembered. */
const MAX_REMEMBERED = 5000;

interface Compound {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
  /** Joined to the compound before by `>`. */
  readonly child: boolean;
}

interface Rule extends Hiding {
  /** From the left; the last one is the subject. */
  readonly compounds: readonly Compound[];
  /** Specificity, then order. */
  readonly weight: number;
}

/**
 * The rules of a page's own style elements that hide or show something. Understands compounds of tag, class and id with
 * descendant and child combinators, outside media conditions; other selectors are left out, and so are rules for the
 * whole page (pages hide their body until a script has run).
 */
export class StyleRules {
  private readonly byClass = new Map<string, Rule[]>();
  private readonly byId = new Map<string, Rule[]>();
  private readonly byTag = new Map<string, Rule[]>();
  private remembered = new Map<string, readonly Rule[]>();
  private count = 0;
  private hiding = false;

  /** False while no rule hides anything. */
  get active(): boolean {
    return this.hiding;
  }

  addSheet(css: string): void {
    this.remembered = new Map();
    for (const { selectors, declarations } of topLevelRules(css.slice(0, MAX_SHEET_LENGTH))) {
      if (this.count >= MAX_RULES) return;
      const { hides, shows } = readHiding(declarations);
      if (hides === 0 && shows === 0) continue;
      for (const selector of selectors.split(',', MAX_SELECTORS)) this.addRule(selector.trim(), hides, shows);
    }
  }

  /** HIDES_ bits set and taken back by the rules that match an element. */
  match(table: ElementTable, element: number, nameOf: (tag: number) => string): Hiding {
    const candidates = this.candidates(table, element, nameOf);
    if (candidates.length === 0) return { hides: 0, shows: 0 };
    let hides = 0;
    let shows = 0;
    for (const rule of candidates) {
      if (!matches(rule, table, element, nameOf)) continue;
      hides = (hides & ~rule.shows) | rule.hides;
      shows = (shows & ~rule.hides) | rule.shows;
    }
    return { hides, shows };
  }

  private candidates(table: ElementTable, element: number, nameOf: (tag: number) => string): readonly Rule[] {
    const className = table.classNames[element] ?? '';
    const id = table.ids[element] ?? '';
    const name = nameOf(table.tag[element] ?? 0);
    const key = name + ' ' + id + ' ' + className;
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const found = new Set<Rule>(this.byTag.get(name));
    for (const rule of this.byId.get(id) ?? []) found.add(rule);
    if (className !== '') {
      for (const token of className.split(/[\t\n\f\r ]+/))
        for (const rule of this.byClass.get(token) ?? []) found.add(rule);
    }
    const sorted = hidesSomething(found) ? [...found].sort((a, b) => a.weight - b.weight) : NONE;
    if (this.remembered.size < MAX_REMEMBERED) this.remembered.set(key, sorted);
    return sorted;
  }

  private addRule(selector: string, hides: number, shows: number): void {
    if (this.count >= MAX_RULES || selector.length > MAX_SELECTOR_LENGTH) return;
    const compounds = parseSelector(selector);
    const subject = compounds?.at(-1);
    if (compounds === undefined || subject === undefined) return;
    if (subject.tag === 'html' || subject.tag === 'body') return;
    let specificity = 0;
    for (const { tag, id, classes } of compounds) {
      specificity += (tag === '' ? 0 : 1) + classes.length * 100 + (id === '' ? 0 : 10_000);
    }
    const rule: Rule = { compounds, hides, shows, weight: specificity * MAX_RULES + this.count };
    this.count++;
    this.hiding ||= hides !== 0;
    const [firstClass] = subject.classes;
    if (subject.id !== '') addTo(this.byId, subject.id, rule);
    else if (firstClass !== undefined) addTo(this.byClass, firstClass, rule);
    else if (subject.tag !== '') addTo(this.byTag, subject.tag, rule);
  }
}

const NONE: readonly Rule[] = [];

function hidesSomething(rules: Iterable<Rule>): boolean {
  for (const rule of rules) if (rule.hides !== 0) return true;
  return false;
}

function addTo(map: Map<string, Rule[]>, key: string, rule: Rule): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [rule]);
  else list.push(rule);
}

/** Rules outside any at-rule; comments are skipped. */
function* topLevelRules(css: string): Generator<{ selectors: string; declarations: string }> {
  const text = css.includes('/*') ? withoutComments(css) : css;
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    if (open < 0) return;
    const before = text.slice(at, open);
    const prelude = before.slice(before.lastIndexOf(';') + 1).trim();
    if (prelude.startsWith('@')) {
      if (/^@media\s+(?:all|screen)\s*$/i.test(prelude) || /^@(?:layer|supports)\b/i.test(prelude)) at = open + 1;
      else at = blockEnd(text, open);
      continue;
    }
    const close = text.indexOf('}', open);
    const end = close < 0 ? text.length : close;
    yield { selectors: prelude.replace(/^[}\s]+|^<!--\s*/g, ''), declarations: text.slice(open + 1, end) };
    at = end + 1;
  }
}

function withoutComments(css: string): string {
  let out = '';
  let at = 0;
  for (;;) {
    const open = css.indexOf('/*', at);
    if (open < 0) return out + css.slice(at);
    out += css.slice(at, open) + ' ';
    const close = css.indexOf('*/', open + 2);
    if (close < 0) return out;
    at = close + 2;
  }
}

function blockEnd(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x7b) depth++;
    else if (unit === 0x7d && --depth === 0) return at + 1;
  }
  return text.length;
}

const COMPOUND = /^([a-z][\w-]*|\*)?((?:[.#][\w\u0080-\uffff-]+)*)$/i;

function parseSelector(selector: string): Compound[] | undefined {
  if (/[[:+~|]/.test(selector)) return undefined;
  const compounds: Compound[] = [];
  let child = false;
  for (const part of selector.replace(/>/g, ' > ').split(/\s+/)) {
    if (part === '') continue;
    if (part === '>') {
      child = true;
      continue;
    }
    const match = COMPOUND.exec(part);
    if (match === null) return undefined;
    const names = match[2]?.match(/[.#][^.#]+/g) ?? [];
    const tag = (match[1] ?? '').toLowerCase();
    compounds.push({
      tag: tag === '*' ? '' : tag,
      id: names.find((name) => name.startsWith('#'))?.slice(1) ?? '',
      classes: names.filter((name) => name.startsWith('.')).map((name) => name.slice(1)),
      child,
    });
    child = false;
  }
  return compounds;
}

function matches(rule: Rule, table: ElementTable, element: number, nameOf: (tag: number) => string): boolean {
  const { compounds } = rule;
  const last = compounds.length - 1;
  const subject = compounds[last];
  if (subject === undefined || !fits(subject, table, element, nameOf)) return false;
  let at = element;
  let child = subject.child;
  for (let i = last - 1; i >= 0; i--) {
    const compound = compounds[i];
    if (compound === undefined) return false;
    do {
      const parent = at === 0 ? -1 : (table.parent[at] ?? -1);
      if (parent < 0) return false;
      at = parent;
      if (fits(compound, table, at, nameOf)) break;
      if (child) return false;
    } while (at >= 0);
    child = compound.child;
  }
  return true;
}

function fits(compound: Compound, table: ElementTable, element: number, nameOf: (tag: number) => string): boolean {
  if (compound.tag !== '' && compound.tag !== nameOf(table.tag[element] ?? 0)) return false;
  if (compound.id !== '' && compound.id !== table.ids[element]) return false;
  if (compound.classes.length === 0) return true;
  const className = table.classNames[element] ?? '';
  return compound.classes.every((token) => hasToken(className, token));
}

/** Whether a class attribute holds `token` as a whole. */
function hasToken(className: string, token: string): boolean {
  for (let at = className.indexOf(token); at >= 0; at = className.indexOf(token, at + 1)) {
    const before = at === 0 ? 0x20 : className.charCodeAt(at - 1);
    const after = at + token.length === className.length ? 0x20 : className.charCodeAt(at + token.length);
    if (before <= 0x20 && after <= 0x20) return true;
  }
  return false;
}
