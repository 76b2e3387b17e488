import type { DetectorName } from '../model/lists.ts';
import type { PageOptions } from '../page/page-options.ts';
import { heuristicsFor } from './content-analyser/content-analyser.ts';
import { injectedLinks } from './content-analyser/heuristics/injected-links.ts';
import { tradeLinks } from './content-analyser/heuristics/trade-links.ts';
import { phrasePages } from './phrase-pages.ts';
import type { LevelRecipe, ModelRecipe } from './supervised-analyser/build-model.ts';
import type { LabelledPage } from './supervised-analyser/corpus.ts';
import type { LevelName } from './supervised-analyser/detector-model.ts';
import { VOCABULARY } from './supervised-analyser/train-detector.ts';
import { REDUCED_FEATURES } from './system-configurator/system-configurator.ts';

/** What each detector learns with, level by level; compared in docs/garbage.md. */
export function levelRecipes(detector: DetectorName): Readonly<Record<LevelName, LevelRecipe>> {
  const reduced = detector === 'spam' ? [...REDUCED_FEATURES.spam, VOCABULARY] : REDUCED_FEATURES[detector];
  return {
    fast: { learner: 'boosted-trees', full: featuresFor(detector, 'A'), reduced },
    standard: { learner: 'boosted-trees', full: featuresFor(detector, 'B'), reduced },
  };
}

const TERMS = { minGroups: 2, epochs: 8, alpha: 1, l2: 1e-3 };

/** How vocabularies, calibration and thresholds are learned. */
export const TRAINING: Readonly<Record<DetectorName, ModelRecipe['training']>> = {
  spam: {
    terms: { ...TERMS, keep: 8000, places: 'tdgalscnorq' },
    vocabularyShare: 0,
    blend: 1,
    innerFolds: 4,
    costRatio: 20,
  },
  'soft-404': {
    terms: { ...TERMS, keep: 4000, places: 'wtdgaxlscno' },
    vocabularyShare: 1,
    blend: 0.7,
    innerFolds: 3,
    costRatio: 20,
  },
};

/**
 * Left out of the spam trees: they tell a site's template and age, which most kinds of the labelled pages have one of,
 * and so stand for the site instead of its honesty. People still see them.
 */
const TEMPLATE_FEATURES: ReadonlySet<string> = new Set([
  ...[
    'bytes',
    'tags',
    'tags_per_word',
    'max_depth',
    'style_frac',
    'comment_frac',
    'avg_word_len',
    'list_items',
    'tables',
  ],
  ...['script_frac', 'script_longest_token', 'script_symbols', 'script_entropy', 'script_escapes_per_kb'],
  ...['img_n', 'jsonld_ratings', 'jsonld_questions', 'jsonld_offers', 'html_injection', 'js_redirect', 'eval_count'],
  ...['eval_len', 'encode_decode_fns', 'empty_links', 'links_internal'],
  // Tells how long and in which script a page is written; what it tells of repetition `repeated_phrases` tells better.
  'compress_ratio',
]);

/** Judged by `evidence-shift.ts`: the pages with injected links are too few to learn from. */
const INJECTED: ReadonlySet<string> = new Set([...injectedLinks.names, ...tradeLinks.names]);

/** Pages written to teach a detector's vocabulary; see {@link phrasePages}. */
export function teachingAids(detector: DetectorName, options: PageOptions): LabelledPage[] {
  return detector === 'soft-404' ? phrasePages(options) : [];
}

function featuresFor(detector: DetectorName, highest: 'A' | 'B'): string[] {
  const names = heuristicsFor([detector], highest).flatMap((heuristic) => heuristic.names);
  if (detector !== 'spam') return names;
  return [...names.filter((name) => !TEMPLATE_FEATURES.has(name) && !INJECTED.has(name)), VOCABULARY];
}
