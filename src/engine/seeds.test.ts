import { describe, expect, it } from 'vitest';
import { parseSeed } from './seeds.ts';

const MAX = 100;

describe('seeds', () => {
  it.each([
    [`https://a.example/${'x'.repeat(83)}`, 'more than 100'],
    [`a.example/?q=${'é'.repeat(20)}`, 'more than 100'],
    [`http://${'a'.repeat(64)}.example/`, 'host name'],
    [`http://a.${'b'.repeat(70)}.example/`, 'host name'],
  ])('%s is refused', (text, problem) => {
    expect(parseSeed(text, MAX)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('names of more than 253 characters are refused, of 253 are not', () => {
    const name = `${'abcdefghi.'.repeat(25)}abc`;
    expect(parseSeed(`http://${name}/`, 2048)).toEqual({ url: `http://${name}/` });
    expect(parseSeed(`http://${name}./`, 2048)).toEqual({ url: `http://${name}./` });
    expect(parseSeed(`http://${name}d/`, 2048)).toEqual({ problem: expect.stringContaining('host name') });
  });

  it.each([
    [`https://a.example/${'x'.repeat(82)}`, `https://a.example/${'x'.repeat(82)}`],
    [`a.example/#${'x'.repeat(200)}`, 'https://a.example/'],
    [`http://${'a'.repeat(63)}.example/`, `http://${'a'.repeat(63)}.example/`],
    ['http://[::1]/', 'http://[::1]/'],
  ])('%s is taken', (text, url) => {
    expect(parseSeed(text, MAX)).toEqual({ url });
  });
});
