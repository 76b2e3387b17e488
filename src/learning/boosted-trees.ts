import { Heap } from '../kit/heap.ts';
import { itemAt } from '../kit/item-at.ts';
import { type Random, shuffle } from '../kit/random.ts';
import { type Binned, binColumns, MISSING_BIN } from './bins.ts';
import { logistic, softplus } from './calibration.ts';
import type { Attribute, Dataset, Values } from './dataset.ts';
import { bestHistogramSplit, type Gradients, type HistogramSplit, histogramOf, subtract } from './histograms.ts';

export interface BoostedTreesOptions {
  /** Trees at most. */
  readonly rounds: number;
  readonly learningRate: number;
  readonly maxLeaves: number;
  /** Least rows in a leaf. */
  readonly minCases: number;
  /** L2 penalty on leaf values. */
  readonly lambda: number;
  /** Least gain of a split. */
  readonly gamma: number;
  /** Share of the attributes, and of the rows, each tree sees; 0 … 1. */
  readonly attributeShare: number;
  readonly rowShare: number;
  /** Stop after so many rounds without a lower log loss on the validation rows; the best round's model is kept. */
  readonly patience: number;
  /** Rows kept out of training for early stopping; empty to train all rounds. */
  readonly validation: Int32Array;
  /** Weight by row. */
  readonly weights: Float64Array | undefined;
  readonly random: Random;
}

/**
 * One tree in parallel arrays, node 0 the root. attribute −1 is a leaf. A value ≤ threshold goes left, a missing one
 * left where missingLeft is 1. value: the leaf's part of the score; at inner nodes what the node would give as a leaf.
 */
export interface BoostedTree {
  readonly attribute: readonly number[];
  readonly threshold: readonly number[];
  readonly missingLeft: readonly number[];
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly value: readonly number[];
}

/** Gradient boosted trees for log loss; plain JSON data. Score = logistic(bias + Σ leaf values). */
export interface BoostedTrees {
  readonly kind: 'boosted-trees';
  readonly attributes: readonly Attribute[];
  readonly bias: number;
  readonly trees: readonly BoostedTree[];
}

/**
 * Histogram gradient boosting: at most 255 bins a column, second-order gains as in XGBoost (Chen and Guestrin 2016),
 * leaf-wise growth as in LightGBM (Ke et al. 2017), missing values sent to the side where they gain more. Nominal
 * attributes are cut by the order of their values. Classes other than `positive` count as negative.
 */
export function trainBoostedTrees(data: Dataset, options: BoostedTreesOptions): BoostedTrees {
  return new Trainer(data, options).train();
}

export function logOdds(model: BoostedTrees, values: Values): number {
  let sum = model.bias;
  for (const tree of model.trees) sum += tree.value[leafOf(tree, values)] ?? 0;
  return sum;
}

export function scoreBoostedTrees(model: BoostedTrees, values: Values): number {
  return logistic(logOdds(model, values));
}

/** Change of the log-odds at each test (Saabas 2014); bias + root values + Σ deltas = log-odds. */
export function boostedTreesDeltas(model: BoostedTrees, values: Values): Float64Array {
  const deltas = new Float64Array(model.attributes.length);
  for (const tree of model.trees) {
    let node = 0;
    for (let attribute = tree.attribute[0] ?? 0; attribute >= 0; attribute = tree.attribute[node] ?? 0) {
      const child = childOf(tree, node, values[attribute]);
      deltas[attribute] = (deltas[attribute] ?? 0) + (tree.value[child] ?? 0) - (tree.value[node] ?? 0);
      node = child;
    }
  }
  return deltas;
}

function leafOf(tree: BoostedTree, values: Values): number {
  let node = 0;
  for (let attribute = tree.attribute[0] ?? 0; attribute >= 0; attribute = tree.attribute[node] ?? 0) {
    node = childOf(tree, node, values[attribute]);
  }
  return node;
}

