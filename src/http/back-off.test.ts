import { expect, it } from 'vitest';
import { backOffUntil } from './back-off.ts';

const rule = { firstMs: 60_000, maxMs: 24 * 3600 * 1000 };

it('R16 60 s, 2, 4, 8 min and so on, up to the longest', () => {
  const waits = [1, 2, 3, 4, 5].map(
    (refusals) => backOffUntil(rule, { now: 1000, refusals, retryAt: undefined }) - 1000,
  );
  expect(waits).toEqual([60_000, 120_000, 240_000, 480_000, 960_000]);
  expect(backOffUntil(rule, { now: 0, refusals: 1000, retryAt: undefined })).toBe(rule.maxMs);
});

it('R16 what the host asked for wins, shorter or longer', () => {
  expect(backOffUntil(rule, { now: 1000, refusals: 4, retryAt: 6000 })).toBe(6000);
  expect(backOffUntil(rule, { now: 1000, refusals: 1, retryAt: 10_000_000 })).toBe(10_000_000);
  expect(backOffUntil(rule, { now: 1000, refusals: 1, retryAt: 500 })).toBe(1000);
});
