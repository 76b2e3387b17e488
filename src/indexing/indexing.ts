import {
  BREAK,
  encodeCounts,
  encodeSequence,
  encodeTerms,
  MAX_SEQUENCE,
  MAX_TERMS,
  sequenceHash,
  termHash,
} from '../inverted-index/forward.ts';
import {
  type AnchorDocument,
  COLUMN_END,
  FIELDS,
  type Field,
  type IndexDocument,
} from '../inverted-index/index-document.ts';
import { BLOCK_CHROME, BLOCK_HEADING, BLOCK_HIDDEN, BLOCK_MAIN, type TextBlock } from '../model/page.ts';
import { analyse, fold, type Token } from '../text/text.ts';

type IndexableBlock = Pick<TextBlock, 'text' | 'flags' | 'linkLength' | 'tag'>;

/** What indexing reads of a page; a `Page` of the page reader fits. */
export interface IndexablePage {
  readonly title: string;
  readonly blocks: readonly IndexableBlock[];
  readonly language: string;
  /** Meta description; counted with the text beside the main part. */
  readonly description: string;
}

/** Text and number of distinct pages (or sites) that link with it. */
export interface AnchorText {
  readonly text: string;
  readonly sources: number;
}

/** UTF-16 units of text read per document. */
const MAX_TEXT = 1_000_000;
/** A block with more of its text in links than this lists what other pages say. Share of its length. */
const LINK_LIST = 0.5;
/** Distinct anchor texts kept per document, the most used first. */
const MAX_ANCHORS = 300;
/** One anchor text gives its terms at most this weight: a site's menu links to a page from everywhere. */
const MAX_SOURCES = 8;
const MAX_WORDS = 60;

/**
 * Page → terms per field. Text outside the main part and blocks that are mostly links go to `aside`, so that a book's
 * index does not outrank the page it points to; menus, headers, footers and hidden text are left out.
 */
export function analyseDocument(page: IndexablePage, url: string): IndexDocument {
  const builder = new DocumentBuilder(page.language);
  builder.add('title', page.title);
  let left = MAX_TEXT;
  for (const block of page.blocks) {
    if (isLeftOut(block.flags)) continue;
    if ((left -= block.text.length) < 0) break;
    builder.add(fieldOf(block), block.text);
  }
  builder.add('aside', page.description);
  builder.add('url', urlWords(url));
  return builder.build(hostOf(url), suggestionWords(page));
}

/** The texts of all links to one document → terms. `language` is the target's. */
export function analyseAnchors(anchors: readonly AnchorText[], language: string): AnchorDocument {
  const columns: string[] = [];
  const terms = new Map<number, number>();
  const texts = new Map<number, number>();
  let length = 0;
  const used = [...anchors].sort((a, b) => b.sources - a.sources).slice(0, MAX_ANCHORS);
  for (const { text, sources } of used) {
    const tokens = analyse(text.slice(0, 500), language);
    const words = tokens.filter((token) => !token.extra).map((token) => token.term);
    if (words.length === 0) continue;
    const weight = Math.min(sources, MAX_SOURCES);
    for (const term of new Set(tokens.map((token) => token.term))) add(terms, termHash(term), weight);
    add(texts, sequenceHash(words), weight);
    length += words.length;
    columns.push(columnText(tokens));
  }
  return { column: columns.join(` ${COLUMN_END} `), length, terms: encodeCounts(terms), texts: encodeCounts(texts) };
}

class DocumentBuilder {
  readonly #language: string;
  readonly #places = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #counts: Record<Field, number>[] = [];
  readonly #words: Record<Field, string[]> = { title: [], headings: [], body: [], aside: [], url: [] };
  readonly #names: Record<Field, string[]> = { title: [], headings: [], body: [], aside: [], url: [] };
  readonly #sequence = new Uint16Array(MAX_SEQUENCE);
  #length = 0;

  constructor(language: string) {
    this.#language = language;
  }

