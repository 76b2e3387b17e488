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
    if (words.length < 100) return [undefined, undefined, undefined, undefined];
    const head = words.slice(0, 500);
    return [
      topWord(words) / words.length,
      topRun(words, 2).top / words.length,
      new Set(head).size / head.length,
      share(topRun(words, 5).repeated, words.length - 4),
    ];
  },
};

function topWord(words: readonly string[]): number {
  const counts = new Map<string, number>();
  let top = 0;
  for (const word of words) {
    if (word.length < 4 && word.charCodeAt(0) < 0x0e00) continue;
    const n = (counts.get(word) ?? 0) + 1;
    counts.set(word, n);
    if (n > top) top = n;
  }
  return top;
}

/** Runs of `length` words by a rolling hash: how often the commonest occurs, and how many were met before. */
function topRun(words: readonly string[], length: number): { top: number; repeated: number } {
  const hashes = words.map(hashWord);
  const counts = new Map<number, number>();
  let top = 0;
  let repeated = 0;
  for (let i = 0; i + length <= hashes.length; i++) {
    let hash = 0;
    for (let j = i; j < i + length; j++) hash = Math.imul(hash, 0x01000193) ^ (hashes[j] ?? 0);
    const n = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, n);
    if (n > top) top = n;
    if (n > 1) repeated++;
  }
  return { top, repeated };
}

function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}
