import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brier } from '../kit/metrics.ts';
import { seededRandom } from '../kit/random.ts';
import { calibrate, costThreshold, fitCalibration, fitIsotonic, fitPlatt, logistic, softplus } from './calibration.ts';

function drawn(size: number, probability: (score: number) => number) {
  const random = seededRandom(size);
  const scores = Array.from({ length: size }, () => 4 * random.next() - 2);
  return { scores, labels: scores.map((score) => random.next() < probability(score)) };
}

describe('Platt', () => {
  it('finds the line the labels were drawn from', () => {
    const { scores, labels } = drawn(20_000, (score) => logistic(1.5 * score - 0.5));
    const fitted = fitPlatt(scores, labels);
    if (fitted.kind !== 'platt') throw new Error('not a Platt calibration');
    expect(Math.abs(fitted.a - 1.5)).toBeLessThan(0.08);
    expect(Math.abs(fitted.b + 0.5)).toBeLessThan(0.06);
  });

  it('is at the least log loss against the softened targets: no step nearby is better', () => {
    const { scores, labels } = drawn(60, (score) => logistic(3 * score));
    const fitted = fitPlatt(scores, labels);
    if (fitted.kind !== 'platt') throw new Error('not a Platt calibration');
    const positives = labels.filter(Boolean).length;
    const loss = (a: number, b: number) =>
      scores.reduce((sum, score, at) => {
        const target = labels[at] ? (positives + 1) / (positives + 2) : 1 / (60 - positives + 2);
        return sum + softplus(a * score + b) - target * (a * score + b);
      }, 0);
    for (const [da, db] of [
      [0.01, 0],
      [-0.01, 0],
      [0, 0.01],
      [0, -0.01],
    ] as const) {
      expect(loss(fitted.a + da, fitted.b + db)).toBeGreaterThan(loss(fitted.a, fitted.b));
    }
  });

  it('stays finite when the scores part the classes or are all one', () => {
    for (const scores of [
      [0, 0, 1, 1],
      [5, 5, 5, 5],
    ]) {
      const fitted = fitPlatt(scores, [false, false, true, true]);
      const p = calibrate(fitted, 1);
      expect(p > 0 && p < 1).toBe(true);
    }
    expect(calibrate(fitPlatt([5, 5, 5, 5], [false, false, true, true]), 5)).toBeCloseTo(0.5, 6);
  });
});

describe('isotonic', () => {
  it('never falls, stays in 0 … 1 and keeps the mean', () => {
    const cases = fc.array(fc.record({ score: fc.integer({ min: 0, max: 15 }), label: fc.boolean() }), {
      minLength: 1,
      maxLength: 80,
    });
    fc.assert(
      fc.property(cases, (rows) => {
        const fitted = fitIsotonic(
          rows.map((row) => row.score),
          rows.map((row) => row.label),
        );
        const values = Array.from({ length: 40 }, (_, at) => calibrate(fitted, at / 2 - 2));
        values.slice(1).forEach((value, at) => {
          expect(value).toBeGreaterThanOrEqual((values[at] ?? 0) - 1e-12);
        });
        expect(Math.min(...values)).toBeGreaterThan(0);
        expect(Math.max(...values)).toBeLessThan(1);
      }),
    );
  });

  it('pools adjacent violators: worked by hand', () => {
    const fitted = fitIsotonic([1, 2, 3, 4], [false, true, false, true]);
    if (fitted.kind !== 'isotonic') throw new Error('not isotonic');
    expect(fitted.scores).toEqual([1, 2.5, 4]);
    expect(fitted.probabilities[1]).toBeCloseTo(0.5, 12);
    expect(calibrate(fitted, 1.75)).toBeCloseTo(((fitted.probabilities[0] ?? 0) + 0.5) / 2, 12);
    expect(calibrate(fitted, -9)).toBe(fitted.probabilities[0]);
    expect(calibrate(fitted, 9)).toBe(fitted.probabilities[2]);
  });

  it('is taken from its number of cases on, and beats Platt where the truth is no logistic curve', () => {
    const step = (score: number) => (score < -1 ? 0.05 : score < 1 ? 0.6 : 0.65);
    const { scores, labels } = drawn(5000, step);
    const isotonic = fitCalibration(scores, labels, 1000);
    const platt = fitCalibration(scores, labels, 6000);
    expect([isotonic.kind, platt.kind]).toEqual(['isotonic', 'platt']);
    const other = drawn(4999, step);
    const loss = (fitted: typeof platt) =>
      brier(
        other.scores.map((score) => calibrate(fitted, score)),
        other.labels,
      );
    expect(loss(isotonic)).toBeLessThan(loss(platt));
  });
});

it('a lost good page at twenty times a kept bad one gives 0.952', () => {
  expect(costThreshold(20, 1)).toBeCloseTo(0.952, 3);
});
