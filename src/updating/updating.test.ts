import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../kit/sqlite.ts';
import { RefreshBudget } from './budget.ts';
import { choosePages, type KnownPage, OldestPages } from './updating.ts';

const page = (id: number, checkedAt = 0): KnownPage => ({ id, hostId: 1, checkedAt });

describe('which pages to crawl now', () => {
  it('signalled ones first, then by age, none twice, within the budget', () => {
    const question = { signalled: [page(3), page(1)], aged: [page(1), page(4), page(5)] };
    const chosen = choosePages({ ...question, budget: 3 });
    expect(chosen.map(({ page: { id }, why }) => `${id} ${why}`)).toEqual(['3 signal', '1 signal', '4 age']);
    expect(choosePages({ ...question, budget: 0 })).toEqual([]);
    expect(choosePages({ ...question, budget: 1 }).map(({ page: { id } }) => id)).toEqual([3]);
  });

  it('the oldest of many are those that sorting gives', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1_000)), fc.nat(8), (ages, limit) => {
        const oldest = new OldestPages(limit);
        for (const age of ages) oldest.add(page(age, age));
        const sorted = ages.toSorted((a, b) => a - b).slice(0, limit);
        expect(oldest.takeAll().map(({ checkedAt }) => checkedAt)).toEqual(sorted);
        expect(oldest.takeAll()).toEqual([]);
      }),
    );
  });
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
