import { bisectFalling } from '../kit/bisect.ts';
import type { VisitInterval } from './change-rate.ts';

/** Gamma distribution of change rates among pages of a kind: density ∝ λ^(shape − 1)·e^(−λ·days); mean shape / days. */
export interface GammaPrior {
  readonly shape: number;
  readonly days: number;
}

/** Of pages of which nothing is known: a change a day in the mean, with a wide spread. */
export const UNKNOWN_RATE: GammaPrior = { shape: 1, days: 1 };

/** Points of a quadrature over rates (a day); weights add up to 1. */
export interface RatePosterior {
  readonly rates: Float64Array;
  readonly weights: Float64Array;
}

/** Where the logarithm of the posterior density has fallen by so much, the quadrature ends. */
const CUT = 28;
/** Shapes between which a prior is fitted. */
const SHAPES = { low: 0.05, high: 100 } as const;
/** Weight of the first guess in the fit, in pages. */
const IMAGINARY_PAGES = 2;

/** Mean of a page's change rate when its visits and the prior are known. Exact to about 1e-9 (quadrature over ln λ). */
export function posteriorChangeRate(intervals: readonly VisitInterval[], prior: GammaPrior): number {
  const { rates, weights } = rateWeights(intervals, prior);
  return rates.reduce((sum, rate, at) => sum + rate * (weights[at] ?? 0), 0);
}

/**
 * The prior under which what was seen of many pages is likeliest (empirical Bayes, by expectation maximisation), held
 * near `guess` as if two more pages were known to be like it. Each page's intervals are an item.
 */
export function fitGammaPrior(
  pages: readonly (readonly VisitInterval[])[],
  guess: GammaPrior = UNKNOWN_RATE,
): GammaPrior {
  let prior = guess;
  for (let round = 0; round < 200; round++) {
    const next = gammaOfMoments(meanMoments(pages, prior, guess));
    const moved = Math.abs(Math.log(next.shape / prior.shape)) + Math.abs(Math.log(next.days / prior.days));
    prior = next;
    if (moved < 1e-6) break;
  }
  return prior;
}

/** Means of a rate and of its logarithm. */
export interface RateMoments {
  readonly mean: number;
  readonly meanLog: number;
}

/** The Gamma distribution with these means, which is the likeliest one for rates that have them. */
export function gammaOfMoments({ mean, meanLog }: RateMoments): GammaPrior {
  // ln(shape) − digamma(shape) falls with the shape.
  const gap = Math.log(mean) - meanLog;
  const shape = bisectFalling((at) => Math.log(at) - digamma(at), gap, { ...SHAPES, tolerance: 1e-10 });
  return { shape, days: shape / mean };
}

/** Means of pages' moments when some of them are imaginary ones, distributed as `guess`. */
export function withImaginaryPages(sum: RateMoments, pages: number, guess: GammaPrior): RateMoments {
  const all = pages + IMAGINARY_PAGES;
  const log = digamma(guess.shape) - Math.log(guess.days);
  return {
    mean: (sum.mean + (IMAGINARY_PAGES * guess.shape) / guess.days) / all,
    meanLog: (sum.meanLog + IMAGINARY_PAGES * log) / all,
  };
}

function meanMoments(pages: readonly (readonly VisitInterval[])[], prior: GammaPrior, guess: GammaPrior): RateMoments {
  const sum = { mean: 0, meanLog: 0 };
  for (const intervals of pages) {
    const { rates, weights } = rateWeights(intervals, prior);
    rates.forEach((rate, at) => {
      sum.mean += rate * (weights[at] ?? 0);
      sum.meanLog += Math.log(rate) * (weights[at] ?? 0);
    });
  }
  return withImaginaryPages(sum, pages.length, guess);
}

/** Trapezoids over ln λ; the density there is log-concave, so its ends are found by walking down from its top. */
function rateWeights(intervals: readonly VisitInterval[], prior: GammaPrior, points = 257): RatePosterior {
  const density = logDensity(intervals, prior);
  const top = Math.log(mode(intervals, prior));
  const most = density(top);
  const left = walk(top, -0.5, (at) => density(at) > most - CUT);
  const right = walk(top, 0.1, (at) => density(at) > most - CUT);
  const rates = Float64Array.from({ length: points }, (_, i) => Math.exp(left + ((right - left) * i) / (points - 1)));
  const weights = rates.map((rate) => Math.exp(density(Math.log(rate)) - most));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { rates, weights: weights.map((weight) => weight / sum) };
}

/** Steps that grow by half, while `inside` holds. */
function walk(from: number, step: number, inside: (at: number) => boolean): number {
  let at = from;
  for (let stride = step; inside(at); stride *= 1.5) at += stride;
  return at;
}

/** Of ln λ. */
function logDensity(intervals: readonly VisitInterval[], { shape, days }: GammaPrior): (log: number) => number {
  return (log) => {
    const rate = Math.exp(log);
    let sum = shape * log - days * rate;
    for (const { days: length, changed } of intervals) {
      sum += changed ? Math.log(-Math.expm1(-rate * length)) : -rate * length;
    }
    return sum;
  };
}

function mode(intervals: readonly VisitInterval[], { shape, days }: GammaPrior): number {
  const still = intervals.reduce((sum, interval) => sum + (interval.changed ? 0 : interval.days), days);
  const changed = intervals.filter((interval) => interval.changed);
  const slope = (rate: number): number =>
    changed.reduce((sum, { days: length }) => sum + (rate * length) / Math.expm1(rate * length), shape - still * rate);
  return bisectFalling(slope, 0, {
    low: (shape / still) * 0.999,
    high: ((shape + changed.length) / still) * 1.001,
    tolerance: 1e-6,
  });
}

/** Logarithmic derivative of the gamma function, x > 0: recurrence up to 6, then the asymptotic series. */
function digamma(x: number): number {
  let sum = 0;
  for (; x < 6; x++) sum -= 1 / x;
  const square = 1 / (x * x);
  return (
    sum +
    Math.log(x) -
    0.5 / x -
    square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))
  );
}
