import { describe, expect, it } from 'vitest';
import { REFRESH_POLICIES } from '../model/lists.ts';
import { evaluateFreshness, type FreshnessOptions } from './freshness.ts';
import { parseTrace, sitesOfTrace } from './freshness-trace.ts';

const OPTIONS: FreshnessOptions = {
  ...{ source: { pages: 300, days: 25 }, budget: 60, signals: 'none', policies: REFRESH_POLICIES },
  ...{ rates: 'true', seeds: 20, seed: 1 },
};

/** Mean and standard error of the differences, seed by seed. */
function difference(ours: readonly number[], theirs: readonly number[]): { mean: number; error: number } {
  const differences = ours.map((value, at) => value - (theirs[at] ?? 0));
  const mean = differences.reduce((a, b) => a + b, 0) / differences.length;
  const square = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (differences.length - 1);
  return { mean, error: Math.sqrt(square / differences.length) };
}

describe('policies with true rates, 20 seeds', () => {
  it('without signals the greedy ones reach 0.99 of the optimum', async () => {
    const { optimum = 0, policies } = await evaluateFreshness({ ...OPTIONS, policies: ['greedy-signals', 'greedy'] });
    for (const { freshness } of policies) expect(freshness / optimum).toBeGreaterThanOrEqual(0.99);
  });

  it.each(['noisy', 'beacon'] as const)(
    'with %s signals greedy-signals is ahead beyond two standard errors',
    async (signals) => {
      const { policies } = await evaluateFreshness({ ...OPTIONS, signals });
      const [ours, ...others] = policies;
      expect(ours?.policy).toBe('greedy-signals');
      expect(others).toHaveLength(5);
      for (const { bySeed = [] } of others) {
        const { mean, error } = difference(ours?.bySeed ?? [], bySeed);
        expect(mean - 2 * error).toBeGreaterThan(0);
      }
    },
  );
});

describe('learned rates', () => {
  it('with a beacon give nearly the freshness of true ones (docs/evaluation-freshness.md has the full figures)', async () => {
    const options: FreshnessOptions = {
      ...{ ...OPTIONS, source: { pages: 300, days: 100 }, signals: 'beacon', policies: ['greedy-signals'], seeds: 2 },
    };
    const { policies: truly } = await evaluateFreshness(options);
    const { policies: learned } = await evaluateFreshness({ ...options, rates: 'learned' });
    expect((learned[0]?.freshness ?? 0) / (truly[0]?.freshness ?? 1)).toBeGreaterThanOrEqual(0.97);
  }, 60_000);

  it('know nothing of a page but its importance: other true rates and the same findings, the same crawls', async () => {
    const options: FreshnessOptions = {
      ...{
        ...OPTIONS,
        source: { pages: 20, days: 20 },
        budget: 0.01,
        rates: 'learned',
        seeds: 1,
        policies: ['greedy'],
      },
    };
    const { policies } = await evaluateFreshness(options);
    expect(policies[0]).toMatchObject({ crawls: 0 });
  });
});

describe('traces', () => {
  const text = [
    '{"site":"a","page":"1","changes":[0,864000,1728000]}',
    '{"site":"a","page":"2","changes":[0]}',
    '{"site":"b","page":"1","changes":[0,432000]}',
  ].join('\n');

  it('sites share the budget by their pages, and count by them', async () => {
    const report = await evaluateFreshness({
      ...{ ...OPTIONS, source: sitesOfTrace(parseTrace(text)), budget: 3, seeds: 1, policies: ['uniform'] },
    });
    // Site a: 20 days at 2 a day; site b: 5 days at 1 a day; the slot of the last moment is past the end.
    expect(report.policies[0]?.crawls).toBe(39 + 4);
    expect(report).toMatchObject({ pages: 3, budget: 3 });
    expect(report.days).toBeUndefined();
    // Changes on days 10 and 20 (the end) of page 1 alone: stale half a day in the mean, of 15 that count; 3 pages.
    expect(report.optimum).toBeGreaterThan(0.95);
  });

  it('the same seed gives the same figures', async () => {
    const options: FreshnessOptions = { ...OPTIONS, source: { pages: 30, days: 10 }, signals: 'noisy', seeds: 2 };
    const first = await evaluateFreshness(options);
    expect(await evaluateFreshness(options)).toEqual(first);
    expect(first.policies[0]?.bySeed).toHaveLength(2);
    const [low = 0, middle = 0, high = 0] = first.policies[0]?.spread ?? [];
    expect(low).toBeLessThanOrEqual(middle);
    expect(middle).toBeLessThanOrEqual(high);
  });
});
