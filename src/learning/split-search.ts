import { itemAt } from '../kit/item-at.ts';
import type { Dataset } from './dataset.ts';

/** Weka's SMALL: differences below it are none. */
export const EPSILON = 1e-6;

export interface SplitOptions {
  /** Least weight of two branches of every split (C4.5's MINOBJS, J48's -M). */
  readonly minCases: number;
  /** MDL correction of gains on numeric attributes by log2 of: admissible cuts tried (C4.5), or distinct values − 1 (Quinlan 1996). */
  readonly mdl: 'tries' | 'distinct' | 'off';
  /** Neighbouring values closer than this are one value (C4.5 and Weka: 1e-5). */
  readonly minGap: number;
  /**
   * What must reach twice the least weight of a side before a numeric attribute is searched: the weight (C4.5), or the
   * number of rows as in Weka, where a few rows of great weight are then never split. The same for unweighted cases.
   */
  readonly support: 'weight' | 'rows';
}

/** What a split search reads: the cases of one node are the positions start … end of each order. */
export interface NodeView {
  readonly data: Dataset;
  /** Rows by ascending value for numeric attributes, missing ones last; empty for nominal ones. */
  readonly orders: readonly Int32Array[];
  /** The same rows in any order. */
  readonly rows: Int32Array;
  readonly start: number;
  readonly end: number;
  /** Weight by row. */
  readonly weights: Float64Array;
  /** Weight of each class at the node, and their sum. */
  readonly counts: Float64Array;
  readonly total: number;
}

export interface Split {
  readonly attribute: number;
  readonly gain: number;
  readonly ratio: number;
  /** Middle between the two values at the cut; NaN for nominal attributes. */
  readonly middle: number;
  /** The least value right of the cut; NaN for nominal attributes. */
  readonly high: number;
}

/** The most valuable admissible split of one attribute, or undefined when it has none. */
export function bestSplit(view: NodeView, attribute: number, options: SplitOptions): Split | undefined {
  const numeric = view.data.attributes[attribute]?.kind === 'numeric';
  return numeric ? numericSplit(view, attribute, options) : nominalSplit(view, attribute, options);
}

/** Whether a numeric attribute has two known values here; where it has not, it has none further down either. */
export function varies(view: NodeView, attribute: number, minGap: number): boolean {
  const order = itemAt(view.orders, attribute);
  const column = itemAt(view.data.columns, attribute);
  const known = knownEnd(order, column, view.start, view.end);
  if (known === view.start) return false;
  const lowest = column[order[view.start] ?? 0] ?? 0;
  return lowest + minGap < (column[order[known - 1] ?? 0] ?? 0);
}

/** x log2 x, 0 below {@link EPSILON}; a table for whole numbers, which is what most weights are. */
export function xlog2x(x: number): number {
  if (x < EPSILON) return 0;
  if (x < TABLE_SIZE) {
    const whole = x | 0;
    if (whole === x) return TABLE[whole] ?? 0;
  }
  return x * Math.log2(x);
}

const TABLE_SIZE = 16384;
const TABLE = Float64Array.from({ length: TABLE_SIZE }, (_, x) => (x === 0 ? 0 : x * Math.log2(x)));

function numericSplit(view: NodeView, attribute: number, options: SplitOptions): Split | undefined {
  const order = itemAt(view.orders, attribute);
  const column = itemAt(view.data.columns, attribute);
  const { start, total } = view;
  const known = knownEnd(order, column, start, view.end);
  if (known - start < 2) return undefined;
  const right = known === view.end ? view.counts.slice() : countClasses(view, order, start, known);
  const cut = scanCuts(view, { order, column, known, right }, options);
  if (cut.tries === 0) return undefined;
  const gain = cut.gain - correction(cut, total, options.mdl);
  if (gain <= EPSILON) return undefined;
  const low = column[order[cut.at - 1] ?? 0] ?? 0;
  const high = column[order[cut.at] ?? 0] ?? 0;
  const middle = (low + high) / 2;
  const sides = xlog2x(cut.leftWeight) + xlog2x(cut.knownWeight - cut.leftWeight);
  const splitInfo = (xlog2x(total) - sides - xlog2x(total - cut.knownWeight)) / total;
  if (splitInfo < EPSILON) return undefined;
  return { attribute, gain, ratio: gain / splitInfo, middle: middle < high ? middle : low, high };
}

