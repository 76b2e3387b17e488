import { itemAt } from '../kit/item-at.ts';
import { logistic, softplus } from './calibration.ts';
import type { Attribute, Dataset, Values } from './dataset.ts';

export interface LogisticOptions {
  /** L2 penalty λ/2·‖w‖² on the weights of standardised columns, not on the bias; > 0. */
  readonly lambda: number;
  /** Weight by row. */
  readonly weights: Float64Array | undefined;
  /** Newton steps at most; a dozen are enough unless the classes are parted. */
  readonly iterations: number;
}

/**
 * Plain JSON data. Log-odds = bias + Σ weights[i]·(value − means[i])/scales[i], and missing[i] where the value is
 * missing. Nominal attributes are read as the index of their value.
 */
export interface LogisticRegression {
  readonly kind: 'logistic';
  readonly attributes: readonly Attribute[];
  readonly bias: number;
  readonly means: readonly number[];
  readonly scales: readonly number[];
  readonly weights: readonly number[];
  readonly missing: readonly number[];
}

/** L2 logistic regression by Newton's method; cost rows × columns² a step, for up to some hundred columns. */
export function trainLogistic(data: Dataset, options: LogisticOptions): LogisticRegression {
  const design = designMatrix(data);
  const targets = Float64Array.from(data.labels, (label) => (label === data.positive ? 1 : 0));
  const solution = newton({ ...design, targets, ...options });
  const attributes = data.attributes.length;
  const missing = new Array<number>(attributes).fill(0);
  design.indicators.forEach((attribute, at) => {
    missing[attribute] = solution[1 + attributes + at] ?? 0;
  });
  return Object.freeze({
    kind: 'logistic',
    attributes: data.attributes,
    bias: solution[0] ?? 0,
    means: Object.freeze(design.means),
    scales: Object.freeze(design.scales),
    weights: Object.freeze(Array.from(solution.subarray(1, 1 + attributes))),
    missing: Object.freeze(missing),
  });
}

/** Each attribute's part of the log-odds; bias + Σ = log-odds. Against the mean case, whose parts are 0. */
export function logisticDeltas(model: LogisticRegression, values: Values): Float64Array {
  return Float64Array.from(model.weights, (weight, at) => {
    const value = values[at] ?? Number.NaN;
    if (Number.isNaN(value)) return model.missing[at] ?? 0;
    return (weight * (value - (model.means[at] ?? 0))) / (model.scales[at] ?? 0);
  });
}

export function scoreLogistic(model: LogisticRegression, values: Values): number {
  return logistic(logisticDeltas(model, values).reduce((sum, delta) => sum + delta, model.bias));
}

interface Design {
  /** Constant 1, standardised columns, then a missing indicator for each attribute in `indicators`. */
  readonly matrix: readonly Float64Array[];
  readonly indicators: readonly number[];
  readonly means: number[];
  readonly scales: number[];
}

function designMatrix(data: Dataset): Design {
  const moments = data.columns.map(meanAndScale);
  const indicators = [...data.columns.keys()].filter((at) => data.columns[at]?.some((value) => Number.isNaN(value)));
  const standardised = data.columns.map((column, at) => {
    const { mean, scale } = itemAt(moments, at);
    return column.map((value) => (Number.isNaN(value) ? 0 : (value - mean) / scale));
  });
  const flags = indicators.map((at) => itemAt(data.columns, at).map((value) => (Number.isNaN(value) ? 1 : 0)));
  return {
    matrix: [new Float64Array(data.labels.length).fill(1), ...standardised, ...flags],
    indicators,
    means: moments.map(({ mean }) => mean),
    scales: moments.map(({ scale }) => scale),
  };
}

function meanAndScale(column: Float64Array): { mean: number; scale: number } {
  const known = column.filter((value) => !Number.isNaN(value));
  if (known.length === 0) return { mean: 0, scale: 1 };
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length;
  // A constant column stays 0 whatever its scale.
  return { mean, scale: variance > 1e-24 ? Math.sqrt(variance) : 1 };
}

interface Problem extends LogisticOptions {
  readonly matrix: readonly Float64Array[];
  readonly targets: Float64Array;
}

