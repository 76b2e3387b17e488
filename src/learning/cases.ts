import { itemAt } from '../kit/item-at.ts';
import type { Dataset } from './dataset.ts';

/** The cases of a tree node under construction: positions start … end of two parallel arrays. */
export interface Cases {
  readonly rows: Int32Array;
  readonly weights: Float64Array;
  readonly start: number;
  readonly end: number;
}

/** A test with one branch a value, or two (≤ threshold, >) for numeric attributes. */
export interface SplitTest {
  readonly attribute: number;
  /** NaN for nominal attributes. */
  readonly threshold: number;
  readonly branches: number;
}

/** Branch that a value takes, −1 when missing. */
export function branchOf(test: SplitTest, value: number): number {
  if (Number.isNaN(value)) return -1;
  if (Number.isNaN(test.threshold)) return value;
  return value <= test.threshold ? 0 : 1;
}

export function copyCases(cases: Cases): Cases {
  return {
    rows: cases.rows.slice(cases.start, cases.end),
    weights: cases.weights.slice(cases.start, cases.end),
    start: 0,
    end: cases.end - cases.start,
  };
}

export function classCounts(data: Dataset, cases: Cases): Float64Array {
  const counts = new Float64Array(data.classes.length);
  for (let at = cases.start; at < cases.end; at++) {
    const label = data.labels[cases.rows[at] ?? 0] ?? 0;
    counts[label] = (counts[label] ?? 0) + (cases.weights[at] ?? 0);
  }
  return counts;
}

/**
 * The cases of each branch. With all values known the range is permuted in place and the branches are its parts;
 * else branches are new arrays, and a case without value is in each with weight × the branch's share of the known.
 */
export function splitCases(data: Dataset, cases: Cases, test: SplitTest): Cases[] {
  const column = itemAt(data.columns, test.attribute);
  const sizes = new Int32Array(test.branches);
  const shares = new Float64Array(test.branches);
  let missing = 0;
  for (let at = cases.start; at < cases.end; at++) {
    const branch = branchOf(test, column[cases.rows[at] ?? 0] ?? 0);
    if (branch < 0) missing++;
    else {
      sizes[branch] = (sizes[branch] ?? 0) + 1;
      shares[branch] = (shares[branch] ?? 0) + (cases.weights[at] ?? 0);
    }
  }
  return missing === 0
    ? partition(column, cases, test, sizes)
    : fractional(column, cases, test, { sizes, shares, missing });
}

function partition(column: Float64Array, cases: Cases, test: SplitTest, sizes: Int32Array): Cases[] {
  const copy = copyCases(cases);
  const next = new Int32Array(test.branches);
  let place = cases.start;
  for (let branch = 0; branch < test.branches; branch++) {
    next[branch] = place;
    place += sizes[branch] ?? 0;
  }
  for (let at = 0; at < copy.end; at++) {
    const row = copy.rows[at] ?? 0;
    const branch = branchOf(test, column[row] ?? 0);
    const to = next[branch] ?? 0;
    cases.rows[to] = row;
    cases.weights[to] = copy.weights[at] ?? 0;
    next[branch] = to + 1;
  }
  return Array.from(next, (end, branch) => ({ ...cases, start: end - (sizes[branch] ?? 0), end }));
}

interface Shares {
  readonly sizes: Int32Array;
  readonly shares: Float64Array;
  readonly missing: number;
}

function fractional(column: Float64Array, cases: Cases, test: SplitTest, counted: Shares): Cases[] {
  const known = counted.shares.reduce((sum, share) => sum + share, 0);
  return Array.from(counted.shares, (share, branch) => {
    // A branch that no known case takes gets no part of the unknown ones either; with none known, all get the same.
    const factor = known > 0 ? share / known : 1 / counted.shares.length;
    const size = (counted.sizes[branch] ?? 0) + (factor > 0 ? counted.missing : 0);
    const rows = new Int32Array(size);
    const weights = new Float64Array(size);
    let filled = 0;
    for (let at = cases.start; at < cases.end; at++) {
      const row = cases.rows[at] ?? 0;
      const taken = branchOf(test, column[row] ?? 0);
      if (taken !== branch && !(taken < 0 && factor > 0)) continue;
      rows[filled] = row;
      weights[filled++] = (cases.weights[at] ?? 0) * (taken < 0 ? factor : 1);
    }
    return { rows, weights, start: 0, end: size };
  });
}
