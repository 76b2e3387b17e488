import { expect, it } from 'vitest';
import { printable } from './progress.ts';

it.each(['\u001b[2J', '\u009b31m', '\u202egnp.exe', 'a\u2066b\u2069', '\u0007', '\r', '\u007f'])(
  'nothing of %j can steer a terminal',
  (text) => {
    expect(printable(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  },
);

it('lines, tabs and the letters of every script stay', () => {
  const text = 'a\tb\nעברית العربية 日本 é';
  expect(printable(text)).toBe(text);
});
