import { itemAt } from '../kit/item-at.ts';
import type { Dataset } from './dataset.ts';

export const MISSING_BIN = 255;
const MAX_BINS = 255;

/** Columns cut into at most 255 bins of about equal mass; bin 255 holds the missing values. */
export interface Binned {
  readonly columns: readonly Uint8Array[];
  /** Bins used by each column. */
  readonly counts: readonly number[];
  /** Upper bound of each bin but the last: half-way to the next value seen. */
  readonly bounds: readonly Float64Array[];
}

/** Bounds come from `rows`; every row is binned. */
export function binColumns(data: Dataset, rows: Int32Array): Binned {
  const bounds = data.columns.map((column) => binBounds(Float64Array.from(rows, (row) => column[row] ?? 0)));
  return {
    columns: data.columns.map((column, at) => Uint8Array.from(column, (value) => binOf(itemAt(bounds, at), value))),
    counts: bounds.map((bound) => bound.length + 1),
    bounds,
  };
}

function binBounds(values: Float64Array): Float64Array {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const bounds: number[] = [];
  const distinct = countDistinct(sorted);
  // Few values get a bin each; of many, a bin is closed once it holds its share of what is left.
  let left = sorted.length;
  let held = 0;
  for (let at = 0; at + 1 < sorted.length && bounds.length < MAX_BINS - 1; at++) {
    held++;
    const value = sorted[at] ?? 0;
    const next = sorted[at + 1] ?? 0;
    if (value === next) continue;
    if (distinct > MAX_BINS && held < left / (MAX_BINS - bounds.length)) continue;
    const middle = value + (next - value) / 2;
    bounds.push(middle < next ? middle : value);
    left -= held;
    held = 0;
  }
  return Float64Array.from(bounds);
}

function countDistinct(sorted: Float64Array): number {
  let distinct = sorted.length > 0 ? 1 : 0;
  for (let at = 1; at < sorted.length; at++) if (sorted[at] !== sorted[at - 1]) distinct++;
  return distinct;
}

/** The first bin whose bound is not below the value. */
function binOf(bounds: Float64Array, value: number): number {
  if (Number.isNaN(value)) return MISSING_BIN;
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (bounds[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
