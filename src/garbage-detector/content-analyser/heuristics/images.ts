import { BOTH, type Heuristic, share } from '../heuristic.ts';
import { tokenize } from '../tokens.ts';

export const images: Heuristic = {
  id: 'A12',
  names: ['img_n', 'img_noalt', 'img_alt_in_title'],
  level: 'A',
  detectors: BOTH,
  definition:
    'Images; share without alt text; share of the words of alt texts that are words of the title. The shares are unknown without images, or without alt texts.',
  source: 'Prieto et al. 2012',
  compute(facts) {
    const { images: all } = facts.page;
    const named = all.filter((image) => image.alt !== undefined && image.alt !== '');
    const words: string[] = [];
    for (const image of named.slice(0, 200)) tokenize(image.alt ?? '', words, 1000);
    const title = new Set(facts.titleWords);
    const inTitle = words.filter((word) => title.has(word)).length;
    return [
      all.length,
      all.length === 0 ? undefined : 1 - named.length / all.length,
      words.length === 0 ? undefined : share(inTitle, words.length),
    ];
  },
};
