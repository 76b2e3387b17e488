import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../kit/random.ts';
import {
  baseRate,
  type C45Options,
  type C45Tree,
  classify,
  explainPath,
  J48_OPTIONS,
  leafCount,
  pathDeltas,
  scoreC45,
  trainC45,
} from './c45.ts';
import { type Dataset, numericDataset, selectRows, valuesOf } from './dataset.ts';

/** Two informative columns, one of noise; a share of the labels is flipped, a share of the cells missing. */
function table(seed: number, size: number, missing: number): Dataset {
  const random = seededRandom(seed);
  const rows = Array.from({ length: size }, () => [random.below(30), random.below(30), random.below(30)]);
  const labels = rows.map(([x = 0, y = 0]) => (x > 12 && y < 20) !== random.next() < 0.1);
  return numericDataset(
    ['x', 'y', 'noise'],
    rows.map((row) => row.map((v) => (random.next() < missing ? Number.NaN : v))),
    labels,
  );
}

const UNPRUNED: C45Options = { ...J48_OPTIONS, pruning: 'none', collapse: false };
const seeds = fc.integer({ min: 0, max: 1e6 });
const rates = fc.constantFrom(0, 0, 0.1, 0.4);

describe('trainC45', () => {
  it('splits nothing when one class is left or too few cases', () => {
    const pure = numericDataset(['x'], [[1], [2], [3], [4]], [true, true, true, true]);
    expect(trainC45(pure, J48_OPTIONS).nodes).toEqual([{ counts: [0, 4] }]);
    const few = numericDataset(['x'], [[1], [2], [3]], [true, false, false]);
    expect(trainC45(few, J48_OPTIONS).nodes).toHaveLength(1);
  });

  it('takes for threshold the greatest training value not above the middle, wherever in the set it is', () => {
    const rows = [
      [0, 1],
      [0, 2],
      [0, 8],
      [0, 9],
      [1, 4],
    ];
    const data = numericDataset(['g', 'x'], rows, [false, false, true, true, true]);
    const tree = trainC45(
      { ...data, columns: [new Float64Array(5).fill(0), data.columns[1] ?? new Float64Array(5)] },
      UNPRUNED,
    );
    // Between 2 and 4 the middle is 3; 2 is the greatest value below.
    expect(tree.nodes[0]).toMatchObject({ attribute: 1, threshold: 2 });
  });

  it('gives each row at least the leaf weights it was grown with: leaves sum to the training weight', () => {
    fc.assert(
      fc.property(seeds, rates, fc.constantFrom(UNPRUNED, J48_OPTIONS), (seed, missing, options) => {
        const tree = trainC45(table(seed, 150, missing), options);
        for (const node of tree.nodes) {
          if (!node.children) continue;
          node.counts.forEach((count, c) => {
            const below = (node.children ?? []).reduce((sum, child) => sum + (tree.nodes[child]?.counts[c] ?? 0), 0);
            expect(below).toBeCloseTo(count, 6);
          });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is the same tree for weights and for rows repeated as often', () => {
    fc.assert(
      fc.property(seeds, rates, (seed, missing) => {
        const options: C45Options = { ...J48_OPTIONS, support: 'weight' };
        const data = table(seed, 80, missing);
        const random = seededRandom(seed).stream('weights');
        const weights = Float64Array.from(data.labels, () => random.below(4));
        const repeated = Int32Array.from(data.labels.keys()).reduce<number[]>((rows, row) => {
          for (let times = weights[row] ?? 0; times > 0; times--) rows.push(row);
          return rows;
        }, []);
        const weighted = trainC45(data, options, weights);
        const replicated = trainC45(selectRows(data, Int32Array.from(repeated)), options);
        expectSameTree(weighted, replicated);
      }),
      { numRuns: 60 },
    );
  });

  it('predicts the same after a monotone transformation of a column', () => {
    fc.assert(
      fc.property(seeds, rates, (seed, missing) => {
        const data = table(seed, 120, missing);
        const grow = (value: number) => Math.exp(value / 3) - 5;
        const moved: Dataset = {
          ...data,
          columns: data.columns.map((column, at) => (at === 0 ? column.map(grow) : column)),
        };
        const tree = trainC45(data, J48_OPTIONS);
        const twin = trainC45(moved, J48_OPTIONS);
        for (let row = 0; row < data.labels.length; row++) {
          expect(scoreC45(twin, valuesOf(moved, row))).toBeCloseTo(scoreC45(tree, valuesOf(data, row)), 9);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(seeds, rates, (seed, missing) => {
        const data = table(seed, 120, missing);
        const backwards = selectRows(data, Int32Array.from(data.labels.keys()).reverse());
        expectSameTree(trainC45(backwards, J48_OPTIONS), trainC45(data, J48_OPTIONS));
      }),
      { numRuns: 40 },
    );
  });

  it('prunes to fewer leaves, and raising to no more than replacing alone', () => {
    const data = table(11, 600, 0.05);
    const leaves = (pruning: C45Options['pruning']) => leafCount(trainC45(data, { ...UNPRUNED, pruning }));
    expect(leaves('replace')).toBeLessThan(leaves('none'));
    expect(leaves('raise')).toBeLessThanOrEqual(leaves('replace'));
  });

  it('grows and prunes deep trees without recursion', () => {
    // Alternating classes: half of the cuts take a few cases off one end.
    const rows = Array.from({ length: 3000 }, (_, at) => [at]);
    const labels = rows.map((_, at) => Math.floor(at / 2) % 2 === 0);
    const tree = trainC45(numericDataset(['x'], rows, labels), { ...UNPRUNED, mdl: 'off', minCases: 1 });
    const depths = new Array<number>(tree.nodes.length).fill(0);
    tree.nodes.forEach((node, at) => {
      for (const child of node.children ?? []) depths[child] = (depths[at] ?? 0) + 1;
    });
    expect(Math.max(...depths)).toBeGreaterThan(100);
    expect(tree.nodes[0]?.counts).toEqual([1500, 1500]);
    expect(JSON.parse(JSON.stringify(tree))).toEqual(tree);
  });
});

describe('reading a tree', () => {
  it('gives a distribution; a missing value weighs the branches by their training weight', () => {
    const data = numericDataset(
      ['x'],
      [[1], [1], [1], [9], [9], [9], [9], [9], [9]],
      [false, false, false, true, true, true, true, true, true],
    );
    const tree = trainC45(data, J48_OPTIONS);
    expect(Array.from(classify(tree, [1]))).toEqual([1, 0]);
    expect(scoreC45(tree, [Number.NaN])).toBeCloseTo(6 / 9, 12);
    expect(scoreC45({ ...tree, smoothing: 'laplace' }, [9])).toBeCloseTo(7 / 8, 12);
    expect(explainPath(tree, [9])).toEqual([{ attribute: 'x', op: '>', threshold: 1, value: 9 }]);
    expect(explainPath(tree, [])).toEqual([{ attribute: 'x', op: 'missing', threshold: 1, value: undefined }]);
  });

  it('sums to 1, and the path deltas add up to the score', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.constantFrom(0, 0.3),
        fc.constantFrom('none' as const, 'laplace' as const),
        (seed, missing, smoothing) => {
          const data = table(seed, 100, missing);
          const tree = trainC45(data, { ...UNPRUNED, smoothing });
          for (let row = 0; row < 20; row++) {
            const values = valuesOf(data, row);
            const distribution = classify(tree, values);
            expect(distribution.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
            const moved = pathDeltas(tree, tree.nodes, values).reduce((sum, delta) => sum + delta, 0);
            expect(baseRate(tree, tree.nodes) + moved).toBeCloseTo(scoreC45(tree, values), 9);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('explains with the tests that lead to the leaf', () => {
    const data = table(3, 300, 0);
    const tree = trainC45(data, J48_OPTIONS);
    for (let row = 0; row < 50; row++) {
      const values = valuesOf(data, row);
      const path = explainPath(tree, values);
      for (const { attribute, op, threshold } of path) {
        const value = values[tree.attributes.findIndex((a) => a.name === attribute)] ?? Number.NaN;
        expect(op === '<=' ? value <= Number(threshold) : value > Number(threshold)).toBe(true);
      }
    }
  });

  it('sends nominal values down their own branch, an empty one taking the class above', () => {
    const data: Dataset = {
      attributes: [{ name: 'colour', kind: 'nominal', values: ['red', 'green', 'blue'] }],
      columns: [Float64Array.of(0, 0, 0, 1, 1, 1, 1)],
      classes: ['no', 'yes'],
      labels: Int32Array.of(0, 0, 0, 1, 1, 1, 1),
      positive: 1,
    };
    const tree = trainC45(data, J48_OPTIONS);
    expect([scoreC45(tree, [0]), scoreC45(tree, [1])]).toEqual([0, 1]);
    expect(scoreC45(tree, [2])).toBeCloseTo(4 / 7, 12);
    expect(explainPath(tree, [2])).toEqual([{ attribute: 'colour', op: '=', threshold: 'blue', value: 2 }]);
    // A value that the table did not list is as good as missing.
    expect(scoreC45(tree, [7])).toBeCloseTo(scoreC45(tree, [Number.NaN]), 12);
    expect(explainPath(tree, [7])).toEqual([
      { attribute: 'colour', op: 'missing', threshold: 'green', value: undefined },
    ]);
  });
});

/** The same tests; the same weights but for rounding. */
function expectSameTree(ours: C45Tree, twin: C45Tree): void {
  const tests = (tree: C45Tree) => tree.nodes.map(({ counts: _, ...test }) => test);
  expect(tests(ours)).toEqual(tests(twin));
  ours.nodes.forEach((node, at) => {
    node.counts.forEach((count, c) => {
      expect(count).toBeCloseTo(twin.nodes[at]?.counts[c] ?? Number.NaN, 6);
    });
  });
}