function childOf(tree: BoostedTree, node: number, value = Number.NaN): number {
  const left = Number.isNaN(value) ? tree.missingLeft[node] === 1 : value <= (tree.threshold[node] ?? 0);
  return (left ? tree.left[node] : tree.right[node]) ?? 0;
}

/** A leaf that may be split: its rows are positions start … end of the trainer's list. */
interface OpenLeaf {
  readonly node: number;
  readonly start: number;
  readonly end: number;
  readonly histogram: Float64Array;
  readonly split: HistogramSplit;
}

interface GrowingTree {
  attribute: number[];
  threshold: number[];
  missingLeft: number[];
  left: number[];
  right: number[];
  value: number[];
}

class Trainer {
  readonly #data: Dataset;
  readonly #options: BoostedTreesOptions;
  readonly #binned: Binned;
  readonly #rows: Int32Array;
  readonly #validation: Int32Array;
  readonly #scores: Float64Array;
  readonly #gradients: Gradients;
  #list: Int32Array;

  constructor(data: Dataset, options: BoostedTreesOptions) {
    this.#data = data;
    this.#options = options;
    this.#validation = options.validation;
    const size = data.labels.length;
    const held = new Uint8Array(size);
    for (const row of options.validation) held[row] = 1;
    this.#rows = Int32Array.from(data.labels.keys()).filter((row) => held[row] === 0);
    this.#list = this.#rows;
    this.#binned = binColumns(data, this.#rows);
    this.#scores = new Float64Array(size);
    this.#gradients = { gradient: new Float64Array(size), hessian: new Float64Array(size) };
  }

