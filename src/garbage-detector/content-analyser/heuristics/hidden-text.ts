import { type Heuristic, share } from '../heuristic.ts';

export const hiddenText: Heuristic = {
  id: 'A13',
  names: ['hidden_frac', 'hidden_links', 'hidden_new_words'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Units of hidden text over all units; hidden links; share of the words of hidden text that the visible text does not have (unknown below 5 hidden words).',
  source: 'Prieto et al. 2012',
  compute(facts) {
    const { hiddenLength, visibleLength } = facts.page.counts;
    const hidden = facts.hiddenWords;
    const foreign = hidden.filter((word) => !facts.wordCounts.has(word)).length;
    return [
      share(hiddenLength, hiddenLength + visibleLength),
      facts.links.hidden,
      hidden.length < 5 ? undefined : foreign / hidden.length,
    ];
  },
};
