import { describe, expect, it } from 'vitest';
import { poisson, seededRandom } from '../kit/random.ts';
import { posteriorChangeRate } from './change-rate-prior.ts';
import { crawlValue } from './crawl-value.ts';
import {
  addEvidence,
  type BeliefGrid,
  beliefOf,
  believedValue,
  noEvidence,
  priorOn,
  RATE_GRID,
  refitPrior,
  SIGNAL_GRID,
} from './page-beliefs.ts';
import type { SignalInterval } from './signal-quality.ts';

const random = seededRandom(5);

function evidenceOf(intervals: readonly SignalInterval[], on: BeliefGrid) {
  const evidence = noEvidence(on);
  for (const interval of intervals) addEvidence(evidence, interval, on);
  return evidence;
}

function visits(count: number, [changeRate, recall, noise]: readonly [number, number, number]): SignalInterval[] {
  return Array.from({ length: count }, () => {
    const days = 0.2 + random.next();
    const told = poisson(random, recall * changeRate * days);
    const untold = poisson(random, (1 - recall) * changeRate * days);
    return { days, signals: told + poisson(random, noise * days), changed: told + untold > 0 };
  });
}

describe('what is believed of a page', () => {
  it('without signals is the posterior of the change rate, as near as the grid is fine', () => {
    const prior = { shape: 1.5, days: 1 };
    for (const changes of [0, 2, 5]) {
      const intervals = Array.from({ length: 5 }, (_, i) => ({ days: 1 + i / 5, signals: 0, changed: i < changes }));
      const { changeRate } = beliefOf(evidenceOf(intervals, RATE_GRID), priorOn(RATE_GRID, prior), RATE_GRID);
      expect(changeRate / posteriorChangeRate(intervals, prior)).toBeCloseTo(1, 1.3);
    }
  });

  it('comes to the truth with many visits', () => {
    const evidence = evidenceOf(visits(3000, [0.73, 0.84, 0.025]), SIGNAL_GRID);
    const { changeRate, possible } = beliefOf(evidence, priorOn(SIGNAL_GRID), SIGNAL_GRID);
    expect(changeRate).toBeGreaterThan(0.6);
    expect(changeRate).toBeLessThan(0.9);
    const [{ recall, noise } = { recall: 0, noise: 0 }] = possible.toSorted((a, b) => b.weight - a.weight);
    expect(recall).toBeCloseTo(0.84, 1);
    expect(noise).toBeCloseTo(0.025, 2);
  });

  it('its value is the mean of the possible ones, more with optimism', () => {
    const belief = beliefOf(noEvidence(RATE_GRID), priorOn(RATE_GRID), RATE_GRID);
    const question = { importance: 2, age: 1, signals: 0 };
    const mean = belief.possible.reduce(
      (sum, { weight, ...page }) => sum + weight * crawlValue({ ...page, importance: 2 }, 1, 0),
      0,
    );
    expect(believedValue(belief, { ...question, optimism: 0 })).toBeCloseTo(mean, 12);
    expect(believedValue(belief, { ...question, optimism: 1 })).toBeGreaterThan(mean);
  });

  it('weights add up to 1, also after contradictions', () => {
    const intervals = [
      { days: 1000, signals: 0, changed: false },
      { days: 0.001, signals: 40, changed: true },
    ];
    const { possible } = beliefOf(evidenceOf(intervals, SIGNAL_GRID), priorOn(SIGNAL_GRID), SIGNAL_GRID);
    expect(possible.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 10);
  });
});

it('many pages tell what to believe of one that was not seen', () => {
  const pages = Array.from({ length: 100 }, () => evidenceOf(visits(20, [3, 0.9, 0.01]), SIGNAL_GRID));
  let prior = priorOn(SIGNAL_GRID);
  for (let round = 0; round < 10; round++) prior = refitPrior(pages, prior, SIGNAL_GRID);
  const { changeRate, possible } = beliefOf(noEvidence(SIGNAL_GRID), prior, SIGNAL_GRID);
  expect(changeRate).toBeGreaterThan(2.2);
  expect(changeRate).toBeLessThan(3.8);
  for (const { recall } of possible) expect(recall).toBeGreaterThan(0.8);
});
