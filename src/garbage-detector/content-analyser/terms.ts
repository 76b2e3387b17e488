import { hostOfHref } from './link-facts.ts';
import type { PageFacts } from './page-facts.ts';
import { tokenize } from './tokens.ts';

/**
 * Where a term was met; the letter stands before the colon in a vocabulary's entries.
 * w visible text, t title, d description and keywords, g headings, a anchors of external links, x hidden text,
 * l words of link addresses, s hosts and file names of scripts, frames and images, c classes and ids, n names of metas,
 * o short opening texts.
 */
export type TermPlace = 'w' | 't' | 'd' | 'g' | 'a' | 'x' | 'l' | 's' | 'c' | 'n' | 'o' | 'r' | 'q';

export const TERM_PLACES: Readonly<Record<TermPlace, string>> = {
  w: 'in the text',
  t: 'in the title',
  d: 'in the description',
  g: 'in a heading',
  a: 'in the text of an external link',
  x: 'in hidden text',
  l: 'in a link address',
  s: 'in the address of a script, frame or image',
  c: 'as a class or id',
  n: 'as the name of a meta element',
  o: 'in a short opening text',
  r: 'often in the text',
  q: 'as a part of the words in title, headings, description and links',
};

/** Words of the visible text looked at: spam shows early, and long pages would otherwise hold every word. */
const TEXT_WORDS = 3000;

/** The distinct terms of a page, each `place:word`, bounded in number. */
export function pageTerms(facts: PageFacts): Set<string> {
  const terms = new Set<string>();
  for (const place of ALL_PLACES) COLLECT[place](facts, (word) => terms.add(`${place}:${word}`));
  return terms;
}

/** The words of one place, some more than once; none of a letter that names no place. */
export function visitTerms(facts: PageFacts, place: string, visit: (word: string) => void): void {
  if (isPlace(place)) COLLECT[place](facts, visit);
}

function isPlace(letter: string): letter is TermPlace {
  return letter in TERM_PLACES;
}

const ALL_PLACES: readonly TermPlace[] = ['w', 't', 'd', 'g', 'a', 'x', 'l', 's', 'c', 'n', 'o', 'r', 'q'];

type Add = (word: string) => void;

const COLLECT: Readonly<Record<TermPlace, (facts: PageFacts, add: Add) => void>> = {
  w: addTextWords,
  t: (facts, add) => addAll(facts.titleWords, 60, add),
  d: (facts, add) => addAll([...facts.descriptionWords, ...tokenize(facts.keywords, [], 200)], 400, add),
  g: (facts, add) => addAll(facts.headingWords, 400, add),
  a: (facts, add) => addAll(facts.links.externalAnchorWords, 1000, add),
  x: (facts, add) => addAll(facts.hiddenWords, 1000, add),
  l: addLinkWords,
  s: addSources,
  c: addClasses,
  n: (facts, add) => {
    for (const meta of facts.page.metas.slice(0, 100)) add(meta.name.slice(0, 40));
  },
  r: addRepeated,
  q: addParts,
  o: (facts, add) => {
    for (const opening of facts.openings) if (opening.words.length <= 40) addAll(opening.words, 40, add);
  },
};

/** Each distinct word once: looking a word up costs more than knowing its number. */
function addTextWords({ words, wordIds, wordCounts }: PageFacts, add: Add): void {
  const isMet = new Uint8Array(wordCounts.size);
  const end = Math.min(words.length, TEXT_WORDS);
  for (let at = 0; at < end; at++) {
    const id = wordIds[at] as number;
    if (isMet[id] === 1) continue;
    isMet[id] = 1;
    const word = words[at] as string;
    if (word.length <= 3 || !isDecimal(word)) add(word);
  }
}

function addAll(words: readonly string[], limit: number, add: Add): void {
  const end = Math.min(words.length, limit);
  for (let i = 0; i < end; i++) {
    const word = words[i] ?? '';
    if (word.length <= 3 || !isDecimal(word)) add(word);
  }
}

function isDecimal(word: string): boolean {
  const first = word.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && /^\d+$/.test(word);
}

/** Words of at least four units (two in unspaced scripts) met at least five times, the commonest 30. */
function addRepeated(facts: PageFacts, add: Add): void {
  for (const word of repeatedWords(facts)) add(word);
}

function repeatedWords(facts: PageFacts): string[] {
  const often: [string, number][] = [];
  for (const [word, n] of facts.wordCounts) {
    if (n >= 5 && (word.length >= 4 || word.charCodeAt(0) >= 0x0e00)) often.push([word, n]);
  }
  return often
    .sort((a, b) => b[1] - a[1])
    .slice(0, 30)
    .map(([word]) => word);
}

/** Units of a part: long enough to carry a stem, short enough to be met in compounds and in other languages. */
const PART = 5;

/** Parts of five units of the words a page shows off with: stems meet across compounds and related languages. */
function addParts(facts: PageFacts, add: Add): void {
  const words = new Set([
    ...facts.titleWords,
    ...facts.headingWords.slice(0, 200),
    ...facts.descriptionWords,
    ...repeatedWords(facts),
  ]);
  for (const word of facts.links.anchorWords.slice(0, 500)) words.add(word);
  for (const word of words) {
    const marked = `_${word}_`;
    if (marked.length <= PART) continue;
    for (let at = 0; at + PART <= marked.length; at++) add(marked.slice(at, at + PART));
  }
}

const LINKS = 500;

function addLinkWords(facts: PageFacts, add: Add): void {
  const seen = new Set<string>();
  for (const link of facts.page.links.slice(0, LINKS)) {
    if (seen.has(link.href)) continue;
    seen.add(link.href);
    addAddressWords(link.href, add);
  }
}

function addSources(facts: PageFacts, add: Add): void {
  const { scripts, images, links } = facts.page;
  const sources = [
    ...scripts.flatMap((script) => script.src ?? []),
    ...images.slice(0, 100).map((image) => image.src),
    ...links.filter((link) => link.element === 'iframe' || link.element === 'frame').map((link) => link.href),
  ];
  for (const source of sources.slice(0, 200)) {
    const host = hostOfHref(source);
    if (host !== '') add(host.slice(0, 60));
    else addAddressWords(source, add);
  }
}

function addAddressWords(address: string, add: Add): void {
  if (address.startsWith('data:')) return;
  for (const word of tokenize(address.slice(0, 200))) {
    if (word.length >= 2 && word.length <= 30 && !isNumber(word)) add(word);
  }
}

/** Numbers and hashes: decimal digits only, or eight and more hexadecimal ones. */
function isNumber(word: string): boolean {
  const first = word.charCodeAt(0);
  const mayBe = (first >= 0x30 && first <= 0x39) || (first >= 0x61 && first <= 0x66 && word.length >= 8);
  return mayBe && /^[0-9a-f]{8,}$|^\d+$/.test(word);
}

function addClasses(facts: PageFacts, add: Add): void {
  for (const path of facts.page.tagPaths.slice(0, 2000)) {
    const last = path.slice(path.lastIndexOf(' ') + 1).slice(0, 120);
    for (const part of last.split(/[.#]/).slice(1)) if (part.length >= 2 && part.length <= 30) add(part);
  }
}
