import { type Heuristic, share } from '../heuristic.ts';
import { tokenize } from '../tokens.ts';

export const metaKeywords: Heuristic = {
  id: 'A3',
  names: ['meta_keywords_n', 'meta_keywords_words'],
  level: 'A',
  detectors: ['spam'],
  definition: 'Terms of meta keywords, parted by comma or semicolon, and their words.',
  source: 'Prieto et al. 2012',
  compute(facts) {
    const terms = facts.keywords.split(/[,;、，；]/).filter((term) => term.trim() !== '');
    return [terms.length, tokenize(facts.keywords, [], 2000).length];
  },
};

export const keywordStuffing: Heuristic = {
  id: 'A5',
  names: ['keyword_in_body'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Occurrences of the words of meta keywords in the visible text, over all words; unknown without keywords.',
  source: 'Prieto et al. 2012',
  compute(facts) {
    const keywords = new Set(tokenize(facts.keywords, [], 500));
    if (keywords.size === 0) return [undefined];
    let occurrences = 0;
    for (const word of keywords) occurrences += facts.wordCounts.get(word) ?? 0;
    return [share(occurrences, facts.words.length)];
  },
};
