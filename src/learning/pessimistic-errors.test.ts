import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addedErrors, confidenceQuantile } from './pessimistic-errors.ts';

const exact = confidenceQuantile(0.25, 'exact');
const interpolated = confidenceQuantile(0.25, 'interpolated');

describe('addedErrors', () => {
  it('uses the quantiles of Weka and of C4.5', () => {
    expect(exact).toBeCloseTo(0.6744897, 6);
    expect(interpolated).toBeCloseTo(0.6925, 12);
    expect(confidenceQuantile(0.1, 'interpolated')).toBeCloseTo(1.28, 12);
  });

  // Test vectors of Weka 3.8 (exact) and C4.5 release 8 (interpolated) at CF 0.25.
  it.each([
    [1, 0, 0.75, 0.75],
    [6, 0, 1.237797, 1.237797],
    [9, 0, 1.284804, 1.284804],
    [16, 1, 1.475715, 1.506894],
    [10, 0.5, 1.353528, 1.367556],
    [100, 5, 2.248927, 2.301631],
    [1000, 50, 5.378366, 5.514416],
    [3, 2, 0.794862, 0.799524],
    [168, 1, 1.573759, 1.610055],
    [3, 2.6, 0.4, 0.4],
  ])('of %d cases with %d errors', (cases, errors, weka, c45) => {
    expect(addedErrors(cases, errors, 0.25, exact)).toBeCloseTo(weka, 6);
    expect(addedErrors(cases, errors, 0.25, interpolated)).toBeCloseTo(c45, 6);
  });

  it('agrees with the upper limits printed in Quinlan 1993', () => {
    const limit = (cases: number, errors: number) => (errors + addedErrors(cases, errors, 0.25, interpolated)) / cases;
    expect(limit(6, 0)).toBeCloseTo(0.206, 3);
    expect(limit(9, 0)).toBeCloseTo(0.143, 3);
    expect(limit(1, 0)).toBeCloseTo(0.75, 3);
    expect(limit(16, 1)).toBeCloseTo(0.157, 3);
  });

  it('never makes more errors than cases, and trusts less the smaller the confidence', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 2, max: 1e5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, share) => {
          const errors = n * share;
          const added = addedErrors(n, errors, 0.25, exact);
          expect(added).toBeGreaterThanOrEqual(-1e-9);
          expect(errors + added).toBeLessThanOrEqual(n * (1 + 1e-9));
          expect(addedErrors(n, errors, 0.1, confidenceQuantile(0.1, 'exact'))).toBeGreaterThanOrEqual(added - 1e-9);
        },
      ),
    );
  });
});
