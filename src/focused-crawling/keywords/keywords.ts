import { analyse } from '../../text/text.ts';

export { type LearnedWord, learnFrequentWords } from './learn-frequency.ts';

/** A list of keywords of one kind: surnames, cities, institutes. */
export interface Category {
  readonly name: string;
  /** Weight of one occurrence of its keywords, above 0. */
  readonly weight: number;
  readonly keywords: readonly string[];
}

export interface KeywordProblem {
  /** From 1. */
  readonly line: number;
  readonly detail: string;
}

/** UTF-16 units; a longer line is no keyword. */
const MAX_LENGTH = 200;

/** The keywords of a file's lines, repetitions dropped; what is no keyword is named with its line. */
export function parseKeywords(lines: readonly { readonly text: string; readonly line: number }[]): {
  readonly keywords: readonly string[];
  readonly problems: readonly KeywordProblem[];
} {
  const problems: KeywordProblem[] = [];
  const keywords = new Map<string, string>();
  for (const { text, line } of lines) {
    const terms = termsOf(text);
    if (text.length > MAX_LENGTH) problems.push({ line, detail: `longer than ${MAX_LENGTH} characters` });
    else if (terms.length === 0) problems.push({ line, detail: 'holds no word' });
    else if (!keywords.has(terms.join(' '))) keywords.set(terms.join(' '), text);
  }
  return { keywords: [...keywords.values()], problems };
}

export interface CountedKeyword {
  readonly keyword: string;
  readonly category: string;
  readonly times: number;
  readonly weight: number;
}

/**
 * Counts the keywords of the categories in a text: whole words in sequence, letter case and diacritics folded, no
 * stemming, so that a surname is not taken for another. Time is linear in the text for keywords of bounded length.
 */
export function keywordCounter(categories: readonly Category[]): (text: string) => readonly CountedKeyword[] {
  const byFirst = new Map<string, Entry[]>();
  for (const { name, weight, keywords } of categories) {
    for (const keyword of keywords) {
      const [first, ...rest] = termsOf(keyword);
      if (first === undefined) continue;
      const entries = byFirst.get(first) ?? [];
      entries.push({ keyword, category: name, weight, rest });
      byFirst.set(first, entries);
    }
  }
  return (text) => {
    const terms = termsOf(text);
    const times = new Map<Entry, number>();
    terms.forEach((term, at) => {
      for (const entry of byFirst.get(term) ?? []) {
        if (entry.rest.every((next, i) => terms[at + 1 + i] === next)) times.set(entry, (times.get(entry) ?? 0) + 1);
      }
    });
    return [...times].map(([{ keyword, category, weight }, n]) => ({ keyword, category, weight, times: n }));
  };
}

interface Entry {
  readonly keyword: string;
  readonly category: string;
  readonly weight: number;
  /** Terms after the first. */
  readonly rest: readonly string[];
}

function termsOf(text: string): readonly string[] {
  return analyse(text, 'und').flatMap((token) => (token.extra ? [] : [token.term]));
}