function newton(problem: Problem): Float64Array {
  const width = problem.matrix.length;
  let solution = new Float64Array(width);
  let loss = lossAt(problem, solution);
  for (let iteration = 0; iteration < problem.iterations; iteration++) {
    const { gradient, hessian } = derivatives(problem, solution);
    const step = solvePositive(hessian, gradient);
    let next = solution;
    let nextLoss = Number.POSITIVE_INFINITY;
    for (let size = 1; size > 1e-6 && !(nextLoss <= loss); size /= 2) {
      const from = solution;
      next = from.map((value, at) => value - size * (step[at] ?? 0));
      nextLoss = lossAt(problem, next);
    }
    if (!(nextLoss <= loss)) break;
    const gained = loss - nextLoss;
    solution = next;
    loss = nextLoss;
    if (gained <= 1e-10 * (1 + Math.abs(loss))) break;
  }
  return solution;
}

function margins(matrix: readonly Float64Array[], solution: Float64Array): Float64Array {
  const sums = new Float64Array(matrix[0]?.length ?? 0);
  matrix.forEach((column, at) => {
    const weight = solution[at] ?? 0;
    if (weight === 0) return;
    for (let row = 0; row < sums.length; row++) sums[row] = (sums[row] ?? 0) + weight * (column[row] ?? 0);
  });
  return sums;
}

function lossAt({ matrix, targets, weights, lambda }: Problem, solution: Float64Array): number {
  let loss = 0;
  margins(matrix, solution).forEach((margin, row) => {
    loss += (weights?.[row] ?? 1) * (softplus(margin) - (targets[row] ?? 0) * margin);
  });
  for (let at = 1; at < solution.length; at++) loss += (lambda / 2) * (solution[at] ?? 0) ** 2;
  return loss;
}

function derivatives(
  { matrix, targets, weights, lambda }: Problem,
  solution: Float64Array,
): { gradient: Float64Array; hessian: Float64Array[] } {
  const rates = margins(matrix, solution).map(logistic);
  const differences = rates.map((p, row) => (weights?.[row] ?? 1) * (p - (targets[row] ?? 0)));
  const curvatures = rates.map((p, row) => (weights?.[row] ?? 1) * p * (1 - p));
  const gradient = Float64Array.from(
    matrix,
    (column, at) => dot(column, differences) + (at > 0 ? lambda * (solution[at] ?? 0) : 0),
  );
  const hessian = matrix.map((column, at) => {
    const scaled = column.map((value, row) => value * (curvatures[row] ?? 0));
    const line = new Float64Array(matrix.length);
    for (let other = 0; other <= at; other++) line[other] = dot(scaled, itemAt(matrix, other));
    line[at] = (line[at] ?? 0) + (at > 0 ? lambda : 1e-9);
    return line;
  });
  return { gradient, hessian };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < a.length; row++) sum += (a[row] ?? 0) * (b[row] ?? 0);
  return sum;
}

/** Cholesky on the lower triangle, which is overwritten. */
function solvePositive(lower: Float64Array[], right: Float64Array): Float64Array {
  const width = right.length;
  for (let i = 0; i < width; i++) {
    const line = itemAt(lower, i);
    for (let j = 0; j <= i; j++) {
      const other = itemAt(lower, j);
      let sum = line[j] ?? 0;
      for (let k = 0; k < j; k++) sum -= (line[k] ?? 0) * (other[k] ?? 0);
      line[j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (other[j] ?? 0);
    }
  }
  const solution = right.slice();
  for (let i = 0; i < width; i++) {
    const line = itemAt(lower, i);
    for (let k = 0; k < i; k++) solution[i] = (solution[i] ?? 0) - (line[k] ?? 0) * (solution[k] ?? 0);
    solution[i] = (solution[i] ?? 0) / (line[i] ?? 0);
  }
  for (let i = width - 1; i >= 0; i--) {
    for (let k = i + 1; k < width; k++) {
      solution[i] = (solution[i] ?? 0) - (itemAt(lower, k)[i] as number) * (solution[k] ?? 0);
    }
    solution[i] = (solution[i] ?? 0) / (itemAt(lower, i)[i] ?? 1);
  }
  return solution;
}
