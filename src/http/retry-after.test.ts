import { expect, it } from 'vitest';
import { parseHttpDate, retryAfter } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0);
const DAY = 24 * 3600 * 1000;

it.each([
  ['120', NOW + 120_000],
  [' 0 ', NOW],
  ['99999999999', NOW + DAY],
  ['Mon, 30 Nov 2026 12:01:00 GMT', NOW + 60_000],
  ['Monday, 30-Nov-26 12:01:00 GMT', NOW + 60_000],
  ['Mon Nov 30 12:01:00 2026', NOW + 60_000],
  ['Sun, 29 Nov 2026 12:01:00 GMT', NOW],
  ['Wed, 30 Nov 2033 12:01:00 GMT', NOW + DAY],
  ['-5', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('R16 Retry-After %j', (value, expected) => {
  expect(retryAfter(value, NOW, DAY)).toBe(expected);
});

it.each(['31-12-2001 10:00', 'Mon, 31 Feb 2026 10:00:00 GMT', '2026-11-30T10:00:00Z', 'Mon, 30 Foo 2026 10:00:00 GMT'])(
  '%j is no HTTP date',
  (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  },
);