interface Cut {
  /** Position of the first case right of the cut. */
  readonly at: number;
  readonly gain: number;
  readonly leftWeight: number;
  readonly knownWeight: number;
  readonly tries: number;
  readonly distinct: number;
}

const NO_CUT = { at: -1, gain: 0, leftWeight: 0, tries: 0, distinct: 0 };

interface Scan {
  readonly order: Int32Array;
  readonly column: Float64Array;
  /** Position after the last case with a known value. */
  readonly known: number;
  /** Class weights of the known cases; emptied by the scan. */
  readonly right: Float64Array;
}

function scanCuts(view: NodeView, scan: Scan, options: SplitOptions): Cut {
  const classes = scan.right.length;
  let knownWeight = 0;
  for (let c = 0; c < classes; c++) knownWeight += scan.right[c] ?? 0;
  const least = leastWeight(knownWeight, classes, options.minCases) - EPSILON;
  if (options.support === 'rows' && scan.known - view.start < 2 * least) return { ...NO_CUT, knownWeight };
  const bounds = { knownWeight, least, minGap: options.minGap };
  return classes === 2 ? scanTwoClasses(view, scan, bounds) : scanClasses(view, scan, bounds);
}

interface Bounds {
  readonly knownWeight: number;
  /** Of each side. */
  readonly least: number;
  readonly minGap: number;
}

function scanClasses(view: NodeView, scan: Scan, { knownWeight, least, minGap }: Bounds): Cut {
  const { order, column, known, right } = scan;
  const { weights, total, start } = view;
  const labels = view.data.labels;
  const left = new Float64Array(right.length);
  const before = xlog2x(knownWeight) - sumXlog2x(right);
  let leftWeight = 0;
  let best = { at: -1, gain: 0, leftWeight: 0 };
  let tries = 0;
  let distinct = 1;
  let value = column[order[start] ?? 0] ?? 0;
  for (let at = start; at < known; at++) {
    const row = order[at] ?? 0;
    const next = column[row] ?? 0;
    if (value + minGap < next) {
      distinct++;
      const rightWeight = knownWeight - leftWeight;
      if (leftWeight > least && rightWeight > least) {
        tries++;
        const after = xlog2x(leftWeight) - sumXlog2x(left) + xlog2x(rightWeight) - sumXlog2x(right);
        const gain = (before - after) / total;
        if (gain - best.gain > EPSILON) best = { at, gain, leftWeight };
      }
    }
    value = next;
    const weight = weights[row] ?? 0;
    const label = labels[row] ?? 0;
    leftWeight += weight;
    left[label] = (left[label] ?? 0) + weight;
    right[label] = (right[label] ?? 0) - weight;
  }
  return { ...best, tries: best.at < 0 ? 0 : tries, distinct, knownWeight };
}

