import type { Link } from '../../../model/page.ts';
import commonDomains from '../data/common-domains.json' with { type: 'json' };
import { type Heuristic, share } from '../heuristic.ts';
import { isUnvouched } from '../link-facts.ts';
import type { PageFacts } from '../page-facts.ts';
import { isPaired, tokenize } from '../tokens.ts';

export const injectedLinks: Heuristic = {
  id: 'links/injected',
  names: [
    'foreign_hidden',
    'foreign_hidden_domains',
    'foreign_run',
    'foreign_run_domains',
    'foreign_shared',
    'foreign_hidden_shared',
    'foreign_frac',
    'foreign_script',
  ],
  level: 'A',
  detectors: ['spam'],
  definition:
    "Links to foreign domains without nofollow, ugc or sponsored, in lists outside menus, whose words stand nowhere else on the page, are not the name of the domain they lead to, and are written as keywords (2–8 words): how many of them are hidden, and their distinct domains; the longest run of such links without an internal or a home-worded link between, and its distinct domains; the most domains that one word of theirs leads to, and that one word of the hidden ones leads to; their words over the words of the page and of hidden text; share of them written in another script than the page's text.",
  source: 'own; hacked pages with injected links',
  compute(facts) {
    const judged = judgeLinks(facts);
    const hidden = judged.filter(({ foreign, link }) => foreign && link.hidden);
    const run = longestRun(judged);
    const foreign = judged.filter((link) => link.foreign);
    const own = scriptOf(facts.words.slice(0, 400).join(' '));
    const other = foreign.filter(({ link }) => otherScript(scriptOf(link.text), own)).length;
    return [
      hidden.length,
      domainsOf(hidden),
      run.length,
      domainsOf(run),
      sharedWord(foreign),
      sharedWord(hidden),
      share(wordsOf(foreign), facts.words.length + facts.hiddenWords.length),
      share(other, foreign.length),
    ];
  },
};

interface JudgedLink {
  readonly link: Link;
  readonly domain: string;
  /** External, and its words are at home neither on the page nor in the name it leads to. */
  readonly foreign: boolean;
}

function judgeLinks(facts: PageFacts): JudgedLink[] {
  const elsewhere = wordsElsewhere(facts);
  const ownName = nameOf(facts.links.ownDomain);
  const judged: JudgedLink[] = [];
  for (let at = 0; at < facts.links.domainOf.length; at++) {
    const link = facts.page.links[at] as Link;
    if (link.element !== 'a' || link.text === '') continue;
    const domain = facts.links.domainOf[at] as string;
    const isAway =
      domain !== '' &&
      nameOf(domain) !== ownName &&
      !COMMON.has(domain) &&
      !MENUS.has(link.position) &&
      !isUnvouched(link);
    const foreign =
      isAway && isMostlyLinks(facts, link) && isForeign(link.text, facts.links.hostOf[at] as string, elsewhere);
    judged.push({ link, domain, foreign });
  }
  return judged;
}

/** Menus lead to the sister sites of an owner. */
const MENUS: ReadonlySet<string> = new Set(['nav', 'header']);

/** First label of a registrable domain: an owner's is the same in every country. */
function nameOf(domain: string): string {
  return domain === '' ? '' : domain.slice(0, domain.indexOf('.'));
}

/** Links put in by others stand in lists, or one after the other; those of an author stand in sentences. */
function isMostlyLinks({ page }: PageFacts, { block }: Link): boolean {
  const holder = page.blocks[block];
  return holder === undefined || holder.linkLength >= LINK_SHARE * holder.text.length;
}

const LINK_SHARE = 0.6;

/** Domains that six or more of the owners of labelled good pages link to. */
const COMMON: ReadonlySet<string> = new Set(commonDomains);

const SHORTEST = 2;
const LONGEST = 8;
const FOREIGN_SHARE = 0.5;

