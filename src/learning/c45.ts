import { itemAt } from '../kit/item-at.ts';
import { type Attribute, type Dataset, type SortedDataset, sortColumns, type Values } from './dataset.ts';
import { type GrownNode, growTree } from './grow-tree.ts';
import { collapseTree, type PruneOptions, preOrder, pruneTree } from './prune-tree.ts';
import type { SplitOptions } from './split-search.ts';

export interface C45Options extends SplitOptions, PruneOptions {
  /** Make leaves of subtrees that gain nothing on the training cases; J48 does so even unpruned. */
  readonly collapse: boolean;
  /** none: class frequency at the leaf; laplace: (n_c + 1) / (n + classes). */
  readonly smoothing: 'none' | 'laplace';
}

/** C4.5 release 8 with the parameters of J48's defaults; the exact quantile gives J48's trees. */
export const J48_OPTIONS: C45Options = Object.freeze({
  minCases: 2,
  mdl: 'tries',
  minGap: 1e-5,
  support: 'rows',
  confidence: 0.25,
  quantile: 'exact',
  pruning: 'raise',
  collapse: true,
  smoothing: 'none',
});

/**
 * A node: training weight of each class, and for inner nodes the test. Numeric: children[0] takes value ≤ threshold,
 * children[1] the rest; nominal (no threshold): children[v] takes value v. Children are indices into `nodes`.
 */
export interface C45Node {
  readonly counts: readonly number[];
  readonly attribute?: number;
  readonly threshold?: number;
  readonly children?: readonly number[];
}

/** What the trees of one model share. */
export interface TreeFrame {
  readonly attributes: readonly Attribute[];
  readonly classes: readonly string[];
  /** Index of the class whose probability `score` gives. */
  readonly positive: number;
  readonly smoothing: 'none' | 'laplace';
}

/** Plain JSON data; nodes[0] is the root, parents stand before their children. */
export interface C45Tree extends TreeFrame {
  readonly kind: 'c45';
  readonly nodes: readonly C45Node[];
}

/** A tree of an ensemble, read within its frame. */
type Nodes = readonly C45Node[];

export function trainC45(data: Dataset, options: C45Options, weights?: Float64Array): C45Tree {
  return trainC45Sorted(sortColumns(data), options, weights ?? new Float64Array(data.labels.length).fill(1));
}

/** For ensembles: the columns are sorted once for all trees. Rows of weight 0 are not there. */
export function trainC45Sorted(sorted: SortedDataset, options: C45Options, weights: Float64Array): C45Tree {
  const root = growTree(sorted, weights, options);
  if (options.collapse) collapseTree(root);
  if (options.pruning !== 'none') pruneTree(root, sorted.data, options);
  return Object.freeze({ kind: 'c45', ...treeFrame(sorted.data, options), nodes: plainNodes(root) });
}

export function treeFrame(data: Dataset, options: C45Options): TreeFrame {
  const { attributes, classes, positive } = data;
  return { attributes, classes, positive, smoothing: options.smoothing };
}

/** Class distribution, sums to 1. A missing value sends the case down every branch by training weight. */
export function classify(tree: C45Tree, values: Values): Float64Array {
  return classifyNodes(tree, tree.nodes, values);
}

/** {@link classify} for a tree of an ensemble. */
export function classifyNodes(frame: TreeFrame, nodes: Nodes, values: Values): Float64Array {
  const sum = new Float64Array(frame.classes.length);
  const stack: Visit[] = [];
  let visit: Visit | undefined = { at: 0, share: 1, above: 0 };
  while (visit) {
    let { at, above } = visit;
    let node = itemAt(nodes, at);
    while (node.children !== undefined) {
      const child = node.children[takenBranch(node, values[node.attribute ?? 0] ?? Number.NaN)];
      if (child === undefined) break;
      above = at;
      at = child;
      node = itemAt(nodes, at);
    }
    if (node.children === undefined) {
      addDistribution(sum, frame, total(node) > 0 ? node : itemAt(nodes, above), visit.share);
    } else pushBranches(stack, nodes, at, visit.share);
    visit = stack.pop();
  }
  return sum;
}

interface Visit {
  readonly at: number;
  readonly share: number;
  /** Index of the parent, whose distribution stands in for that of an empty leaf. */
  readonly above: number;
}

/** Probability of the positive class. */
export function scoreC45(tree: C45Tree, values: Values): number {
  return classify(tree, values)[tree.positive] ?? 0;
}

/** The likeliest class, the first of equals. */
export function likeliest(distribution: ArrayLike<number>): number {
  let best = 0;
  for (let c = 1; c < distribution.length; c++) {
    if ((distribution[c] ?? 0) > (distribution[best] ?? 0)) best = c;
  }
  return best;
}

/** One test passed on the way from the root to a leaf. `threshold` is a nominal value's name for op '='. */
export interface PathStep {
  readonly attribute: string;
  readonly op: '<=' | '>' | '=' | 'missing';
  readonly threshold: number | string;
  readonly value: number | undefined;
}

