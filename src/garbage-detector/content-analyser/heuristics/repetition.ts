import { type Heuristic, share } from '../heuristic.ts';

/** Words looked at: shares over a sample of one size do not grow with the page. */
const SAMPLE = 2000;

export const repetition: Heuristic = {
  id: 'repetition',
  names: ['top_word_frac', 'top_pair_frac', 'distinct_500', 'repeated_phrases'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Of the first 2,000 visible words: share of the commonest word of at least 4 units (any in unspaced scripts), share of the commonest pair of words, distinct words among the first 500 over 500 (unknown below 100 words), share of runs of five words met before.',
  source: 'own; after Fetterly, Manasse and Najork 2005 (phrase-level duplication)',
  compute(facts) {
    const words = facts.words.slice(0, SAMPLE);
    const ids = facts.wordIds.subarray(0, SAMPLE);
    if (words.length < 100) return [undefined, undefined, undefined, undefined];
    const head = ids.subarray(0, 500);
    return [
      topWord(words, ids) / words.length,
      topRun(ids, 2).top / words.length,
      new Set(head).size / head.length,
      share(topRun(ids, 5).repeated, words.length - 4),
    ];
  },
};

function topWord(words: readonly string[], ids: Int32Array): number {
  // Numbers are given in the order the words are met, so none is above the sample's length.
  const counts = new Uint16Array(ids.length);
  let top = 0;
  for (let at = 0; at < ids.length; at++) {
    const word = words[at] as string;
    if (word.length < 4 && word.charCodeAt(0) < 0x0e00) continue;
    const id = ids[at] as number;
    const n = (counts[id] as number) + 1;
    counts[id] = n;
    if (n > top) top = n;
  }
  return top;
}

/** Of an open-addressed table of the sample's runs, at most half full. */
const SLOTS = 4096;

/** Runs of `length` words by a rolling hash: how often the commonest occurs, and how many were met before. */
function topRun(ids: Int32Array, length: number): { top: number; repeated: number } {
  const keys = new Int32Array(SLOTS);
  const counts = new Uint16Array(SLOTS);
  let top = 0;
  let repeated = 0;
  for (let i = 0; i + length <= ids.length; i++) {
    let hash = 0;
    for (let j = i; j < i + length; j++) hash = Math.imul(hash, 0x9e3779b1) ^ (ids[j] as number);
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    while (counts[slot] !== 0 && keys[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
    keys[slot] = hash;
    const n = (counts[slot] as number) + 1;
    counts[slot] = n;
    if (n > top) top = n;
    if (n > 1) repeated++;
  }
  return { top, repeated };
}
