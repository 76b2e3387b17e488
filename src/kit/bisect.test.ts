import { expect, it } from 'vitest';
import { bisectFalling } from './bisect.ts';

it('finds where a falling function crosses a value, over many orders of size', () => {
  expect(bisectFalling((x) => 1 / x, 4, { low: 1e-9, high: 1e9 })).toBeCloseTo(0.25, 10);
  expect(bisectFalling((x) => 1 / x, 1e7, { low: 1e-9, high: 1e9 }) * 1e7).toBeCloseTo(1, 10);
});

it('gives the nearest end when there is no crossing', () => {
  expect(bisectFalling((x) => 1 / x, 100, { low: 1, high: 2 })).toBeCloseTo(1, 10);
  expect(bisectFalling((x) => 1 / x, 0.1, { low: 1, high: 2 })).toBeCloseTo(2, 10);
});