/** The way of one case; where its value is missing, the heaviest branch is followed. */
export function explainPath(tree: C45Tree, values: Values): PathStep[] {
  const steps: PathStep[] = [];
  let node = tree.nodes[0];
  while (node?.children) {
    const attribute = tree.attributes[node.attribute ?? 0];
    const value = values[node.attribute ?? 0] ?? Number.NaN;
    const taken = takenBranch(node, value);
    const known = node.children[taken] !== undefined;
    const branch = known ? taken : heaviest(tree, node);
    if (attribute) steps.push(stepOf(attribute, node.threshold, known ? value : undefined, branch));
    node = tree.nodes[node.children[branch] ?? -1];
  }
  return steps;
}

/** Change of the positive class's probability at each test (Saabas 2014): {@link baseRate} + Σ = score. */
export function pathDeltas(frame: TreeFrame, nodes: Nodes, values: Values): Float64Array {
  const deltas = new Float64Array(frame.attributes.length);
  const root = itemAt(nodes, 0);
  const stack = [{ node: root, share: 1, probability: positiveShare(frame, root) }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node, share, probability } = step;
    if (node.children === undefined) continue;
    const attribute = node.attribute ?? 0;
    for (const [child, part] of branchShares(nodes, node, values[attribute] ?? Number.NaN)) {
      const below = total(child) > 0 ? positiveShare(frame, child) : probability;
      deltas[attribute] = (deltas[attribute] ?? 0) + share * part * (below - probability);
      stack.push({ node: child, share: share * part, probability: below });
    }
  }
  return deltas;
}

/** Probability of the positive class before any test. */
export function baseRate(frame: TreeFrame, nodes: Nodes): number {
  return positiveShare(frame, itemAt(nodes, 0));
}

export function leafCount(tree: C45Tree): number {
  return tree.nodes.filter((node) => node.children === undefined).length;
}

function branchShares(nodes: Nodes, node: C45Node, value: number): [C45Node, number][] {
  const children = node.children ?? [];
  const taken = children[takenBranch(node, value)];
  if (taken !== undefined) return [[itemAt(nodes, taken), 1]];
  const whole = total(node);
  return children.map((child) => [itemAt(nodes, child), total(itemAt(nodes, child)) / whole]);
}

function pushBranches(stack: Visit[], nodes: Nodes, above: number, share: number): void {
  const node = itemAt(nodes, above);
  const whole = total(node);
  for (const at of node.children ?? []) {
    const weight = total(itemAt(nodes, at));
    if (weight > 0) stack.push({ at, share: (share * weight) / whole, above });
  }
}

function addDistribution(sum: Float64Array, frame: TreeFrame, node: C45Node, share: number): void {
  const add = frame.smoothing === 'laplace' ? 1 : 0;
  const whole = total(node) + add * sum.length;
  for (let c = 0; c < sum.length; c++) {
    sum[c] = (sum[c] ?? 0) + (share * ((node.counts[c] ?? 0) + add)) / whole;
  }
}

function positiveShare(frame: TreeFrame, node: C45Node): number {
  const add = frame.smoothing === 'laplace' ? 1 : 0;
  return ((node.counts[frame.positive] ?? 0) + add) / (total(node) + add * frame.classes.length);
}

/** No branch (NaN, or a place that no child has) for missing values and for nominal ones never heard of. */
function takenBranch(node: C45Node, value: number): number {
  if (node.threshold === undefined || Number.isNaN(value)) return value;
  return value <= node.threshold ? 0 : 1;
}

function heaviest(tree: C45Tree, node: C45Node): number {
  const weights = (node.children ?? []).map((child) => total(itemAt(tree.nodes, child)));
  return likeliest(weights);
}

function stepOf(
  attribute: Attribute,
  threshold: number | undefined,
  value: number | undefined,
  branch: number,
): PathStep {
  const compared = attribute.kind === 'nominal' ? (attribute.values[branch] ?? '') : (threshold ?? Number.NaN);
  const op = value === undefined ? 'missing' : attribute.kind === 'nominal' ? '=' : branch === 0 ? '<=' : '>';
  return { attribute: attribute.name, op, threshold: compared, value };
}

function total(node: C45Node): number {
  let sum = 0;
  for (let c = 0; c < node.counts.length; c++) sum += node.counts[c] ?? 0;
  return sum;
}

function plainNodes(root: GrownNode): readonly C45Node[] {
  const grown = preOrder(root);
  const index = new Map(grown.map((node, at) => [node, at]));
  const nodes = grown.map((node): C45Node => {
    const counts = Object.freeze(Array.from(node.counts));
    if (!node.test) return Object.freeze({ counts });
    const { attribute, threshold } = node.test;
    const children = Object.freeze(node.children.map((child) => index.get(child) ?? 0));
    return Object.freeze(
      Number.isNaN(threshold) ? { counts, attribute, children } : { counts, attribute, threshold, children },
    );
  });
  return Object.freeze(nodes);
}
