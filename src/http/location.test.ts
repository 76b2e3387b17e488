import { expect, it } from 'vitest';
import { redirectTarget } from './location.ts';

const BASE = 'https://site.example/dir/page?q=1';
/** As the header reads when its UTF-8 bytes are taken for latin-1. */
const raw = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

it.each([
  ['/x', 'https://site.example/x'],
  ['x', 'https://site.example/dir/x'],
  ['?a=b', 'https://site.example/dir/page?a=b'],
  ['//other.example', 'https://other.example/'],
  ['  /x  ', 'https://site.example/x'],
  ['/x#fragment', 'https://site.example/x'],
  ['#top', BASE],
  ['/a b', 'https://site.example/a%20b'],
  ['http://user:secret@site.example/', 'http://site.example/'],
  ['HTTP:\\\\other.example\\x', 'http://other.example/x'],
])('%j', (value, expected) => {
  expect(redirectTarget(value, BASE)).toBe(expected);
});

it.each([
  ['/café', 'https://site.example/caf%C3%A9'],
  ['/x?q=ü', 'https://site.example/x?q=%C3%BC'],
  ['/日本', 'https://site.example/%E6%97%A5%E6%9C%AC'],
  ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
])('N10 raw UTF-8 bytes %s', (text, expected) => {
  expect(redirectTarget(raw(text), BASE)).toBe(expected);
});

it('N10 raw bytes of another charset stay the same bytes', () => {
  expect(redirectTarget('/caf\xe9', BASE)).toBe('https://site.example/caf%E9');
});

it.each([undefined, '', '   ', 'http://', 'https://a b/'])('%j leads nowhere', (value) => {
  expect(redirectTarget(value, BASE)).toBeUndefined();
});
