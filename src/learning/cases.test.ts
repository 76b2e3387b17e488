import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classCounts, type SplitTest, splitCases } from './cases.ts';
import { numericDataset } from './dataset.ts';

const TEST: SplitTest = { attribute: 0, threshold: 4, branches: 2 };
const cell = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 9 }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
);

describe('splitCases', () => {
  it('loses no weight of any class, and gives known cases to their branch whole', () => {
    const cases = fc.array(fc.record({ value: cell, label: fc.boolean(), weight: fc.integer({ min: 1, max: 4 }) }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(cases, (rows) => {
        const data = numericDataset(
          ['x'],
          rows.map(({ value }) => [value]),
          rows.map(({ label }) => label),
        );
        const whole = {
          rows: Int32Array.from(rows.keys()),
          weights: Float64Array.from(rows, ({ weight }) => weight),
          start: 0,
          end: rows.length,
        };
        const before = classCounts(data, whole);
        const parts = splitCases(data, whole, TEST);
        const after = parts.map((part) => classCounts(data, part));
        before.forEach((weight, c) => {
          expect(after.reduce((sum, counts) => sum + (counts[c] ?? 0), 0)).toBeCloseTo(weight, 9);
        });
        parts.forEach((part, branch) => {
          for (let at = part.start; at < part.end; at++) {
            const row = rows[part.rows[at] ?? -1];
            if (!row || Number.isNaN(row.value)) continue;
            expect(row.value <= 4 ? 0 : 1).toBe(branch);
            expect(part.weights[at]).toBe(row.weight);
          }
        });
      }),
    );
  });

  it('divides cases evenly when the value is missing in all of them', () => {
    const data = numericDataset(['x'], [[Number.NaN], [Number.NaN]], [true, false]);
    const parts = splitCases(
      data,
      { rows: Int32Array.of(0, 1), weights: Float64Array.of(1, 3), start: 0, end: 2 },
      TEST,
    );
    expect(parts.map((part) => Array.from(part.weights))).toEqual([
      [0.5, 1.5],
      [0.5, 1.5],
    ]);
  });
});
