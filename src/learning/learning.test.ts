import { describe, expect, it } from 'vitest';
import { seededRandom } from '../kit/random.ts';
import { baggingBaseRate, trainBagging } from './bagging.ts';
import { trainBoostedTrees } from './boosted-trees.ts';
import { trainBoosting } from './boosting.ts';
import { J48_OPTIONS, trainC45 } from './c45.ts';
import { fitPlatt, logistic } from './calibration.ts';
import { numericDataset, valuesOf } from './dataset.ts';
import { contributions, type Model, score, valuesInOrder } from './learning.ts';
import { trainLogistic } from './logistic-regression.ts';

const random = seededRandom(1);
const rows = Array.from({ length: 200 }, () => [random.next(), random.next()]);
const data = numericDataset(
  ['signal', 'noise'],
  rows,
  rows.map(([x = 0]) => x > 0.6),
);
const bagged = trainBagging(data, { trees: 5, c45: J48_OPTIONS, random }).model;
const linear = trainLogistic(data, { lambda: 1, weights: undefined, iterations: 50 });
const plain: Exclude<Model, { kind: 'calibrated' }>[] = [
  trainC45(data, J48_OPTIONS),
  bagged,
  trainBoosting(data, { rounds: 5, c45: J48_OPTIONS, scheme: 'adaboost', vote: 'beta', random }),
  linear,
  trainBoostedTrees(data, {
    rounds: 20,
    learningRate: 0.3,
    maxLeaves: 8,
    minCases: 5,
    lambda: 1,
    gamma: 0,
    attributeShare: 1,
    rowShare: 1,
    patience: 5,
    validation: new Int32Array(0),
    weights: undefined,
    random,
  }),
];

describe.each(plain.map((model) => [model.kind, model] as const))('%s', (_, model) => {
  it('scores the positive class, alike after JSON, and names the signal as what moved the score most', () => {
    expect(score(model, [0.95, 0.5])).toBeGreaterThan(0.8);
    expect(score(model, [0.05, 0.5])).toBeLessThan(0.2);
    const read: Model = JSON.parse(JSON.stringify(model));
    for (let row = 0; row < 20; row++) expect(score(read, valuesOf(data, row))).toBe(score(model, valuesOf(data, row)));
    expect(contributions(model, [0.95, 0.5])[0]).toMatchObject({ attribute: 'signal', value: 0.95 });
    expect(contributions(model, [0.95, 0.5])[0]?.delta).toBeGreaterThan(0);
  });

  it('keeps its order when calibrated', () => {
    const scores = Array.from(data.labels, (_, row) => score(model, valuesOf(data, row)));
    const calibrated: Model = { kind: 'calibrated', model, calibration: fitPlatt(scores, Array.from(data.labels)) };
    expect(score(calibrated, [0.95, 0.5])).toBeGreaterThan(score(calibrated, [0.05, 0.5]));
    expect(contributions(calibrated, [0.95, 0.5])).toEqual(contributions(model, [0.95, 0.5]));
  });
});

it('contributions add up to the score where the model is additive', () => {
  const values = [0.7, 0.2];
  const sum = (model: Model) => contributions(model, values).reduce((total, { delta }) => total + delta, 0);
  expect(baggingBaseRate(bagged) + sum(bagged)).toBeCloseTo(score(bagged, values), 9);
  expect(logistic(linear.bias + sum(linear))).toBeCloseTo(score(linear, values), 9);
});

it('reads a record by name; an absent name is missing', () => {
  expect(Array.from(valuesInOrder(linear, { noise: 3 }))).toEqual([Number.NaN, 3]);
  expect(contributions(linear, [Number.NaN, 0.4]).find(({ attribute }) => attribute === 'signal')).toBeUndefined();
});
