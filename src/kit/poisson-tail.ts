/** P(N > j) of a Poisson number N with mean `x` ≥ 0, to about 1e-14 relative: the regularised gamma function P(j + 1, x). */
export function poissonTail(j: number, x: number): number {
  if (x <= 0) return 0;
  if (x === Number.POSITIVE_INFINITY) return 1;
  if (j === 0) return -Math.expm1(-x);
  return x < j + 1 ? upperSum(j, x) : 1 - lowerSum(j, x);
}

/** Terms j + 1, j + 2, …: they fall, since x < j + 1. */
function upperSum(j: number, x: number): number {
  let term = poissonMass(j + 1, x);
  let sum = term;
  for (let i = j + 2; term > sum * 1e-17; i++) sum += term *= x / i;
  return sum;
}

/** Terms j, j − 1, … 0: they fall, since x ≥ j + 1. */
function lowerSum(j: number, x: number): number {
  let term = poissonMass(j, x);
  let sum = term;
  for (let i = j; i > 0 && term > sum * 1e-17; i--) sum += term *= i / x;
  return sum;
}

function poissonMass(k: number, x: number): number {
  return Math.exp(k * Math.log(x) - x - logFactorial(k));
}

function logFactorial(k: number): number {
  return LOG_FACTORIALS[k] ?? stirling(k);
}

/** Stirling's series; the next term is below 1e-13 from k = 128 on. */
function stirling(k: number): number {
  return (k + 0.5) * Math.log(k) - k + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * k) - 1 / (360 * k ** 3);
}

const LOG_FACTORIALS = new Float64Array(128);
for (let k = 2; k < LOG_FACTORIALS.length; k++) LOG_FACTORIALS[k] = (LOG_FACTORIALS[k - 1] ?? 0) + Math.log(k);
