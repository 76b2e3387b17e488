import type { Random } from '../../kit/random.ts';
import type { Model } from '../../learning/learning.ts';
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
  readonly training: Omit<TrainOptions, 'detector' | 'learner' | 'features' | 'random'>;
  readonly random: Random;
}

/** Trains every tree of a detector on all pages of the corpus. Levels with the same recipe share their trees. */
export function buildModel(corpus: Corpus, recipe: ModelRecipe): DetectorModel {
  const { training, random } = recipe;
  const terms = scoreTerms(corpus, { ...training, detector: recipe.detector, learner: 'c45', features: [], random });
  const parts: Record<string, NamedPart> = {};
  const names = new Map<string, string>();
  const part = (name: string, learner: LearnerName, features: readonly string[]): string => {
    const key = `${learner} ${features.join(' ')}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    names.set(key, name);
    const trained = trainOnTerms(corpus, terms, {
      ...training,
      detector: recipe.detector,
      learner,
      features,
      random,
    }).part;
    parts[name] = { ...trained, model: compact(trained.model), features };
    return name;
  };
  const sized = (level: LevelName) => ({
    full: part(`${level}/full`, recipe.levels[level].learner, recipe.levels[level].full),
    reduced: part(`${level}/reduced`, recipe.levels[level].learner, recipe.levels[level].reduced),
  });
  return {
    format: 1,
    detector: recipe.detector,
    version: recipe.version,
    terms: terms.scorer.model,
    levels: {
      fast: sized('fast'),
      standard: sized('standard'),
    },
    parts,
    training: {
      pages: corpus.isAid.filter((isAid) => !isAid).length,
      groups: new Set(corpus.groups).size,
      labels: countLabels(corpus),
      hashes: packHashes(corpus.ids.filter((_, row) => !corpus.isAid[row])),
    },
  };
}

/** Fewer digits than the evidence has would move pages across a cut; six and four are far more than it has. */
function compact(model: Model): Model {
  if (model.kind !== 'boosted-trees') return model;
  const trees = model.trees.map((tree) => ({
    ...tree,
    threshold: tree.threshold.map((value) => Number(value.toPrecision(6))),
    value: tree.value.map((value) => Number(value.toPrecision(4))),
  }));
  return { ...model, trees };
}

function countLabels(corpus: Corpus): Record<string, number> {
  const counts: Record<string, number> = {};
  corpus.labels.forEach((label, row) => {
    if (!corpus.isAid[row]) counts[label] = (counts[label] ?? 0) + 1;
  });
  return counts;
}
