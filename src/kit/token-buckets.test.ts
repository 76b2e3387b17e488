import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

describe('token buckets', () => {
  it('give a burst at once and then the rate, each key for itself', () => {
    const buckets = new TokenBuckets({ burst: 2, perSecond: 1, maxKeys: 10 });
    const take = (key: string, now: number): boolean => buckets.take(key, now);
    expect([take('a', 0), take('a', 0), take('a', 0), take('b', 0)]).toEqual([true, true, false, true]);
    expect([take('a', 999), take('a', 1_000), take('a', 1_000)]).toEqual([false, true, false]);
    expect([take('a', 60_000), take('a', 60_000), take('a', 60_000)]).toEqual([true, true, false]);
    expect(take('a', 0)).toBe(false);
  });

  it('never give more than burst and rate allow, whenever they are asked', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_000), { maxLength: 60 }), (pauses) => {
        const buckets = new TokenBuckets({ burst: 3, perSecond: 2, maxKeys: 2 });
        let now = 0;
        let given = 0;
        for (const pause of pauses) {
          now += pause;
          if (buckets.take('a', now)) given++;
          expect(given).toBeLessThanOrEqual(3 + (now * 2) / 1000);
        }
      }),
    );
  });

  it('hold no more keys than they may', () => {
    const buckets = new TokenBuckets({ burst: 1, perSecond: 0, maxKeys: 4 });
    for (const key of ['a', 'b', 'c', 'd', 'e']) expect(buckets.take(key, 0)).toBe(true);
    expect(buckets.take('e', 0)).toBe(false);
    expect(buckets.take('a', 0)).toBe(true);
  });
});
