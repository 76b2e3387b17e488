import { expect, it } from 'vitest';
import { calibrationOf } from './garbage-figures.ts';

it('the bins of a calibration, and how far they are from the truth', () => {
  const { bins, error } = calibrationOf(Float64Array.of(0.02, 0.04, 0.55, 0.95, 1), [false, true, true, true, true]);
  expect(bins.map(({ pages, garbage }) => [pages, garbage])).toEqual([
    [2, 0.5],
    [1, 1],
    [2, 1],
  ]);
  // (2 · |0.03 − 0.5| + 1 · |0.55 − 1| + 2 · |0.975 − 1|) / 5
  expect(error).toBeCloseTo(0.288);
});

it('nothing of nothing', () => expect(calibrationOf(new Float64Array(0), [])).toEqual({ error: 0, bins: [] }));
