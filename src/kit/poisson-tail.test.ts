import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { poissonTail } from './poisson-tail.ts';

/** 1 − Σ of the first masses, by the textbook. */
function naive(j: number, x: number): number {
  let mass = Math.exp(-x);
  let sum = mass;
  for (let i = 1; i <= j; i++) sum += mass *= x / i;
  return 1 - sum;
}

describe('P(N > j)', () => {
  it('is that of the textbook', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.double({ min: 0, max: 80, noNaN: true }), (j, x) => {
        expect(poissonTail(j, x)).toBeCloseTo(naive(j, x), 11);
      }),
    );
  });

  it('keeps its digits where it is tiny: the first term of the tail', () => {
    expect(poissonTail(0, 1e-12) / 1e-12).toBeCloseTo(1, 10);
    expect(poissonTail(2, 1e-5) / (1e-15 / 6)).toBeCloseTo(1, 4);
  });

  it('has its limits, and large numbers', () => {
    expect(poissonTail(3, 0)).toBe(0);
    expect(poissonTail(3, Number.POSITIVE_INFINITY)).toBe(1);
    // Normal approximation with half a unit: P(N > 10,000 | mean 10,000) = ½ − 1/(3·√(2π·10⁴)) to the second order.
    expect(poissonTail(10_000, 10_000)).toBeCloseTo(0.5 - 2 / 3 / Math.sqrt(2 * Math.PI * 10_000), 6);
  });
});
