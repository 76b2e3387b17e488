import { itemAt } from '../kit/item-at.ts';
import type { Random } from '../kit/random.ts';
import {
  baseRate,
  type C45Node,
  type C45Options,
  classifyNodes,
  likeliest,
  pathDeltas,
  type TreeFrame,
  trainC45Sorted,
  treeFrame,
} from './c45.ts';
import { type Dataset, sortColumns, type Values, valuesOf } from './dataset.ts';

export interface BaggingOptions {
  readonly trees: number;
  readonly c45: C45Options;
  readonly random: Random;
}

/** Plain JSON data: the mean of the trees' class distributions (Breiman 1996). */
export interface Bagging extends TreeFrame {
  readonly kind: 'bagging';
  readonly trees: readonly (readonly C45Node[])[];
}

export interface BaggingResult {
  readonly model: Bagging;
  /** Share of cases that the trees trained without them get wrong. */
  readonly outOfBagError: number;
  /** Probability of the positive class from those trees; NaN for a case that was in every sample. */
  readonly outOfBag: Float64Array;
}

/** Trees on bootstrap samples; a sample is a weight for each case, so columns are sorted once. */
export function trainBagging(data: Dataset, options: BaggingOptions): BaggingResult {
  const sorted = sortColumns(data);
  // A row drawn twice is two cases.
  const c45: C45Options = { ...options.c45, support: 'weight' };
  const frame = treeFrame(data, c45);
  const size = data.labels.length;
  const cases = Array.from({ length: size }, (_, row) => valuesOf(data, row));
  const votes = cases.map(() => new Float64Array(data.classes.length));
  const trees: (readonly C45Node[])[] = [];
  for (let at = 0; at < options.trees; at++) {
    const weights = bootstrap(size, options.random);
    const { nodes } = trainC45Sorted(sorted, c45, weights);
    trees.push(nodes);
    for (let row = 0; row < size; row++) {
      if (weights[row] === 0) add(votes[row], classifyNodes(frame, nodes, itemAt(cases, row)));
    }
  }
  return { model: Object.freeze({ kind: 'bagging', ...frame, trees: Object.freeze(trees) }), ...outOfBag(data, votes) };
}

/** How often each of `size` cases was drawn in `size` draws with replacement. */
export function bootstrap(size: number, random: Random): Float64Array {
  const weights = new Float64Array(size);
  for (let drawn = 0; drawn < size; drawn++) {
    const row = random.below(size);
    weights[row] = (weights[row] ?? 0) + 1;
  }
  return weights;
}

export function classifyBagging(model: Bagging, values: Values): Float64Array {
  const sum = new Float64Array(model.classes.length);
  for (const nodes of model.trees) add(sum, classifyNodes(model, nodes, values));
  return sum.map((vote) => vote / model.trees.length);
}

/** Mean of the trees' path deltas: mean base rate + Σ = score. */
export function baggingDeltas(model: Bagging, values: Values): Float64Array {
  const sum = new Float64Array(model.attributes.length);
  for (const nodes of model.trees) add(sum, pathDeltas(model, nodes, values));
  return sum.map((delta) => delta / model.trees.length);
}

export function baggingBaseRate(model: Bagging): number {
  return model.trees.reduce((sum, nodes) => sum + baseRate(model, nodes), 0) / model.trees.length;
}

function add(sum: Float64Array | undefined, values: Float64Array): void {
  for (let at = 0; sum && at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (values[at] ?? 0);
}

function outOfBag(data: Dataset, votes: readonly Float64Array[]): Omit<BaggingResult, 'model'> {
  let judged = 0;
  let wrong = 0;
  const probabilities = Float64Array.from(votes, (vote, row) => {
    const sum = vote.reduce((total, part) => total + part, 0);
    if (sum === 0) return Number.NaN;
    judged++;
    if (likeliest(vote) !== data.labels[row]) wrong++;
    return (vote[data.positive] ?? 0) / sum;
  });
  return { outOfBag: probabilities, outOfBagError: wrong / judged };
}
