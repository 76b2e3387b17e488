import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileKeyRules, normalizeEscapes } from './key.ts';
import { hostName, isHttp, keyHash, registrableDomain, resolveLine, resolveUrl } from './url.ts';

const rules = compileKeyRules({
  dropParameters: ['PHPSESSID', 'jsessionid', 'sid', 'utm_*', 'aspsessionid*', 'gclid'],
});

function urlOf(ref: string, base?: string): string | null {
  return resolveLine({ ref, base }, rules).url;
}

function keyOfRef(ref: string, base?: string): string | null {
  return resolveLine({ ref, base }, rules).key;
}

describe('resolution', () => {
  it.each([
    ['U1', '?pageno=3', 'http://www.some.com/sample', 'http://www.some.com/sample?pageno=3'],
    ['U2', './dir', 'http://example.com/a/b', 'http://example.com/a/dir'],
    ['U3', '/web/../../../../filescms/a.jpg', 'http://www.gobex.es/x', 'http://www.gobex.es/filescms/a.jpg'],
    [
      'U5',
      '/music/Prefuse+73/_/90%+of+My+Mind',
      'https://last.fm/',
      'https://last.fm/music/Prefuse+73/_/90%+of+My+Mind',
    ],
    [
      'U11',
      '/en/articles/detail/x.html',
      'http://h/en/articles/articles.html?p=1',
      'http://h/en/articles/detail/x.html',
    ],
    ['U16', '  /b\tc\n d ', 'http://h/a', 'http://h/bc%20d'],
    ['scheme-relative', '//cdn.example/x', 'https://h/', 'https://cdn.example/x'],
    ['empty reference', '', 'http://h/a?b#c', 'http://h/a?b'],
    ['fragment only', '#top', 'http://h/a', 'http://h/a'],
    ['backslashes', '\\a\\b', 'http://h/', 'http://h/a/b'],
    ['default port', 'HTTP://H:80/', undefined, 'http://h/'],
    ['H1', 'index.php/fa/1/0/', 'https://s.de/forum/', 'https://s.de/forum/index.php/fa/1/0/'],
    ['H2', '?param=value', 'http://example.com/myself.html', 'http://example.com/myself.html?param=value'],
  ])('%s', (_id, ref, base, expected) => {
    expect(urlOf(ref, base)).toBe(expected);
  });

  it('U12: one host name for both spellings', () => {
    const unicode = resolveUrl('http://ExAmpleé.org/', undefined, rules);
    expect(unicode).toEqual(resolveUrl('http://xn--example-hya.org', undefined, rules));
    expect(unicode).toMatchObject({ host: 'xn--example-hya.org', origin: 'http://xn--example-hya.org' });
  });

  it.each([
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://017700000001/', 'http://127.0.0.1/'],
    ['http://[::ffff:7f00:1]/', 'http://[::ffff:7f00:1]/'],
    ['http://127.0.0.1./', 'http://127.0.0.1/'],
  ])('U17: %s is written as the address it is', (ref, expected) => {
    expect(urlOf(ref)).toBe(expected);
  });

  it('says why a reference is no page', () => {
    expect(resolveLine({ ref: 'mailto:a@b.example', base: 'http://h/' }, rules)).toEqual({
      url: 'mailto:a@b.example',
      key: null,
      reason: 'scheme',
    });
    for (const ref of ['http://', 'http://a b/', 'https://example%2Xcom/', 'https://abc%FEdef.org/', 'x.html']) {
      expect(resolveLine({ ref, base: null }, rules)).toEqual({ url: null, key: null, reason: 'invalid' });
    }
  });
});

