import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentMap } from './recent-map.ts';

describe('recent map', () => {
  it('what was used within half its capacity is there, nothing is ever wrong, and it is bounded', () => {
    const operation = fc.record({ key: fc.nat(20), isGet: fc.boolean() });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 100 }), (operations) => {
        const map = new RecentMap<number, number>(8);
        const twin = new Map<number, number>();
        operations.forEach(({ key, isGet }, i) => {
          if (isGet) {
            const held = map.get(key);
            if (held !== undefined) expect(held).toBe(twin.get(key));
          } else {
            map.set(key, i);
            twin.set(key, i);
          }
          expect(map.size).toBeLessThanOrEqual(8);
          if (!isGet) expect(map.get(key)).toBe(i);
        });
      }),
    );
  });

  it('what is used stays while others come and go', () => {
    const map = new RecentMap<string, number>(10);
    map.set('used', 1);
    for (let i = 0; i < 1_000; i++) {
      map.set(`passing ${i}`, i);
      if (i % 4 === 0) expect(map.get('used')).toBe(1);
    }
    expect(map.get('passing 1')).toBeUndefined();
  });

  it('is bounded by cost', () => {
    const map = new RecentMap<string, number>(20, (key) => key.length);
    for (let i = 0; i < 100; i++) map.set('x'.repeat(i % 10) + i, i);
    expect(map.size).toBeLessThan(20);
    map.set('y'.repeat(11), 1);
    expect(map.get('y'.repeat(11))).toBeUndefined();
  });
});
