import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rocAuc } from '../kit/metrics.ts';
import { seededRandom } from '../kit/random.ts';
import { bootstrap, classifyBagging, trainBagging } from './bagging.ts';
import { type BoostingOptions, classifyBoosting, trainBoosting } from './boosting.ts';
import { classify, J48_OPTIONS, likeliest, trainC45 } from './c45.ts';
import { type Dataset, numericDataset, selectRows, valuesOf } from './dataset.ts';

/** Inside a ring or not: no single tree cuts it well. */
function ring(seed: number, size: number): Dataset {
  const random = seededRandom(seed);
  const rows = Array.from({ length: size }, () => [random.next(), random.next(), random.next()]);
  const labels = rows.map(([x = 0, y = 0]) => Math.hypot(x - 0.5, y - 0.5) < 0.4 !== random.next() < 0.05);
  return numericDataset(['x', 'y', 'noise'], rows, labels);
}

const boosting = (options: Partial<BoostingOptions>): BoostingOptions => ({
  rounds: 10,
  c45: J48_OPTIONS,
  scheme: 'adaboost',
  vote: 'beta',
  random: seededRandom(1),
  ...options,
});

const auc = (test: Dataset, classOf: (values: Float64Array) => Float64Array) =>
  rocAuc(
    Array.from(test.labels, (_, row) => classOf(valuesOf(test, row))[1] ?? 0),
    test.labels,
  );

const train = ring(1, 500);
const test = ring(2, 500);
const alone = trainC45(train, J48_OPTIONS);

describe('bagging', () => {
  const { model, outOfBag, outOfBagError } = trainBagging(train, {
    trees: 25,
    c45: J48_OPTIONS,
    random: seededRandom(1),
  });

  it('ranks unseen cases better than one tree', () => {
    expect(auc(test, (values) => classifyBagging(model, values))).toBeGreaterThan(
      auc(test, (values) => classify(alone, values)) + 0.01,
    );
  });

  it('estimates its error on unseen cases from the cases left out', () => {
    const wrong = Array.from(test.labels).filter(
      (label, row) => likeliest(classifyBagging(model, valuesOf(test, row))) !== label,
    ).length;
    expect(Math.abs(outOfBagError - wrong / test.labels.length)).toBeLessThan(0.05);
    expect(outOfBag.filter((p) => p >= 0 && p <= 1).length).toBeGreaterThan(495);
  });

  it('is the mean of trees grown on the repeated rows themselves', () => {
    const weights = bootstrap(train.labels.length, seededRandom(9));
    const rows = Array.from(weights).flatMap((times, row) => new Array<number>(times).fill(row));
    expect(rows).toHaveLength(train.labels.length);
    const tree = trainC45(selectRows(train, Int32Array.from(rows)), J48_OPTIONS);
    const one = trainBagging(train, { trees: 1, c45: J48_OPTIONS, random: seededRandom(9) }).model;
    for (let row = 0; row < 100; row++) {
      const values = valuesOf(test, row);
      expect(Array.from(classifyBagging(one, values))).toEqual(Array.from(classify(tree, values)));
    }
  });

  it('survives JSON', () => {
    const read = JSON.parse(JSON.stringify(model));
    expect(classifyBagging(read, valuesOf(test, 0))).toEqual(classifyBagging(model, valuesOf(test, 0)));
  });
});

describe('boosting', () => {
  it.each([
    ['adaboost', 'beta'],
    ['quinlan', 'beta'],
    ['quinlan', 'leaf'],
  ] as const)('%s with %s votes ranks unseen cases better than one tree', (scheme, vote) => {
    const model = trainBoosting(train, boosting({ rounds: 20, scheme, vote }));
    expect(model.trees.length).toBeGreaterThan(2);
    expect(auc(test, (values) => classifyBoosting(model, values))).toBeGreaterThan(
      auc(test, (values) => classify(alone, values)) + 0.01,
    );
  });

  it('gives the second tree the weights of AdaBoost.M1: the first one is wrong on half of them', () => {
    const wrong = Array.from(train.labels, (label, row) =>
      likeliest(classify(alone, valuesOf(train, row))) !== label ? 1 : 0,
    );
    const error = wrong.reduce<number>((sum, is) => sum + is, 0) / wrong.length;
    const raw = Float64Array.from(wrong, (is) => (is ? (1 - error) / error : 1));
    const scale = raw.length / raw.reduce((sum, weight) => sum + weight, 0);
    const weights = raw.map((weight) => weight * scale);
    expect(weights.filter((_, row) => wrong[row] === 1).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(250, 6);
    const model = trainBoosting(train, boosting({ rounds: 2 }));
    expect(model.trees[1]).toEqual(trainC45(train, J48_OPTIONS, weights).nodes);
    expect(model.votes[0]).toBeCloseTo(Math.log((1 - error) / error), 9);
  });

  it('ends with the first tree, whose distribution it gives, when nothing is wrong', () => {
    const clean = numericDataset(
      ['x'],
      Array.from({ length: 40 }, (_, at) => [at]),
      Array.from({ length: 40 }, (_, at) => at > 20),
    );
    const model = trainBoosting(clean, boosting({}));
    expect(model.trees).toHaveLength(1);
    expect(Array.from(classifyBoosting(model, [3]))).toEqual([1, 0]);
  });

  it('keeps one tree when the first is no better than chance', () => {
    const noise = numericDataset(
      ['x'],
      Array.from({ length: 40 }, () => [1]),
      Array.from({ length: 40 }, (_, at) => at % 2 === 0),
    );
    expect(trainBoosting(noise, boosting({})).trees).toHaveLength(1);
    expect(trainBoosting(noise, boosting({ scheme: 'quinlan' })).trees).toHaveLength(1);
  });

  it('gives distributions that sum to 1', () => {
    const model = trainBoosting(train, boosting({ vote: 'leaf', scheme: 'quinlan' }));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double({ min: 0, max: 1 }), fc.constant(Number.NaN)), { minLength: 3, maxLength: 3 }),
        (values) => {
          expect(classifyBoosting(model, values).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
        },
      ),
    );
  });
});
