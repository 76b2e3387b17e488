import { Tokenizer } from 'htmlparser2';
import { Attributes } from './attributes.ts';
import { ElementTable, ROOT } from './element-table.ts';
import {
  HIDES_ALL_BELOW,
  HIDES_FONT,
  HIDES_VISIBILITY,
  type Hiding,
  NOTHING,
  readHiding,
} from './hiding-declarations.ts';
import { closeAt, endOf, implyEnds } from './implied-ends.ts';
import { MAX_DEPTH, OpenElements } from './open-elements.ts';
import * as S from './states.ts';
import { StyleRules } from './style-rules.ts';
import * as T from './tags.ts';

/** What the scanner tells: elements as the HTML standard nests them, and text. */
export interface ScanListener {
  /** A start tag. `element` is the number of the new element, for void elements that of the parent. */
  opened(tag: number, element: number, state: number): void;
  closed(tag: number, element: number, state: number): void;
  /** Text of `source` from `start` to `end`, outside raw text elements. */
  text(source: string, start: number, end: number): void;
  /** The whole text of a title, script, style or textarea element. */
  rawText(tag: number, text: string, state: number): void;
  boundary(): void;
  /** A form end tag: from here on controls belong to no form. */
  formEnded(): void;
}

const tag = T.tagNumber;
const HTML = tag('html');
const HEAD = tag('head');
const BODY = tag('body');
const FRAMESET = tag('frameset');
const TITLE = tag('title');
const A = tag('a');
const FORM = tag('form');
const BR = tag('br');
const P = tag('p');
const SVG = tag('svg');
const MATH = tag('math');
const PRE = tag('pre');
const LISTING = tag('listing');
const XMP = tag('xmp');
const NOSCRIPT = tag('noscript');
const TEMPLATE = tag('template');
const IMG = tag('img');
const FIELDSET = tag('fieldset');
const LEGEND = tag('legend');
const SPAN = tag('span');

export interface ScanCounts {
  tags: number;
  maxDepth: number;
  comments: number;
  commentLength: number;
  readonly byTag: Int32Array;
}

/**
 * One pass of htmlparser2's tokenizer with tree construction of our own: htmlparser2's parser costs time quadratic in the
 * depth of hostile pages. Follows the HTML standard where it changes text, links or forms.
 */
export class PageScanner {
  readonly table: ElementTable;
  readonly attributes = new Attributes();
  readonly open: OpenElements;
  readonly styles = new StyleRules();
  readonly counts: ScanCounts = {
    tags: 0,
    maxDepth: 0,
    comments: 0,
    commentLength: 0,
    byTag: new Int32Array(T.TAG_BITS.length),
  };
  private readonly source: string;
  private readonly listener: ScanListener;
  private readonly unknown = new Map<string, number>();
  private readonly unknownNames: string[] = [];
  private pending = 0;
  private raw = '';
  private formOpen = false;
  readonly nameOf = (number: number): string =>
    T.KNOWN_TAGS[number] ?? this.unknownNames[number - T.KNOWN_TAGS.length] ?? 'unknown';

  constructor(source: string, listener: ScanListener, limits: { elements: number; paths: number }) {
    this.source = source;
    this.listener = listener;
    this.table = new ElementTable(limits);
    this.open = new OpenElements((number, index) => this.popped(number, index));
    this.open.push(HTML, this.table.add(ROOT, HTML, '', ''), 0);
  }

