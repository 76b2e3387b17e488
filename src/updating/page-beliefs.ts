import {
  type GammaPrior,
  gammaOfMoments,
  type RateMoments,
  UNKNOWN_RATE,
  withImaginaryPages,
} from './change-rate-prior.ts';
import { crawlValue, type PageModel } from './crawl-value.ts';
import type { SignalInterval } from './signal-quality.ts';

/**
 * What crawls tell of a page's change rate and of its signals, as a posterior over a grid of (changeRate, recall, noise).
 * Given n signals in τ days, n is Poisson with mean γτ, and the page unchanged with probability e^(−ατ − κn): α, γ and κ
 * of each node as in ALGORITHMS §5.4.
 */
export interface BeliefGrid {
  readonly rates: Float64Array;
  readonly recalls: Float64Array;
  readonly noises: Float64Array;
}

/** Logarithm of the likelihood of what was seen of a page, by node: rate-major, then recall, then noise. */
export type Evidence = Float64Array;

/** Weights of the values of each axis before a page is seen; each axis adds up to 1. */
export interface BeliefPrior {
  readonly rates: Float64Array;
  readonly recalls: Float64Array;
  readonly noises: Float64Array;
}

/** What is believed of a page: weighted possibilities, of which the likely ones are kept. Their weights add up to 1. */
export interface Belief {
  readonly changeRate: number;
  readonly possible: readonly (Omit<PageModel, 'importance'> & { readonly weight: number })[];
}

const LEAST_RATE = 0.01;
const GREATEST_RATE = 20;

/** For pages whose signals are not heard. */
export const RATE_GRID: BeliefGrid = grid(24, [0], [0]);
/** For pages with signals. */
export const SIGNAL_GRID: BeliefGrid = grid(
  12,
  [0.03, 0.15, 0.3, 0.5, 0.7, 0.84, 0.92, 0.98],
  [0.003, 0.01, 0.025, 0.06, 0.15, 0.6],
);

/** Possibilities below this weight are left out. */
const UNLIKELY = 0.02;
/** A likelihood e^NEGLIGIBLE of the greatest counts for nothing. */
const NEGLIGIBLE = -30;
/** Weight of the first guess when a prior is fitted, in pages. */
const IMAGINARY_PAGES = 10;

/** Nothing seen yet. */
export function noEvidence({ rates, recalls, noises }: BeliefGrid): Evidence {
  return new Float64Array(rates.length * recalls.length * noises.length);
}

/** Adds what two visits in a row told. */
export function addEvidence(evidence: Evidence, { days, signals, changed }: SignalInterval, on: BeliefGrid): void {
  let node = 0;
  for (const rate of on.rates) {
    for (const recall of on.recalls) {
      for (const noise of on.noises) {
        const told = recall * rate;
        const stale = (rate - told) * days + (signals === 0 ? 0 : signals * Math.log1p(told / noise));
        const arrival = told + noise === 0 ? 0 : signals * Math.log(told + noise) - (told + noise) * days;
        const gained = arrival + (changed ? Math.log(-Math.expm1(-stale)) : -stale);
        evidence[node] = (evidence[node] ?? 0) + Math.max(gained, -1e6);
        node++;
      }
    }
  }
}

/** Rates by the Gamma distribution, recall and noise equally likely at each value of the grid. */
export function priorOn({ rates, recalls, noises }: BeliefGrid, gamma: GammaPrior = UNKNOWN_RATE): BeliefPrior {
  const logs = rates.map((rate) => gamma.shape * Math.log(rate) - gamma.days * rate);
  const most = logs.reduce((a, b) => Math.max(a, b));
  return {
    rates: normalised(logs.map((log) => Math.exp(log - most))),
    recalls: normalised(new Float64Array(recalls.length).fill(1)),
    noises: normalised(new Float64Array(noises.length).fill(1)),
  };
}

/** What to believe of a page. */
export function beliefOf(evidence: Evidence, prior: BeliefPrior, on: BeliefGrid): Belief {
  const { nodes, weights } = posterior(evidence, prior);
  const possible: Belief['possible'][number][] = [];
  let changeRate = 0;
  on.rates.forEach((rate, at) => {
    const weight = weights.rates[at] ?? 0;
    changeRate += weight * rate;
    if (weight < UNLIKELY) return;
    const slice = nodes.subarray(at * on.recalls.length * on.noises.length);
    possible.push({ weight, changeRate: rate, ...meansOfSlice(slice, weight, on) });
  });
  const kept = possible.reduce((sum, { weight }) => sum + weight, 0);
  return { changeRate, possible: possible.map((each) => ({ ...each, weight: each.weight / kept })) };
}

