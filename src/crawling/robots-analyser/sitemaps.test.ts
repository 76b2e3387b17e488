import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FetchOutcome, HttpResponse } from '../../model/fetch.ts';
import { parseSitemap, readSitemap, type Sitemap, type SitemapOptions } from './sitemaps.ts';

const OPTIONS: SitemapOptions = {
  url: 'https://h/sitemaps/a.xml',
  now: Date.UTC(2026, 10, 30),
  maxEntries: 50_000,
  maxBytes: 50 * 1024 * 1024,
};

async function read(input: string | Uint8Array, options = OPTIONS): Promise<Sitemap> {
  return await parseSitemap(typeof input === 'string' ? Buffer.from(input) : input, options);
}

async function locs(input: string | Uint8Array): Promise<string[]> {
  return (await read(input)).entries.map((entry) => entry.loc);
}

const NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const urlset = (inside: string, attributes = NS): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${attributes}>${inside}</urlset>`;
const url = (loc: string, more = ''): string => `<url><loc>${loc}</loc>${more}</url>`;

describe('forms', () => {
  it('S1: a gzipped list of URLs', async () => {
    const text = '\ufeffhttps://h/a\r\n# note\r\n\r\n  https://h/b?x=1&y=2  \nnot a url\nhttps://h/a#again';
    const expected = {
      kind: 'text',
      entries: [{ loc: 'https://h/a' }, { loc: 'https://h/b?x=1&y=2' }],
      sitemaps: [],
      problems: [],
    };
    expect(await read(gzipSync(text))).toEqual(expected);
    expect(await read(text)).toEqual(expected);
  });

  it('S3: the content decides, not the name; gzip twice too', async () => {
    const plain = urlset(url('https://h/a'));
    for (const bytes of [Buffer.from(plain), gzipSync(plain), gzipSync(gzipSync(plain))]) {
      expect(await parseSitemap(bytes, { ...OPTIONS, url: 'https://h/a.xml.gz' })).toMatchObject({
        kind: 'urlset',
        entries: [{ loc: 'https://h/a' }],
      });
    }
  });

  it('S6: white space and a byte order mark before the declaration', async () => {
    expect(await locs(`\n\n${urlset(url('https://h/a'))}`)).toEqual(['https://h/a']);
    expect(await locs(`\ufeff \n${urlset(url('https://h/a'))}`)).toEqual(['https://h/a']);
  });

  it('S8: CDATA, entities and a bare ampersand', async () => {
    const inside =
      url('<![CDATA[https://h/a?x=1&y=2]]>') +
      url('https://h/b?x=1&amp;y=2') +
      url('https://h/c?x=1&y=2') +
      url('\n https://h/d \n');
    expect(await locs(urlset(inside))).toEqual([
      'https://h/a?x=1&y=2',
      'https://h/b?x=1&y=2',
      'https://h/c?x=1&y=2',
      'https://h/d',
    ]);
  });

  it.each([
    'xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"',
    'xmlns="//www.sitemaps.org/schemas/sitemap/0.9"',
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9/"',
    'xmlns="http://www.google.com/schemas/sitemap/0.84"',
    '',
  ])('S9: name space %s', async (attributes) => {
    expect(await locs(urlset(url('https://h/a'), attributes))).toEqual(['https://h/a']);
  });

  it('S9: images and videos are no pages; a prefix for the whole file is', async () => {
    const image = '<image:image><image:loc>https://h/i.png</image:loc></image:image>';
    const video =
      '<video:video><video:content_loc>https://h/v.mp4</video:content_loc><video:url><video:loc>https://h/v</video:loc></video:url></video:video>';
    expect(
      await locs(
        urlset(
          `<url>${image}${video}<image:loc>https://h/k.png</image:loc><loc>https://h/a</loc>${video}<image:loc>https://h/j.png</image:loc></url>`,
        ),
      ),
    ).toEqual(['https://h/a']);
    const prefixed =
      '<s:urlset xmlns:s="x"><s:url><s:loc>https://h/a</s:loc><s:lastmod>2020-01-01</s:lastmod></s:url></s:urlset>';
    expect((await read(prefixed)).entries).toEqual([{ loc: 'https://h/a', lastmod: Date.UTC(2020, 0, 1) }]);
    expect(await locs('<URLSET><URL><LOC>https://h/a</LOC></URL></URLSET>')).toEqual(['https://h/a']);
  });

  it('S10: lastmod in every W3C form; the future and nonsense are no date', async () => {
    const dates = ['2015-12-22T05:31-01:00', '2015', '2030-01-01', 'yesterday'];
    const sitemap = await read(
      urlset(dates.map((date, i) => url(`https://h/${i}`, `<lastmod>${date}</lastmod>`)).join('')),
    );
    expect(sitemap.entries).toEqual([
      { loc: 'https://h/0', lastmod: Date.UTC(2015, 11, 22, 6, 31) },
      { loc: 'https://h/1', lastmod: Date.UTC(2015, 0, 1) },
      { loc: 'https://h/2' },
      { loc: 'https://h/3' },
    ]);
    expect(sitemap.problems).toEqual(['lastmod in the future', 'unreadable date: yesterday']);
  });

  it('an index names sitemaps, relative ones too', async () => {
    const index = `<sitemapindex ${NS}><sitemap><loc>b.xml</loc><lastmod>2020-02-03</lastmod></sitemap><sitemap><loc>https://h/c.xml.gz</loc></sitemap></sitemapindex>`;
    expect(await read(index)).toEqual({
      kind: 'index',
      entries: [],
      sitemaps: [{ loc: 'https://h/sitemaps/b.xml', lastmod: Date.UTC(2020, 1, 3) }, { loc: 'https://h/c.xml.gz' }],
      problems: [],
    });
  });

  it('RSS, RDF and Atom', async () => {
    const rss =
      '<rss version="2.0" xmlns:atom="a"><channel><link>https://h/</link><atom:link href="https://h/feed" rel="self"/>' +
      '<item><title>x</title><link>https://h/1</link><atom:link href="https://h/no"/><pubDate>Fri, 25 Jun 2010 15:00:00 PST</pubDate></item>' +
      '<item><guid>https://h/2</guid></item><item><guid isPermaLink="false">https://h/no</guid></item></channel></rss>';
    expect(await read(rss)).toEqual({
      kind: 'feed',
      entries: [{ loc: 'https://h/1', lastmod: Date.UTC(2010, 5, 25, 23) }, { loc: 'https://h/2' }],
      sitemaps: [],
      problems: [],
    });
    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://h/"/><entry><source><link href="https://h/no"/></source>' +
      '<link rel="edit" href="https://h/edit"/><link href="https://h/3"/><published>2020-01-01</published><updated>2020-01-02T03:04:05Z</updated></entry></feed>';
    expect((await read(atom)).entries).toEqual([{ loc: 'https://h/3', lastmod: Date.UTC(2020, 0, 2, 3, 4, 5) }]);
    const rdf =
      '<rdf:RDF xmlns:rdf="r" xmlns:dc="d"><item><link>https://h/4</link><dc:date>2020-01-01</dc:date></item></rdf:RDF>';
    expect(await read(rdf)).toMatchObject({
      kind: 'feed',
      entries: [{ loc: 'https://h/4', lastmod: Date.UTC(2020, 0, 1) }],
    });
  });

  it('encodings', async () => {
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><urlset><url><loc>https://h/é</loc></url></urlset>',
      'latin1',
    );
    const wide = Buffer.from(`\ufeff${urlset(url('https://h/é')).replace('UTF-8', 'UTF-16')}`, 'utf16le');
    expect(await locs(latin)).toEqual(['https://h/%C3%A9']);
    expect(await locs(wide)).toEqual(['https://h/%C3%A9']);
    expect(await locs(urlset(url('https://h/é')).replace('UTF-8', 'no-such-thing'))).toEqual(['https://h/%C3%A9']);
  });
});

