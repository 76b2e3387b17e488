import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rocAuc } from '../kit/metrics.ts';
import { seededRandom } from '../kit/random.ts';
import { binColumns, MISSING_BIN } from './bins.ts';
import {
  type BoostedTreesOptions,
  boostedTreesDeltas,
  logOdds,
  scoreBoostedTrees,
  trainBoostedTrees,
} from './boosted-trees.ts';
import { type Dataset, numericDataset, valuesOf } from './dataset.ts';
import { bestHistogramSplit, histogramOf } from './histograms.ts';

const options = (changed: Partial<BoostedTreesOptions>): BoostedTreesOptions => ({
  rounds: 40,
  learningRate: 0.2,
  maxLeaves: 15,
  minCases: 5,
  lambda: 1,
  gamma: 0,
  attributeShare: 1,
  rowShare: 1,
  patience: 5,
  validation: new Int32Array(0),
  weights: undefined,
  random: seededRandom(1),
  ...changed,
});

function table(seed: number, size: number, missing = 0): Dataset {
  const random = seededRandom(seed);
  const rows = Array.from({ length: size }, () => [random.next(), random.next(), random.next()]);
  const labels = rows.map(([x = 0, y = 0]) => Math.hypot(x - 0.5, y - 0.5) < 0.4 !== random.next() < 0.1);
  return numericDataset(
    ['x', 'y', 'noise'],
    rows.map((row) => row.map((v) => (random.next() < missing ? Number.NaN : v))),
    labels,
  );
}

const scores = (data: Dataset, model: ReturnType<typeof trainBoostedTrees>) =>
  Array.from(data.labels, (_, row) => scoreBoostedTrees(model, valuesOf(data, row)));

describe('bins', () => {
  it('keep the order, part missing from known, and number at most 255', () => {
    const columns = fc.array(
      fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: 0, max: 5 }), fc.constant(Number.NaN)),
      {
        minLength: 1,
        maxLength: 700,
      },
    );
    fc.assert(
      fc.property(columns, (values) => {
        const data = numericDataset(
          ['x'],
          values.map((value) => [value]),
          values.map(() => true),
        );
        const {
          columns: [bins = new Uint8Array()],
          counts,
        } = binColumns(data, Int32Array.from(values.keys()));
        expect(counts[0]).toBeLessThanOrEqual(255);
        const known = values
          .map((value, row) => ({ value, bin: bins[row] ?? 0 }))
          .filter(({ value }) => !Number.isNaN(value));
        values.forEach((value, row) => {
          expect(bins[row] === MISSING_BIN).toBe(Number.isNaN(value));
        });
        known.sort((a, b) => a.value - b.value);
        known.slice(1).forEach(({ bin }, at) => {
          expect(bin).toBeGreaterThanOrEqual(known[at]?.bin ?? 0);
        });
        if (new Set(known.map(({ value }) => value + 0)).size <= 255) {
          expect(new Set(known.map(({ bin }) => bin)).size).toBe(new Set(known.map(({ value }) => value + 0)).size);
        }
      }),
    );
  });
});

describe('histogram split', () => {
  it('is the best of all cuts and both sides for missing values', () => {
    const cell = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 6 }) },
      { weight: 1, arbitrary: fc.constant(Number.NaN) },
    );
    const cases = fc.array(fc.record({ value: cell, gradient: fc.integer({ min: -4, max: 4 }) }), {
      minLength: 2,
      maxLength: 40,
    });
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 4 }), (rows, minCases) => {
        const data = numericDataset(
          ['x'],
          rows.map(({ value }) => [value]),
          rows.map(() => true),
        );
        const all = Int32Array.from(rows.keys());
        const binned = binColumns(data, all);
        const gradient = Float64Array.from(rows, (row) => row.gradient);
        const hessian = new Float64Array(rows.length).fill(0.25);
        const score = (some: readonly { gradient: number }[]) =>
          some.reduce((sum, row) => sum + row.gradient, 0) ** 2 / (some.length * 0.25 + 1);
        let most = 0;
        for (const cut of [0, 1, 2, 3, 4, 5, 6]) {
          for (const missingLeft of [true, false]) {
            const goesLeft = (value: number) => (Number.isNaN(value) ? missingLeft : value <= cut);
            const left = rows.filter(({ value }) => goesLeft(value));
            const right = rows.filter(({ value }) => !goesLeft(value));
            if (left.length < minCases || right.length < minCases) continue;
            most = Math.max(most, (score(left) + score(right) - score(rows)) / 2);
          }
        }
        const attributes = Int32Array.of(0);
        const histogram = histogramOf(binned, attributes, { gradient, hessian }, all);
        const sums = { gradient: gradient.reduce((a, b) => a + b, 0), hessian: rows.length * 0.25, rows: rows.length };
        const split = bestHistogramSplit(binned, { attributes, histogram, sums }, { minCases, lambda: 1, gamma: 0 });
        expect(split?.gain ?? 0).toBeCloseTo(most, 8);
      }),
      { numRuns: 300 },
    );
  });
});

