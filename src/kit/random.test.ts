import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponential, poisson, seededRandom, shuffle } from './random.ts';

const draw = (random: { next(): number }, count: number) => Array.from({ length: count }, () => random.next());
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('seededRandom', () => {
  it('repeats itself for a seed and differs between seeds', () => {
    expect(draw(seededRandom(7), 20)).toEqual(draw(seededRandom(7), 20));
    expect(draw(seededRandom(7), 20)).not.toEqual(draw(seededRandom(8), 20));
  });

  it('gives a stream that does not depend on what was drawn before', () => {
    const used = seededRandom('a');
    draw(used, 100);
    expect(draw(used.stream('folds'), 5)).toEqual(draw(seededRandom('a').stream('folds'), 5));
    expect(draw(used.stream('folds'), 5)).not.toEqual(draw(used.stream('trees'), 5));
  });

  it('is even: 16 equal cells of 160,000 draws pass a chi-square test', () => {
    const cells = new Array<number>(16).fill(0);
    for (const value of draw(seededRandom(1), 160_000))
      cells[Math.floor(value * 16)] = (cells[Math.floor(value * 16)] ?? 0) + 1;
    const chiSquare = cells.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    // 99.9 % quantile at 15 degrees of freedom.
    expect(chiSquare).toBeLessThan(37.7);
  });

  it('below stays below its bound and reaches every value', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, bound) => {
        const random = seededRandom(seed);
        const seen = new Set(Array.from({ length: bound * 40 }, () => random.below(bound)));
        expect(Math.max(...seen)).toBeLessThan(bound);
        expect(seen.size).toBeGreaterThan(bound * 0.9);
      }),
    );
  });

  it('has normal, exponential and Poisson draws of the right mean and variance', () => {
    const random = seededRandom(3);
    const moments = (one: () => number) => {
      const values = Array.from({ length: 40_000 }, one);
      const middle = mean(values);
      return [middle, mean(values.map((value) => (value - middle) ** 2))] as const;
    };
    const [normalMean, normalVariance] = moments(() => random.normal());
    expect(Math.abs(normalMean)).toBeLessThan(0.02);
    expect(Math.abs(normalVariance - 1)).toBeLessThan(0.03);
    const [waiting, spread] = moments(() => exponential(random, 4));
    expect(waiting).toBeCloseTo(0.25, 2);
    expect(spread).toBeCloseTo(0.0625, 2);
    const [count, variance] = moments(() => poisson(random, 3.5));
    expect(Math.abs(count - 3.5)).toBeLessThan(0.05);
    expect(Math.abs(variance - 3.5)).toBeLessThan(0.15);
    expect(poisson(random, 0)).toBe(0);
    expect(Math.abs(poisson(random, 2000) - 2000)).toBeLessThan(300);
  });

  it('shuffles to a permutation, each item everywhere about equally often', () => {
    const random = seededRandom(5);
    const places = [0, 0, 0, 0];
    for (let run = 0; run < 8000; run++) {
      const items = shuffle(['a', 'b', 'c', 'd'], random);
      expect([...items].sort().join('')).toBe('abcd');
      const at = items.indexOf('a');
      places[at] = (places[at] ?? 0) + 1;
    }
    for (const count of places) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });
});
