import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern, matches, normalizePath } from './patterns.ts';
import { decideLine, parseRobots } from './robots-analyser.ts';

/** 'allowed' answers of `winnow` for each path. */
function check(robots: string | Uint8Array, expected: Readonly<Record<string, boolean>>, agent = 'winnow'): void {
  const file = parseRobots(robots);
  const answers = Object.keys(expected).map((path) => [path, file.decide(agent, path).allowed]);
  expect(Object.fromEntries(answers)).toEqual(expected);
}

describe('rules', () => {
  it('B2: a wildcard rule blocks only what it matches', () => {
    check('User-agent: *\nDisallow: /users/*/replies', {
      '/anything': true,
      '/users/1': true,
      '/users/1/replies': false,
      '/users/1/replies/2': false,
    });
  });

  it.each(['\n', '\r\n', '\r'])('B6: agents in a row share the rules, line ends %j', (eol) => {
    check(['User-agent: *', 'User-agent: Googlebot', 'Disallow: /private'].join(eol), {
      '/private': false,
      '/x': true,
    });
    check(['User-agent: Googlebot', 'User-agent: *', 'Disallow: /private'].join(eol), { '/private': false });
  });

  it('B7: an empty line does not end a group', () => {
    check('User-agent: winnow\n\nUser-agent: b\nDisallow: /', { '/x': false });
    check('User-agent: winnow\n\n# note\n\nDisallow: /a\n\nDisallow: /b', { '/a': false, '/b': false, '/c': true });
  });

  it('B9: longest match among many', () => {
    const robots = [
      'User-agent: *',
      'Disallow: /',
      'Allow: /$',
      'Allow: /hosting',
      'Allow: /p/*/adminIntro',
      'Allow: /p/*/issues/detail?id=*',
      'Disallow: /p/*/issues/detail?id=*&*',
      'Disallow: /p/*/issues/detail?*&id=*',
      'Crawl-delay: 10',
    ].join('\n');
    check(robots, {
      '/p/project-zero/issues/detail?id=1139': true,
      '/p/project-zero/issues/detail?id=1139&x=1': false,
      '/p/project-zero/issues/detail?x=1&id=1139': false,
      '/p/z/adminIntro': true,
      '/': true,
      '/foo': false,
    });
    expect(parseRobots(robots).decide('winnow', '/').crawlDelay).toBe(10);
  });

  it('B10: rules outside a group and without a slash are ignored, and reported', () => {
    check('Disallow: disallow/a.html', { '/disallow/a.html': true });
    check('Disallow: /a', { '/a': true });
    check('User-agent: *\nDisallow: private', { '/private': true });
    const file = parseRobots('Disallow: /a\nUser-agent: *\nDisallow: private');
    expect(file.lints).toEqual([
      { line: 1, problem: 'rule-outside-group', text: 'Disallow: /a' },
      { line: 3, problem: 'path-without-slash', text: 'Disallow: private' },
    ]);
  });

  it('B11: byte order marks are no part of the first line', () => {
    const text = 'User-agent: *\nDisallow: /';
    check(Buffer.from(`\ufeff${text}`), { '/x': false });
    check(Buffer.from(`\ufeff${text}`, 'utf16le'), { '/x': false });
    check(Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), { '/x': false });
  });

  it('B17: escapes are compared by what they stand for', () => {
    const robots =
      'User-agent: *\nDisallow: /%7Ejoe/\nDisallow: /foo/bar/%62%61%7A\nDisallow: /foo/bar/ツ\nDisallow: /a%3cd';
    check(robots, {
      '/~joe/x': false,
      '/%7Ejoe/x': false,
      '/%7ejoe/x': false,
      '/foo/bar/baz': false,
      '/foo/bar/%62az': false,
      '/foo/bar/%E3%83%84': false,
      '/foo/bar/%e3%83%84': false,
      '/foo/bar/ツ': false,
      '/a%3Cd.html': false,
      '/a<d': true,
      '/a/d': true,
    });
  });

  it('an escaped slash is no slash, an allowed tilde is one however written', () => {
    check('User-agent: *\nDisallow: /\nAllow: /a%2fb\nAllow: /~joe/', {
      '/a%2Fb': true,
      '/a/b': false,
      '/%7Ejoe/': true,
    });
  });

  it('B18: common typos count, and are reported', () => {
    check('useragent *\nDisalow: /a\nDissallow: /b\ndisallow /c', {
      '/a': false,
      '/b': false,
      '/c': false,
      '/d': true,
    });
    check('user agent: *\nDIASLLOW: /a\nDisallow : /b', { '/a': false, '/b': false });
    expect(parseRobots('useragent *\nDisalow: /a').lints.map((lint) => lint.problem)).toEqual([
      'no-colon',
      'typo',
      'typo',
    ]);
  });

  it('B19: an empty agent matches nobody', () => {
    check('User-agent:\nDisallow: /\n\nUser-agent: *\nAllow: /', { '/x': true });
    check('User-agent:\nDisallow: /', { '/x': true });
    check('User-agent:\nDisallow: /', { '/x': true }, '');
  });

  it('groups of one agent are merged wherever they stand; a named group hides the one for all', () => {
    const robots = 'User-agent: winnow\nDisallow: /a\nUser-agent: *\nDisallow: /\nUser-agent: WINNOW/2\nDisallow: /b';
    check(robots, { '/a': false, '/b': false, '/c': true });
    check(robots, { '/c': false }, 'other');
  });

  it('a comment may end any line; an empty Disallow forbids nothing', () => {
    check('User-agent: winnow # us\nDisallow: # nothing\n', { '/x': true });
    check('User-agent: *\nDisallow: /x#y\n', { '/x': false, '/': true });
  });

  it('a dollar counts at the end of a rule only', () => {
    check('User-agent: *\nDisallow: /a$b\nDisallow: /*.pdf$\nDisallow: /*/x*y$', {
      '/a$b': false,
      '/a': true,
      '/f.pdf': false,
      '/f.pdf?x': true,
      '/1/x2y': false,
      '/1/xyz': true,
      '/f.pdf.pdf': false,
    });
  });

  it('/robots.txt itself is always allowed', () => {
    check('User-agent: *\nDisallow: /', { '/robots.txt': true, 'http://h/robots.txt': true, '/robots.txt/x': false });
  });

  it('takes URLs, queries and the empty path', () => {
    const robots = 'User-agent: *\nDisallow: /?q\nDisallow: /x';
    check(robots, { 'https://h:8443/x?a#b': false, 'http://h?q=1': false, 'http://h': true, '': true, '/#/x': true });
    check('User-agent: *\nDisallow: /', { '': false });
  });

  it('explains itself', () => {
    const file = parseRobots('User-agent: *\nDisallow: /ü');
    expect(file.decide('winnow', '/%C3%BC').because).toBe('Disallow: /ü');
    expect(file.decide('winnow', '/').because).toBe('no rule matches');
    expect(parseRobots('').decide('winnow', '/').because).toBe('no group names the agent');
  });
});

