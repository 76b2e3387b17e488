import { fold } from '../text/text.ts';

export interface KnownWord {
  readonly word: string;
  readonly documents: number;
}

/** Words shorter than this are not corrected: too much is near to them. */
const MIN_LENGTH = 4;

/**
 * The query with words that no document holds replaced by the nearest known ones (at most two edits, one in short words;
 * the commoner of equals). undefined when there is nothing to replace or nothing near.
 */
export function suggest(
  query: string,
  isKnown: (word: string) => boolean,
  wordsWith: (start: string) => readonly KnownWord[],
): string | undefined {
  let changed = false;
  const suggestion = query.replace(/\p{L}+/gu, (written) => {
    const word = fold(written);
    if (word.length < MIN_LENGTH || word.length > 32 || isKnown(word)) return written;
    const better = nearest(word, [...wordsWith(word[0] ?? ''), ...wordsWith(word[1] ?? '')]);
    if (better === undefined) return written;
    changed = true;
    return better;
  });
  return changed ? suggestion : undefined;
}

function nearest(word: string, known: readonly KnownWord[]): string | undefined {
  const reach = word.length < 6 ? 1 : 2;
  let found: KnownWord | undefined;
  let least = reach + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.word.length - word.length) > reach) continue;
    const distance = editDistance(word, candidate.word, least);
    if (distance > reach) continue;
    if (distance < least || (distance === least && candidate.documents > (found?.documents ?? 0))) {
      least = distance;
      found = candidate;
    }
  }
  return found?.word;
}

/** Optimal string alignment distance (insert, delete, replace, swap neighbours); any larger number once above `most`. */
export function editDistance(a: string, b: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
