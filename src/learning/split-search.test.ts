import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dataset, sortColumns } from './dataset.ts';
import { bestSplit, type NodeView, type SplitOptions } from './split-search.ts';

const OPTIONS: SplitOptions = { minCases: 2, mdl: 'off', minGap: 1e-5, support: 'weight' };

interface Case {
  readonly value: number;
  readonly label: number;
  readonly weight: number;
}

function datasetOf(cases: readonly Case[], attribute: Dataset['attributes'][number]): Dataset {
  return {
    attributes: [attribute],
    columns: [Float64Array.from(cases, (one) => one.value)],
    classes: ['a', 'b', 'c'],
    labels: Int32Array.from(cases, (one) => one.label),
    positive: 1,
  };
}

function viewOf(data: Dataset, cases: readonly Case[]): NodeView {
  const counts = new Float64Array(3);
  for (const { label, weight } of cases) counts[label] = (counts[label] ?? 0) + weight;
  return {
    data,
    orders: sortColumns(data).orders,
    rows: Int32Array.from(cases.keys()),
    start: 0,
    end: cases.length,
    weights: Float64Array.from(cases, (one) => one.weight),
    counts,
    total: cases.reduce((sum, one) => sum + one.weight, 0),
  };
}

const numeric = (cases: readonly Case[]) => viewOf(datasetOf(cases, { name: 'x', kind: 'numeric' }), cases);

function entropy(cases: readonly Case[]): number {
  const total = weightOf(cases);
  return [0, 1, 2].reduce((sum, label) => {
    const share = weightOf(cases.filter((one) => one.label === label)) / total;
    return share > 0 ? sum - share * Math.log2(share) : sum;
  }, 0);
}

function weightOf(cases: readonly Case[]): number {
  return cases.reduce((sum, one) => sum + one.weight, 0);
}

function gainOf(cases: readonly Case[], parts: readonly (readonly Case[])[]): number {
  const known = parts.flat();
  const after = parts.reduce((sum, part) => sum + (part.length > 0 ? weightOf(part) * entropy(part) : 0), 0);
  return (weightOf(known) / weightOf(cases)) * (entropy(known) - after / weightOf(known));
}

/** Every admissible cut, by the definitions. */
function naive(cases: readonly Case[], minCases: number) {
  const known = cases.filter((one) => !Number.isNaN(one.value));
  const values = [...new Set(known.map((one) => one.value))].sort((a, b) => a - b);
  const least = Math.max(minCases, Math.min(25, (0.1 * weightOf(known)) / 3));
  const cuts = values.slice(1).map((value) => {
    const parts = [known.filter((one) => one.value < value), known.filter((one) => one.value >= value)];
    return { parts, gain: gainOf(cases, parts) };
  });
  return {
    cuts: cuts.filter(({ parts }) => parts.every((part) => weightOf(part) >= least - 1e-9)),
    distinct: values.length,
  };
}

const someCases = fc.array(
  fc.record({
    value: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 0, max: 9 }) },
      { weight: 1, arbitrary: fc.constant(Number.NaN) },
    ),
    label: fc.integer({ min: 0, max: 2 }),
    weight: fc.constantFrom(1, 1, 1, 2, 0.5),
  }),
  { minLength: 1, maxLength: 60 },
);

