import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LruMap } from './lru.ts';

it('holds the entries used last, as a list of uses says', () => {
  const step = fc.record({
    do: fc.constantFrom('set' as const, 'get' as const, 'delete' as const, 'peek' as const),
    key: fc.integer({ min: 0, max: 9 }),
    cost: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 15 }), fc.array(step, { maxLength: 120 }), (capacity, steps) => {
      const map = new LruMap<number, number>(capacity, (cost) => cost);
      let twin: [number, number][] = [];
      for (const { do: action, key, cost } of steps) {
        const held = twin.find(([other]) => other === key);
        if (action === 'set') {
          map.set(key, cost);
          twin = [...twin.filter((entry) => entry !== held), [key, cost]];
          while (twin.reduce((sum, [, each]) => sum + each, 0) > capacity) twin.shift();
        } else if (action === 'delete') {
          expect(map.delete(key)).toBe(held !== undefined);
          twin = twin.filter((entry) => entry !== held);
        } else {
          expect(action === 'get' ? map.get(key) : map.peek(key)).toBe(held?.[1]);
          if (held && action === 'get') twin = [...twin.filter((entry) => entry !== held), held];
        }
        expect([...map.entries()]).toEqual(twin);
        expect(map.cost).toBe(twin.reduce((sum, [, each]) => sum + each, 0));
      }
    }),
  );
});

it('keeps a value that is undefined, and drops everything on clear', () => {
  const map = new LruMap<string, number | undefined>(2);
  map.set('a', undefined);
  map.set('b', 1);
  map.get('a');
  map.set('c', 2);
  expect([map.has('a'), map.has('b'), map.size]).toEqual([true, false, 2]);
  map.clear();
  expect([map.size, map.cost]).toEqual([0, 0]);
});
