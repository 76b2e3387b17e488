import lists from './data/trade-words.json' with { type: 'json' };
import type { PageFacts } from './page-facts.ts';
import { tokenize } from './tokens.ts';

/**
 * Words of the trades that web spam serves, in over twenty languages, written by hand and not learned from labels, so that
 * a trade met for the first time is known. `near` holds words of these trades that honest pages use as well, `selling`
 * the calls of any shop.
 */
export type WordClass = keyof typeof lists;

/** What the words of one place of a page come to. */
export interface TradeCount {
  /** Words of the trade met most. */
  readonly top: number;
  /** Different entries of that trade. */
  readonly distinct: number;
  /** Words of all trades. */
  readonly all: number;
  readonly near: number;
  readonly selling: number;
}

const CLASSES = Object.keys(lists) as readonly WordClass[];
const NEAR = CLASSES.indexOf('near');
const SELLING = CLASSES.indexOf('selling');

/** Counts asked for by several heuristics, by the list of words. */
const counted = new WeakMap<readonly string[], TradeCount>();

function once(words: readonly string[], work: () => TradeCount): TradeCount {
  const known = counted.get(words) ?? work();
  counted.set(words, known);
  return known;
}

/** The same for the visible text of a page, whose words have numbers: each distinct word is looked up once. */
export function countTextTrades({ words, wordIds, wordCounts }: PageFacts): TradeCount {
  return once(words, () => {
    const { entryOf } = tradeIndex();
    const entries = Array.from(wordCounts.keys(), entryOf);
    return count(words, (at) => entries[wordIds[at] as number] as Entry);
  });
}

/** {@link countTrades} of a list of words that the page's facts hold. */
export function countPlaceTrades(words: readonly string[]): TradeCount {
  return once(words, () => countTrades(words));
}

/** Counts trade words among words as {@link tokenize} gives them; an entry of several words counts as many. */
export function countTrades(words: readonly string[]): TradeCount {
  const { entryOf } = tradeIndex();
  return count(words, (at) => entryOf(words[at] as string));
}

function count(words: readonly string[], entryAt: (at: number) => Entry): TradeCount {
  const hits = new Float64Array(CLASSES.length);
  const distinct: Set<string>[] = [];
  for (let at = 0; at < words.length; at++) {
    const entry = entryAt(at);
    if (entry === NOTHING) continue;
    const word = words[at] as string;
    for (const number of entry.classes) add(number, 1, word);
    for (const { number, tail } of entry.sequences) {
      if (tail.every((next, i) => words[at + 1 + i] === next))
        add(number, 1 + tail.length, `${word} ${tail.join(' ')}`);
    }
  }
  return sum(hits, distinct);

  function add(number: number, weight: number, entry: string): void {
    hits[number] = (hits[number] ?? 0) + weight;
    const known = distinct[number];
    if (known === undefined) distinct[number] = new Set([entry]);
    else known.add(entry);
  }
}

function sum(hits: Float64Array, distinct: readonly (ReadonlySet<string> | undefined)[]): TradeCount {
  let top = 0;
  let topClass = 0;
  let all = 0;
  for (let number = 0; number < hits.length; number++) {
    if (number === NEAR || number === SELLING) continue;
    const count = hits[number] ?? 0;
    all += count;
    if (count <= top) continue;
    top = count;
    topClass = number;
  }
  return {
    top,
    distinct: top === 0 ? 0 : (distinct[topClass]?.size ?? 0),
    all,
    near: hits[NEAR] ?? 0,
    selling: hits[SELLING] ?? 0,
  };
}

interface Entry {
  readonly classes: number[];
  readonly sequences: { readonly number: number; readonly tail: readonly string[] }[];
}

/** Of a word that no trade uses. */
const NOTHING: Entry = { classes: [], sequences: [] };

interface TradeIndex {
  readonly entryOf: (word: string) => Entry;
}

let built: TradeIndex | undefined;

function tradeIndex(): TradeIndex {
  return (built ??= build());
}

/** Units of the shortest beginning that an entry with a star may have; beginnings are found by these. */
const SHORTEST = 2;

interface Beginning {
  readonly text: string;
  readonly number: number;
}

function build(): TradeIndex {
  const whole = new Map<string, Entry>();
  const beginnings = new Map<string, Beginning[]>();
  CLASSES.forEach((name, number) => {
    for (const text of new Set(Object.values(lists[name]).join(', ').split(', '))) {
      const [first = '', ...tail] = tokenize(text);
      if (text.endsWith('*') && tail.length === 0) {
        const head = first.slice(0, SHORTEST);
        beginnings.set(head, [...(beginnings.get(head) ?? []), { text: first, number }]);
      } else {
        const entry = whole.get(first) ?? { classes: [], sequences: [] };
        if (tail.length === 0) entry.classes.push(number);
        else entry.sequences.push({ number, tail });
        whole.set(first, entry);
      }
    }
  });
  const starts = new Uint8Array(1 << 16);
  for (const word of whole.keys()) starts[startOf(word, 3)] = 1;
  for (const list of beginnings.values()) {
    for (const { text } of list) starts[startOf(text, Math.min(3, text.length))] = 1;
  }
  const known = new Map<string, Entry>();
  return {
    entryOf: (word) => {
      // Four words in five begin as no entry does, and are not looked up.
      if (starts[startOf(word, 3)] !== 1 && starts[startOf(word, 2)] !== 1) return NOTHING;
      const found = known.get(word) ?? lookUp(word, whole, beginnings);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(word, found);
      return found;
    },
  };
}

/** Words whose entries are remembered from page to page: about 2 MB. */
const MAX_KNOWN = 20_000;

/** Hash of the first units of a word, 16 bits. */
function startOf(word: string, units: number): number {
  let hash = 0;
  const end = Math.min(units, word.length);
  for (let at = 0; at < end; at++) hash = Math.imul(hash, 0x3b9d) + word.charCodeAt(at);
  return (hash ^ (hash >>> 16)) & 0xffff;
}

function lookUp(
  word: string,
  whole: ReadonlyMap<string, Entry>,
  beginnings: ReadonlyMap<string, readonly Beginning[]>,
): Entry {
  const found = whole.get(word);
  const classes = new Set(found?.classes);
  for (const { text, number } of beginnings.get(word.slice(0, SHORTEST)) ?? []) {
    if (word.startsWith(text)) classes.add(number);
  }
  // Names such as slot88: a trade's word with a number behind it.
  const stem = endsInDigit(word) ? /^(\p{L}{3,})\d+$/u.exec(word)?.[1] : undefined;
  if (stem !== undefined) for (const number of whole.get(stem)?.classes ?? []) classes.add(number);
  return classes.size === 0 && found === undefined
    ? NOTHING
    : { classes: [...classes], sequences: found?.sequences ?? [] };
}

function endsInDigit(word: string): boolean {
  const last = word.charCodeAt(word.length - 1);
  return last >= 0x30 && last <= 0x39;
}
