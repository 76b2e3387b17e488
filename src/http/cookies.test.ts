import { describe, expect, it } from 'vitest';
import { CookieJar } from './cookies.ts';

const NOW = Date.UTC(2026, 10, 30);

/** The Cookie header for `to` after `from` set the cookies. */
function sent(setCookies: string | string[], to: string, from = 'https://www.shop.example/dir/page'): string {
  const jar = new CookieJar((domain) => domain === 'example' || domain === 'co.uk');
  for (const line of [setCookies].flat()) jar.store(line, new URL(from), NOW);
  return jar.header(new URL(to));
}

describe('CookieJar', () => {
  it.each([
    ['a=1', 'https://www.shop.example/dir/other', 'a=1'],
    ['a=1', 'https://www.shop.example/', ''],
    ['a=1; Path=/', 'https://www.shop.example/', 'a=1'],
    ['a=1; path=/di', 'https://www.shop.example/dir/', ''],
    ['a=1; Path=/', 'https://shop.example/', ''],
    ['a=1; Path=/', 'https://evil.example/', ''],
    ['a=1; Path=/; Domain=.shop.example', 'https://shop.example/', 'a=1'],
    ['a=1; Path=/; Domain=shop.example', 'https://img.shop.example/', 'a=1'],
    ['a=1; Path=/; Domain=shop.example', 'https://evilshop.example/', ''],
    ['a=1; Path=/; Domain=other.example', 'https://other.example/', ''],
    ['a=1; Path=/; Domain=example', 'https://www.shop.example/', ''],
    ['a=1; Path=/; Secure', 'http://www.shop.example/', ''],
    ['a=1; Path=/; Secure', 'https://www.shop.example/', 'a=1'],
    ['a="q=1 x"; Path=/', 'https://www.shop.example/', 'a="q=1 x"'],
    ['no equals sign; Path=/', 'https://www.shop.example/', ''],
    ['=value; Path=/', 'https://www.shop.example/', ''],
    ['a=; Path=/', 'https://www.shop.example/', 'a='],
  ])('%s for %s: %j', (line, to, expected) => {
    expect(sent(line, to)).toBe(expected);
  });

  it.each([
    ['R17 an odd date is a session cookie', 'a=1; Path=/; Expires=31-12-2001 10:00', 'a=1'],
    ['R17 another', 'a=1; Path=/; Expires=2001-12-31T10:00:00Z', 'a=1'],
    ['a past date is expired', 'a=1; Path=/; Expires=Mon, 31 Dec 2001 10:00:00 GMT', ''],
    ['with dashes as well', 'a=1; Path=/; Expires=Mon, 31-Dec-2001 10:00:00 GMT', ''],
    ['Max-Age wins over Expires', 'a=1; Path=/; Expires=Mon, 31 Dec 2001 10:00:00 GMT; Max-Age=60', 'a=1'],
    ['Max-Age=0 is expired', 'a=1; Path=/; Max-Age=0', ''],
  ])('%s', (_name, line, expected) => {
    expect(sent(line, 'https://www.shop.example/')).toBe(expected);
  });

  it('a later value replaces, an expired one deletes; longer paths go first', () => {
    expect(sent(['a=1; Path=/', 'a=2; Path=/'], 'https://www.shop.example/')).toBe('a=2');
    expect(sent(['a=1; Path=/', 'a=; Path=/; Max-Age=0'], 'https://www.shop.example/')).toBe('');
    expect(sent(['a=1; Path=/', 'b=2; Path=/dir'], 'https://www.shop.example/dir/x')).toBe('b=2; a=1');
  });

  it('is bounded', () => {
    const many = Array.from({ length: 1000 }, (_, at) => `c${at}=1; Path=/`);
    expect(sent(many, 'https://www.shop.example/').split('; ').length).toBe(100);
    expect(sent(`a=${'x'.repeat(10_000)}; Path=/`, 'https://www.shop.example/')).toBe('');
  });
});
