/** Maps raw scores to probabilities; plain JSON data. */
export type Calibration =
  | { readonly kind: 'platt'; readonly a: number; readonly b: number }
  /** Piecewise linear through (scores[i], probabilities[i]), flat outside. Scores ascend. */
  | { readonly kind: 'isotonic'; readonly scores: readonly number[]; readonly probabilities: readonly number[] };

type Numbers = ArrayLike<number>;
type Flags = ArrayLike<number | boolean>;

/** Isotonic from `isotonicFrom` cases on, else Platt. Fit on scores of cases that the model was not trained on. */
export function fitCalibration(scores: Numbers, positive: Flags, isotonicFrom: number): Calibration {
  return scores.length >= isotonicFrom ? fitIsotonic(scores, positive) : fitPlatt(scores, positive);
}

export function calibrate(calibration: Calibration, score: number): number {
  if (calibration.kind === 'platt') return logistic(calibration.a * score + calibration.b);
  return interpolate(calibration.scores, calibration.probabilities, score);
}

/** ln(p / (1 − p)), finite: a probability is taken to be no closer than 1e-9 to 0 and 1. */
export function logOdds(probability: number): number {
  const inside = shortOfCertain(probability);
  return Math.log(inside / (1 - inside));
}

/** The probability itself, no closer than 1e-9 to 0 and 1. A score that is no number says nothing for the positive class. */
export function shortOfCertain(probability: number): number {
  return Number.isNaN(probability) ? CLOSEST : Math.min(1 - CLOSEST, Math.max(CLOSEST, probability));
}

const CLOSEST = 1e-9;

/** The probability above which acting pays: c_FP / (c_FP + c_FN), costs of a good case lost and a bad one kept. */
export function costThreshold(costFalsePositive: number, costFalseNegative: number): number {
  return costFalsePositive / (costFalsePositive + costFalseNegative);
}

/**
 * p = 1/(1 + e^−(a·s + b)) by Newton's method with targets (N₊+1)/(N₊+2) and 1/(N₋+2) (Platt 1999; the numerics of
 * Lin, Lin and Weng 2007).
 */
export function fitPlatt(scores: Numbers, positive: Flags): Calibration {
  const targets = plattTargets(positive, scores.length);
  let a = 0;
  let b = Math.log(targets.prior / (1 - targets.prior));
  let loss = plattLoss(scores, targets.values, a, b);
  for (let iteration = 0; iteration < 100; iteration++) {
    const step = newtonStep(scores, targets.values, a, b);
    if (Math.abs(step.gradientA) < 1e-9 && Math.abs(step.gradientB) < 1e-9) break;
    let size = 1;
    let next = loss;
    for (; size > 1e-10; size /= 2) {
      next = plattLoss(scores, targets.values, a - size * step.a, b - size * step.b);
      if (next < loss + 1e-12) break;
    }
    if (size <= 1e-10) break;
    a -= size * step.a;
    b -= size * step.b;
    loss = next;
  }
  return Object.freeze({ kind: 'platt', a, b });
}

/** Pool adjacent violators: the non-decreasing steps closest in squares, joined by lines between the pools' means. */
export function fitIsotonic(scores: Numbers, positive: Flags): Calibration {
  const order = Array.from(scores, (_, row) => row).sort((x, y) => (scores[x] ?? 0) - (scores[y] ?? 0));
  const pools: { weight: number; positives: number; scoreSum: number; last: number }[] = [];
  for (const row of order) {
    const score = scores[row] ?? 0;
    const top = pools.at(-1);
    const label = positive[row] ? 1 : 0;
    if (top?.last === score) {
      top.weight++;
      top.positives += label;
      top.scoreSum += score;
    } else pools.push({ weight: 1, positives: label, scoreSum: score, last: score });
  }
  const merged: typeof pools = [];
  for (let pool of pools) {
    for (let below = merged.at(-1); below; below = merged.at(-1)) {
      if (below.positives * pool.weight < pool.positives * below.weight) break;
      merged.pop();
      pool = {
        weight: below.weight + pool.weight,
        positives: below.positives + pool.positives,
        scoreSum: below.scoreSum + pool.scoreSum,
        last: pool.last,
      };
    }
    merged.push(pool);
  }
  return Object.freeze({
    kind: 'isotonic',
    scores: Object.freeze(merged.map((pool) => pool.scoreSum / pool.weight)),
    // A pool's share is drawn a little inward: no finite sample proves a probability of 0 or 1.
    probabilities: Object.freeze(merged.map((pool) => (pool.positives + PRIOR / 2) / (pool.weight + PRIOR))),
  });
}

const PRIOR = 0.02;

export function logistic(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

/** ln(1 + e^x) without overflow. */
export function softplus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}

function plattTargets(positive: Flags, size: number): { values: Float64Array; prior: number } {
  let positives = 0;
  for (let i = 0; i < size; i++) if (positive[i]) positives++;
  const high = (positives + 1) / (positives + 2);
  const low = 1 / (size - positives + 2);
  const values = Float64Array.from({ length: size }, (_, i) => (positive[i] ? high : low));
  return { values, prior: (positives + 1) / (size + 2) };
}

function plattLoss(scores: Numbers, targets: Float64Array, a: number, b: number): number {
  let loss = 0;
  for (let i = 0; i < targets.length; i++) {
    const z = a * (scores[i] ?? 0) + b;
    loss += softplus(z) - (targets[i] ?? 0) * z;
  }
  return loss;
}

interface NewtonStep {
  readonly a: number;
  readonly b: number;
  readonly gradientA: number;
  readonly gradientB: number;
}

function newtonStep(scores: Numbers, targets: Float64Array, a: number, b: number): NewtonStep {
  let [gradientA, gradientB, aa, ab, bb] = [0, 0, 1e-12, 0, 1e-12];
  for (let i = 0; i < targets.length; i++) {
    const score = scores[i] ?? 0;
    const p = logistic(a * score + b);
    const difference = p - (targets[i] ?? 0);
    const curvature = p * (1 - p);
    gradientA += difference * score;
    gradientB += difference;
    aa += curvature * score * score;
    ab += curvature * score;
    bb += curvature;
  }
  const determinant = aa * bb - ab * ab;
  const [stepA, stepB] =
    determinant > 1e-18
      ? [(bb * gradientA - ab * gradientB) / determinant, (aa * gradientB - ab * gradientA) / determinant]
      : [gradientA / aa, gradientB / bb];
  return { a: stepA, b: stepB, gradientA, gradientB };
}

function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? 0) <= x) low = middle + 1;
    else high = middle;
  }
  const right = xs[low];
  const left = xs[low - 1];
  if (left === undefined) return ys[0] ?? Number.NaN;
  if (right === undefined) return ys[ys.length - 1] ?? Number.NaN;
  const share = (x - left) / (right - left);
  return (ys[low - 1] ?? 0) * (1 - share) + (ys[low] ?? 0) * share;
}
