import { groupedFolds, splitFold } from '../kit/folds.ts';
import { itemAt } from '../kit/item-at.ts';
import { f1, precision, recall, rocAuc } from '../kit/metrics.ts';
import { type Random, seededRandom } from '../kit/random.ts';
import { classifyBagging, trainBagging } from '../learning/bagging.ts';
import { classifyBoosting, trainBoosting } from '../learning/boosting.ts';
import {
  type C45Options,
  type C45Tree,
  classify,
  J48_OPTIONS,
  leafCount,
  likeliest,
  trainC45,
} from '../learning/c45.ts';
import { type Dataset, selectRows, type Values, valuesOf } from '../learning/dataset.ts';
import { treeText } from '../learning/tree-text.ts';
import type { TreesEvaluation } from '../model/reports.ts';

export type TreeLearner = TreesEvaluation['learner'];

export interface TreesEvaluationOptions {
  readonly learner: TreeLearner;
  /** Trees of an ensemble at most; c45 is one tree. */
  readonly iterations: number;
  readonly pruning: 'pruned' | 'unpruned';
  readonly seed: number;
  /** A table of its own with the same attributes, or the number of stratified folds. */
  readonly test: Dataset | number;
}

/**
 * Trains and tests a learner on a table as Weka would with J48's defaults. With folds, the cases of all folds are
 * counted together and the tree printed is that of the whole table. `seconds` is the time of training and testing.
 */
export function evaluateTrees(data: Dataset, options: TreesEvaluationOptions): TreesEvaluation {
  const random = seededRandom(options.seed);
  const started = performance.now();
  const outcome =
    typeof options.test === 'number'
      ? crossValidate(data, options.test, options, random)
      : testOn(train(data, options, random), options.test);
  const seconds = (performance.now() - started) / 1000;
  const whole = options.learner === 'c45' ? describe(outcome.tree ?? wholeTree(data, options), options) : {};
  return {
    learner: options.learner,
    iterations: options.learner === 'c45' ? 1 : options.iterations,
    ...measures(outcome, data),
    ...whole,
    seconds,
  };
}

/** Name of the first attribute (or class) that two tables do not have alike, undefined when one can test the other. */
export function differingAttribute(data: Dataset, test: Dataset): string | undefined {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const longer = data.attributes.length >= test.attributes.length ? data : test;
  const differing = longer.attributes.find((_, at) => !same(data.attributes[at], test.attributes[at]));
  return differing?.name ?? (same(data.classes, test.classes) ? undefined : 'class');
}

interface Outcome {
  readonly labels: readonly number[];
  readonly distributions: readonly Float64Array[];
  readonly tree?: C45Tree | undefined;
}

interface Trained {
  readonly classify: (values: Values) => Float64Array;
  readonly tree?: C45Tree;
}

function train(data: Dataset, options: TreesEvaluationOptions, random: Random): Trained {
  const c45 = c45Options(options);
  switch (options.learner) {
    case 'c45': {
      const tree = trainC45(data, c45);
      return { classify: (values) => classify(tree, values), tree };
    }
    case 'bagging': {
      const { model } = trainBagging(data, { trees: options.iterations, c45, random });
      return { classify: (values) => classifyBagging(model, values) };
    }
    case 'boosting': {
      const scheme = { scheme: 'adaboost', vote: 'beta' } as const;
      const model = trainBoosting(data, { rounds: options.iterations, c45, random, ...scheme });
      return { classify: (values) => classifyBoosting(model, values) };
    }
  }
}

function c45Options(options: TreesEvaluationOptions): C45Options {
  return options.pruning === 'pruned' ? J48_OPTIONS : { ...J48_OPTIONS, pruning: 'none' };
}

function wholeTree(data: Dataset, options: TreesEvaluationOptions): C45Tree {
  return trainC45(data, c45Options(options));
}

function crossValidate(data: Dataset, folds: number, options: TreesEvaluationOptions, random: Random): Outcome {
  const foldOf = groupedFolds({ classes: data.labels, folds, random: random.stream('folds') });
  const labels: number[] = [];
  const distributions: Float64Array[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const rows = splitFold(foldOf, fold);
    if (rows.test.length === 0 || rows.train.length === 0) continue;
    const trained = train(selectRows(data, rows.train), options, random.stream(`fold ${fold}`));
    const outcome = testOn(trained, selectRows(data, rows.test));
    labels.push(...outcome.labels);
    distributions.push(...outcome.distributions);
  }
  return { labels, distributions };
}

function testOn(trained: Trained, test: Dataset): Outcome {
  const distributions = Array.from(test.labels, (_, row) => trained.classify(valuesOf(test, row)));
  return { labels: Array.from(test.labels), distributions, tree: trained.tree };
}

type Measures = Pick<
  TreesEvaluation,
  'instances' | 'accuracy' | 'precision' | 'recall' | 'f1' | 'rocAuc' | 'confusion'
>;

function measures(outcome: Outcome, data: Dataset): Measures {
  const confusion = data.classes.map(() => data.classes.map(() => 0));
  const counted = { truePositives: 0, falsePositives: 0, trueNegatives: 0, falseNegatives: 0 };
  let right = 0;
  outcome.labels.forEach((actual, at) => {
    const predicted = likeliest(itemAt(outcome.distributions, at));
    const row = itemAt(confusion, actual);
    row[predicted] = (row[predicted] ?? 0) + 1;
    if (actual === predicted) right++;
    const truth = (actual === data.positive) === (predicted === data.positive) ? 'true' : 'false';
    counted[`${truth}${predicted === data.positive ? 'Positives' : 'Negatives'}`]++;
  });
  return {
    instances: outcome.labels.length,
    accuracy: right / outcome.labels.length,
    precision: precision(counted),
    recall: recall(counted),
    f1: f1(counted),
    rocAuc: rocAuc(
      outcome.distributions.map((distribution) => distribution[data.positive] ?? 0),
      outcome.labels.map((label) => label === data.positive),
    ),
    confusion,
  };
}

function describe(
  tree: C45Tree,
  options: TreesEvaluationOptions,
): Pick<TreesEvaluation, 'treeSize' | 'leaves' | 'tree'> {
  const title = options.pruning === 'pruned' ? 'J48 pruned tree' : 'J48 unpruned tree';
  return { treeSize: tree.nodes.length, leaves: leafCount(tree), tree: treeText(tree, title) };
}
