import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAGE_TYPES } from '../model/lists.ts';
import type { PageCheck, SignalCounts } from './page-checks.ts';
import { RefreshModel, type RefreshPage } from './refresh-model.ts';

const DAY = 86_400_000;

/** A page checked once a day, found changed as told. */
function daily(changes: readonly boolean[], signals: readonly SignalCounts[] = []): PageCheck[] {
  return changes.map((changed, n) => ({
    ...{ id: 1, since: n * DAY, at: (n + 1) * DAY, changed, parts: [], signals: signals[n] ?? {} },
  }));
}

const PAGE: RefreshPage = { hostId: 1, type: 'article', importance: 1, ageDays: 1, signals: {}, checks: [] };
const often = daily([true, true, false, true, true, true]);
const never = daily(Array.from({ length: 20 }, () => false));

describe('change rates', () => {
  const unlearned = new RefreshModel([]);

  it('before anything is known, a home page changes more often than an article', () => {
    const rate = (type: RefreshPage['type']) => unlearned.opinionOf({ ...PAGE, type }).changeRate;
    expect(rate('home')).toBeCloseTo(1, 3);
    expect(rate('article')).toBeCloseTo(0.05, 3);
  });

  it('are those of the page, the more it was fetched', () => {
    const rate = (checks: readonly PageCheck[]) => unlearned.opinionOf({ ...PAGE, checks }).changeRate;
    expect(rate(often.slice(0, 1))).toBeGreaterThan(rate([]));
    expect(rate(often)).toBeGreaterThan(rate(often.slice(0, 1)));
    expect(rate(never)).toBeLessThan(0.5 * rate([]));
  });

  it('of a page never fetched twice are those of its sort on its site, then of its sort', () => {
    const samples = Array.from({ length: 10 }, () => ({ hostId: 1, type: 'article' as const, checks: often }));
    const learned = new RefreshModel([...samples, { hostId: 2, type: 'article', checks: never }]);
    const rate = (hostId: number, type: RefreshPage['type'] = 'article') =>
      learned.opinionOf({ ...PAGE, hostId, type }).changeRate;
    expect(rate(1)).toBeGreaterThan(1);
    expect(rate(2)).toBeLessThan(rate(1));
    expect(rate(3)).toBeGreaterThan(0.3);
    expect(rate(1, 'document')).toBeCloseTo(0.03, 3);
  });
});

describe('signals', () => {
  const told = (source: 'beacon' | 'sitemap', good: boolean) =>
    Array.from({ length: 10 }, () => ({
      hostId: 1,
      type: 'article' as const,
      checks: daily(
        [true, false, false, false],
        good ? [{ [source]: 1 }, {}, {}, {}] : [{}, { [source]: 1 }, { [source]: 1 }, { [source]: 1 }],
      ),
    }));

  it('of a source that was right count more than of one that was wrong', () => {
    const fresh = (good: boolean) =>
      new RefreshModel(told('sitemap', good)).opinionOf({ ...PAGE, signals: { sitemap: 1 } }).fresh;
    expect(fresh(true)).toBeLessThan(0.15);
    expect(fresh(false)).toBeGreaterThan(0.6);
  });

  it('an agreed report of browsers makes a page due before the source was ever checked', () => {
    expect(new RefreshModel([]).opinionOf({ ...PAGE, ageDays: 0.001, signals: { beacon: 1 } }).fresh).toBeLessThan(0.2);
  });

  it('silence of a good source makes a page stay fresh longer; of one never heard it says nothing', () => {
    const silent = new RefreshModel(told('beacon', true)).opinionOf({ ...PAGE, ageDays: 3 });
    const changeRate = silent.changeRate;
    expect(silent.fresh).toBeGreaterThan(1.5 * Math.exp(-3 * changeRate));
    const unheard = new RefreshModel([]).opinionOf({ ...PAGE, ageDays: 3 });
    expect(unheard.fresh).toBeCloseTo(Math.exp(-3 * unheard.changeRate), 6);
  });

  it('recall and noise as counted, with what was believed before', () => {
    const { recall, noise } = new RefreshModel(told('sitemap', true)).qualityOf('sitemap');
    expect(recall).toBeCloseTo((10 + 4 * 0.5) / (10 + 4), 9);
    expect(noise).toBeCloseTo((60 * 0.02) / (30 + 60), 9);
  });
});

const counts = fc.record({ beacon: fc.nat(20), feed: fc.nat(20), sitemap: fc.nat(20), indexnow: fc.nat(20) });
const checks = fc.array(fc.tuple(fc.boolean(), counts), { maxLength: 12 }).map((all) =>
  daily(
    all.map(([changed]) => changed),
    all.map(([, signals]) => signals),
  ),
);

it('whatever was seen, opinions are probabilities and values that are finite and grow with age and importance', () => {
  fc.assert(
    fc.property(
      fc.array(checks, { maxLength: 4 }),
      counts,
      fc.double({ min: 0, max: 400, noNaN: true }),
      fc.constantFrom(...PAGE_TYPES),
      (histories, signals, ageDays, type) => {
        const model = new RefreshModel(histories.map((history) => ({ hostId: 1, type, checks: history })));
        const page = { ...PAGE, type, signals, ageDays, checks: histories[0] ?? [] };
        const { fresh, value, changeRate } = model.opinionOf(page);
        expect(fresh).toBeGreaterThanOrEqual(0);
        expect(fresh).toBeLessThanOrEqual(1);
        expect(changeRate).toBeGreaterThan(0);
        expect(Number.isFinite(value)).toBe(true);
        expect(value).toBeGreaterThanOrEqual(0);
        const older = model.opinionOf({ ...page, ageDays: ageDays + 1 });
        expect(older.value).toBeGreaterThanOrEqual(value * (1 - 1e-9));
        expect(model.opinionOf({ ...page, importance: 3 }).value).toBeCloseTo(3 * value, 6);
      },
    ),
  );
});
