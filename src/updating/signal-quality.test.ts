import { describe, expect, it } from 'vitest';
import { poisson, seededRandom } from '../kit/random.ts';
import { estimateSignalQuality, type SignalInterval, UNKNOWN_SOURCE } from './signal-quality.ts';

interface Truth {
  readonly changeRate: number;
  readonly recall: number;
  readonly noise: number;
}

function visits({ changeRate, recall, noise }: Truth, count: number): SignalInterval[] {
  const random = seededRandom(3);
  return Array.from({ length: count }, () => {
    const days = 0.2 + 2 * random.next();
    const told = poisson(random, recall * changeRate * days);
    const untold = poisson(random, (1 - recall) * changeRate * days);
    return { days, signals: told + poisson(random, noise * days), changed: told + untold > 0 };
  });
}

describe('quality of signals', () => {
  it.each([
    { changeRate: 1, recall: 0.6, noise: 0.3 },
    { changeRate: 1, recall: 0.9, noise: 0.0125 },
    { changeRate: 0.3, recall: 0.2, noise: 0.1 },
  ])('$recall and $noise are found again from many visits', (truth) => {
    const found = estimateSignalQuality(visits(truth, 20_000));
    expect(found.recall).toBeCloseTo(truth.recall, 1.3);
    expect(found.noise).toBeCloseTo(truth.noise, 1.3);
    expect(found.changeRate).toBeCloseTo(truth.changeRate, 1.3);
  });

  it('what is found has the greatest posterior density', () => {
    const intervals = visits({ changeRate: 1, recall: 0.5, noise: 0.2 }, 12);
    const { changeRate, recall, noise } = estimateSignalQuality(intervals);
    const [alpha, kappa] = [(1 - recall) * changeRate, Math.log((recall * changeRate + noise) / noise)];
    const density = (a: number, k: number): number => {
      const { missedRate, weight } = UNKNOWN_SOURCE;
      let sum = (missedRate.shape - 1) * Math.log(a) - missedRate.days * a;
      sum += (weight.shape - 1) * Math.log(k) - weight.days * k;
      for (const { days, signals, changed } of intervals) {
        const fresh = Math.exp(-a * days - k * signals);
        sum += Math.log(changed ? 1 - fresh : fresh);
      }
      return sum;
    };
    for (const [a, k] of [
      [1.02, 1],
      [0.98, 1],
      [1, 1.02],
      [1, 0.98],
      [1.02, 0.98],
    ] as const)
      expect(density(alpha * a, kappa * k)).toBeLessThan(density(alpha, kappa));
  });

  it('is the prior’s where nothing was seen, and within its bounds whatever was seen', () => {
    // α at its mode .2/.5, κ at its mode .5/.5, γ = 1.
    const { recall, noise, changeRate } = estimateSignalQuality([]);
    expect(noise).toBeCloseTo(1 / Math.E, 6);
    expect(changeRate).toBeCloseTo(0.4 + 1 - 1 / Math.E, 6);
    expect(recall).toBeCloseTo((1 - 1 / Math.E) / changeRate, 6);
    const extremes: readonly SignalInterval[][] = [
      [{ days: 1e-6, signals: 0, changed: true }],
      [{ days: 1000, signals: 0, changed: false }],
      [{ days: 1, signals: 5000, changed: false }],
      Array.from({ length: 500 }, () => ({ days: 1, signals: 1, changed: true })),
    ];
    for (const intervals of extremes) {
      const found = estimateSignalQuality(intervals);
      expect(found.recall).toBeGreaterThanOrEqual(0);
      expect(found.recall).toBeLessThanOrEqual(1);
      expect(found.noise).toBeGreaterThan(0);
      expect(Number.isFinite(found.changeRate)).toBe(true);
    }
  });
});
