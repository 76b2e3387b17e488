import { itemAt } from '../kit/item-at.ts';
import type { Binned } from './bins.ts';

/** Of the loss by row, at the scores so far. */
export interface Gradients {
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
}

export interface HistogramSplit {
  readonly attribute: number;
  /** Bins up to this one go left. */
  readonly bin: number;
  readonly threshold: number;
  readonly missingLeft: boolean;
  readonly gain: number;
}

export interface Sums {
  readonly gradient: number;
  readonly hessian: number;
  readonly rows: number;
}

export interface LeafView {
  readonly attributes: Int32Array;
  readonly histogram: Float64Array;
  readonly sums: Sums;
}

export interface GainOptions {
  readonly minCases: number;
  readonly lambda: number;
  readonly gamma: number;
}

const FIELDS = 3;

/** Gradient, hessian and row sums by attribute (in the order of `attributes`) and bin, missing values after the bins. */
export function histogramOf(
  binned: Binned,
  attributes: Int32Array,
  { gradient, hessian }: Gradients,
  rows: Int32Array,
): Float64Array {
  const histogram = new Float64Array(cellsOf(binned, attributes));
  let base = 0;
  for (const attribute of attributes) {
    const bins = itemAt(binned.columns, attribute);
    const missing = binned.counts[attribute] ?? 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const bin = bins[row] ?? 0;
      const cell = base + Math.min(bin, missing) * FIELDS;
      histogram[cell] = (histogram[cell] ?? 0) + (gradient[row] ?? 0);
      histogram[cell + 1] = (histogram[cell + 1] ?? 0) + (hessian[row] ?? 0);
      histogram[cell + 2] = (histogram[cell + 2] ?? 0) + 1;
    }
    base += (missing + 1) * FIELDS;
  }
  return histogram;
}

function cellsOf(binned: Binned, attributes: Int32Array): number {
  let cells = 0;
  for (const attribute of attributes) cells += ((binned.counts[attribute] ?? 0) + 1) * FIELDS;
  return cells;
}

/** `whole` − `part`, written into `whole`, which is returned. */
export function subtract(whole: Float64Array, part: Float64Array): Float64Array {
  for (let at = 0; at < whole.length; at++) whole[at] = (whole[at] ?? 0) - (part[at] ?? 0);
  return whole;
}

/** ½[G_L²/(H_L+λ) + G_R²/(H_R+λ) − G²/(H+λ)] − γ at its greatest, or undefined when no cut gains. */
export function bestHistogramSplit(binned: Binned, leaf: LeafView, options: GainOptions): HistogramSplit | undefined {
  let best: HistogramSplit | undefined;
  if (leaf.sums.rows < 2 * options.minCases) return best;
  let base = 0;
  for (const attribute of leaf.attributes) {
    const bins = binned.counts[attribute] ?? 0;
    const cells = leaf.histogram.subarray(base, base + (bins + 1) * FIELDS);
    base += cells.length;
    const cut = bestCut(cells, bins, leaf.sums, options);
    if (cut.gain <= 1e-9 || cut.gain <= (best?.gain ?? 0)) continue;
    // The cut after the last bin parts known values from missing ones.
    const threshold = binned.bounds[attribute]?.[cut.bin] ?? Number.MAX_VALUE;
    best = { attribute, threshold, ...cut };
  }
  return best;
}

interface BinCut {
  readonly bin: number;
  readonly missingLeft: boolean;
  readonly gain: number;
}

function bestCut(cells: Float64Array, bins: number, sums: Sums, options: GainOptions): BinCut {
  const at = bins * FIELDS;
  const missing = {
    gradient: cells[at] ?? 0,
    hessian: cells[at + 1] ?? 0,
    rows: Math.round(cells[at + 2] ?? 0),
  };
  const right = scan(cells, bins, { sums, onLeft: { gradient: 0, hessian: 0, rows: 0 } }, options);
  if (missing.rows === 0) return { ...right, missingLeft: false };
  const left = scan(cells, bins - 1, { sums, onLeft: missing }, options);
  return left.gain > right.gain ? { ...left, missingLeft: true } : { ...right, missingLeft: false };
}

/** Best cut with `onLeft` on the left before the first bin. */
function scan(
  cells: Float64Array,
  bins: number,
  { sums, onLeft }: { readonly sums: Sums; readonly onLeft: Sums },
  { minCases, lambda, gamma }: GainOptions,
): { bin: number; gain: number } {
  let { gradient, hessian, rows } = onLeft;
  const whole = (sums.gradient * sums.gradient) / (sums.hessian + lambda);
  let bin = -1;
  let most = 0;
  for (let at = 0; at < bins; at++) {
    const cell = at * FIELDS;
    gradient += cells[cell] ?? 0;
    hessian += cells[cell + 1] ?? 0;
    rows += cells[cell + 2] ?? 0;
    if (rows < minCases) continue;
    if (sums.rows - rows < minCases) break;
    const other = sums.gradient - gradient;
    const score = (gradient * gradient) / (hessian + lambda) + (other * other) / (sums.hessian - hessian + lambda);
    if (score - whole <= most) continue;
    most = score - whole;
    bin = at;
  }
  return { bin, gain: bin < 0 ? 0 : most / 2 - gamma };
}
