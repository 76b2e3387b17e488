import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../kit/sqlite.ts';
import { RefreshBudget } from './budget.ts';
import { BestPages, type DuePage } from './updating.ts';

const page = (id: number, value: number): DuePage => ({
  ...{ id, hostId: 1, url: '', checkedAt: 0, value, fresh: 0.5, changeRate: 1, signals: {} },
});

it('the best of many are those that sorting gives, the best first', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1_000)), fc.nat(8), (values, limit) => {
      const best = new BestPages(limit);
      for (const value of values) best.add(page(value, value));
      const sorted = values.toSorted((a, b) => b - a).slice(0, limit);
      expect(best.takeAll().map(({ value }) => value)).toEqual(sorted);
      expect(best.takeAll()).toEqual([]);
    }),
  );
});

describe('budget', () => {
  const HOUR = 3_600_000;

  it('holds an hour’s worth, and fills by the rate', () => {
    const budget = new RefreshBudget(
      openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 }),
      60,
    );
    expect(budget.available(0)).toBe(60);
    budget.spend(60, 0);
    expect(budget.available(0)).toBe(0);
    expect(budget.available(59_999)).toBe(0);
    expect(budget.available(60_000)).toBe(1);
    expect(budget.available(5 * HOUR)).toBe(60);
  });

  it('is the same for the next run, and smaller at once under a smaller rate', () => {
    const database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 });
    new RefreshBudget(database, 60).spend(50, 0);
    expect(new RefreshBudget(database, 60).available(0)).toBe(10);
    expect(new RefreshBudget(database, 5).available(0)).toBe(5);
  });

  it('a clock set back neither fills nor empties it', () => {
    const database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 });
    new RefreshBudget(database, 60).spend(50, HOUR);
    expect(new RefreshBudget(database, 60).available(0)).toBe(10);
  });
});