describe('trainBoostedTrees', () => {
  const train = table(1, 800);
  const test = table(2, 800);

  it('learns what one tree cannot, and lowers the training loss each round', () => {
    const model = trainBoostedTrees(train, options({}));
    expect(rocAuc(scores(test, model), test.labels)).toBeGreaterThan(0.85);
    const loss = (rounds: number) =>
      scores(train, { ...model, trees: model.trees.slice(0, rounds) }).reduce(
        (sum, p, row) => sum - Math.log(train.labels[row] ? p : 1 - p),
        0,
      );
    for (const rounds of [0, 1, 5, 20]) expect(loss(rounds + 1)).toBeLessThan(loss(rounds));
  });

  it('gives leaves −η·G/(H + λ): one stump worked by hand', () => {
    const stump = numericDataset(['x'], [[0], [0], [1], [1]], [false, false, true, true]);
    const model = trainBoostedTrees(stump, options({ rounds: 1, learningRate: 1, maxLeaves: 2, minCases: 1 }));
    // p = ½ everywhere: G = ±1, H = ½ on each side.
    expect(model.bias).toBe(0);
    expect(model.trees[0]?.value).toEqual([-0, -1 / 1.5, 1 / 1.5]);
    expect(model.trees[0]?.threshold[0]).toBe(0.5);
  });

  it('sends missing values where they gain', () => {
    const random = seededRandom(4);
    const rows = Array.from({ length: 300 }, () => [random.next() < 0.3 ? Number.NaN : random.next()]);
    const labels = rows.map(([x = 0]) => Number.isNaN(x) || x < 0.3);
    const model = trainBoostedTrees(numericDataset(['x'], rows, labels), options({}));
    expect(scoreBoostedTrees(model, [Number.NaN])).toBeGreaterThan(0.95);
    expect(scoreBoostedTrees(model, [0.1])).toBeGreaterThan(0.95);
    expect(scoreBoostedTrees(model, [0.9])).toBeLessThan(0.05);
  });

  it('stops early on held-out rows and keeps the best round', () => {
    const validation = Int32Array.from({ length: 200 }, (_, at) => at * 4);
    const rounds = 400;
    const model = trainBoostedTrees(train, options({ rounds, validation, patience: 10, learningRate: 0.5 }));
    expect(model.trees.length).toBeGreaterThan(1);
    expect(model.trees.length).toBeLessThan(rounds);
  });

  it('weights a case as many', () => {
    const weights = Float64Array.from(train.labels, (label) => (label ? 9 : 1));
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const plain = mean(scores(test, trainBoostedTrees(train, options({ rounds: 5 }))));
    expect(mean(scores(test, trainBoostedTrees(train, options({ rounds: 5, weights }))))).toBeGreaterThan(plain + 0.1);
  });

  it('is explained by path deltas that add up, repeats for a seed, and survives JSON', () => {
    const data = table(3, 300, 0.2);
    const shares = { rowShare: 0.8, attributeShare: 0.7 };
    const model = trainBoostedTrees(data, options({ ...shares, random: seededRandom(5) }));
    expect(trainBoostedTrees(data, options({ ...shares, random: seededRandom(5) }))).toEqual(model);
    const start = model.bias + model.trees.reduce((sum, tree) => sum + (tree.value[0] ?? 0), 0);
    for (let row = 0; row < 50; row++) {
      const values = valuesOf(data, row);
      const moved = boostedTreesDeltas(model, values).reduce((sum, delta) => sum + delta, 0);
      expect(start + moved).toBeCloseTo(logOdds(model, values), 9);
      expect(logOdds(JSON.parse(JSON.stringify(model)), values)).toBe(logOdds(model, values));
    }
  });

  it('makes no tree where nothing can be split', () => {
    const model = trainBoostedTrees(numericDataset(['x'], [[1], [1], [1]], [true, false, true]), options({}));
    expect(model.trees).toEqual([]);
    expect(scoreBoostedTrees(model, [1])).toBeCloseTo(2.5 / 4, 12);
  });
});