describe('bad input', () => {
  it('an HTML page is no sitemap', async () => {
    const html = '<!doctype html><html><body><a href="https://h/x">https://h/x</a></body></html>';
    expect(await read(html)).toEqual({ kind: 'html', entries: [], sitemaps: [], problems: ['an HTML page'] });
  });

  it('S14: only 200 is read', async () => {
    const body = Buffer.from(urlset(url('https://h/a')));
    const answer = (status: number): HttpResponse => ({
      url: 'https://h/s.xml',
      status,
      statusText: '',
      httpVersion: '1.1',
      rawHeaders: [],
      headers: {},
      encodedBody: body,
      body,
      hops: [],
      startedAt: 0,
      milliseconds: 1,
      wireBytes: 1,
      requests: 1,
    });
    const outcomes: FetchOutcome[] = [
      { kind: 'blocked', response: answer(403), why: 'forbidden' },
      { kind: 'redirect', response: answer(302), target: 'https://h/' },
      { kind: 'gone', response: answer(404) },
      { kind: 'page', response: answer(203) },
    ];
    for (const outcome of outcomes) expect(await readSitemap(outcome, OPTIONS)).toBeUndefined();
    expect((await readSitemap({ kind: 'page', response: answer(200) }, OPTIONS))?.entries).toEqual([
      { loc: 'https://h/a' },
    ]);
  });

  it('keeps what came before the cut, not the half location', async () => {
    const text = urlset(url('https://h/a') + url('https://h/b'));
    expect(await locs(text.slice(0, text.indexOf('/b')))).toEqual(['https://h/a']);
    const many = urlset(Array.from({ length: 2000 }, (_, i) => url(`https://h/${i * 7919}`)).join(''));
    const zipped = gzipSync(many);
    expect((await locs(zipped.subarray(0, zipped.length / 2))).length).toBeGreaterThan(100);
    const damaged = Buffer.from(zipped);
    damaged.fill(0xff, damaged.length - 8);
    const result = await read(damaged);
    expect(result.entries.length).toBeGreaterThan(1000);
    expect(result.problems[0]).toMatch(/^gzip/);
  });

  it('a bomb stops at the bytes allowed, a long list at the entries allowed', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, 32));
    expect((await read(bomb, { ...OPTIONS, maxBytes: 100_000 })).problems).toEqual(['more than 100000 bytes']);
    const list = Array.from({ length: 200 }, (_, i) => `https://h/${i}`).join('\n');
    const cut = await read(list, { ...OPTIONS, maxEntries: 50 });
    expect(cut.entries.length).toBe(50);
    expect(cut.problems).toEqual(['more than 50 entries']);
  });

  it('an entry that is not closed ends where the next begins', async () => {
    expect(
      await locs(
        '<urlset><url><loc>https://h/a</loc><lastmod>2020<url><loc>https://h/b</loc></url><url><loc>https://h/c</loc>',
      ),
    ).toEqual(['https://h/a', 'https://h/b', 'https://h/c']);
  });

  it('takes web addresses only', async () => {
    const sitemap = await read(
      urlset(url('ftp://h/a') + url('javascript:1') + url('') + url('/rel') + url('http://[')),
    );
    expect(sitemap.entries).toEqual([{ loc: 'https://h/rel' }]);
    expect(sitemap.problems.length).toBe(3);
  });

  it('never throws, whatever the bytes; deep nesting is no trouble', async () => {
    const piece = fc.constantFrom(
      '<url>',
      '</url>',
      '<loc>',
      '</loc>',
      '<sitemap>',
      '<item>',
      '<link href="x">',
      '<![CDATA[',
      ']]>',
      'https://h/a',
      '&',
      '\0',
      '<?xml',
      '\x1f\x8b',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const { entries } = await read(Buffer.from(pieces.join(''), 'latin1'));
        expect(entries.every((entry) => entry.loc.startsWith('http'))).toBe(true);
      }),
    );
    const deep = (n: number): string => `${'<x>'.repeat(n)}${'</x>'.repeat(n)}`;
    expect(await locs(urlset(deep(1000) + url('https://h/a')))).toEqual(['https://h/a']);
    const deeper = await read(urlset(url('https://h/a') + deep(100_000) + url('https://h/b')));
    expect(deeper.entries).toEqual([{ loc: 'https://h/a' }]);
    expect(deeper.problems).toEqual(['nested deeper than 2000 elements']);
  });
});
