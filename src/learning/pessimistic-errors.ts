import { normalQuantile } from '../kit/normal.ts';

/** exact: Φ⁻¹(1−CF) as in Weka; interpolated: C4.5's table of nine points. */
export type Quantile = 'exact' | 'interpolated';

/** z of the confidence limit `confidence` (0 … 1): pruning trusts errors less the smaller it is. */
export function confidenceQuantile(confidence: number, quantile: Quantile): number {
  return quantile === 'exact' ? normalQuantile(1 - confidence) : interpolated(confidence);
}

/**
 * Errors to be added to the `errors` seen among `cases` (weights, not necessarily whole) for the upper confidence
 * limit of the binomial error rate (C4.5 release 8, AddErrs).
 */
export function addedErrors(cases: number, errors: number, confidence: number, z: number): number {
  if (errors < 1) {
    const base = cases * (1 - confidence ** (1 / cases));
    return errors === 0 ? base : base + errors * (addedErrors(cases, 1, confidence, z) - base);
  }
  if (errors + 0.5 >= cases) return Math.max(cases - errors, 0);
  const rate = (errors + 0.5) / cases;
  const square = z * z;
  const spread = z * Math.sqrt(rate / cases - (rate * rate) / cases + square / (4 * cases * cases));
  const limit = (rate + square / (2 * cases) + spread) / (1 + square / cases);
  return limit * cases - errors;
}

const CONFIDENCES = [0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 1];
const DEVIATIONS = [4, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0];

function interpolated(confidence: number): number {
  const above = Math.max(
    1,
    CONFIDENCES.findIndex((value) => value >= confidence),
  );
  const [low = 0, high = 1] = CONFIDENCES.slice(above - 1);
  const [from = 0, to = 0] = DEVIATIONS.slice(above - 1);
  return from + ((to - from) * (confidence - low)) / (high - low);
}
