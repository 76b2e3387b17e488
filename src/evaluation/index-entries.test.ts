import { describe, expect, it } from 'vitest';
import { readPage } from '../page/page.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { drawEntries, isIndexPage, readEntries, scoreEntries } from './index-entries.ts';

function indexPage(url: string, html: string) {
  return {
    url,
    page: readPage(new TextEncoder().encode(`<!doctype html><title>Index</title><body>${html}`), { url }, PAGE_OPTIONS),
  };
}

describe('readEntries', () => {
  it('Sphinx: the link is the entry, entries below are read with it', () => {
    const html = `<ul><li>abs()<ul><li><a href="lib/functions.html#abs">built-in function</a></li></ul></li>
      <li><a href="lib/decimal.html#abs">abs() (decimal.Context method)</a>
        <ul><li><a href="lib/operator.html#abs">(in module operator)</a></li></ul></li>
      <li><a href="genindex-B.html">B</a></li></ul>`;
    const pages = [indexPage('http://x.test/genindex-A.html', html), indexPage('http://x.test/genindex-B.html', '')];
    expect(readEntries(pages)).toEqual([
      { query: 'abs() built-in function', answers: ['http://x.test/lib/functions.html'] },
      { query: 'abs() (decimal.Context method)', answers: ['http://x.test/lib/decimal.html'] },
      { query: 'abs() (in module operator)', answers: ['http://x.test/lib/operator.html'] },
    ]);
  });
  it('DocBook: the entry stands before links to sections', () => {
    const html = `<dl><dt>age, <a href="datetime.html">Date Functions</a>, <a href="info.html#x">System Information</a></dt>
      <dt>aggregate, <a href="agg.html">Aggregates</a></dt><dd><dl><dt>built-in, <a href="b.html">Functions</a></dt></dl></dd></dl>`;
    expect(readEntries([indexPage('http://x.test/bookindex.html', html)])).toEqual([
      { query: 'age', answers: ['http://x.test/datetime.html', 'http://x.test/info.html'] },
      { query: 'aggregate', answers: ['http://x.test/agg.html'] },
      { query: 'aggregate built-in', answers: ['http://x.test/b.html'] },
    ]);
  });
});

it('index pages are known by name', () => {
  expect(
    ['genindex.html', 'genindex-A.html', 'bookindex.html', 'index.html'].map((name) =>
      isIndexPage(`http://x.test/${name}`),
    ),
  ).toEqual([true, true, true, false]);
});

it('draws the same entries for the same seed, whatever their order', () => {
  const entries = Array.from({ length: 50 }, (_, i) => ({ query: `q${i}`, answers: [] }));
  const drawn = drawEntries(entries, 10, 1);
  expect(new Set(drawn).size).toBe(10);
  expect(drawEntries([...entries].reverse(), 10, 1)).toEqual(drawn);
  expect(drawEntries(entries, 10, 2)).not.toEqual(drawn);
});

it('scores ranks of the first right page', async () => {
  const entries = [1, 2, 4, 0].map((rank) => ({ query: String(rank), answers: ['http://x.test/right'] }));
  const score = await scoreEntries(entries, async (query) =>
    Array.from({ length: 5 }, (_, i) => `http://x.test/${i + 1 === Number(query) ? 'right#part' : i}`),
  );
  expect(score).toMatchObject({
    queries: 4,
    first: 1,
    firstThree: 2,
    firstTen: 3,
    meanReciprocalRank: (1 + 0.5 + 0.25) / 4,
  });
  expect(score.missed.map(({ entry }) => entry.query)).toEqual(['4', '0']);
});
