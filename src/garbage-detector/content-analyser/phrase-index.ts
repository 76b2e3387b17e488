import phrases from './data/not-found-phrases.json' with { type: 'json' };
import { tokenize } from './tokens.ts';

/**
 * How far one error message covers these words: the greatest over all messages of
 * 2·Σ weight of shared words / (Σ weight of the message + Σ weight of the words), 0–1.
 * A word's weight is log(messages / messages with it), so 'the' says little and 'gevonden' much.
 */
export function bestCover(words: readonly string[]): number {
  const { postings, totals, unknownWeight } = phraseIndex();
  const shared = new Map<number, number>();
  let own = 0;
  for (const word of new Set(words)) {
    const posting = postings.get(word);
    own += posting?.weight ?? unknownWeight;
    if (posting === undefined) continue;
    for (const phrase of posting.phrases) shared.set(phrase, (shared.get(phrase) ?? 0) + posting.weight);
  }
  let best = 0;
  for (const [phrase, weight] of shared) best = Math.max(best, (2 * weight) / ((totals[phrase] ?? 0) + own));
  return best;
}

/** True when the words hold one whole message in order, and at most as many other words. */
export function isWholePhrase(words: readonly string[]): boolean {
  const { starts } = phraseIndex();
  for (let at = 0; at < words.length; at++) {
    for (const phrase of starts.get(words[at] ?? '') ?? []) {
      if (words.length <= 2 * phrase.length && phrase.every((word, i) => words[at + i] === word)) return true;
    }
  }
  return false;
}

/** The messages themselves, by locale. */
export function errorMessages(): { readonly language: string; readonly texts: readonly string[] }[] {
  return Object.entries(phrases).map(([language, texts]) => ({ language, texts }));
}

interface PhraseIndex {
  readonly postings: ReadonlyMap<string, { readonly weight: number; readonly phrases: readonly number[] }>;
  /** Σ weight of each phrase. */
  readonly totals: readonly number[];
  readonly starts: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly unknownWeight: number;
}

let built: PhraseIndex | undefined;

function phraseIndex(): PhraseIndex {
  return (built ??= build(Object.values(phrases).flat().flatMap(fragments)));
}

/** A message with placeholders falls into the texts between them. */
function fragments(phrase: string): string[][] {
  return phrase
    .split(/%\(?\w*\)?[sd]?|\{\{?[^}]*\}?\}|<[^>]*>/)
    .map((part) => tokenize(part))
    .filter((words) => words.length >= 2);
}

function build(all: readonly (readonly string[])[]): PhraseIndex {
  const lists = new Map<string, number[]>();
  const starts = new Map<string, (readonly string[])[]>();
  all.forEach((words, number) => {
    for (const word of new Set(words)) lists.set(word, [...(lists.get(word) ?? []), number]);
    const first = words[0] ?? '';
    starts.set(first, [...(starts.get(first) ?? []), words]);
  });
  const postings = new Map<string, { weight: number; phrases: number[] }>();
  for (const [word, numbers] of lists) {
    postings.set(word, { weight: Math.log((all.length + 1) / numbers.length), phrases: numbers });
  }
  const totals = all.map((words) =>
    [...new Set(words)].reduce((sum, word) => sum + (postings.get(word)?.weight ?? 0), 0),
  );
  return { postings, totals, starts, unknownWeight: Math.log(all.length + 1) / 2 };
}