function isForeign(text: string, host: string, elsewhere: ReadonlySet<string>): boolean {
  if (text.length > 100 || /:\/\/|www\./.test(text)) return false;
  const words = tokenize(text, [], LONGEST * 3);
  if (words.length < SHORTEST || words.length > LONGEST * 3) return false;
  const name = host.replaceAll(/[^a-z0-9]/g, '');
  if (name.includes(words.join('')) && words.join('').length > 4) return false;
  const strange = words.filter((word) => !elsewhere.has(word)).length;
  return strange / words.length >= FOREIGN_SHARE;
}

/** Words of the page outside the texts of its external links. */
function wordsElsewhere(facts: PageFacts): ReadonlySet<string> {
  const inAnchors = new Map<string, number>();
  for (const word of facts.links.externalAnchorWords) inAnchors.set(word, (inAnchors.get(word) ?? 0) + 1);
  const words = new Set([...facts.titleWords, ...facts.descriptionWords]);
  for (const [word, n] of facts.wordCounts) if (n > (inAnchors.get(word) ?? 0)) words.add(word);
  return words;
}

function longestRun(links: readonly JudgedLink[]): JudgedLink[] {
  let best: JudgedLink[] = [];
  let run: JudgedLink[] = [];
  for (const link of links) {
    run = link.foreign ? [...run, link] : [];
    if (run.length > best.length) best = run;
    if (run.length >= MAX_RUN) break;
  }
  return best;
}

const MAX_RUN = 200;

function domainsOf(links: readonly JudgedLink[]): number {
  return new Set(links.map(({ domain }) => domain)).size;
}

function wordsOf(links: readonly JudgedLink[]): number {
  return links.reduce((sum, { link }) => sum + tokenize(link.text, [], LONGEST * 3).length, 0);
}

/** The most domains that are linked to with one and the same word; a trade advertised has few words. */
function sharedWord(links: readonly JudgedLink[]): number {
  const domains = new Map<string, Set<string>>();
  let most = 0;
  for (const { link, domain } of links) {
    for (const word of new Set(tokenize(link.text, [], LONGEST * 3))) {
      if (word.length < 4 && !isPaired(word)) continue;
      const known = domains.get(word) ?? new Set();
      domains.set(word, known.add(domain));
      most = Math.max(most, known.size);
    }
  }
  return most;
}

/** Commonest script of the letters, '' for none. */
function scriptOf(text: string): string {
  const scripts = scriptTable();
  const counts = new Uint32Array(SCRIPTS.length + 1);
  for (let at = 0; at < text.length; at++) {
    const script = scripts[text.charCodeAt(at)] as number;
    counts[script] = (counts[script] as number) + 1;
  }
  let best = 0;
  let most = 0;
  for (let script = 1; script < counts.length; script++) {
    const count = counts[script] as number;
    if (count <= most) continue;
    most = count;
    best = script;
  }
  return best === 0 ? '' : (SCRIPTS[best - 1]?.[0] ?? '');
}

let table: Uint8Array | undefined;

/** Of each UTF-16 unit, 1 + the position in {@link SCRIPTS}, 0 for others. Letters of two units (rare Han) do not count. */
function scriptTable(): Uint8Array {
  if (table !== undefined) return table;
  table = new Uint8Array(1 << 16);
  for (let unit = 0; unit < table.length; unit++) {
    const character = String.fromCharCode(unit);
    table[unit] = 1 + SCRIPTS.findIndex(([, pattern]) => pattern.test(character));
  }
  return table;
}

/** Latin words stand in texts of every script. */
function otherScript(script: string, own: string): boolean {
  return script !== '' && own !== '' && script !== 'latin' && script !== own;
}

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['latin', /\p{sc=Latin}/u],
  ['east-asian', /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['hangul', /\p{sc=Hangul}/u],
  ['cyrillic', /\p{sc=Cyrillic}/u],
  ['arabic', /\p{sc=Arabic}/u],
  ['thai', /\p{sc=Thai}/u],
  ['greek', /\p{sc=Greek}/u],
  ['hebrew', /\p{sc=Hebrew}/u],
  ['devanagari', /\p{sc=Devanagari}/u],
];
