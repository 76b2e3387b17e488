import { poissonTail } from '../kit/poisson-tail.ts';

/**
 * What crawling a page is worth when word of its changes is noisy (Busa-Fekete and others, WWW 2025, arXiv 2502.02430;
 * ALGORITHMS §5.4). Times in days, rates a day. Crawling the page of greatest value at each slot of a constant rate
 * comes near the best that any plan can do.
 */
export interface PageModel {
  /** Weight of the page's freshness, ≥ 0. μ */
  readonly importance: number;
  /** Changes a day. Δ */
  readonly changeRate: number;
  /** Share of changes that are signalled, 0–1. λ */
  readonly recall: number;
  /** Signals a day without a change. ν */
  readonly noise: number;
}

/** Below this share of recall² · changeRate in noise, signals tell nothing: the value is off by about that share. */
const UNINFORMATIVE = 1e-3;
/** Smaller recalls are 0: their products could underflow. */
const LEAST_RECALL = 1e-12;
/** Below this α·t the difference of two near numbers is taken by its first order. */
const FIRST_ORDER = 1e-7;
/** Above this α·t nothing is fresh any more. */
const LONG = 45;

/** Probability that the copy is still right, `age` days and `signals` signals after it was made. */
export function freshProbability(page: PageModel, age: number, signals: number): number {
  const weight = signals === 0 ? 0 : signals * signalWeight(page);
  return Math.exp(-missedRate(page) * age - weight);
}

/**
 * Value of crawling now, `age` days and `signals` signals after the last crawl: importance × (w(ι) − e^(−αι)·ψ(ι)) at
 * the effective age ι = age + β·signals. Grows with age and signals, from 0 to at most importance / changeRate.
 *
 * Computed as importance × Σ_j (ν^j / j!) ∫_0^{ι−jβ} u^j e^(−γu) (e^(−αu) − e^(−α(ι−jβ))) du, whose terms are all
 * positive and falling, so that nothing cancels in the limits: ν = 0 (a signal is proof: importance / changeRate), α = 0
 * (every change is signalled: age tells nothing), no signals ((μ/Δ)(1 − e^(−Δτ)(1 + Δτ))).
 */
export function crawlValue(page: PageModel, age: number, signals: number): number {
  const { importance, changeRate, noise } = page;
  if (changeRate <= 0) return 0;
  if (tellsNothing(page)) return (importance * poissonTail(1, changeRate * age)) / changeRate;
  if (noise === 0 && signals > 0) return importance / changeRate;
  const alpha = missedRate(page);
  if (alpha === 0) return importance * perfectRecallValue(page, signals);
  return importance * sumOfTerms(page, age, signals);
}

/** ψ(ι): mean days between two crawls when the page is crawled at the effective age ι > 0. */
export function meanCycle(page: PageModel, effectiveAge: number): number {
  if (tellsNothing(page)) return effectiveAge;
  const gamma = signalRate(page);
  const step = signalWeight(page) / missedRate(page);
  let sum = 0;
  for (let j = 0; effectiveAge > j * step; j++) {
    const term = poissonTail(j, gamma * (effectiveAge - j * step)) / gamma;
    sum += term;
    if (term < sum * 1e-16) break;
  }
  return sum;
}

/** w(ι): mean days of a crawl cycle during which the copy is right, when the page is crawled at the effective age ι > 0. */
export function meanFreshTime(page: PageModel, effectiveAge: number): number {
  const { changeRate, noise } = page;
  if (tellsNothing(page)) return -Math.expm1(-changeRate * effectiveAge) / changeRate;
  const ends = changeRate + noise;
  const step = signalWeight(page) / missedRate(page);
  let sum = 0;
  let factor = 1 / ends;
  for (let j = 0; effectiveAge > j * step; j++) {
    const term = factor * poissonTail(j, ends * (effectiveAge - j * step));
    sum += term;
    if (term < sum * 1e-16) break;
    factor *= noise / ends;
  }
  return sum;
}

/** α: rate of changes that no signal tells of. */
function missedRate({ changeRate, recall }: PageModel): number {
  return (1 - recall) * changeRate;
}

/** γ: rate of all signals. */
function signalRate({ changeRate, recall, noise }: PageModel): number {
  return recall * changeRate + noise;
}

/** κ = ln(γ/ν): what a signal takes from the logarithm of the probability of being fresh. */
function signalWeight({ changeRate, recall, noise }: PageModel): number {
  return noise === 0 ? Number.POSITIVE_INFINITY : Math.log1p((recall * changeRate) / noise);
}

function tellsNothing({ changeRate, recall, noise }: PageModel): boolean {
  return recall < LEAST_RECALL || recall * recall * changeRate < UNINFORMATIVE * noise;
}

/** α = 0: (1/γ)·Σ_{j<n} ρ^j (1 − ρ^(n−j)) with ρ = ν/γ. */
function perfectRecallValue(page: PageModel, signals: number): number {
  const gamma = signalRate(page);
  const ratio = page.noise / gamma;
  const power = ratio ** signals;
  return ((1 - power) / (1 - ratio) - signals * power) / gamma;
}

function sumOfTerms(page: PageModel, age: number, signals: number): number {
  const alpha = missedRate(page);
  const gamma = signalRate(page);
  const weight = signalWeight(page);
  const { noise } = page;
  let sum = 0;
  for (let j = 0; ; j++) {
    // α·(ι − jβ); with weight ∞ only j = signals = 0 has a term.
    const decay = alpha * age + (j === signals ? 0 : (signals - j) * weight);
    if (!(decay > 0)) break;
    const term = termAt(j, decay, { alpha, gamma, noise });
    sum += term;
    if (term <= sum * 1e-16) break;
  }
  return sum;
}

interface Rates {
  readonly alpha: number;
  readonly gamma: number;
  readonly noise: number;
}

function termAt(j: number, decay: number, { alpha, gamma, noise }: Rates): number {
  const time = decay / alpha;
  const ofSignals = j === 0 ? 1 : (noise / gamma) ** j;
  if (decay < FIRST_ORDER) {
    const whole = time * poissonTail(j, gamma * time);
    return (alpha * ofSignals * (whole - ((j + 1) / gamma) * poissonTail(j + 1, gamma * time))) / gamma;
  }
  const ends = gamma + alpha;
  const fresh = ((j === 0 ? 1 : (noise / ends) ** j) * poissonTail(j, ends * time)) / ends;
  if (decay > LONG) return fresh;
  return Math.max(0, fresh - (Math.exp(-decay) * ofSignals * poissonTail(j, gamma * time)) / gamma);
}