  run(): void {
    const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, this);
    tokenizer.write(this.source);
    tokenizer.end();
    this.open.popTo(0);
  }

  // Events of the tokenizer.

  ontext(start: number, end: number): void {
    this.addText(this.source, start, end);
  }

  ontextentity(codePoint: number): void {
    const character = String.fromCodePoint(codePoint);
    this.addText(character, 0, character.length);
  }

  onopentagname(start: number, end: number): void {
    this.attributes.clear();
    this.pending = this.readName(start, end, true);
  }

  onattribname(start: number, end: number): void {
    this.attributes.begin(this.source, start, end);
  }

  onattribdata(start: number, end: number): void {
    if (this.attributes.wanted) this.attributes.append(this.source.slice(start, end));
  }

  onattribentity(codePoint: number): void {
    if (this.attributes.wanted) this.attributes.append(String.fromCodePoint(codePoint));
  }

  onattribend(): void {
    this.attributes.end();
  }

  onopentagend(): void {
    this.startTag(this.pending);
  }

  onselfclosingtag(): void {
    const foreign = (this.open.state & S.IN_FOREIGN) !== 0 || this.pending === SVG || this.pending === MATH;
    if (!foreign) this.startTag(this.pending);
    else this.count(this.pending);
  }

  onclosetag(start: number, end: number): void {
    const number = this.readName(start, end, false);
    if (number >= 0) this.endTag(number);
  }

  oncomment(start: number, end: number): void {
    this.counts.comments++;
    this.counts.commentLength += Math.max(0, end - start);
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.isInForeignContext()) this.addText(this.source, start, end - endOffset);
  }

  ondeclaration(): void {}

  onprocessinginstruction(): void {}

  onend(): void {}

  isInForeignContext(): boolean {
    return (this.open.state & S.IN_FOREIGN) !== 0;
  }

  // Tree construction.

  private readName(start: number, end: number, create: boolean): number {
    const raw = end - start > 60 ? this.source.slice(start, start + 60) : this.source.slice(start, end);
    const known = T.KNOWN_TAG_NUMBERS.get(raw);
    if (known !== undefined) return known;
    const name = raw.toLowerCase();
    if (name === 'image') return IMG;
    const number = T.KNOWN_TAG_NUMBERS.get(name) ?? this.unknown.get(name);
    if (number !== undefined) return number;
    if (!create) return this.unknown.size < T.UNKNOWN_TAGS - 1 ? -1 : T.TAG_BITS.length - 1;
    if (this.unknown.size >= T.UNKNOWN_TAGS - 1) return T.TAG_BITS.length - 1;
    const fresh = T.KNOWN_TAGS.length + this.unknown.size;
    this.unknown.set(name, fresh);
    this.unknownNames.push(name);
    return fresh;
  }

  private count(number: number): void {
    this.counts.tags++;
    this.counts.byTag[number] = (this.counts.byTag[number] ?? 0) + 1;
  }

  private addText(source: string, start: number, end: number): void {
    if ((bits(this.open.topTag) & T.RAW) !== 0) {
      this.raw += source.slice(start, end);
      return;
    }
    if ((this.open.state & S.IN_SKIPPED) !== 0) return;
    if (this.open.length <= 2 && !this.open.isOpen(BODY) && !this.open.isOpen(FRAMESET)) {
      if (isBlank(source, start, end)) return;
      this.impliedBody();
    }
    this.listener.text(source, start, end);
  }

  private startTag(number: number): void {
    this.count(number);
    const flags = bits(number);
    if (number === HTML || number === BODY || number === HEAD) {
      this.documentTag(number);
      return;
    }
    if ((this.open.state & S.IN_FOREIGN) !== 0 && this.breaksOut(number)) this.leaveForeign();
    if ((flags & T.HEAD) === 0 && (this.open.state & S.IN_SKIPPED) === 0) this.impliedBody();
    if ((this.open.state & S.IN_FOREIGN) === 0) {
      if (number === FORM && this.formOpen && !this.open.isOpen(TEMPLATE)) return;
      implyEnds(this.open, number, flags);
    }
    if ((flags & T.BLOCK) !== 0) this.listener.boundary();
    if ((flags & T.VOID) !== 0) {
      this.listener.opened(number, this.open.elements[this.open.top] ?? ROOT, this.open.state);
      return;
    }
    this.enter(number, flags);
  }

  private enter(number: number, flags: number): void {
    if (this.open.length >= MAX_DEPTH) {
      this.open.overflow++;
      return;
    }
    const attributes = this.attributes;
    const parent = this.open.elements[this.open.top] ?? ROOT;
    const element = this.table.add(parent, number, attributes.text('class'), attributes.text('id'));
    const role = attributes.get('role');
    if (role !== undefined && element !== parent) this.table.roles[element] = role.trim().toLowerCase();
    if (number === FORM) this.formOpen = true;
    if ((flags & T.RAW) !== 0) this.raw = '';
    this.open.push(number, element, this.stateOf(number, flags, element));
    if (this.open.length > this.counts.maxDepth) this.counts.maxDepth = this.open.length;
    this.listener.opened(number, element, this.open.state);
  }

  private stateOf(number: number, flags: number, element: number): number {
    let state = this.open.state;
    if ((flags & T.STRONG) !== 0) state |= S.IN_STRONG;
    if ((flags & T.SKIP) !== 0) state |= S.IN_SKIPPED;
    if ((flags & T.HEADING) !== 0) {
      state = (state & ~S.HEADING_MASK) | (Number(this.nameOf(number).charAt(1)) << S.HEADING_SHIFT);
    }
    if (number === A && this.attributes.has('href')) state |= S.IN_LINK;
    else if (number === PRE || number === LISTING || number === XMP) state |= S.IN_CODE;
    else if (number === NOSCRIPT) state |= S.IN_NOSCRIPT;
    else if (number === TEMPLATE) state |= S.IN_TEMPLATE;
    else if (number === SVG || number === MATH) state |= S.IN_FOREIGN;
    else if (number === FIELDSET && this.attributes.has('disabled')) state |= S.IN_DISABLED;
    else if (number === LEGEND) state &= ~S.IN_DISABLED;
    return this.withHiding(state, element);
  }

  private withHiding(state: number, element: number): number {
    const style = this.attributes.get('style');
    const inline = style === undefined ? NOTHING : readHiding(style);
    const ruled = this.styles.active ? this.styles.match(this.table, element, this.nameOf) : NOTHING;
    const bySelf = (ruled.hides & ~inline.shows) | inline.hides;
    const shows = (ruled.shows & ~inline.hides) | inline.shows;
    const attribute = this.attributes.get('hidden');
    const hiddenAttribute = attribute !== undefined && attribute.toLowerCase() !== 'until-found';
    return applyHiding(state, { hides: bySelf, shows }, hiddenAttribute);
  }

  /** html, head and body: their second start tags only add attributes, which nothing here needs. */
  private documentTag(number: number): void {
    if (number === HTML) {
      this.rename(ROOT);
      this.listener.opened(HTML, ROOT, 0);
      return;
    }
    if (number === HEAD) {
      if (this.open.length === 1 && !this.open.isOpen(BODY)) this.enter(HEAD, bits(HEAD));
      return;
    }
    if (this.open.isOpen(BODY) || this.open.isOpen(FRAMESET)) return;
    if ((this.open.state & S.IN_SKIPPED) !== 0) return;
    this.open.popTo(1);
    this.enter(BODY, bits(BODY));
  }

  private rename(element: number): void {
    if ((this.table.classNames[element] ?? '') === '')
      this.table.classNames[element] = this.attributes.text('class').slice(0, 200);
    if ((this.table.ids[element] ?? '') === '') this.table.ids[element] = this.attributes.text('id').slice(0, 200);
  }

  /** Opens the body before the first thing that cannot stand in the head. */
  private impliedBody(): void {
    if (this.open.length > 2 || this.open.isOpen(BODY) || this.open.isOpen(FRAMESET)) return;
    const top = this.open.topTag;
    if (top !== HTML && top !== HEAD) return;
    this.open.popTo(1);
    const element = this.table.add(ROOT, BODY, '', '');
    this.open.push(BODY, element, this.open.state);
  }

  private breaksOut(number: number): boolean {
    if ((bits(number) & (T.BLOCK | T.HEADING)) !== 0 && number !== FORM) return true;
    return number === SPAN || number === IMG || number === BR;
  }

  private leaveForeign(): void {
    let at = this.open.top;
    while (at > 0 && ((this.open.states[at - 1] ?? 0) & S.IN_FOREIGN) !== 0) at--;
    this.open.popTo(at);
  }

  private endTag(number: number): void {
    const open = this.open;
    const flags = bits(number);
    if (number === HTML || number === BODY) return;
    if (number === FORM) {
      this.endForm();
      return;
    }
    if (number === BR) {
      this.attributes.clear();
      this.startTag(BR);
      return;
    }
    if ((flags & T.HEADING) !== 0) {
      const heading = open.headingOpen();
      if (heading >= 0) open.popTo(heading);
      return;
    }
    if (open.overflow > 0 && open.topTag !== number) {
      open.overflow--;
      return;
    }
    const at = endOf(open, number, flags);
    if (at > 0) closeAt(open, at, number);
    else if (number === P) this.listener.boundary();
  }

  private endForm(): void {
    this.formOpen = false;
    this.listener.formEnded();
    const at = this.open.inScope(FORM);
    if (at < 0) return;
    if (at === this.open.top) this.open.pop();
    else {
      this.listener.boundary();
      this.open.remove(at, ~0);
    }
  }

  private popped(number: number, index: number): void {
    const flags = bits(number);
    const state = this.open.states[index] ?? 0;
    if ((flags & T.RAW) !== 0) {
      const outer = index > 0 ? (this.open.states[index - 1] ?? 0) : 0;
      if (number !== TITLE || (outer & S.IN_FOREIGN) === 0) this.listener.rawText(number, this.raw, outer);
      this.raw = '';
    }
    if ((flags & T.BLOCK) !== 0) this.listener.boundary();
    this.listener.closed(number, this.open.elements[index] ?? ROOT, state);
  }
}

/** `state` under an element with the given hiding. */
function applyHiding(state: number, hiding: Hiding, hiddenAttribute: boolean): number {
  let result = state;
  if (hiddenAttribute || (hiding.hides & HIDES_ALL_BELOW) !== 0) result |= S.IN_HIDDEN;
  if ((hiding.hides & HIDES_VISIBILITY) !== 0) result |= S.IN_INVISIBLE;
  else if ((hiding.shows & HIDES_VISIBILITY) !== 0) result &= ~S.IN_INVISIBLE;
  if ((hiding.hides & HIDES_FONT) !== 0) result |= S.IN_TINY;
  else if ((hiding.shows & HIDES_FONT) !== 0) result &= ~S.IN_TINY;
  return result;
}

function bits(number: number): number {
  return T.TAG_BITS[number] ?? 0;
}

function isBlank(source: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (source.charCodeAt(at) > 0x20) return false;
  return true;
}