  train(): BoostedTrees {
    const bias = this.#bias();
    this.#scores.fill(bias);
    const trees: BoostedTree[] = [];
    let best = { loss: this.#validationLoss(), trees: 0 };
    for (let round = 0; round < this.#options.rounds; round++) {
      this.#setGradients();
      const tree = this.#growTree();
      if (tree.attribute[0] === -1) break;
      trees.push(tree);
      this.#addToScores(tree);
      if (this.#validation.length === 0) continue;
      const loss = this.#validationLoss();
      if (loss < best.loss) best = { loss, trees: trees.length };
      else if (trees.length - best.trees >= this.#options.patience) break;
    }
    const kept = this.#validation.length === 0 ? trees : trees.slice(0, best.trees);
    return Object.freeze({
      kind: 'boosted-trees',
      attributes: this.#data.attributes,
      bias,
      trees: Object.freeze(kept),
    });
  }

  #weight(row: number): number {
    return this.#options.weights?.[row] ?? 1;
  }

  #isPositive(row: number): boolean {
    return this.#data.labels[row] === this.#data.positive;
  }

  /** Log-odds of the positive class among the training rows, half a case added to both. */
  #bias(): number {
    let [positive, negative] = [0.5, 0.5];
    for (const row of this.#rows) {
      if (this.#isPositive(row)) positive += this.#weight(row);
      else negative += this.#weight(row);
    }
    return Math.log(positive / negative);
  }

  #setGradients(): void {
    const { gradient, hessian } = this.#gradients;
    for (const row of this.#rows) {
      const p = logistic(this.#scores[row] ?? 0);
      const weight = this.#weight(row);
      gradient[row] = weight * (p - (this.#isPositive(row) ? 1 : 0));
      hessian[row] = weight * p * (1 - p);
    }
  }

  #validationLoss(): number {
    let loss = 0;
    for (const row of this.#validation) {
      const score = this.#scores[row] ?? 0;
      loss += this.#weight(row) * softplus(this.#isPositive(row) ? -score : score);
    }
    return loss;
  }

  #addToScores(tree: BoostedTree): void {
    const columns = this.#data.columns;
    for (let row = 0; row < this.#scores.length; row++) {
      let node = 0;
      for (let attribute = tree.attribute[0] ?? 0; attribute >= 0; attribute = tree.attribute[node] ?? 0) {
        node = childOf(tree, node, columns[attribute]?.[row]);
      }
      this.#scores[row] = (this.#scores[row] ?? 0) + (tree.value[node] ?? 0);
    }
  }

  #growTree(): BoostedTree {
    const { random, rowShare, maxLeaves } = this.#options;
    this.#list = rowShare < 1 ? this.#rows.filter(() => random.next() < rowShare) : this.#rows.slice();
    const attributes = this.#sampleAttributes();
    const tree: GrowingTree = { attribute: [], threshold: [], missingLeft: [], left: [], right: [], value: [] };
    const open = new Heap<OpenLeaf>((a, b) => a.split.gain > b.split.gain);
    const histogram = histogramOf(this.#binned, attributes, this.#gradients, this.#list);
    this.#addLeaf(tree, open, { start: 0, end: this.#list.length, histogram, attributes });
    for (let leaves = 1; leaves < maxLeaves; leaves++) {
      const leaf = open.pop();
      if (!leaf) break;
      this.#splitLeaf(tree, open, leaf, attributes);
    }
    return tree;
  }

  #sampleAttributes(): Int32Array {
    const all = Int32Array.from(this.#data.attributes.keys());
    const count = Math.max(1, Math.round(this.#options.attributeShare * all.length));
    return count >= all.length ? all : shuffle(all, this.#options.random).slice(0, count).sort();
  }

  #addLeaf(
    tree: GrowingTree,
    open: Heap<OpenLeaf>,
    leaf: {
      readonly start: number;
      readonly end: number;
      readonly histogram: Float64Array;
      readonly attributes: Int32Array;
    },
  ): number {
    const { start, end, histogram, attributes } = leaf;
    let [gradient, hessian] = [0, 0];
    for (let at = start; at < end; at++) {
      gradient += this.#gradients.gradient[this.#list[at] ?? 0] ?? 0;
      hessian += this.#gradients.hessian[this.#list[at] ?? 0] ?? 0;
    }
    const node = tree.attribute.length;
    tree.attribute.push(-1);
    tree.threshold.push(0);
    tree.missingLeft.push(0);
    tree.left.push(-1);
    tree.right.push(-1);
    tree.value.push((-this.#options.learningRate * gradient) / (hessian + this.#options.lambda));
    const sums = { gradient, hessian, rows: end - start };
    const split = bestHistogramSplit(this.#binned, { attributes, histogram, sums }, this.#options);
    if (split) open.push({ node, start, end, histogram, split });
    return node;
  }

  #splitLeaf(tree: GrowingTree, open: Heap<OpenLeaf>, leaf: OpenLeaf, attributes: Int32Array): void {
    const { node, start, end, split } = leaf;
    const middle = this.#partition(leaf);
    const leftIsSmaller = middle - start <= end - middle;
    const [from, to] = leftIsSmaller ? [start, middle] : [middle, end];
    // Only the smaller side is counted; the larger is what is left of the parent.
    const counted = histogramOf(this.#binned, attributes, this.#gradients, this.#list.subarray(from, to));
    const rest = subtract(leaf.histogram, counted);
    tree.attribute[node] = split.attribute;
    tree.threshold[node] = split.threshold;
    tree.missingLeft[node] = split.missingLeft ? 1 : 0;
    const left = leftIsSmaller ? counted : rest;
    const right = leftIsSmaller ? rest : counted;
    tree.left[node] = this.#addLeaf(tree, open, { start, end: middle, histogram: left, attributes });
    tree.right[node] = this.#addLeaf(tree, open, { start: middle, end, histogram: right, attributes });
  }

  /** Left rows first, in place; returns where the right ones begin. */
  #partition({ start, end, split }: OpenLeaf): number {
    const bins = itemAt(this.#binned.columns, split.attribute);
    const list = this.#list;
    let low = start;
    let high = end - 1;
    while (low <= high) {
      const bin = bins[list[low] ?? 0] ?? 0;
      if (bin === MISSING_BIN ? split.missingLeft : bin <= split.bin) {
        low++;
        continue;
      }
      const held = list[low] ?? 0;
      list[low] = list[high] ?? 0;
      list[high--] = held;
    }
    return low;
  }
}
