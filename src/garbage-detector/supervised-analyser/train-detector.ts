import { groupedFolds, splitFold } from '../../kit/folds.ts';
import { operatingPoints } from '../../kit/metrics.ts';
import type { Random } from '../../kit/random.ts';
import { trainBagging } from '../../learning/bagging.ts';
import { trainBoostedTrees } from '../../learning/boosted-trees.ts';
import { type C45Options, J48_OPTIONS, trainC45 } from '../../learning/c45.ts';
import {
  type Calibration,
  calibrate,
  costThreshold,
  fitPlatt,
  logOdds,
  shortOfCertain,
} from '../../learning/calibration.ts';
import { type Dataset, numericDataset } from '../../learning/dataset.ts';
import { type Model, score } from '../../learning/learning.ts';
import type { FeatureVector } from '../../model/garbage.ts';
import type { DetectorName } from '../../model/lists.ts';
import { type Corpus, pageWeights, selectPages } from './corpus.ts';
import { evidenceShift } from './evidence-shift.ts';
import { type TermModel, type TermOptions, type TermScorer, trainTerms } from './term-model.ts';

export type LearnerName = 'c45' | 'bagging' | 'boosted-trees';

export interface TrainOptions {
  readonly detector: DetectorName;
  readonly learner: LearnerName;
  /** Names of the features the learner may use; {@link VOCABULARY} stands for the vocabulary's score. */
  readonly features: readonly string[];
  /** Share of the vocabulary's score that is added outside the learner: 0 when the learner weighs it itself. */
  readonly vocabularyShare: number;
  readonly terms: Omit<TermOptions, 'random'>;
  /** Log-odds of the learner count this much beside the vocabulary's share. */
  readonly blend: number;
  /** Folds of groups inside the training pages, for scores of pages not trained on. */
  readonly innerFolds: number;
  /** Cost of a good page lost, in bad pages kept. */
  readonly costRatio: number;
  readonly random: Random;
}

/** One tree or ensemble with its calibration and threshold; plain JSON data. */
export interface DetectorPart {
  readonly model: Model;
  readonly blend: number;
  /** Absent in models of before: 1. */
  readonly vocabularyShare?: number;
  /** Of vocabularyShare × the vocabulary's score + blend × the model's log-odds + evidence. */
  readonly calibration: Calibration;
  /** Calibrated probability from which on a page is garbage. */
  readonly threshold: number;
}

export interface TrainedDetector {
  readonly terms: TermModel;
  readonly part: DetectorPart;
  /** Score from which on a page is garbage; the part's threshold before calibration. */
  readonly scoreThreshold: number;
  /** Uncalibrated score of a page with the same term numbers that was not trained on. */
  score(corpus: Corpus, row: number): number;
}

/** The vocabulary of a corpus, and for each page the score it gets from vocabularies learned without its group. */
export interface ScoredTerms {
  readonly scorer: TermScorer;
  readonly outOfFold: Float64Array;
  readonly foldOf: Int32Array;
}

/**
 * Trains a detector on a corpus. Everything that looks at labels (vocabulary, trees, calibration, threshold) sees these
 * pages only. The vocabulary's scores, calibration and threshold come from pages whose group was left out inside.
 */
export function trainDetector(corpus: Corpus, options: TrainOptions): TrainedDetector {
  return trainOnTerms(corpus, scoreTerms(corpus, options), options);
}

/** First half of {@link trainDetector}: several learners may share it. */
export function scoreTerms(corpus: Corpus, options: TrainOptions): ScoredTerms {
  const random = options.random.stream('terms');
  const foldOf = innerFolds(corpus, options);
  const outOfFold = new Float64Array(corpus.ids.length);
  for (let fold = 0; fold < options.innerFolds; fold++) {
    const { train, test } = splitFold(foldOf, fold);
    const scorer = trainTerms(selectPages(corpus, train), { ...options.terms, random });
    for (const row of test) outOfFold[row] = scorer.scoreRow(corpus.terms[row] ?? new Int32Array(0));
  }
  return { scorer: trainTerms(corpus, { ...options.terms, random }), outOfFold, foldOf };
}

/** Fold of each page by its group; aids get none (−1), so they are in every training part. */
function innerFolds(corpus: Corpus, options: TrainOptions): Int32Array {
  const rows = realRows(corpus);
  const folds = groupedFolds({
    classes: Array.from(rows, (row) => Number(corpus.positive[row])),
    groups: Array.from(rows, (row) => corpus.groups[row] ?? ''),
    folds: options.innerFolds,
    random: options.random.stream('inner folds'),
  });
  const foldOf = new Int32Array(corpus.ids.length).fill(-1);
  rows.forEach((row, at) => {
    foldOf[row] = folds[at] ?? 0;
  });
  return foldOf;
}

function realRows(corpus: Corpus): Int32Array {
  return Int32Array.from(corpus.ids.keys()).filter((row) => !corpus.isAid[row]);
}

