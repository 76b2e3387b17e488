import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from './glob.ts';
import { findTrapShape } from './trap-shapes.ts';
import { patternOf, TrapWatch, type Yield } from './trap-watch.ts';
import { type TrapOptions, UrlValidator, type ValidatorOptions } from './url-validator.ts';

const TRAPS: TrapOptions = {
  maxSegments: 25,
  maxParameters: 25,
  maxFacets: 3,
  yearsAhead: 2,
  calendarYearsBack: 50,
  baseBudget: 12,
  budgetPerNew: 8,
  minEvidence: 5,
  growingPages: 3,
  maxFacetUrls: 100,
  maxEntries: 10_000,
};
const NOW = Date.UTC(2026, 10, 30);

function validator(
  options: Partial<ValidatorOptions> = {},
  condemned: Readonly<Record<string, 'spam' | 'soft-404'>> = {},
): UrlValidator {
  return new UrlValidator(
    {
      scope: 'host',
      seeds: ['http://h/'],
      include: [],
      exclude: [],
      maxDepth: 50,
      maxUrlLength: 2048,
      traps: TRAPS,
      ...options,
    },
    { isCondemned: (host, domain, path) => condemned[host] ?? condemned[domain] ?? condemned[path], now: () => NOW },
  );
}

function say(made: UrlValidator, key: string, depth = 1): string {
  const answer = made.validate({ url: key, key, depth, from: undefined });
  return answer.kind === 'refused' ? answer.reason : answer.kind;
}

describe('scope', () => {
  it.each([
    ['host', 'http://docs.h.example:8080/x', 'accept'],
    ['host', 'http://h.example/x', 'scope'],
    ['domain', 'http://h.example/x', 'accept'],
    ['domain', 'http://h2.example/x', 'scope'],
    ['any', 'http://k/', 'accept'],
    ['prefix', 'http://docs.h.example/a/b/', 'accept'],
    ['prefix', 'https://docs.h.example/a/b/c?d=/e', 'accept'],
    ['prefix', 'http://docs.h.example/a/b', 'scope'],
    ['prefix', 'http://docs.h.example/a/bc/', 'scope'],
    ['prefix', 'http://docs.h.example/?/a/b/', 'scope'],
  ] as const)('%s %s', (scope, key, expected) => {
    expect(say(validator({ scope, seeds: ['http://docs.h.example/a/b/index.html?q=/x/'] }), key)).toBe(expected);
  });

  it('private suffixes part domains', () => {
    expect(say(validator({ scope: 'domain', seeds: ['http://a.github.io/'] }), 'http://b.github.io/')).toBe('scope');
  });

  it('exclude wins over include; seeds need no include', () => {
    const made = validator({ include: ['http://h/docs/*'], exclude: ['*/print/*', '*?print=*'] });
    expect(say(made, 'http://h/docs/a')).toBe('accept');
    expect(say(made, 'http://h/docs/print/a')).toBe('scope');
    expect(say(made, 'http://h/docs/a?print=1')).toBe('scope');
    expect(say(made, 'http://h/other')).toBe('scope');
    expect(say(made, 'http://h/other', 0)).toBe('accept');
    expect(say(made, 'http://h/print/x', 0)).toBe('scope');
  });

  it('a redirect is held to scope and globs, one of a seed to scope only', () => {
    const made = validator({ include: ['http://h/docs/*'] });
    const target = (key: string, depth: number) => made.validateRedirect({ url: key, key, depth }).kind;
    expect(target('http://k/docs/', 0)).toBe('refused');
    expect(target('http://h/start', 0)).toBe('accept');
    expect(target('http://h/start', 1)).toBe('refused');
    expect(target('http://h/docs/a/a/a/', 1)).toBe('refused');
  });

  it('a seed is fetched whatever its folder gave', () => {
    const made = validator({ seeds: ['http://h/s/1'] });
    for (let i = 0; i < 50; i++) made.observe(`http://h/s/${i + 2}`, 'same');
    expect(made.recheck('http://h/s/1').kind).toBe('accept');
    expect(made.recheck('http://h/s/99').kind).toBe('refused');
  });

  it('depth, length and scheme', () => {
    const made = validator({ maxDepth: 2, maxUrlLength: 20, scope: 'any' });
    expect([0, 1, 2, 3].map((depth) => say(made, 'http://h/', depth))).toEqual(['accept', 'accept', 'accept', 'depth']);
    expect(say(made, 'http://h/'.padEnd(20, 'x'))).toBe('accept');
    expect(say(made, 'http://h/'.padEnd(21, 'x'))).toBe('url-length');
    expect(say(made, 'mailto:a@b')).toBe('scheme');
  });

  it('condemned: spam is avoided, soft-404 deferred, by host, domain or path', () => {
    const made = validator({ scope: 'any' }, { 'bad.example': 'spam', 'lost.h': 'soft-404', '/~spammer/': 'spam' });
    expect(say(made, 'http://www.bad.example/')).toBe('avoided');
    expect(say(made, 'http://lost.h/x')).toBe('deferred');
    expect(say(made, 'http://h/~spammer/')).toBe('avoided');
    expect(made.recheck('http://www.bad.example/').kind).toBe('avoided');
    expect(made.validateRedirect({ url: 'http://bad.example/', key: 'http://bad.example/', depth: 1 }).kind).toBe(
      'avoided',
    );
  });
});