describe('key', () => {
  it.each([
    ['U5', 'https://last.fm/music/90%+of', 'https://last.fm/music/90%25+of'],
    ['U6', 'https://example.org/p%2d1/p%2d2/?q=f', 'https://example.org/p-1/p-2/?q=f'],
    ['U7', 'http://foo.com/Seattle,WA%27USA', 'http://foo.com/Seattle,WA%27USA'],
    ['U8', 'http://www.nb.dk/nb%5Cnb.nsf/x?OpenDocument', 'http://www.nb.dk/nb%5Cnb.nsf/x?OpenDocument'],
    ['U9', 'http://h/?u=a%252Fb', 'http://h/?u=a%252Fb'],
    ['lone percent signs', 'http://h/%zz%7e%2?%', 'http://h/%25zz~%252?%25'],
    ['hex case', 'http://h/%c3%a9', 'http://h/%C3%A9'],
    ['stable sort', 'http://h/?b=2&a=2&b=1&a=1', 'http://h/?a=2&a=1&b=2&b=1'],
    ['sort by decoded name', 'http://h/?b=1&%61=2', 'http://h/?a=2&b=1'],
    ['empty query', 'http://h/?', 'http://h/'],
    ['empty parameters', 'http://h/?&b=1&&a=1&', 'http://h/?a=1&b=1'],
    ['semicolons separate nothing', 'http://h/?q=tl;dr&a=1', 'http://h/?a=1&q=tl;dr'],
    ['scheme, www and trailing slash', 'https://www.h.example/a/', 'https://www.h.example/a/'],
    ['T6 query', 'http://h/p?PHPSESSID=1&x=1&Sid=2', 'http://h/p?x=1'],
    ['T6 only a session', 'http://h/p?sid=abc', 'http://h/p'],
    ['T6 path', 'http://h/p;jsessionid=AB12;v=1/q;JSESSIONID=2?x=1', 'http://h/p;v=1/q?x=1'],
    ['T6 cookieless ASP.NET', 'http://h/a/(S(lit3py55t21z5v55vlm25s55))/p.aspx', 'http://h/a/p.aspx'],
    ['prefix rule', 'http://h/?utm_source=a&ASPSESSIONIDQQ=1&utmost=1', 'http://h/?utmost=1'],
    ['a name inside another name stays', 'http://h/?inside=1&sidebar=2', 'http://h/?inside=1&sidebar=2'],
    ['no new dot segment', 'http://h/a/..;sid=1/b', 'http://h/a/..;sid=1/b'],
  ])('%s', (_id, ref, expected) => {
    expect(keyOfRef(ref)).toBe(expected);
  });

  it('is idempotent and a URL of the same host (random input)', () => {
    const piece = fc.constantFrom(
      'a',
      '/',
      '.',
      '%',
      '2',
      'e',
      'E',
      '7',
      ';',
      '?',
      '&',
      '=',
      'sid',
      'é',
      ' ',
      '\\',
      '#',
      '(S(',
      '))',
      '+',
      "'",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const first = resolveUrl(`/${pieces.join('')}`, 'http://h/', rules);
        if ('reason' in first) return;
        const again = resolveUrl(first.key, undefined, rules);
        expect(again).toMatchObject({ key: first.key, url: first.key, host: first.host });
      }),
      { numRuns: 3000 },
    );
  });

  it('decodes no escape of a reserved character (random input)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), (code) => {
        const escaped = `%${code.toString(16).padStart(2, '0')}`;
        const char = String.fromCharCode(code);
        expect(normalizeEscapes(`x${escaped}y`)).toBe(`x${/[\w.~-]/.test(char) ? char : escaped.toUpperCase()}y`);
      }),
    );
  });

  it('hashes into what SQLite holds', () => {
    expect(keyHash('http://h/')).toBe(BigInt.asIntN(64, keyHash('http://h/')));
    expect(keyHash('http://h/')).not.toBe(keyHash('http://h/a'));
  });
});