/** Second half of {@link trainDetector}. */
export function trainOnTerms(corpus: Corpus, terms: ScoredTerms, options: TrainOptions): TrainedDetector {
  const values = corpus.features.map((features, row) =>
    featureRow(features, options.features, terms.outOfFold[row] ?? 0),
  );
  const shifts = corpus.features.map((features) => evidenceShift(options.detector, features));
  const real = realRows(corpus);
  const learnFrom = (picked: Int32Array) => fitLearner(corpus, values, picked, options);
  const scores = new Float64Array(values.length);
  for (let fold = 0; fold < options.innerFolds; fold++) {
    const model = learnFrom(real.filter((row) => terms.foldOf[row] !== fold));
    for (const row of real) {
      if (terms.foldOf[row] !== fold) continue;
      scores[row] =
        options.vocabularyShare * (terms.outOfFold[row] ?? 0) +
        options.blend * modelLogOdds(model, values[row] ?? []) +
        (shifts[row] ?? 0);
    }
  }
  const measured = Float64Array.from(real, (row) => scores[row] ?? 0);
  const positive = Array.from(real, (row) => corpus.positive[row] ?? false);
  const calibration = fitPlatt(measured, positive);
  const scoreThreshold = Math.max(
    cheapestThreshold(measured, positive, options.costRatio),
    scoreOf(calibration, costThreshold(options.costRatio, 1)),
  );
  const threshold = Number.isFinite(scoreThreshold) ? calibrate(calibration, scoreThreshold) : 1;
  const model = learnFrom(real);
  const { blend, vocabularyShare } = options;
  const part: DetectorPart = { model, blend, vocabularyShare, calibration, threshold };
  return {
    terms: terms.scorer.model,
    part,
    scoreThreshold,
    score(other, row) {
      const termScore = terms.scorer.scoreRow(other.terms[row] ?? new Int32Array(0));
      const features = other.features[row] ?? {};
      const learned = blend * modelLogOdds(model, featureRow(features, options.features, termScore));
      return vocabularyShare * termScore + learned + evidenceShift(options.detector, features);
    },
  };
}

/**
 * Calibrated probability that `part` gives to these values, in the order of its features.
 * @param by the vocabulary's score and the sum of the evidence beside it, in log-odds.
 */
export function partProbability(
  part: DetectorPart,
  values: ArrayLike<number>,
  by: { readonly vocabulary: number; readonly evidence: number },
): number {
  const outside = (part.vocabularyShare ?? 1) * by.vocabulary + by.evidence;
  return shortOfCertain(calibrate(part.calibration, outside + part.blend * modelLogOdds(part.model, values)));
}

/**
 * The threshold with the least cost on these pages: false alarms cost `costRatio`, misses 1. Between equally cheap ones
 * the greatest, and half way to the next page below, so that one page more or less does not decide. Infinity when
 * calling nothing is cheapest.
 */
export function cheapestThreshold(scores: Float64Array, positive: readonly boolean[], costRatio: number): number {
  const positives = positive.filter(Boolean).length;
  const points = operatingPoints(scores, positive);
  let best = Number.POSITIVE_INFINITY;
  let least = positives;
  points.forEach((point, at) => {
    const cost = costRatio * point.falsePositives + positives - point.truePositives;
    if (cost >= least) return;
    least = cost;
    best = (point.threshold + (points[at + 1]?.threshold ?? point.threshold)) / 2;
  });
  return best;
}

/** Name under which a learner sees the vocabulary's score of a page (stacking, Wolpert 1992). */
export const VOCABULARY = 'vocabulary';

/** Values in the order of `names`; NaN where unknown. */
export function featureRow(features: FeatureVector, names: readonly string[], vocabulary: number): Float64Array {
  return Float64Array.from(names, (name) => (name === VOCABULARY ? vocabulary : (features[name] ?? Number.NaN)));
}

/**
 * The score that a calibration maps to this probability: few good pages near the cheapest threshold of a small training
 * set do not make it safe, so the probability must pay as well.
 */
function scoreOf(calibration: Calibration, probability: number): number {
  if (calibration.kind !== 'platt' || calibration.a <= 0) return Number.POSITIVE_INFINITY;
  return (logOdds(probability) - calibration.b) / calibration.a;
}

function modelLogOdds(model: Model, values: ArrayLike<number>): number {
  return logOdds(score(model, values));
}

const C45_OPTIONS: C45Options = { ...J48_OPTIONS, minCases: 5, smoothing: 'laplace' };

function fitLearner(corpus: Corpus, rows: readonly Float64Array[], picked: Int32Array, options: TrainOptions): Model {
  const data = datasetOf(corpus, rows, picked, options.features);
  const weights = pageWeights(selectPages(corpus, picked));
  const random = options.random.stream('learner');
  if (options.learner === 'c45') return trainC45(data, C45_OPTIONS, weights);
  if (options.learner === 'bagging') return trainBagging(data, { trees: 30, c45: C45_OPTIONS, random }).model;
  return trainBoostedTrees(data, {
    rounds: 300,
    learningRate: 0.02,
    maxLeaves: 8,
    minCases: 8,
    lambda: 1,
    gamma: 0,
    attributeShare: 0.4,
    rowShare: 0.7,
    patience: 1000,
    validation: new Int32Array(0),
    weights,
    random,
  });
}

function datasetOf(
  corpus: Corpus,
  rows: readonly Float64Array[],
  picked: Int32Array,
  names: readonly string[],
): Dataset {
  return numericDataset(
    names,
    Array.from(picked, (row) => rows[row] ?? new Float64Array(0)),
    Array.from(picked, (row) => corpus.positive[row] ?? false),
  );
}