/** The same with the counts in two numbers: the case of every detector, and twice as fast. */
function scanTwoClasses(view: NodeView, scan: Scan, { knownWeight, least, minGap }: Bounds): Cut {
  const { order, column, known, right } = scan;
  const { weights, total, start } = view;
  const labels = view.data.labels;
  const knownOnes = right[1] ?? 0;
  const before = xlog2x(knownWeight) - sumXlog2x(right);
  const most = knownWeight - least;
  let leftWeight = 0;
  let leftOnes = 0;
  let best = { at: -1, gain: 0, leftWeight: 0 };
  let tries = 0;
  let distinct = 1;
  let value = column[order[start] ?? 0] ?? 0;
  for (let at = start; at < known; at++) {
    const row = order[at] ?? 0;
    const next = column[row] ?? 0;
    if (value + minGap < next) {
      distinct++;
      if (leftWeight > least && leftWeight < most) {
        tries++;
        const left = xlog2x(leftWeight) - xlog2x(leftOnes) - xlog2x(leftWeight - leftOnes);
        const rightWeight = knownWeight - leftWeight;
        const rightOnes = knownOnes - leftOnes;
        const after = left + xlog2x(rightWeight) - xlog2x(rightOnes) - xlog2x(rightWeight - rightOnes);
        const gain = (before - after) / total;
        if (gain - best.gain > EPSILON) best = { at, gain, leftWeight };
      }
    }
    value = next;
    const weight = weights[row] ?? 0;
    leftWeight += weight;
    if (labels[row] === 1) leftOnes += weight;
  }
  return { ...best, tries: best.at < 0 ? 0 : tries, distinct, knownWeight };
}

function correction(cut: Cut, total: number, mdl: SplitOptions['mdl']): number {
  if (mdl === 'off') return 0;
  return Math.log2(mdl === 'tries' ? cut.tries : cut.distinct - 1) / total;
}

/** A tenth of the known weight a class, within minCases … 25. */
function leastWeight(known: number, classes: number, minCases: number): number {
  const share = (0.1 * known) / classes;
  return share <= minCases + EPSILON ? minCases : Math.min(share, 25);
}

function nominalSplit(view: NodeView, attribute: number, options: SplitOptions): Split | undefined {
  const described = view.data.attributes[attribute];
  const branches = described?.kind === 'nominal' ? described.values.length : 0;
  const classes = view.counts.length;
  const table = new Float64Array(branches * classes);
  const perBranch = new Float64Array(branches);
  const perClass = new Float64Array(classes);
  const column = itemAt(view.data.columns, attribute);
  for (let at = view.start; at < view.end; at++) {
    const row = view.rows[at] ?? 0;
    const value = column[row] ?? 0;
    if (Number.isNaN(value)) continue;
    const weight = view.weights[row] ?? 0;
    const label = view.data.labels[row] ?? 0;
    table[value * classes + label] = (table[value * classes + label] ?? 0) + weight;
    perBranch[value] = (perBranch[value] ?? 0) + weight;
    perClass[label] = (perClass[label] ?? 0) + weight;
  }
  if (perBranch.reduce((n, weight) => n + (weight >= options.minCases - EPSILON ? 1 : 0), 0) < 2) return undefined;
  const known = perClass.reduce((sum, weight) => sum + weight, 0);
  const before = xlog2x(known) - sumXlog2x(perClass);
  const after = sumXlog2x(perBranch) - sumXlog2x(table);
  const gain = (before - after) / view.total;
  const splitInfo = (xlog2x(view.total) - sumXlog2x(perBranch) - xlog2x(view.total - known)) / view.total;
  return {
    attribute,
    gain: gain < EPSILON ? 0 : gain,
    ratio: splitInfo < EPSILON ? 0 : gain / splitInfo,
    middle: Number.NaN,
    high: Number.NaN,
  };
}

/** Position after the last known value; missing ones stand last. */
function knownEnd(order: Int32Array, column: Float64Array, start: number, end: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number.isNaN(column[order[middle] ?? 0])) high = middle;
    else low = middle + 1;
  }
  return low;
}

function countClasses(view: NodeView, rows: Int32Array, start: number, end: number): Float64Array {
  const counts = new Float64Array(view.counts.length);
  for (let at = start; at < end; at++) {
    const row = rows[at] ?? 0;
    const label = view.data.labels[row] ?? 0;
    counts[label] = (counts[label] ?? 0) + (view.weights[row] ?? 0);
  }
  return counts;
}

function sumXlog2x(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += xlog2x(values[i] ?? 0);
  return sum;
}
