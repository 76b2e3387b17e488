import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupedFolds, splitFold } from './folds.ts';
import { seededRandom } from './random.ts';

const cases = fc.array(fc.record({ group: fc.integer({ min: 0, max: 12 }), label: fc.integer({ min: 0, max: 2 }) }), {
  minLength: 1,
  maxLength: 150,
});

describe('groupedFolds', () => {
  it('never splits a group and puts every case in one fold', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 6 }), fc.integer(), (rows, folds, seed) => {
        const groups = rows.map((row) => row.group);
        const classes = rows.map((row) => row.label);
        const foldOf = groupedFolds({ classes, groups, folds, random: seededRandom(seed) });
        const seen = new Map<number, number>();
        foldOf.forEach((fold, row) => {
          expect(fold).toBeGreaterThanOrEqual(0);
          expect(fold).toBeLessThan(folds);
          const group = groups[row] ?? -1;
          expect(seen.get(group) ?? fold).toBe(fold);
          seen.set(group, fold);
        });
      }),
    );
  });

  it('keeps classes even to one case when cases are groups of their own', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 200 }), (classes) => {
        const foldOf = groupedFolds({ classes, folds: 5, random: seededRandom(1) });
        for (const label of new Set(classes)) {
          const counts = [0, 0, 0, 0, 0];
          classes.forEach((other, row) => {
            const fold = foldOf[row] ?? 0;
            if (other === label) counts[fold] = (counts[fold] ?? 0) + 1;
          });
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('is the same for a seed and another for another', () => {
    const classes = Array.from({ length: 60 }, (_, row) => row % 2);
    const folds = (seed: number) => Array.from(groupedFolds({ classes, folds: 3, random: seededRandom(seed) }));
    expect(folds(1)).toEqual(folds(1));
    expect(folds(1)).not.toEqual(folds(2));
  });

  it('splitFold parts the rows into a fold and the rest', () => {
    const split = splitFold(Int32Array.of(0, 1, 2, 1), 1);
    expect([Array.from(split.test), Array.from(split.train)]).toEqual([
      [1, 3],
      [0, 2],
    ]);
  });
});