  add(field: Field, text: string): void {
    const words = this.#words[field];
    const names = this.#names[field];
    // Words side by side in a list of links or in the address say nothing about each other.
    const ordered = field !== 'aside' && field !== 'url';
    for (const { term, extra } of analyse(text, this.#language)) {
      const place = this.#count(term, field);
      (extra ? names : words).push(term);
      if (!extra && ordered && this.#length < MAX_SEQUENCE) this.#sequence[this.#length++] = place;
    }
    if (ordered && this.#length < MAX_SEQUENCE) this.#sequence[this.#length++] = BREAK;
  }

  build(site: string, words: readonly string[]): IndexDocument {
    const order = this.#order();
    const entries = Array.from(order, (key) => ({
      hash: Math.floor(key / PLACES),
      counts: this.#counts[key % PLACES] ?? NO_COUNTS,
    }));
    return {
      columns: this.#columns(),
      lengths: FIELDS.map((field) => this.#words[field].length),
      terms: encodeTerms(entries),
      sequence: encodeSequence(this.#sortedSequence(order)),
      titleHash: sequenceHash(this.#words.title),
      words,
      site,
      language: this.#language,
    };
  }

  #count(term: string, field: Field): number {
    let place = this.#places.get(term);
    if (place === undefined) {
      if (this.#terms.length >= MAX_TERMS) return BREAK;
      place = this.#terms.push(term) - 1;
      this.#places.set(term, place);
      this.#counts.push({ ...NO_COUNTS });
    }
    const counts = this.#counts[place];
    if (counts !== undefined) counts[field]++;
    return place;
  }

  #columns(): Record<Field, string> {
    const columns: Record<Field, string> = { title: '', headings: '', body: '', aside: '', url: '' };
    for (const field of FIELDS) {
      const names = this.#names[field];
      columns[field] = this.#words[field].join(' ') + (names.length === 0 ? '' : ` ${COLUMN_END} ${names.join(' ')}`);
    }
    return columns;
  }

  /** Hash and place of each term in one number, by hash: sorted without calling back. */
  #order(): Float64Array {
    const keys = new Float64Array(this.#terms.length);
    for (let i = 0; i < keys.length; i++) keys[i] = termHash(this.#terms[i] ?? '') * PLACES + i;
    return keys.sort();
  }

  /** The sequence with places as in the sorted table. */
  #sortedSequence(order: Float64Array): Uint16Array {
    const sorted = new Uint16Array(order.length);
    for (let i = 0; i < order.length; i++) sorted[(order[i] ?? 0) % PLACES] = i;
    const sequence = new Uint16Array(this.#length);
    for (let i = 0; i < sequence.length; i++) {
      const place = this.#sequence[i] ?? BREAK;
      sequence[i] = place === BREAK ? BREAK : (sorted[place] ?? BREAK);
    }
    return sequence;
  }
}

/** Places of terms lie below this; hash × PLACES + place is exact in a double. */
const PLACES = 0x10000;
const NO_COUNTS: Readonly<Record<Field, number>> = { title: 0, headings: 0, body: 0, aside: 0, url: 0 };

function isLeftOut(flags: number): boolean {
  return (flags & BLOCK_HIDDEN) !== 0 || (flags & (BLOCK_CHROME | BLOCK_MAIN)) === BLOCK_CHROME;
}

/** Elements that name what follows them, as headings do, and the UTF-16 units up to which their text is a name. */
const NAMING_TAGS: ReadonlySet<string> = new Set(['dt', 'caption', 'summary']);
const MAX_NAME = 200;

function fieldOf({ text, flags, linkLength, tag }: IndexableBlock): Field {
  if ((flags & BLOCK_MAIN) === 0) return 'aside';
  if ((flags & BLOCK_HEADING) !== 0) return 'headings';
  if (linkLength > text.length * LINK_LIST) return 'aside';
  return NAMING_TAGS.has(tag) && text.length <= MAX_NAME ? 'headings' : 'body';
}

function columnText(tokens: readonly Token[]): string {
  const words = tokens.filter((token) => !token.extra).map((token) => token.term);
  const names = tokens.filter((token) => token.extra).map((token) => token.term);
  return words.join(' ') + (names.length === 0 ? '' : ` ${COLUMN_END} ${names.join(' ')}`);
}

/** Host and path as words; the query string and the file's extension say little. */
function urlWords(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return '';
  const path = parsed.pathname.replace(/\.[a-z]{2,5}$/i, '');
  return decode(path)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .slice(0, 300);
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Malformed escapes: the path as it stands still has words.
    return path;
  }
}

/** Words as typed: from titles and headings, letters only. */
function suggestionWords(page: IndexablePage): string[] {
  const headings = page.blocks.filter((block) => (block.flags & BLOCK_HEADING) !== 0).map((block) => block.text);
  const found = new Set<string>();
  for (const text of [page.title, ...headings]) {
    for (const word of fold(text.slice(0, 500)).match(/\p{L}{4,24}/gu) ?? []) {
      if (found.size < MAX_WORDS) found.add(word);
    }
  }
  return [...found];
}

function add(counts: Map<number, number>, hash: number, weight: number): void {
  counts.set(hash, (counts.get(hash) ?? 0) + weight);
}
