import type { DetectorName } from '../model/lists.ts';
import { heuristicsFor } from './content-analyser/content-analyser.ts';
import type { LevelRecipe, ModelRecipe } from './supervised-analyser/build-model.ts';
import type { LevelName } from './supervised-analyser/detector-model.ts';
import { TERM_SCORE } from './supervised-analyser/train-detector.ts';
import { REDUCED_FEATURES } from './system-configurator/system-configurator.ts';

/** What each detector learns with, level by level; compared in docs/garbage.md. */
export function levelRecipes(detector: DetectorName): Readonly<Record<LevelName, LevelRecipe>> {
  const reduced = REDUCED_FEATURES[detector];
  return {
    fast: { learner: 'boosted-trees', full: featuresFor(detector, 'A'), reduced },
    standard: { learner: 'boosted-trees', full: featuresFor(detector, 'B'), reduced },
  };
}

/** How vocabularies, calibration and thresholds are learned. */
export const TRAINING: Readonly<Record<DetectorName, ModelRecipe['training']>> = {
  spam: {
    terms: { minGroups: 2, epochs: 8, alpha: 1, l2: 1e-3, keep: 8000, withoutPlaces: '', withoutStrongest: 0 },
    innerFolds: 4,
    costRatio: 20,
  },
  'soft-404': {
    terms: { minGroups: 2, epochs: 8, alpha: 1, l2: 1e-3, keep: 3000, withoutPlaces: '', withoutStrongest: 0 },
    innerFolds: 4,
    costRatio: 20,
  },
};

function featuresFor(detector: DetectorName, highest: 'A' | 'B'): string[] {
  const names = heuristicsFor([detector], highest).flatMap((heuristic) => heuristic.names);
  return [...names, TERM_SCORE];
}
