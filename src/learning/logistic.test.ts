import { describe, expect, it } from 'vitest';
import { rocAuc } from '../kit/metrics.ts';
import { seededRandom } from '../kit/random.ts';
import { logistic, softplus } from './calibration.ts';
import { type Dataset, numericDataset, valuesOf } from './dataset.ts';
import { logisticDeltas, scoreLogistic, trainLogistic } from './logistic-regression.ts';
import { byteGrams, SparseLearner, sparseScorer, trainSparseLogistic } from './sparse-logistic.ts';

function table(size: number): Dataset {
  const random = seededRandom(size);
  const rows = Array.from({ length: size }, () => [random.normal(), 10 * random.normal() + 5, 7]);
  const labels = rows.map(([x = 0, y = 0]) => random.next() < logistic(2 * x - 0.1 * (y - 5) + 1));
  return numericDataset(['x', 'y', 'constant'], rows, labels);
}

const OPTIONS = { lambda: 1e-3, weights: undefined, iterations: 50 };

describe('trainLogistic', () => {
  it('finds the weights the labels were drawn from, on the scale of the columns', () => {
    const model = trainLogistic(table(20_000), OPTIONS);
    const slope = (at: number) => (model.weights[at] ?? 0) / (model.scales[at] ?? 1);
    expect(Math.abs(slope(0) - 2)).toBeLessThan(0.1);
    expect(Math.abs(slope(1) + 0.1)).toBeLessThan(0.01);
    expect(model.weights[2]).toBeCloseTo(0, 9);
  });

  it('is at the least penalised loss: no step nearby is better', () => {
    const data = table(200);
    const model = trainLogistic(data, { ...OPTIONS, lambda: 3 });
    const loss = (weights: readonly number[], bias: number) =>
      Array.from(data.labels, (label, row) => {
        const moved = logisticDeltas({ ...model, weights }, valuesOf(data, row)).reduce((a, b) => a + b, bias);
        return softplus(label ? -moved : moved);
      }).reduce((a, b) => a + b, 0) +
      1.5 * weights.reduce((sum, weight) => sum + weight * weight, 0);
    const least = loss(model.weights, model.bias);
    for (const step of [-0.01, 0.01]) {
      expect(loss(model.weights, model.bias + step)).toBeGreaterThan(least);
      for (const at of [0, 1]) {
        expect(
          loss(
            model.weights.map((weight, other) => (other === at ? weight + step : weight)),
            model.bias,
          ),
        ).toBeGreaterThan(least);
      }
    }
  });

  it('gives a missing value a weight of its own', () => {
    const random = seededRandom(2);
    const rows = Array.from({ length: 400 }, () => [random.next() < 0.5 ? Number.NaN : random.next()]);
    const model = trainLogistic(
      numericDataset(
        ['x'],
        rows,
        rows.map(([x = 0]) => Number.isNaN(x)),
      ),
      { ...OPTIONS, lambda: 0.1 },
    );
    expect(scoreLogistic(model, [Number.NaN])).toBeGreaterThan(0.9);
    expect(scoreLogistic(model, [0.5])).toBeLessThan(0.1);
  });

  it('stays finite on classes that a line parts, and weighs rows', () => {
    const parted = numericDataset(['x'], [[0], [1], [2], [3]], [false, false, true, true]);
    expect(scoreLogistic(trainLogistic(parted, OPTIONS), [3])).toBeGreaterThan(0.9);
    const data = numericDataset(['x'], [[0], [0]], [false, true]);
    const weighted = trainLogistic(data, { ...OPTIONS, weights: Float64Array.of(1, 3) });
    expect(scoreLogistic(weighted, [0])).toBeCloseTo(0.75, 6);
  });
});

describe('sparse logistic', () => {
  const options = {
    bits: 12,
    alpha: 0.5,
    beta: 1,
    l1: 0,
    l2: 0.01,
    epochs: 8,
    positiveWeight: 1,
    random: seededRandom(1),
  };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const random = seededRandom(6);
  const word = () => ['garden', 'weather', 'railway', 'cheese', 'window'][random.below(5)] ?? '';
  const text = (marked: boolean) => [word(), word(), marked ? 'casino' : word(), word()].join(' ');
  const labels = Array.from({ length: 300 }, (_, at) => at % 3 === 0);
  const cases = labels.map((label) => byteGrams(bytes(text(label)), 4, 12));

  it('hashes each distinct 4-gram once, to unit length', () => {
    const grams = byteGrams(bytes('abcabcabc'), 4, 16);
    expect(grams.indices).toHaveLength(3);
    expect(grams.values.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 6);
    expect(byteGrams(bytes('abc'), 4, 16).indices).toHaveLength(0);
    expect(byteGrams(bytes('aaaa'), 3, 16).indices).toHaveLength(1);
  });

  it('learns a word from its byte 4-grams, and scores alike from JSON', () => {
    const model = trainSparseLogistic(cases, labels, options);
    const scorer = sparseScorer(JSON.parse(JSON.stringify(model)));
    const unseen = Array.from({ length: 100 }, (_, at) => at % 2 === 0);
    const scores = unseen.map((label) => scorer(byteGrams(bytes(text(label)), 4, 12)));
    expect(rocAuc(scores, unseen)).toBeGreaterThan(0.99);
  });

  it('drops weights with l1', () => {
    const kept = (l1: number) => trainSparseLogistic(cases, labels, { ...options, l1 }).indices.length;
    expect(kept(3)).toBeLessThan(kept(0));
  });

  it('is the model of its learner', () => {
    const learner = new SparseLearner(options);
    const [first] = cases;
    if (!first) throw new Error('no cases');
    expect(learner.learn(first, 1, 1)).toBe(0.5);
    expect(learner.score(first)).toBeGreaterThan(0.5);
    expect(sparseScorer(learner.model())(first)).toBeCloseTo(learner.score(first), 5);
  });
});
