import { itemAt } from '../kit/item-at.ts';
import { branchOf, type Cases, classCounts, type SplitTest, splitCases } from './cases.ts';
import type { Dataset, SortedDataset } from './dataset.ts';
import { bestSplit, EPSILON, type NodeView, type Split, type SplitOptions, varies } from './split-search.ts';

/** A node while the tree is grown and pruned; `children` is empty at a leaf. */
export interface GrownNode {
  cases: Cases;
  counts: Float64Array;
  test: SplitTest | undefined;
  children: GrownNode[];
  /** Errors of the subtree as pruning estimates them; set by pruning. */
  estimate: number;
}

/**
 * Grows a tree until no split is admissible (C4.5 release 8). `weights` by row; rows of weight 0 are left out.
 * Numeric columns are sorted once; each split then partitions the sorted row lists in place, so that a node costs
 * attributes × cases. Lists are copied only where cases are divided because the value tested is missing.
 */
export function growTree(sorted: SortedDataset, weights: Float64Array, options: SplitOptions): GrownNode {
  const { data } = sorted;
  const grower = new Grower(sorted, weights, options);
  const rows = Int32Array.from(weights.keys()).filter((row) => (weights[row] ?? 0) > 0);
  const cases = { rows, weights: Float64Array.from(rows, (row) => weights[row] ?? 0), start: 0, end: rows.length };
  const root = leaf(data, cases);
  grower.grow(root, startingOrders(sorted.orders, weights, rows.length));
  return root;
}

/** A node's sorted row lists; its cases are positions start … end of each. */
interface Lists {
  readonly orders: readonly Int32Array[];
  readonly start: number;
  readonly end: number;
  /** Attributes that have more than one value here; the others' lists are no longer kept up. */
  readonly candidates: readonly number[];
}

type Step =
  | { readonly kind: 'node'; readonly node: GrownNode; readonly lists: Lists }
  /** Sets the weights of rows for the steps above it on the stack, or back after them. */
  | { readonly kind: 'weights'; readonly rows: Int32Array; readonly weights: Float64Array };

class Grower {
  readonly #sorted: SortedDataset;
  readonly #data: Dataset;
  readonly #options: SplitOptions;
  readonly #initial: Float64Array;
  readonly #weights: Float64Array;
  readonly #branch: Int32Array;
  readonly #buffer: Int32Array;
  readonly #manyValued: Uint8Array;

  constructor(sorted: SortedDataset, weights: Float64Array, options: SplitOptions) {
    this.#sorted = sorted;
    this.#data = sorted.data;
    this.#options = options;
    this.#initial = weights;
    this.#weights = weights.slice();
    this.#branch = new Int32Array(weights.length);
    this.#buffer = new Int32Array(weights.length);
    this.#manyValued = manyValued(this.#data, weights);
  }

