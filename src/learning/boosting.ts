import { itemAt } from '../kit/item-at.ts';
import type { Random } from '../kit/random.ts';
import { bootstrap } from './bagging.ts';
import {
  type C45Node,
  type C45Options,
  classifyNodes,
  likeliest,
  pathDeltas,
  type TreeFrame,
  trainC45Sorted,
  treeFrame,
} from './c45.ts';
import { type Dataset, type SortedDataset, sortColumns, type Values, valuesOf } from './dataset.ts';

export interface BoostingOptions {
  readonly rounds: number;
  readonly c45: C45Options;
  /**
   * adaboost: AdaBoost.M1 as in Weka (a round with error ≥ ½ ends it). quinlan: C4.5 boosted as by Quinlan (1996): a
   * round with error > ½ is thrown away and the weights start again from a bootstrap sample.
   */
  readonly scheme: 'adaboost' | 'quinlan';
  /** beta: a tree votes with log((1 − ε)/ε). leaf: with the Laplace confidence of the leaf the case falls in. */
  readonly vote: 'beta' | 'leaf';
  readonly random: Random;
}

/** Plain JSON data. */
export interface Boosting extends TreeFrame {
  readonly kind: 'boosting';
  readonly vote: 'beta' | 'leaf';
  readonly trees: readonly (readonly C45Node[])[];
  /** Vote of each tree, natural logarithm. */
  readonly votes: readonly number[];
}

/** Times that Quinlan's scheme may start again; a learner worse than chance ten times will not get better. */
const MAX_RESETS = 10;

export function trainBoosting(data: Dataset, options: BoostingOptions): Boosting {
  const sorted = sortColumns(data);
  const frame = treeFrame(data, options.c45);
  const cases = data.labels.length;
  let weights: Float64Array = new Float64Array(cases).fill(1);
  const trees: (readonly C45Node[])[] = [];
  const votes: number[] = [];
  const rows = Array.from({ length: cases }, (_, row) => valuesOf(data, row));
  for (let resets = 0; trees.length < options.rounds; ) {
    const round = trainRound(sorted, rows, weights, options);
    const first = trees.length === 0;
    if (round.error > 0.5 && options.scheme === 'quinlan' && resets++ < MAX_RESETS) {
      weights = bootstrap(cases, options.random);
      continue;
    }
    const last = round.error >= 0.5 - 1e-6 || round.error < 1e-6;
    if (!last || first) {
      trees.push(round.nodes);
      votes.push(last ? 1 : Math.log((1 - round.error) / round.error));
    } else if (round.error < 1e-6 && options.scheme === 'quinlan') {
      trees.push(round.nodes);
      votes.push(Math.log(1e6));
    }
    if (last) break;
    reweight(weights, round.wrong, round.error);
  }
  return Object.freeze({
    kind: 'boosting',
    ...frame,
    vote: options.vote,
    trees: Object.freeze(trees),
    votes: Object.freeze(votes),
  });
}

/** Class probabilities: softmax of summed votes for 'beta', shares of votes for 'leaf'; one tree alone its own. */
export function classifyBoosting(model: Boosting, values: Values): Float64Array {
  const sums = new Float64Array(model.classes.length);
  for (const [at, nodes] of model.trees.entries()) {
    const distribution = classifyNodes(model, nodes, values);
    if (model.trees.length === 1) return distribution;
    const voted = likeliest(distribution);
    const vote = model.vote === 'beta' ? (model.votes[at] ?? 0) : leafConfidence(model, nodes, values, voted);
    sums[voted] = (sums[voted] ?? 0) + vote;
  }
  return model.vote === 'beta' ? softmax(sums) : shares(sums);
}

/** Path deltas of the trees weighted by their votes: what moved the soft vote, in log-odds for 'beta'. */
export function boostingDeltas(model: Boosting, values: Values): Float64Array {
  const sum = new Float64Array(model.attributes.length);
  for (const [at, nodes] of model.trees.entries()) {
    const vote = model.vote === 'beta' ? (model.votes[at] ?? 0) : 1;
    const deltas = pathDeltas(model, nodes, values);
    for (let attribute = 0; attribute < sum.length; attribute++) {
      sum[attribute] = (sum[attribute] ?? 0) + vote * (deltas[attribute] ?? 0);
    }
  }
  return sum;
}

interface Round {
  readonly nodes: readonly C45Node[];
  /** Share of the weight judged wrong. */
  readonly error: number;
  readonly wrong: Uint8Array;
}

function trainRound(
  sorted: SortedDataset,
  rows: readonly Values[],
  weights: Float64Array,
  options: BoostingOptions,
): Round {
  const tree = trainC45Sorted(sorted, options.c45, weights);
  const wrong = new Uint8Array(rows.length);
  let total = 0;
  let errors = 0;
  for (let row = 0; row < rows.length; row++) {
    const weight = weights[row] ?? 0;
    total += weight;
    if (likeliest(classifyNodes(tree, tree.nodes, itemAt(rows, row))) === sorted.data.labels[row]) continue;
    wrong[row] = 1;
    errors += weight;
  }
  return { nodes: tree.nodes, error: errors / total, wrong };
}

/** Wrong cases × (1 − ε)/ε, then all scaled to the old total. */
function reweight(weights: Float64Array, wrong: Uint8Array, error: number): void {
  let before = 0;
  let after = 0;
  for (let row = 0; row < weights.length; row++) {
    const weight = weights[row] ?? 0;
    before += weight;
    if (wrong[row]) weights[row] = (weight * (1 - error)) / error;
    after += weights[row] ?? 0;
  }
  for (let row = 0; row < weights.length; row++) weights[row] = ((weights[row] ?? 0) * before) / after;
}

/** (n_c + 1)/(n + classes) where the case ends; Quinlan's remedy against boosting's few bad failures. */
function leafConfidence(frame: TreeFrame, nodes: readonly C45Node[], values: Values, voted: number): number {
  return classifyNodes({ ...frame, smoothing: 'laplace' }, nodes, values)[voted] ?? 0;
}

function softmax(sums: Float64Array): Float64Array {
  const highest = Math.max(...sums);
  return shares(sums.map((sum) => Math.exp(sum - highest)));
}

function shares(sums: Float64Array): Float64Array {
  const total = sums.reduce((all, sum) => all + sum, 0);
  return sums.map((sum) => sum / total);
}
