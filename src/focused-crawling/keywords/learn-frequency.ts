import { isStopWord } from '../../text/stop-words.ts';
import { analyse } from '../../text/text.ts';

export interface LearnedWord {
  readonly word: string;
  /** Occurrences in the pages learnt from. */
  readonly score: number;
}

export interface TextToLearnFrom {
  readonly text: string;
  /** ISO 639 primary subtag or 'und'. */
  readonly language: string;
}

/** UTF-16 units of the shortest word learnt, and pages a word must stand in. */
const MIN_LENGTH = 3;
const MIN_PAGES = 2;

/**
 * The most frequent words of the best pages (the paper's way of learning): no stop words, no numbers, none of the words
 * known already, and of several pages only words that more than one holds.
 */
export function learnFrequentWords(
  texts: readonly TextToLearnFrom[],
  options: { readonly known: readonly string[]; readonly count: number },
): readonly LearnedWord[] {
  const known = new Set(options.known.flatMap((keyword) => analyse(keyword, 'und').map((token) => token.term)));
  const words = new Map<string, { word: string; times: number; pages: Set<number> }>();
  texts.forEach(({ text, language }, page) => {
    for (const { term, start, end, extra } of analyse(text, 'und')) {
      const word = text.slice(start, end).toLowerCase();
      if (extra || known.has(term) || word.length < MIN_LENGTH || !/^\p{L}+$/u.test(word)) continue;
      if (isStopWord(term, language) || isStopWord(word, language)) continue;
      const entry = words.get(term) ?? { word, times: 0, pages: new Set() };
      entry.times++;
      entry.pages.add(page);
      words.set(term, entry);
    }
  });
  const least = Math.min(MIN_PAGES, texts.length);
  return [...words.values()]
    .filter((entry) => entry.pages.size >= least)
    .sort((a, b) => b.times - a.times || (a.word < b.word ? -1 : 1))
    .slice(0, options.count)
    .map(({ word, times }) => ({ word, score: times }));
}