  grow(root: GrownNode, orders: readonly Int32Array[]): void {
    const candidates = [...this.#data.attributes.keys()];
    const lists = { orders, start: 0, end: root.cases.rows.length, candidates };
    const stack: Step[] = [{ kind: 'node', node: root, lists }];
    for (let step = stack.pop(); step; step = stack.pop()) {
      if (step.kind === 'weights') this.#setWeights(step.rows, step.weights);
      else this.#split(step.node, step.lists, stack);
    }
  }

  #split(node: GrownNode, lists: Lists, stack: Step[]): void {
    if (this.#isFinal(node.counts)) return;
    const candidates: number[] = [];
    const split = this.#choose(node, lists, candidates);
    if (!split) return;
    const test = this.#test(split);
    const { cases } = node;
    const parts = splitCases(this.#data, cases, test);
    node.test = test;
    node.children = parts.map((part) => leaf(this.#data, part));
    if (parts.every((part) => part.rows === cases.rows)) this.#descend(node, { ...lists, candidates }, test, stack);
    else this.#descendFractional(node, { ...lists, candidates }, test, stack);
  }

  #isFinal(counts: Float64Array): boolean {
    let total = 0;
    let most = 0;
    for (const count of counts) {
      total += count;
      if (count > most) most = count;
    }
    return total < 2 * this.#options.minCases - EPSILON || total - most < EPSILON;
  }

  /** The split of greatest gain ratio among those with at least average gain. Fills `varying` for the nodes below. */
  #choose(node: GrownNode, lists: Lists, varying: number[]): Split | undefined {
    const { cases, counts } = node;
    const total = counts.reduce((sum, count) => sum + count, 0);
    const view: NodeView = {
      data: this.#data,
      orders: lists.orders,
      rows: cases.rows,
      weights: this.#weights,
      start: lists.start,
      end: lists.end,
      counts,
      total,
    };
    const nominalView = { ...view, start: cases.start, end: cases.end };
    const splits: Split[] = [];
    for (const attribute of lists.candidates) {
      const numeric = this.#data.attributes[attribute]?.kind === 'numeric';
      if (numeric && !varies(view, attribute, this.#options.minGap)) continue;
      varying.push(attribute);
      const split = bestSplit(numeric ? view : nominalView, attribute, this.#options);
      if (split) splits.push(split);
    }
    return this.#greatestRatio(splits);
  }

  #greatestRatio(splits: readonly Split[]): Split | undefined {
    const averaged = splits.filter((split) => this.#manyValued[split.attribute] === 0);
    if (averaged.length === 0) return undefined;
    const least = averaged.reduce((sum, split) => sum + split.gain, 0) / averaged.length - 1e-3;
    let best: Split | undefined;
    for (const split of splits) {
      if (split.gain >= least && split.ratio - (best?.ratio ?? 0) > EPSILON) best = split;
    }
    return best;
  }

  #test(split: Split): SplitTest {
    const { attribute } = split;
    const described = this.#data.attributes[attribute];
    if (described?.kind === 'nominal') return { attribute, threshold: Number.NaN, branches: described.values.length };
    return { attribute, threshold: this.#valueBelow(split), branches: 2 };
  }

  /**
   * The greatest value in the whole training set that is not above the middle of the cut: C4.5's thresholds occur in
   * the data. Middles are rounded: a value a hair above counts, if it is below the cut's upper side.
   */
  #valueBelow({ attribute, middle, high }: Split): number {
    const order = itemAt(this.#sorted.orders, attribute);
    const column = itemAt(this.#data.columns, attribute);
    const limit = middle + Math.abs(middle) * 1e-12;
    let below = 0;
    let above = order.length;
    while (below < above) {
      const at = (below + above) >> 1;
      const value = column[order[at] ?? 0] ?? 0;
      if (value <= limit && value < high) below = at + 1;
      else above = at;
    }
    while (below > 1 && this.#initial[order[below - 1] ?? 0] === 0) below--;
    return column[order[below - 1] ?? 0] ?? 0;
  }

  #descend(node: GrownNode, lists: Lists, test: SplitTest, stack: Step[]): void {
    const sizes = node.children.map((child) => child.cases.end - child.cases.start);
    const open = node.children.map((child) => !this.#isFinal(child.counts));
    if (!open.includes(true)) return;
    this.#markBranches(node.cases, test);
    for (const attribute of lists.candidates) {
      const order = itemAt(lists.orders, attribute);
      if (order.length > 0) partitionList(order, lists, { branch: this.#branch, sizes, buffer: this.#buffer });
    }
    let start = lists.start;
    node.children.forEach((child, at) => {
      const end = start + (sizes[at] ?? 0);
      if (open[at]) stack.push({ kind: 'node', node: child, lists: { ...lists, start, end } });
      start = end;
    });
  }

  #descendFractional(node: GrownNode, lists: Lists, test: SplitTest, stack: Step[]): void {
    this.#markBranches(node.cases, test);
    const { rows, start, end } = node.cases;
    const before = Float64Array.from(rows.subarray(start, end), (row) => this.#weights[row] ?? 0);
    node.children.forEach((child, branch) => {
      if (this.#isFinal(child.counts)) return;
      const length = child.cases.rows.length;
      const orders = lists.orders.map((order, attribute) => {
        if (order.length === 0 || !lists.candidates.includes(attribute)) return NO_ROWS;
        const part = order.subarray(lists.start, lists.end);
        return part.filter((row) => this.#branch[row] === branch || this.#branch[row] === -1);
      });
      // The stack is worked from the top: own weights, the subtree, the parent's weights again.
      stack.push({ kind: 'weights', rows: rows.subarray(start, end), weights: before });
      stack.push({ kind: 'node', node: child, lists: { ...lists, orders, start: 0, end: length } });
      stack.push({ kind: 'weights', rows: child.cases.rows, weights: child.cases.weights });
    });
  }

  #markBranches(cases: Cases, test: SplitTest): void {
    const column = itemAt(this.#data.columns, test.attribute);
    for (let at = cases.start; at < cases.end; at++) {
      const row = cases.rows[at] ?? 0;
      this.#branch[row] = branchOf(test, column[row] ?? 0);
    }
  }

  #setWeights(rows: Int32Array, weights: Float64Array): void {
    for (let at = 0; at < rows.length; at++) this.#weights[rows[at] ?? 0] = weights[at] ?? 0;
  }
}

const NO_ROWS = new Int32Array(0);

function leaf(data: Dataset, cases: Cases): GrownNode {
  return { cases, counts: classCounts(data, cases), test: undefined, children: [], estimate: 0 };
}

function startingOrders(orders: readonly Int32Array[], weights: Float64Array, size: number): Int32Array[] {
  return orders.map((order) => {
    if (size === order.length || order.length === 0) return order.slice();
    const kept = new Int32Array(size);
    let filled = 0;
    for (let at = 0; at < order.length; at++) {
      const row = order[at] ?? 0;
      if ((weights[row] ?? 0) > 0) kept[filled++] = row;
    }
    return kept;
  });
}

/** Nominal attributes with a value for every third case or so say little by their gain; unless all are such. */
function manyValued(data: Dataset, weights: Float64Array): Uint8Array {
  let cases = 0;
  for (const weight of weights) if (weight > 0) cases++;
  const many = Uint8Array.from(data.attributes, (described) =>
    described.kind === 'nominal' && described.values.length >= 0.3 * cases - EPSILON ? 1 : 0,
  );
  return many.includes(0) ? many : many.fill(0);
}

interface Partition {
  readonly branch: Int32Array;
  readonly sizes: readonly number[];
  readonly buffer: Int32Array;
}

/** Stable: each branch keeps the order of the list. */
function partitionList(order: Int32Array, lists: Lists, { branch, sizes, buffer }: Partition): void {
  if (sizes.length === 2) {
    partitionInTwo(order, lists, branch, buffer);
    return;
  }
  const next = new Int32Array(sizes.length);
  for (let at = 1; at < sizes.length; at++) next[at] = (next[at - 1] ?? 0) + (sizes[at - 1] ?? 0);
  for (let at = lists.start; at < lists.end; at++) {
    const row = order[at] ?? 0;
    const to = next[branch[row] ?? 0] ?? 0;
    buffer[to] = row;
    next[branch[row] ?? 0] = to + 1;
  }
  order.set(buffer.subarray(0, lists.end - lists.start), lists.start);
}

function partitionInTwo(order: Int32Array, { start, end }: Lists, branch: Int32Array, buffer: Int32Array): void {
  let left = start;
  let right = 0;
  for (let at = start; at < end; at++) {
    const row = order[at] ?? 0;
    if (branch[row] === 0) order[left++] = row;
    else buffer[right++] = row;
  }
  for (let at = 0; at < right; at++) order[left + at] = buffer[at] ?? 0;
}
