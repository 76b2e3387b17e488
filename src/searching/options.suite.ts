import type { IndexOptions } from '../inverted-index/inverted-index.ts';
import type { SearchOptions } from './search.ts';

/** Options for tests; the product's are in config/defaults.ts. */
export const INDEX_OPTIONS: IndexOptions = { matched: 1000, candidates: 300, linkCandidates: 100, maxScored: 3_000 };

export const SEARCH_OPTIONS: SearchOptions = {
  ranking: {
    k1: 1.2,
    weights: { title: 4, headings: 2, body: 1, aside: 0.15, url: 2, anchors: 1.5 },
    b: { title: 0.3, headings: 0.3, body: 0.6, aside: 0.6, url: 0.3, anchors: 0.2 },
    proximity: 0.4,
    titleMatch: 0.5,
    anchorMatch: 0.8,
    coverage: 0.3,
    prior: 0.3,
    garbage: 2,
    demotion: 0.1,
    stopWords: 0.3,
    proximityDepth: 50,
  },
  relaxBelow: 10,
  languageShare: 0.01,
  snippetLength: 240,
  facetValues: 20,
};
