import { BOTH, type Heuristic, share } from '../heuristic.ts';

export const metaDescription: Heuristic = {
  id: 'A4',
  names: ['meta_desc_words', 'meta_desc_in_body', 'title_in_desc'],
  level: 'A',
  detectors: BOTH,
  definition:
    'Words of meta description; share of the distinct ones that stand in the body; share of the distinct title words that stand in it. The shares are unknown without a description.',
  source: 'Prieto et al. 2012',
  compute(facts) {
    const description = new Set(facts.descriptionWords);
    if (description.size === 0) return [0, undefined, undefined];
    let inBody = 0;
    for (const word of description) if (facts.wordCounts.has(word)) inBody++;
    const title = new Set(facts.titleWords);
    let inDescription = 0;
    for (const word of title) if (description.has(word)) inDescription++;
    return [facts.descriptionWords.length, inBody / description.size, share(inDescription, title.size)];
  },
};
