import { bisectFalling } from '../kit/bisect.ts';
import { poissonTail } from '../kit/poisson-tail.ts';

/** Pages that share a budget of crawls. Rates a day, in the order of the pages. */
export interface RateQuestion {
  /** Weights of the pages' freshness, > 0. μ */
  readonly importance: Float64Array;
  /** Changes a day, > 0. Δ */
  readonly changeRates: Float64Array;
  /** Crawls a day of all pages together, > 0. */
  readonly budget: number;
}

/** Crawls a day of each page; they add up to the budget. */
export type CrawlRates = Float64Array;

/** The same for all. */
export function uniformRates({ importance, budget }: RateQuestion): CrawlRates {
  return new Float64Array(importance.length).fill(budget / importance.length);
}

/** By the rate of change. */
export function proportionalRates({ changeRates, budget }: RateQuestion): CrawlRates {
  return shared(changeRates, budget);
}

/**
 * Most Σ μξ/(ξ + Δ), the weighted freshness under crawls at random times (Azar and others, PNAS 2018). Pages of which
 * μ/Δ is small are not crawled at all.
 */
export function binaryOptimalRates(question: RateQuestion): CrawlRates {
  return atOnePrice(question, (importance, changeRate, price) =>
    Math.max(0, Math.sqrt((importance * changeRate) / price) - changeRate),
  );
}

/** Least Σ −μ·ln(ξ/(ξ + Δ)), the harmonic penalty of LambdaCrawl (Kolobov and others, NeurIPS 2019); crawls every page. */
export function lambdaCrawlRates(question: RateQuestion): CrawlRates {
  return atOnePrice(question, (importance, changeRate, price) => {
    const ratio = (4 * importance) / (price * changeRate);
    return (changeRate * ratio) / (2 * (1 + Math.sqrt(1 + ratio)));
  });
}

/**
 * Most Σ μ(1 − e^(−Δι))/(Δι), the weighted freshness under visits at equal distances ι = 1/ξ: (μ/Δ)(1 − e^(−Δι)(1 + Δι))
 * is the same for all pages that are crawled (Cho and Garcia-Molina, TODS 2003).
 */
export function fixedIntervalRates(question: RateQuestion): CrawlRates {
  return atOnePrice(question, (importance, changeRate, price) => {
    const share = (price * changeRate) / importance;
    return share >= 1 ? 0 : changeRate / pointOfShare(share);
  });
}

/** (1 − e^(−r))/r: share of time that a page is fresh when visited every r mean times between its changes. */
export function intervalFreshness(r: number): number {
  return r === 0 ? 1 : -Math.expm1(-r) / r;
}

/** x with 1 − e^(−x)(1 + x) = share, 0 < share < 1. */
function pointOfShare(share: number): number {
  return bisectFalling((x) => 1 - poissonTail(1, x), 1 - share, { low: 1e-9, high: 800, tolerance: 1e-13 });
}

/** Of the price of a crawl, relative; the edge lies outside of it. */
const PRICE_TOLERANCE = 1e-12;
const EDGE = 4e-12;

/** The price of a crawl at which rates chosen page by page use up the budget. */
function atOnePrice(
  { importance, changeRates, budget }: RateQuestion,
  rateOf: (importance: number, changeRate: number, price: number) => number,
): CrawlRates {
  const ratesAt = (price: number): CrawlRates =>
    importance.map((weight, page) => rateOf(weight, changeRates[page] ?? 0, price));
  const highest = importance.reduce((most, weight, page) => Math.max(most, weight / (changeRates[page] ?? 1)), 0);
  const bounds = { low: highest * 1e-15, high: highest * 1e15, tolerance: PRICE_TOLERANCE };
  const price = bisectFalling((at) => total(ratesAt(at)), budget, bounds);
  return shared(between(ratesAt(price * (1 - EDGE)), ratesAt(price * (1 + EDGE)), budget), budget);
}

/**
 * A page that is hardly worth its crawls leaps from some to none within the last digits of the price. It gets what the
 * others leave: its freshness is linear there.
 */
function between(more: CrawlRates, fewer: CrawlRates, budget: number): CrawlRates {
  const gap = total(more) - total(fewer);
  const part = gap > 0 ? Math.min(1, Math.max(0, (budget - total(fewer)) / gap)) : 0;
  return fewer.map((rate, page) => rate + part * ((more[page] ?? 0) - rate));
}

function shared(weights: Float64Array, budget: number): CrawlRates {
  const sum = total(weights);
  return weights.map((weight) => (weight * budget) / sum);
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
