import { itemAt } from '../kit/item-at.ts';
import { type Cases, classCounts, copyCases, splitCases } from './cases.ts';
import type { Dataset } from './dataset.ts';
import type { GrownNode } from './grow-tree.ts';
import { addedErrors, confidenceQuantile, type Quantile } from './pessimistic-errors.ts';
import { EPSILON } from './split-search.ts';

export interface PruneOptions {
  /** Confidence limit of the error estimate, 0 … 0.5 (C4.5's CF, J48's -C). */
  readonly confidence: number;
  readonly quantile: Quantile;
  /** raise: a node may also be replaced by its heaviest branch. */
  readonly pruning: 'raise' | 'replace' | 'none';
}

/** Makes leaves of the subtrees that get no more training cases right than a leaf would. */
export function collapseTree(root: GrownNode): void {
  const nodes = preOrder(root);
  const errors = new Map<GrownNode, number>();
  for (const node of nodes.toReversed()) {
    const below = node.children.reduce((sum, child) => sum + (errors.get(child) ?? 0), 0);
    errors.set(node, node.children.length > 0 ? below : wrong(node.counts));
  }
  for (const node of nodes) {
    if (node.children.length > 0 && (errors.get(node) ?? 0) >= wrong(node.counts) - 1e-3) makeLeaf(node);
  }
}

/** Pessimistic pruning from the bottom up with subtree raising (C4.5 release 8; Weka's C45PruneableClassifierTree). */
export function pruneTree(root: GrownNode, data: Dataset, options: PruneOptions): void {
  const z = confidenceQuantile(options.confidence, options.quantile);
  const pruner = new Pruner(data, options, z);
  pruner.prune(root);
}

class Pruner {
  readonly #data: Dataset;
  readonly #options: PruneOptions;
  readonly #z: number;

  constructor(data: Dataset, options: PruneOptions, z: number) {
    this.#data = data;
    this.#options = options;
    this.#z = z;
  }

  prune(root: GrownNode): void {
    for (const node of preOrder(root).reverse()) this.#settle(node);
  }

  /** Decides one node whose children are settled. */
  #settle(node: GrownNode): void {
    const asLeaf = this.#errors(node.counts);
    node.estimate = asLeaf;
    if (node.children.length === 0) return;
    const asTree = node.children.reduce((sum, child) => sum + child.estimate, 0);
    const heaviest = itemAt(node.children, heaviestBranch(node));
    const asBranch =
      this.#options.pruning === 'raise' ? this.#errorsOfBranch(heaviest, node.cases) : Number.POSITIVE_INFINITY;
    if (atMost(asLeaf, asTree + 0.1) && atMost(asLeaf, asBranch + 0.1)) {
      makeLeaf(node);
    } else if (atMost(asBranch, asTree + 0.1)) {
      node.test = heaviest.test;
      node.children = heaviest.children;
      this.#redistribute(node);
      this.prune(node);
    } else {
      node.estimate = asTree;
    }
  }

  #errors(counts: Float64Array): number {
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total < EPSILON) return 0;
    const errors = wrong(counts);
    return errors + addedErrors(total, errors, this.#options.confidence, this.#z);
  }

  /** Estimated errors of `branch` if it had to judge `cases`. */
  #errorsOfBranch(branch: GrownNode, cases: Cases): number {
    const stack: { node: GrownNode; cases: Cases }[] = [{ node: branch, cases: copyCases(cases) }];
    let errors = 0;
    for (let step = stack.pop(); step; step = stack.pop()) {
      if (!step.node.test) {
        errors += this.#errors(classCounts(this.#data, step.cases));
        continue;
      }
      const parts = splitCases(this.#data, step.cases, step.node.test);
      step.node.children.forEach((node, at) => {
        const part = parts[at];
        if (part && part.end > part.start) stack.push({ node, cases: part });
      });
    }
    return errors;
  }

  /** Sends a node's cases down its new subtree. */
  #redistribute(root: GrownNode): void {
    const stack = [root];
    for (let node = stack.pop(); node; node = stack.pop()) {
      node.counts = classCounts(this.#data, node.cases);
      if (!node.test) continue;
      const parts = splitCases(this.#data, node.cases, node.test);
      node.children.forEach((child, at) => {
        child.cases = itemAt(parts, at);
        stack.push(child);
      });
    }
  }
}

function makeLeaf(node: GrownNode): void {
  node.test = undefined;
  node.children = [];
}

/** Parents before their children. */
export function preOrder(root: GrownNode): GrownNode[] {
  const nodes: GrownNode[] = [];
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    nodes.push(node);
    for (let at = node.children.length - 1; at >= 0; at--) stack.push(itemAt(node.children, at));
  }
  return nodes;
}

/** The last of equals, as Weka chooses. */
function heaviestBranch(node: GrownNode): number {
  let best = 0;
  let most = 0;
  node.children.forEach((child, at) => {
    const weight = child.counts.reduce((sum, count) => sum + count, 0);
    if (weight >= most - EPSILON) {
      best = at;
      most = weight;
    }
  });
  return best;
}

function wrong(counts: Float64Array): number {
  let total = 0;
  let most = 0;
  for (const count of counts) {
    total += count;
    if (count > most) most = count;
  }
  return total - most;
}

function atMost(a: number, b: number): boolean {
  return a - b < EPSILON;
}
