import type { Random } from '../../kit/random.ts';
import type { DetectorName } from '../../model/lists.ts';
import type { Corpus } from './corpus.ts';
import { type DetectorModel, type LevelName, type NamedPart, packHashes } from './detector-model.ts';
import { type LearnerName, scoreTerms, type TrainOptions, trainOnTerms } from './train-detector.ts';

/** What a level's trees are made of. */
export interface LevelRecipe {
  readonly learner: LearnerName;
  /** Features of the full tree; the reduced one has those of `reduced`. */
  readonly full: readonly string[];
  readonly reduced: readonly string[];
}

export interface ModelRecipe {
  readonly detector: DetectorName;
  readonly version: string;
  readonly levels: Readonly<Record<LevelName, LevelRecipe>>;
  readonly training: Omit<TrainOptions, 'learner' | 'features' | 'random'>;
  readonly random: Random;
}

/** Trains every tree of a detector on all pages of the corpus. Levels with the same recipe share their trees. */
export function buildModel(corpus: Corpus, recipe: ModelRecipe): DetectorModel {
  const { training, random } = recipe;
  const terms = scoreTerms(corpus, { ...training, learner: 'c45', features: [], random });
  const built = new Map<string, NamedPart>();
  const part = (learner: LearnerName, features: readonly string[]): NamedPart => {
    const key = `${learner} ${features.join(' ')}`;
    const known = built.get(key);
    if (known) return known;
    const trained = trainOnTerms(corpus, terms, { ...training, learner, features, random }).part;
    const named = { ...trained, features };
    built.set(key, named);
    return named;
  };
  const sized = ({ learner, full, reduced }: LevelRecipe) => ({
    full: part(learner, full),
    reduced: part(learner, reduced),
  });
  return {
    format: 1,
    detector: recipe.detector,
    version: recipe.version,
    terms: terms.scorer.model,
    levels: {
      fast: sized(recipe.levels.fast),
      standard: sized(recipe.levels.standard),
    },
    training: {
      pages: corpus.isAid.filter((isAid) => !isAid).length,
      groups: new Set(corpus.groups).size,
      labels: countLabels(corpus),
      hashes: packHashes(corpus.ids.filter((_, row) => !corpus.isAid[row])),
    },
  };
}

function countLabels(corpus: Corpus): Record<string, number> {
  const counts: Record<string, number> = {};
  corpus.labels.forEach((label, row) => {
    if (!corpus.isAid[row]) counts[label] = (counts[label] ?? 0) + 1;
  });
  return counts;
}
