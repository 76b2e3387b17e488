import { expect, it } from 'vitest';
import { mergeRankings } from './priority.ts';

it('rankings merge by reciprocal rank: 1/61 + 1/62 before 1/61 alone; sources are kept', () => {
  const merged = mergeRankings(
    [
      { keyword: 'a', source: 'form', urls: ['x', 'y'] },
      { keyword: 'b', source: 'provider', urls: ['y', 'z', 'late'] },
    ],
    2,
  );
  expect(merged.map(({ url }) => url)).toEqual(['y', 'x', 'z']);
  expect(merged[0]?.score).toBeCloseTo(1 / 61 + 1 / 62);
  expect(merged[0]?.sources).toEqual(['form', 'provider']);
});