export interface ValueQuestion {
  readonly importance: number;
  /** Days and signals since the last crawl. */
  readonly age: number;
  readonly signals: number;
  /** Standard deviations that are added to the mean, ≥ 0: more makes little known pages be tried. */
  readonly optimism: number;
}

/**
 * Mean crawl value over what is possible, with optimism. Already the mean is worth more than its mean rate says, as the
 * page may be slow.
 */
export function believedValue(belief: Belief, { importance, age, signals, optimism }: ValueQuestion): number {
  let mean = 0;
  let square = 0;
  for (const { weight, changeRate, recall, noise } of belief.possible) {
    const value = crawlValue({ importance, changeRate, recall, noise }, age, signals);
    mean += weight * value;
    square += weight * value * value;
  }
  return optimism === 0 ? mean : mean + optimism * Math.sqrt(Math.max(0, square - mean * mean));
}

/** One round of expectation maximisation: the prior that fits what is believed of many pages under the last one. */
export function refitPrior(pages: readonly Evidence[], prior: BeliefPrior, on: BeliefGrid): BeliefPrior {
  const recalls = prior.recalls.map(() => IMAGINARY_PAGES / on.recalls.length);
  const noises = prior.noises.map(() => IMAGINARY_PAGES / on.noises.length);
  const sum = { mean: 0, meanLog: 0 };
  for (const evidence of pages) {
    const { weights } = posterior(evidence, prior);
    weights.rates.forEach((weight, at) => {
      const rate = on.rates[at] ?? 0;
      sum.mean += weight * rate;
      sum.meanLog += weight * Math.log(rate);
    });
    add(recalls, weights.recalls);
    add(noises, weights.noises);
  }
  const moments: RateMoments = withImaginaryPages(sum, pages.length, UNKNOWN_RATE);
  const { rates } = priorOn(on, gammaOfMoments(moments));
  return { rates, recalls: normalised(recalls), noises: normalised(noises) };
}

function grid(rates: number, recalls: readonly number[], noises: readonly number[]): BeliefGrid {
  const span = GREATEST_RATE / LEAST_RATE;
  return {
    rates: Float64Array.from({ length: rates }, (_, i) => LEAST_RATE * span ** ((i + 0.5) / rates)),
    recalls: Float64Array.from(recalls),
    noises: Float64Array.from(noises),
  };
}

interface Posterior {
  readonly nodes: Float64Array;
  /** Of each axis alone. */
  readonly weights: BeliefPrior;
}

function posterior(evidence: Evidence, prior: BeliefPrior): Posterior {
  const most = evidence.reduce((a, b) => Math.max(a, b));
  const nodes = new Float64Array(evidence.length);
  const weights = {
    rates: new Float64Array(prior.rates.length),
    recalls: new Float64Array(prior.recalls.length),
    noises: new Float64Array(prior.noises.length),
  };
  let node = 0;
  for (let i = 0; i < prior.rates.length; i++) {
    for (let j = 0; j < prior.recalls.length; j++) {
      const before = (prior.rates[i] ?? 0) * (prior.recalls[j] ?? 0);
      for (let k = 0; k < prior.noises.length; k++) {
        const logarithm = (evidence[node] ?? 0) - most;
        const weight = logarithm < NEGLIGIBLE ? 0 : before * (prior.noises[k] ?? 0) * Math.exp(logarithm);
        nodes[node++] = weight;
        weights.rates[i] = (weights.rates[i] ?? 0) + weight;
        weights.recalls[j] = (weights.recalls[j] ?? 0) + weight;
        weights.noises[k] = (weights.noises[k] ?? 0) + weight;
      }
    }
  }
  const sum = nodes.reduce((total, weight) => total + weight, 0);
  return {
    nodes: nodes.map((weight) => weight / sum),
    weights: {
      rates: normalised(weights.rates),
      recalls: normalised(weights.recalls),
      noises: normalised(weights.noises),
    },
  };
}

/** Mean recall and noise of the nodes of one rate, of which `whole` is the weight. */
function meansOfSlice(nodes: Float64Array, whole: number, on: BeliefGrid): { recall: number; noise: number } {
  const sum = { recall: 0, noise: 0 };
  let node = 0;
  for (const recall of on.recalls) {
    for (const noise of on.noises) {
      const share = (nodes[node++] ?? 0) / whole;
      sum.recall += share * recall;
      sum.noise += share * noise;
    }
  }
  return sum;
}

function add(to: Float64Array, values: Float64Array): void {
  values.forEach((value, at) => {
    to[at] = (to[at] ?? 0) + value;
  });
}

function normalised(values: Float64Array): Float64Array {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
}
