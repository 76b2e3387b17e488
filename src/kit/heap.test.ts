import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Heap } from './heap.ts';

const ascending = (items: Iterable<number>) => [...items].sort((a, b) => a - b);

it('gives what a sorted array gives under any pushes, pops and replacements', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('push' as const), item: fc.integer({ min: 0, max: 20 }) }),
    fc.record({ do: fc.constant('replace' as const), item: fc.integer({ min: 0, max: 20 }) }),
    fc.record({ do: fc.constant('pop' as const), item: fc.constant(0) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = new Heap<number>((a, b) => a < b);
      let twin: number[] = [];
      for (const { do: action, item } of steps) {
        if (action === 'push') heap.push(item);
        else expect(action === 'pop' ? heap.pop() : heap.replace(item)).toBe(twin.shift());
        if (action !== 'pop') twin = ascending([...twin, item]);
        expect(heap.size).toBe(twin.length);
        expect(heap.peek()).toBe(twin[0]);
        expect(ascending(heap)).toEqual(twin);
      }
    }),
  );
});

it('is empty after clear', () => {
  const heap = new Heap<string>((a, b) => a < b);
  heap.push('a');
  heap.clear();
  expect([heap.size, heap.peek(), heap.pop()]).toEqual([0, undefined, undefined]);
});