describe('globs', () => {
  it('match as the regular expression of the same meaning does', () => {
    const glob = fc
      .array(fc.constantFrom('a', '/', '*', '?', '[', '.'), { maxLength: 8 })
      .map((chars) => chars.join(''));
    const text = fc.array(fc.constantFrom('a', '/', '[', '.', 'b'), { maxLength: 8 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(glob, text, (pattern, subject) => {
        const source = pattern.replace(/[[.]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
        expect(matchesGlob(pattern, subject)).toBe(new RegExp(`^${source}$`, 's').test(subject));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('trap shapes', () => {
  const shape = (path: string): string | undefined => findTrapShape(`http://h${path}`, 2026, TRAPS);

  it.each([
    '/a/a/a/',
    '/x/a/b/a/b/a/b/c',
    '/a/b/c/a/b/c/a/b/c',
    '/about/contact/about/news/contact/about/news/about/',
    '/1/1/1/1/',
    `/${'d/e'.repeat(30)}`,
    `/${Array.from({ length: 26 }, (_, i) => i).join('/')}`,
    `/x?${Array.from({ length: 26 }, (_, i) => `p${i}=1`).join('&')}`,
    '/search/?f%5B0%5D=a&f%5B1%5D=b&f%5B2%5D=c&f%5B3%5D=d',
    '/list?color=a&color=b&color=c&color=d',
    '/calendar/2031/07/',
    '/2031/07/',
    '/events/2099-01',
    '/x/20310701',
    '/cal.php?month=7&year=2031',
    '/cal?date=2031-07-01',
    '/calendar/1850/01/',
    '/calendar?year=1900',
  ])('%s', (path) => {
    expect(shape(path)).toBeTypeOf('string');
  });

  it.each([
    '/',
    '/3/library/asyncio-task.html',
    '/docs/manual/mod/mod_rewrite.html',
    '/docs/docs/x',
    '/2009/05/13/a-post/',
    '/1851/09/18/archives/first-issue.html',
    '/2011/11/11/',
    '/blog/2026/12/',
    '/2027/03/a-conference-ahead/',
    '/events/1914/07/28/',
    '/topic/2048/12',
    '/results?start=2050',
    '/reports/agenda-2030/',
    '/rfc/rfc2119',
    '/a/b/a/b/',
    '/org/example/util/concurrent/example/util/Map.html',
    '/search?f%5B0%5D=a&f%5B1%5D=b',
    `/wiki/${'%E3%83%84'.repeat(60)}`,
  ])('%s is no trap', (path) => {
    expect(shape(path)).toBeUndefined();
  });
});

describe('patterns', () => {
  it.each([
    ['http://h/a/12/b-3.html?x=1&y=2', 'http://h/a/N/b-N.html?x&y'],
    ['http://h/9f86d081884c7d65/x', 'http://h/I/x?'],
    ['http://h/123e4567-e89b-12d3-a456-426614174000', 'http://h/I?'],
    ['http://h/dQw4w9WgXcQx', 'http://h/I?'],
    ['http://h/cafe-and-bar', 'http://h/cafe-and-bar?'],
    ['http://h/?f[0]=a&f[1]=b', 'http://h/?f[]'],
  ])('%s', (key, pattern) => {
    expect(patternOf(key)).toBe(pattern);
  });
});

/** Breadth-first crawl of a site given as a function; returns the keys fetched. */
function crawl(site: (path: string) => { yielded: Yield; links: readonly string[] }, limit: number): string[] {
  const made = validator();
  const queue = ['http://h/'];
  const seen = new Set(queue);
  const fetched: string[] = [];
  for (let key = queue.shift(); key !== undefined && fetched.length < limit; key = queue.shift()) {
    if (made.recheck(key).kind === 'refused') continue;
    fetched.push(key);
    const page = site(key.slice('http://h'.length));
    made.observe(key, page.yielded);
    for (const link of page.links) {
      const target = new URL(link, key).href;
      if (seen.has(target)) continue;
      seen.add(target);
      if (made.validate({ url: target, key: target, depth: 1, from: key }).kind === 'accept') queue.push(target);
    }
  }
  return fetched;
}

describe('trap yield', () => {
  it.each([1, 2, 3, 10])('T4: any path gives one page with %i relative links', (n) => {
    const links = Array.from({ length: n }, (_, i) => `${'abcdefghij'[i]}/`);
    expect(crawl((path) => ({ yielded: path === '/' ? 'new' : 'same', links }), 1000).length).toBeLessThanOrEqual(21);
  });

  it('T4: … with names never seen before', () => {
    let name = 0;
    const site = (path: string) =>
      ({ yielded: path === '/' ? 'new' : 'same', links: [`x${name++}y/`, `z${name++}/`] }) as const;
    expect(crawl(site, 1000).length).toBeLessThanOrEqual(21);
  });

  it('T4 beside a good site: the good pages are all fetched', () => {
    const site = (path: string) => {
      if (path === '/') return { yielded: 'new', links: ['/docs/0', '/lost/'] } as const;
      if (!path.startsWith('/docs/')) return { yielded: 'same', links: ['a/', 'b/', '/docs/0'] } as const;
      return { yielded: 'new', links: [`/docs/${Number(path.slice(6)) + 1}`] } as const;
    };
    const fetched = crawl(site, 2000);
    expect(fetched.filter((key) => key.startsWith('http://h/docs/')).length).toBeGreaterThan(1900);
    expect(fetched.filter((key) => key.startsWith('http://h/lost/')).length).toBeLessThanOrEqual(20);
  });

  it('T5: an endless calendar ends, an encyclopaedia does not', () => {
    const site = (path: string) => {
      if (path === '/') return { yielded: 'new', links: ['/when?day=0', '/wiki/0'] } as const;
      const n = Number(path.replace(/\D/g, ''));
      if (path.startsWith('/when')) return { yielded: n < 2 ? 'new' : 'same', links: [`/when?day=${n + 1}`] } as const;
      return { yielded: n % 3 === 0 ? 'same' : 'new', links: [`/wiki/${2 * n + 1}`, `/wiki/${2 * n + 2}`] } as const;
    };
    const fetched = crawl(site, 20_000);
    expect(fetched.filter((key) => key.includes('/when')).length).toBeLessThanOrEqual(30);
    expect(fetched.filter((key) => key.includes('/wiki')).length).toBeGreaterThan(19_900);
  });

  it('refuses exactly what is past its folder’s budget, in whatever order the news comes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<Yield>('new', 'near', 'same', 'same', 'same'), { maxLength: 200 }),
        (yields) => {
          const watch = new TrapWatch(TRAPS);
          let pages = 0;
          let fresh = 0;
          for (const [i, yielded] of yields.entries()) {
            expect(watch.exhausted(`http://h/p/${i}`) !== undefined).toBe(pages > 12 + 8 * fresh);
            watch.observe(`http://h/p/${i}`, yielded);
            pages += yielded === 'near' ? 0.5 : 1;
            fresh += yielded === 'new' ? 1 : 0;
          }
        },
      ),
    );
  });

  it('a pattern or folder that yields is not held to account for its neighbours', () => {
    const watch = new TrapWatch(TRAPS);
    for (let i = 0; i < 100; i++) watch.observe(`http://h/print/${i}`, 'same');
    for (let i = 0; i < 6; i++) watch.observe(`http://h/docs/page-${'abcdef'[i]}.html`, 'new');
    expect(watch.exhausted('http://h/docs/another.html')).toBeUndefined();
    expect(watch.exhausted('http://h/print/x')).toBeTypeOf('string');
  });

  it('T2: orders of one choice of filters are one URL, and a path has so many choices', () => {
    const made = validator({ traps: { ...TRAPS, maxFacetUrls: 10 } });
    expect(say(made, 'http://h/search/?f[0]=a&f[1]=b')).toBe('accept');
    expect(say(made, 'http://h/search/?f[0]=b&f[1]=a')).toBe('trap');
    expect(say(made, 'http://h/search/?f[0]=a')).toBe('accept');
    const taken = Array.from({ length: 50 }, (_, i) => say(made, `http://h/search/?f[0]=a&f[1]=c${i}`));
    expect(taken.filter((answer) => answer === 'accept').length).toBe(9);
    expect(say(made, 'http://h/other/?f[0]=a&f[1]=b')).toBe('accept');
    expect(say(made, 'http://h/search/?page=2&q=x')).toBe('accept');
  });

  it('remembers no more than it may', () => {
    const watch = new TrapWatch({ ...TRAPS, maxEntries: 50 });
    for (let i = 0; i < 5_000; i++) watch.observe(`http://h${i}/a/b/c?d=${i}`, 'same');
    for (let i = 0; i < 30; i++) watch.observe(`http://k/a/${i}`, 'same');
    expect(watch.exhausted('http://k/a/x')).toBeTypeOf('string');
    expect(watch.exhausted('http://h0/a/b/x')).toBeUndefined();
  });
});