describe('agents', () => {
  it.each([
    ['winnow/1.0 (+http://h/)', false],
    ['WinNow', false],
    ['winnow2000', false],
    ['winnow crawler', false],
    ['winnow-news', true],
    ['winno', true],
    ['', true],
  ])('%j', (agent, allowed) => {
    expect(decideLine({ robots: 'User-agent: winnow\nDisallow: /', agent, path: '/x' })).toEqual({
      allowed,
      crawlDelay: null,
    });
  });
});

it('a line of several words is found by its first, not by a robot that asks with several', () => {
  const robots = 'User-agent: Foo Bar\nDisallow: /';
  expect(
    ['foo', 'Foo/1.0 Bar', 'foo bar', 'FOO baz', 'bar'].filter(
      (agent) => !parseRobots(robots).decide(agent, '/').allowed,
    ),
  ).toEqual(['foo', 'Foo/1.0 Bar']);
});

describe('crawl delay', () => {
  it.each([
    ['User-agent: *\nCrawl-delay: 2.5', 2.5],
    ['User-agent: *\nCrawldelay: 100000', 100000],
    ['User-agent: *\nCrawl-delay: 1,5', 1.5],
    ['User-agent: *\nCrawl-delay: -1', null],
    ['User-agent: *\nCrawl-delay: soon', null],
    ['User-agent: *\nCrawl-delay: 0', 0],
    ['Crawl-delay: 3', null],
    ['User-agent: winnow\nDisallow:\nUser-agent: *\nCrawl-delay: 3', null],
    ['User-agent: winnow\nCrawl-delay: 3\nUser-agent: *\nCrawl-delay: 9', 3],
    ['User-agent: winnow\nCrawl-delay: 3\nDisallow: /\nUser-agent: winnow\nCrawl-delay: 9', 9],
    ['User-agent: a\nUser-agent: winnow\nDisallow: /\nCrawl-delay: 4', 4],
  ])('%j', (robots, expected) => {
    expect(decideLine({ robots, agent: 'winnow', path: '/' }).crawlDelay).toBe(expected);
  });
});

