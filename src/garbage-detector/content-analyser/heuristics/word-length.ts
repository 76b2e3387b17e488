import { BOTH, type Heuristic } from '../heuristic.ts';
import type { PageFacts } from '../page-facts.ts';
import { isPaired } from '../tokens.ts';

export const wordLength: Heuristic = {
  id: 'A1',
  names: ['avg_word_len'],
  level: 'A',
  detectors: BOTH,
  definition: 'Mean UTF-16 units of the first 2,000 visible words of spaced scripts; unknown below 20 such words.',
  source: 'Prieto et al. 2012; Ntoulas et al. 2006',
  compute(facts: PageFacts) {
    let units = 0;
    let words = 0;
    for (const word of facts.words.slice(0, 2000)) {
      if (isPaired(word)) continue;
      units += word.length;
      words++;
    }
    return [words < 20 ? undefined : units / words];
  },
};
