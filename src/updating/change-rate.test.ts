import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../kit/random.ts';
import { likeliestChangeRate, observedChangeRate, regularChangeRate, smoothedChangeRate } from './change-rate.ts';
import { fitGammaPrior, gammaOfMoments, posteriorChangeRate } from './change-rate-prior.ts';

const seen = (changed: readonly number[], unchanged: readonly number[]) => [
  ...changed.map((days) => ({ days, changed: true })),
  ...unchanged.map((days) => ({ days, changed: false })),
];
const anyVisits = fc
  .tuple(
    fc.array(fc.double({ min: 0.01, max: 30, noNaN: true }), { minLength: 1, maxLength: 6 }),
    fc.array(fc.double({ min: 0.01, max: 30, noNaN: true }), { minLength: 1, maxLength: 6 }),
  )
  .map(([changed, unchanged]) => ({ changed, unchanged }));

describe('change rates', () => {
  it('of regular visits are those of the paper', () => {
    expect(regularChangeRate({ visits: 10, changes: 3, intervalDays: 1 })).toBeCloseTo(0.33647, 5);
    expect(regularChangeRate({ visits: 10, changes: 10, intervalDays: 1 })).toBeCloseTo(3.04452, 5);
    expect(regularChangeRate({ visits: 90, changes: 60, intervalDays: 1 })).toBeCloseTo(1.08762, 5);
    expect(regularChangeRate({ visits: 10, changes: 3, intervalDays: 2 })).toBeCloseTo(0.33647 / 2, 5);
  });

  it('of irregular visits are the likeliest ones', () => {
    expect(likeliestChangeRate(seen([1, 2], [3, 1]))).toBeCloseTo(0.374159, 6);
    expect(likeliestChangeRate(seen([0.5, 0.5], [0.5, 0.5]))).toBeCloseTo(2 * Math.LN2, 6);
    // One of each: e^(1000λ) = 1 + 1000 / 0.001.
    expect(likeliestChangeRate(seen([1000], [0.001]))).toBeCloseTo(Math.log(1e6 + 1) / 1000, 9);
  });

  it('no rate nearby is likelier', () => {
    fc.assert(
      fc.property(anyVisits, ({ changed, unchanged }) => {
        const likelihood = (rate: number): number =>
          changed.reduce((sum, days) => sum + Math.log(-Math.expm1(-rate * days)), 0) -
          rate * unchanged.reduce((a, b) => a + b, 0);
        const best = likeliestChangeRate(seen(changed, unchanged));
        for (const factor of [0.5, 0.99, 1.01, 2]) expect(likelihood(best * factor)).toBeLessThan(likelihood(best));
      }),
    );
  });

  it('are bounded and defined however little was seen', () => {
    expect(likeliestChangeRate(seen([], [3]))).toBe(0);
    expect(likeliestChangeRate(seen([3], []))).toBe(Number.POSITIVE_INFINITY);
    expect(smoothedChangeRate([])).toBeCloseTo(2 * Math.LN2, 6);
    expect(smoothedChangeRate(seen([], [1e6]))).toBe(0.0005);
    expect(smoothedChangeRate(seen(Array(1000).fill(0.001), []))).toBe(7);
    expect(observedChangeRate(3, 6.5)).toBe(0.5);
  });
});

describe('change rates with a prior', () => {
  /** Each changed interval is 1 − e^(−λt): the product of these is a sum of exponentials, each with a Gamma integral. */
  function byExpansion(changed: readonly number[], unchanged: readonly number[], shape: number, days: number): number {
    const still = unchanged.reduce((a, b) => a + b, days);
    let [above, below] = [0, 0];
    for (let subset = 0; subset < 1 << changed.length; subset++) {
      const chosen = changed.filter((_, at) => (subset >> at) & 1);
      const sign = chosen.length % 2 === 0 ? 1 : -1;
      const rate = chosen.reduce((a, b) => a + b, still);
      above += (sign * shape) / rate ** (shape + 1);
      below += sign / rate ** shape;
    }
    return above / below;
  }

  it('are exact where the integral has a closed form', () => {
    expect(posteriorChangeRate([], { shape: 2, days: 5 })).toBeCloseTo(0.4, 8);
    expect(posteriorChangeRate(seen([], [3, 1]), { shape: 2, days: 1 })).toBeCloseTo(0.4, 8);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.5, max: 5, noNaN: true }), { maxLength: 3 }),
        fc.array(fc.double({ min: 0.5, max: 5, noNaN: true }), { maxLength: 3 }),
        fc.double({ min: 0.3, max: 5, noNaN: true }),
        (changed, unchanged, shape) => {
          const mean = posteriorChangeRate(seen(changed, unchanged), { shape, days: 1 });
          expect(mean / byExpansion(changed, unchanged, shape, 1)).toBeCloseTo(1, 5);
        },
      ),
    );
  });

  it('a Gamma distribution is found again from its means: ψ(1) = −0.5772157, ψ(3) = 1.5 − 0.5772157', () => {
    const one = gammaOfMoments({ mean: 1, meanLog: -0.5772156649 });
    expect([one.shape, one.days]).toEqual([expect.closeTo(1, 6), expect.closeTo(1, 6)]);
    const three = gammaOfMoments({ mean: 1.5, meanLog: 1.5 - 0.5772156649 - Math.LN2 });
    expect([three.shape, three.days]).toEqual([expect.closeTo(3, 6), expect.closeTo(2, 6)]);
  });

  it('the prior is found again from what was seen of many pages', () => {
    const random = seededRandom(1);
    const exponential = (): number => -Math.log1p(-random.next());
    const pages = Array.from({ length: 400 }, () => {
      const rate = (exponential() + exponential()) / 4;
      return Array.from({ length: 12 }, () => {
        const days = 0.2 + 5 * random.next();
        return { days, changed: random.next() < -Math.expm1(-rate * days) };
      });
    });
    const { shape, days } = fitGammaPrior(pages);
    expect(shape).toBeGreaterThan(1.6);
    expect(shape).toBeLessThan(2.5);
    expect(shape / days).toBeCloseTo(0.5, 1);
  });

  it('of no pages at all is the guess', () => {
    const { shape, days } = fitGammaPrior([], { shape: 3, days: 2 });
    expect([shape, days]).toEqual([expect.closeTo(3, 5), expect.closeTo(2, 5)]);
  });
});