describe('hosts', () => {
  it.each([
    ['a.b.example.co.uk', 'example.co.uk'],
    ['x.someone.github.io', 'someone.github.io'],
    ['github.io', 'github.io'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['localhost', 'localhost'],
    ['www.xn--85x722f.xn--55qx5d.cn', 'xn--85x722f.xn--55qx5d.cn'],
    ['', ''],
  ])('registrable domain of %s', (host, domain) => {
    expect(registrableDomain(host)).toBe(domain);
  });

  it('host name and scheme of an absolute URL', () => {
    expect(hostName('http://user:p@Ex.example:8080/a')).toBe('ex.example');
    expect(hostName('no url')).toBe('');
    for (const url of [
      'http://a:80@b/',
      'http://user@h.example/',
      'http://h.example:80',
      'http://0x7f.1/',
      'http://A.b/x',
      'http://a_b.c./?',
    ]) {
      expect(hostName(url)).toBe(new URL(url).hostname);
    }
    expect(isHttp('HTTPS://h/')).toBe(true);
    expect(isHttp('mailto:a@h')).toBe(false);
  });
});

const DATA = new URL('../../../shared/data/urls/', import.meta.url);

describe.skipIf(!existsSync(DATA))('public test data', () => {
  const read = (name: string): string => readFileSync(new URL(name, DATA), 'utf8');

  it('every WPT URL case', () => {
    const cases: unknown[] = JSON.parse(read('wpt-urltestdata.json'));
    const differing = cases.filter((c) => {
      if (typeof c !== 'object' || c === null || !('input' in c) || !('base' in c)) return false;
      const base = typeof c.base === 'string' ? c.base : undefined;
      const expected = 'href' in c && !('failure' in c) ? String(c.href).replace(/#.*/s, '') : null;
      return urlOf(String(c.input), base) !== expected;
    });
    expect(differing).toEqual([]);
    expect(cases.length).toBeGreaterThan(800);
  });

  it('every WPT ToASCII case', () => {
    const cases: unknown[] = JSON.parse(read('wpt-toascii.json'));
    for (const c of cases) {
      if (typeof c !== 'object' || c === null || !('input' in c) || !('output' in c)) continue;
      const resolved = resolveUrl(`http://${String(c.input)}/x`, undefined, rules);
      expect('host' in resolved ? resolved.host : null, String(c.input)).toBe(c.output);
    }
  });

  it('public suffix tests: null there is the name itself here; names with a leading dot are not asked', () => {
    for (const line of read('psl-tests.txt').split('\n')) {
      const [host = '', domain = ''] = line.split(' ');
      if (line.startsWith('//') || host === '' || host.startsWith('.')) continue;
      expect(registrableDomain(host), host).toBe(domain === 'null' ? host : domain);
    }
  });

  it('normalisation pairs differ only where the contract says otherwise', () => {
    const differing = read('normalise-pairs.csv')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(',')), line.slice(line.lastIndexOf(',') + 1).trim()])
      .filter(([input = '', expected]) => keyOfRef(input) !== expected)
      .map(([input]) => input);
    expect(differing).toEqual(EXPLAINED);
  });
});

/** Pairs of one crawler's policy that Winnow does not share. */
const EXPLAINED = [
  // The URL standard leaves [ ] ^ ` | in a query as they are; the contract escapes nothing beyond it.
  'http://x.com/?x[y]=1',
  // Doubled slashes name other resources (RFC 3986 §6 merges no empty segments); repeated content merges them later.
  'http://foo.com//aa/bb/foo.html',
  'http://foo.com/aa//bb/foo.html',
  'http://foo.com/aa/bb//foo.html',
  'http://foo.com//aa//bb//foo.html',
  'http://foo.com////aa////bb//foo.html',
  'http://foo.com////aa////bb////foo.html',
  // Not http(s), or refused by the URL standard: no key.
  'file:///foo/bar.txt',
  'ftp:/',
  'http:////',
  'http:///////',
  '"http://www.example.com/a/c/../b/search?q=foobar"""',
  'http://www.example.com/a/c/../b/search?q=foobar^',
  'http://www.example.com/a/c/../b/search?q=foobar`',
  'http://www.example.com/a/c/../b/search?q=foobar|',
  'foo.com/index.html',
  'ftp://foo.com/index.html',
  'file:/path/index.html',
  // The host with a final dot is another name to a server and to TLS.
  'https://www.example.org./',
  'file:/var/www/html/////./bar/index.html',
  'file:/var/www/html/foo/../bar/index.html',
  // `b=` and `b` may differ to a form handler; parameters without a name are kept too.
  'http://foo.com/index?a=1&b=',
  'http://foo.com/index?b=&a=1',
  'http://foo.com/index?&=1&a=1',
  'http://foo.com/index?=1&b=1&a=1',
];
