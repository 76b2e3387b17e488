import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accuracy,
  averagePrecision,
  brier,
  confusionAt,
  expectedCalibrationError,
  f1,
  logLoss,
  ndcg,
  operatingPoints,
  prAuc,
  precision,
  precisionAt,
  rankingMeasures,
  recall,
  recallAtDepth,
  recallAtFalseAlarmRate,
  recallAtPrecision,
  reciprocalRank,
  rocAuc,
  trecOrder,
} from './metrics.ts';

/** Few distinct scores, so that ties are common; both classes present. */
const judged = fc
  .array(fc.record({ score: fc.integer({ min: 0, max: 8 }), label: fc.boolean() }), { minLength: 2, maxLength: 60 })
  .filter((cases) => cases.some((one) => one.label) && cases.some((one) => !one.label))
  .map((cases) => ({ scores: cases.map((one) => one.score / 8), labels: cases.map((one) => one.label) }));

const share = (values: readonly boolean[]) => values.filter(Boolean).length / values.length;

describe('classification', () => {
  it('counts, precision, recall, F1 and accuracy of a table worked by hand', () => {
    const confusion = confusionAt([0.9, 0.8, 0.4, 0.6, 0.1], [1, 1, 1, 0, 0], 0.5);
    expect(confusion).toEqual({ truePositives: 2, falsePositives: 1, trueNegatives: 1, falseNegatives: 1 });
    expect([precision(confusion), recall(confusion), f1(confusion), accuracy(confusion)]).toEqual([
      2 / 3,
      2 / 3,
      2 / 3,
      0.6,
    ]);
    const none = confusionAt([0, 0], [1, 0], 0.5);
    expect([precision(none), recall(none), f1(none)]).toEqual([0, 0, 0]);
  });

  it('ROC AUC is the share of pairs in order, ties half', () => {
    fc.assert(
      fc.property(judged, ({ scores, labels }) => {
        let pairs = 0;
        let won = 0;
        scores.forEach((high, i) => {
          scores.forEach((low, j) => {
            if (!labels[i] || labels[j]) return;
            pairs++;
            won += high > low ? 1 : high === low ? 0.5 : 0;
          });
        });
        expect(rocAuc(scores, labels)).toBeCloseTo(won / pairs, 12);
      }),
    );
  });

  it('PR AUC and recalls at a rate or precision are what trying every threshold gives', () => {
    fc.assert(
      fc.property(judged, fc.constantFrom(0, 0.1, 0.3, 0.5, 0.9, 1), ({ scores, labels }, bound) => {
        const thresholds = [...new Set(scores)].sort((a, b) => b - a);
        const points = thresholds.map((threshold) => confusionAt(scores, labels, threshold - 1e-9));
        let area = 0;
        let before = 0;
        for (const point of points) {
          area += (recall(point) - before) * precision(point);
          before = recall(point);
        }
        expect(prAuc(scores, labels)).toBeCloseTo(area, 12);
        const alarms = points.filter((p) => p.falsePositives / (p.falsePositives + p.trueNegatives) <= bound);
        expect(recallAtFalseAlarmRate(scores, labels, bound)).toBeCloseTo(Math.max(0, ...alarms.map(recall)), 12);
        const precise = points.filter((p) => p.truePositives / (p.truePositives + p.falsePositives) >= bound);
        expect(recallAtPrecision(scores, labels, bound)).toBeCloseTo(Math.max(0, ...precise.map(recall)), 12);
      }),
    );
  });

  it('has one operating point a distinct score; NaN counts as lowest', () => {
    expect(operatingPoints([0.5, Number.NaN, 0.5, 0.9], [true, true, false, false])).toEqual([
      { threshold: 0.9, truePositives: 0, falsePositives: 1 },
      { threshold: 0.5, truePositives: 1, falsePositives: 2 },
      { threshold: Number.NEGATIVE_INFINITY, truePositives: 2, falsePositives: 2 },
    ]);
  });

  it('Brier, log loss and calibration error of cases worked by hand', () => {
    expect(brier([1, 0.5, 0], [1, 1, 1])).toBeCloseTo((0 + 0.25 + 1) / 3, 12);
    expect(logLoss([0.8, 0.4], [1, 0])).toBeCloseTo(-(Math.log(0.8) + Math.log(0.6)) / 2, 12);
    // Two bins of two: |0.15 − 0.5| and |0.85 − 1|, each of half the mass.
    expect(expectedCalibrationError([0.1, 0.2, 0.8, 0.9], [0, 1, 1, 1], 2)).toBeCloseTo((0.35 + 0.15) / 2, 12);
  });

  it('calls a forecast calibrated that says each group its share', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }), (labels) => {
        expect(
          expectedCalibrationError(
            labels.map(() => share(labels)),
            labels,
            1,
          ),
        ).toBeCloseTo(0, 12);
      }),
    );
  });
});

describe('ranking', () => {
  const gains = new Map([
    ['a', 3],
    ['b', 0],
    ['c', 1],
    ['d', 2],
    ['e', -1],
  ]);
  const ranking = ['b', 'a', 'x', 'c', 'e'];

  it('average precision, nDCG, P@k, R@k and reciprocal rank of a list worked by hand', () => {
    expect(averagePrecision(ranking, gains)).toBeCloseTo((1 / 2 + 2 / 4) / 3, 12);
    const ideal = 3 + 2 / Math.log2(3) + 1 / Math.log2(4);
    expect(ndcg(ranking, gains, 10)).toBeCloseTo((3 / Math.log2(3) + 1 / Math.log2(5)) / ideal, 12);
    expect(ndcg(ranking, gains, 2)).toBeCloseTo(3 / Math.log2(3) / (3 + 2 / Math.log2(3)), 12);
    expect(precisionAt(ranking, gains, 10)).toBeCloseTo(0.2, 12);
    expect(recallAtDepth(ranking, gains, 2)).toBeCloseTo(1 / 3, 12);
    expect(reciprocalRank(ranking, gains)).toBe(0.5);
    expect(reciprocalRank(['x'], gains)).toBe(0);
  });

  it('orders ties as trec_eval, the greater id first, and lists an id once', () => {
    const results = [
      { id: 'a', score: 1 },
      { id: 'c', score: 1 },
      { id: 'b', score: 2 },
      { id: 'c', score: 0.5 },
    ];
    expect(trecOrder(results)).toEqual(['b', 'c', 'a']);
  });

  it('averages over judged queries with something relevant; one without results counts 0', () => {
    const judgements = new Map([
      ['1', new Map([['a', 1]])],
      ['2', new Map([['b', 1]])],
      ['3', new Map([['c', 0]])],
    ]);
    const measures = rankingMeasures(
      new Map([
        ['1', ['a']],
        ['4', ['a']],
      ]),
      judgements,
    );
    expect(measures).toEqual({ queries: 2, map: 0.5, ndcg10: 0.5, p10: 0.05, r100: 0.5, mrr: 0.5 });
  });

  it('is 1 for the ideal order, whatever the gains', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }), (list) => {
        const all = new Map(list.map((gain, at) => [`d${at}`, gain]));
        const ideal = [...all].sort((a, b) => b[1] - a[1]).map(([id]) => id);
        expect(ndcg(ideal, all, 10)).toBeCloseTo(1, 12);
        expect(averagePrecision(ideal, all)).toBeCloseTo(1, 12);
      }),
    );
  });
});