describe('numeric attributes', () => {
  it('finds the gain that trying every cut by the definition finds', () => {
    fc.assert(
      fc.property(someCases, fc.constantFrom('off' as const, 'tries' as const, 'distinct' as const), (cases, mdl) => {
        const { cuts, distinct } = naive(cases, 2);
        const correction = { off: 0, tries: Math.log2(cuts.length), distinct: Math.log2(distinct - 1) }[mdl];
        const gain = Math.max(0, ...cuts.map((cut) => cut.gain)) - correction / weightOf(cases);
        const split = bestSplit(numeric(cases), 0, { ...OPTIONS, mdl });
        if (cuts.length === 0 || gain < 1e-6) expect(split?.gain ?? 0).toBeLessThan(2e-6);
        else expect(split?.gain).toBeCloseTo(gain, 5);
      }),
      { numRuns: 400 },
    );
  });

  it('divides by the information of the split, missing values a branch of their own', () => {
    fc.assert(
      fc.property(someCases, (cases) => {
        const split = bestSplit(numeric(cases), 0, OPTIONS);
        if (!split) return;
        const total = weightOf(cases);
        const left = weightOf(cases.filter((one) => one.value < split.middle));
        const right = weightOf(cases.filter((one) => one.value > split.middle));
        const info = [left, right, total - left - right].reduce(
          (sum, part) => (part > 1e-9 ? sum - (part / total) * Math.log2(part / total) : sum),
          0,
        );
        expect(split.ratio).toBeCloseTo(split.gain / info, 9);
      }),
    );
  });

  it('refuses sides under the least weight, values closer than the gap, and too few rows where rows count', () => {
    const cases = [0, 0, 1, 1].map((value, at) => ({ value, label: value, weight: at < 2 ? 1 : 0.9 }));
    expect(bestSplit(numeric(cases), 0, OPTIONS)).toBeUndefined();
    const near = [0, 0, 5e-6, 5e-6].map((value, at) => ({ value, label: at < 2 ? 0 : 1, weight: 1 }));
    expect(bestSplit(numeric(near), 0, OPTIONS)).toBeUndefined();
    expect(bestSplit(numeric(near), 0, { ...OPTIONS, minGap: 0 })?.gain).toBeCloseTo(1, 9);
    const heavy = [0, 1].map((value) => ({ value, label: value, weight: 5 }));
    expect(bestSplit(numeric(heavy), 0, OPTIONS)?.gain).toBeCloseTo(1, 9);
    expect(bestSplit(numeric(heavy), 0, { ...OPTIONS, support: 'rows' })).toBeUndefined();
  });
});

describe('nominal attributes', () => {
  // Quinlan's fourteen cases: outlook (sunny, overcast, rain) and whether to play.
  const outlook = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2];
  const play = [1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1];
  const golf = (values: readonly number[]) => {
    const cases = values.map((value, at) => ({ value, label: play[at] ?? 0, weight: 1 }));
    return bestSplit(
      viewOf(datasetOf(cases, { name: 'outlook', kind: 'nominal', values: ['sunny', 'overcast', 'rain'] }), cases),
      0,
      OPTIONS,
    );
  };

  it('has gain 0.24675, split 1.577406 and ratio 0.156428 on outlook', () => {
    const split = golf(outlook);
    expect(split?.gain).toBeCloseTo(0.24675, 5);
    expect(split?.ratio).toBeCloseTo(0.156428, 6);
    expect((split?.gain ?? 0) / (split?.ratio ?? 1)).toBeCloseTo(1.577406, 6);
  });

  it('has gain 0.199, split 1.809 and ratio 0.110 with one outlook unknown', () => {
    const split = golf(outlook.map((value, at) => (at === 5 ? Number.NaN : value)));
    expect(split?.gain).toBeCloseTo(0.199, 3);
    expect((split?.gain ?? 0) / (split?.ratio ?? 1)).toBeCloseTo(1.809, 3);
    expect(split?.ratio).toBeCloseTo(0.11, 3);
  });

  it('agrees with the definitions and needs two branches of the least weight', () => {
    fc.assert(
      fc.property(someCases, (cases) => {
        const values = Array.from({ length: 10 }, (_, at) => `v${at}`);
        const view = viewOf(datasetOf(cases, { name: 'x', kind: 'nominal', values }), cases);
        const parts = values.map((_, at) => cases.filter((one) => one.value === at));
        const split = bestSplit(view, 0, OPTIONS);
        expect(split !== undefined).toBe(parts.filter((part) => weightOf(part) >= 2).length >= 2);
        if (split) expect(split.gain).toBeCloseTo(gainOf(cases, parts), 5);
      }),
    );
  });
});
