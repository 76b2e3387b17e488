import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDate } from './dates.ts';

it.each([
  ['2015', '2015-01-01T00:00:00.000Z'],
  ['2015-12', '2015-12-01T00:00:00.000Z'],
  ['2015-12-22', '2015-12-22T00:00:00.000Z'],
  ['2015-12-22T05:31-01:00', '2015-12-22T06:31:00.000Z'],
  ['2015-12-22T05:31:10.25+0530', '2015-12-22T00:01:10.250Z'],
  ['2015-12-22 05:31:10', '2015-12-22T05:31:10.000Z'],
  ['20151222T053110Z', '2015-12-22T05:31:10.000Z'],
  ['Fri, 25 Jun 2010 15:00:00 PST', '2010-06-25T23:00:00.000Z'],
  ['Friday, 25-Jun-10 15:00:00 PST', '2010-06-25T23:00:00.000Z'],
  ['25-Aug-2007 15:00:00 EST', '2007-08-25T20:00:00.000Z'],
  ['Fri, 25-Jun-2010 15:00:00 -0800', '2010-06-25T23:00:00.000Z'],
  ['2010-06-25 15:00:00 PST', '2010-06-25T23:00:00.000Z'],
  ['June 25th, 2010', '2010-06-25T00:00:00.000Z'],
  ['25 Jun 2010 15:00:00 GMT', '2010-06-25T15:00:00.000Z'],
  ['Sat, 6 Mar 2010 15:00 +0200', '2010-03-06T13:00:00.000Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
  ['Mon, 02 May 2022 00:00:00 -0400', '2022-05-02T04:00:00.000Z'],
  ['Wednesday, 1 September 1999', '1999-09-01T00:00:00.000Z'],
])('%s', (text, iso) => {
  expect(new Date(parseDate(text) ?? Number.NaN).toISOString()).toBe(iso);
});

it.each([
  '',
  'yesterday',
  '2015-13-01',
  '2015-02-30',
  '2015-12-22T25:00',
  '32 Jan 2010',
  'Jan',
  '1 Jan',
  '99999-01-01',
  '2010-06-25 15:00:00 XYZ',
  '1 mayday 2010',
  '1 2 3 Jan 2010',
])('refuses %s', (text) => {
  expect(parseDate(text)).toBeUndefined();
});

it('reads back what Date writes', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1970, 0, 1) / 1000, max: Date.UTC(2049, 11, 31) / 1000 }), (seconds) => {
      const date = new Date(seconds * 1000);
      expect(parseDate(date.toISOString())).toBe(date.getTime());
      expect(parseDate(date.toUTCString())).toBe(date.getTime());
    }),
  );
});