describe('hostile and odd input', () => {
  it('lists sitemaps once, wherever they stand', () => {
    const robots = 'Sitemap: http://h/ü.xml\nUser-agent: *\nSite-map: /b.xml\nDisallow: /\nsitemap: http://h/ü.xml';
    expect(parseRobots(robots).sitemaps).toEqual(['http://h/ü.xml', '/b.xml']);
  });

  it('B16: an HTML page holds no rules', () => {
    for (const html of [
      '<!DOCTYPE html><pre>\nUser-agent: *\nDisallow: /\n',
      '\ufeff\n <html>\nUser-agent: *\nDisallow: /',
    ]) {
      expect(parseRobots(html).isHtml).toBe(true);
      check(html, { '/x': true });
    }
  });

  it('reads 500 KiB and no half line', () => {
    const filler = '#'.repeat(1023).concat('\n').repeat(499);
    const robots = `User-agent: *\n${filler}Disallow: /a\n${'Disallow: /bc\n'.repeat(100)}`.padEnd(600 * 1024, '#');
    check(robots, { '/a': false });
    const cut = `User-agent: *\n${'#'.repeat(500 * 1024 - 26)}\nDisallow: /a\nDisallow: /`;
    check(cut, { '/a': true });
    expect(parseRobots(cut).lints[0]?.problem).toBe('too-long');
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, path) => {
        expect(typeof parseRobots(bytes).decide('winnow', path).allowed).toBe('boolean');
      }),
    );
  });

  it('matches as a naive matcher with backtracking does', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 }).map((chars) => `/${chars.join('')}`);
    const rule = fc
      .array(fc.constantFrom('a', 'b', '/', '*', '$'), { maxLength: 8 })
      .map((chars) => `/${chars.join('')}`);
    fc.assert(
      fc.property(rule, text, fc.boolean(), (value, path, allow) => {
        const compiled = compilePattern(allow, value, value);
        expect(matches(compiled, normalizePath(path))).toBe(naive(value, path));
      }),
      { numRuns: 2000 },
    );
  });

  it('wildcards on a long path need no backtracking', () => {
    const rule = `/${'a*'.repeat(2000)}b`;
    expect(matches(compilePattern(false, rule, rule), normalizePath(`/${'a'.repeat(2000)}`))).toBe(false);
    expect(matches(compilePattern(false, rule, rule), normalizePath(`/${'a'.repeat(2000)}b`))).toBe(true);
  });
});

function naive(rule: string, path: string): boolean {
  if (rule === '') return true;
  if (rule === '$') return path === '';
  if (rule[0] === '*') return naive(rule.slice(1), path) || (path !== '' && naive(rule, path.slice(1)));
  return path[0] === rule[0] && naive(rule.slice(1), path.slice(1));
}

const DATA = new URL('../../../../shared/data/robots/', import.meta.url);
const lines = <T>(name: string): T[] =>
  readFileSync(new URL(name, DATA), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe.skipIf(!existsSync(DATA))('public test data', () => {
  it("Google's cases", () => {
    const cases = lines<{ robots: string; agent: string; url: string; allowed: boolean }>('google-cases.jsonl');
    const wrong = cases.filter(
      (c) => decideLine({ robots: c.robots, agent: c.agent, path: c.url }).allowed !== c.allowed,
    );
    expect(wrong).toEqual([]);
    expect(cases.length).toBe(142);
  });

  it("Protego's verdicts differ only where docs/robots-differences.md says why", () => {
    const different = new Map<string, number>();
    const differ = (file: string, agent: string): void => {
      different.set(`${file} ${agent}`, (different.get(`${file} ${agent}`) ?? 0) + 1);
    };
    for (const c of lines<Verdict>('protego-verdicts.jsonl')) {
      const file = parseRobots(readFileSync(new URL(`files/${c.file}`, DATA)));
      if (file.decide(c.agent, '/').crawlDelay !== c.crawlDelay) differ(c.file, `${c.agent} delay`);
      for (const [path, allowed] of Object.entries(c.allowed)) {
        if (file.decide(c.agent, path).allowed !== allowed) differ(c.file, c.agent);
      }
    }
    expect(Object.fromEntries(different)).toEqual(explained());
  });
});

interface Verdict {
  readonly file: string;
  readonly agent: string;
  readonly crawlDelay: number | null;
  readonly allowed: Readonly<Record<string, boolean>>;
}

/** Rows `| file | agent | paths |` of the table in docs/robots-differences.md. */
function explained(): Record<string, number> {
  const text = readFileSync(new URL('../../../docs/robots-differences.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\S+)` \| (\S+) \| (\d+) \|/gm)];
  return Object.fromEntries(rows.map((row) => [`${row[1]} ${row[2]}`, Number(row[3])]));
}
