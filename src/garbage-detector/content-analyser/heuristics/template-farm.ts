import type { Heuristic } from '../heuristic.ts';

export const templateFarm: Heuristic = {
  id: 'B7',
  names: ['farm_domains', 'farm_phrase_frac'],
  level: 'B',
  // The pages of a farm lie on many sites and the labelled folders have one or two of each: judged by `company-evidence.ts`.
  detectors: [],
  definition:
    'Other registrable domains with pages that lean to spam by themselves, have the same template (simhashes of the tag paths differ in at most 12 of 64 bits) and at least three of the 24 five-word phrases sampled from the main text, but not over 0.8 of them (a copy, which the document controller knows); share of the sampled phrases that these pages have. Unknown for a text of under 50 words and while no page that leans to spam is remembered.',
  source: 'Urvoy et al. 2006 (pages of one template); Fetterly et al. 2005 (phrases that many sites share)',
  compute: ({ company: { farm } }) => [farm?.domains, farm?.phrases],
};
