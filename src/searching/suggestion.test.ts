import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance, suggest } from './suggestion.ts';

/** By the definition, recursively. */
function naive(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const swapped =
    a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0] ? 1 + naive(a.slice(2), b.slice(2)) : Infinity;
  return Math.min(1 + naive(restA, b), 1 + naive(a, restB), (a[0] === b[0] ? 0 : 1) + naive(restA, restB), swapped);
}

it('edit distance equals its definition, and says "more" beyond the bound', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = naive(a, b);
      expect(editDistance(a, b, 10)).toBe(distance);
      expect(editDistance(a, b, 1) > 1).toBe(distance > 1);
    }),
    { numRuns: 150 },
  );
});

it('keeps known words, short words and everything that is no word', () => {
  const known = new Set(['kettle']);
  const words = [
    { word: 'copper', documents: 3 },
    { word: 'cooper', documents: 1 },
  ];
  const say = (query: string) =>
    suggest(
      query,
      (word) => known.has(word),
      () => words,
    );
  expect(say('"coper" kettle -abc 17')).toBe('"copper" kettle -abc 17');
  expect(say('kettle')).toBeUndefined();
});
