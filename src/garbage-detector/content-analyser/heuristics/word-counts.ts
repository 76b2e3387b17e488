import { BOTH, type Heuristic, share } from '../heuristic.ts';

export const wordCounts: Heuristic = {
  id: 'A2',
  names: ['word_count', 'main_words', 'title_words', 'title_chars', 'title_in_body'],
  level: 'A',
  detectors: BOTH,
  definition:
    'Visible words (at most 20,000); those in the main text; words and units of the title; share of the distinct title words that stand in the body, unknown without a title.',
  source: 'Prieto et al. 2012; Ntoulas et al. 2006',
  compute(facts) {
    const title = new Set(facts.titleWords);
    let found = 0;
    for (const word of title) if (facts.wordCounts.has(word)) found++;
    return [
      facts.words.length,
      facts.mainWords,
      facts.titleWords.length,
      facts.page.title.length,
      title.size === 0 ? undefined : found / title.size,
    ];
  },
};

export const visibleShare: Heuristic = {
  id: 'A17',
  names: ['visible_frac'],
  level: 'A',
  detectors: BOTH,
  definition: 'Units of visible text over the bytes of the page, at most 1.',
  source: 'Ntoulas et al. 2006',
  compute: (facts) => [Math.min(1, share(facts.visibleLength, facts.page.counts.bytes))],
};
