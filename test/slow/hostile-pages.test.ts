import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../src/config/defaults.ts';
import { createJudge } from '../../src/engine/judging.ts';
import { analysisSetupOf } from '../../src/engine/options.ts';
import { analyse, HEURISTICS, pageFacts } from '../../src/garbage-detector/content-analyser/content-analyser.ts';
import { readPage } from '../../src/page/page.ts';
import { PAGE_OPTIONS } from '../../src/page/page-options.ts';

const MEGABYTE = 1_000_000;
const context = { url: 'http://hostile.example/page', status: 200, headers: {}, redirects: 0 };
const read = (html: string) => readPage(new TextEncoder().encode(html), context, PAGE_OPTIONS);
const fill = (unit: string, length: number) => unit.repeat(Math.floor(length / unit.length));

/** Milliseconds of processor time, the least of three. */
function cost(work: () => unknown): number {
  const times = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/**
 * Four times the input may cost four times as much, with room for a noisy machine; a quadratic step costs sixteen times.
 * Times below 20 ms tell nothing.
 */
function expectLinear(costOf: (length: number) => number, length: number): void {
  expect(costOf(4 * length)).toBeLessThan(10 * Math.max(20, costOf(length)));
}

describe('whole pages: reading and judging grow with the size at most', () => {
  const judge = createJudge(analysisSetupOf(DEFAULTS, '/nonexistent').detector);
  const link = (n: number) => `<a href="http://d${n}.example/?aff=${n}">casino ${n}</a> `;
  const links = (length: number) => Array.from({ length: length / 25 }, (_, n) => link(n)).join('');
  const image = (n: number) => `<img src="https://i1.wp.com/d${n}.example/slot${n}.jpg" alt="casino ${n}">`;
  const images = (length: number) => Array.from({ length: length / 100 }, (_, n) => image(n)).join('');
  const names = (length: number) => Array.from({ length: length / 10 }, (_, n) => `slot${n} `).join('');

  it.each([
    ['10 MB of nested tags', (length: number) => fill('<div class="a b">', length)],
    ['10 MB of unclosed formatting', (length: number) => fill('<b><i><p>', length)],
    ['10 MB of table parts', (length: number) => fill('<table><tr><td>x', length)],
    ['100,000 links to as many domains', links],
    ['100,000 images of as many sites behind a proxy', images],
    ['10 MB of one word, a number behind it', (length: number) => `<main><p>${fill('casino', length)}88`],
    ['a million different names of a trade', (length: number) => `<main><p>${names(length)}`],
    ['10 MB of one word', (length: number) => `<main><p>${fill('a', length)}`],
    ['10 MB of five words', (length: number) => `<main><p>${fill('buy cheap red shoes now. ', length)}`],
    ['10 MB of pairs of characters', (length: number) => `<main><p>${fill('東京', length / 2)}`],
  ])(
    '%s',
    (_, html) => {
      expectLinear((length) => {
        const bytes = html(length);
        return cost(() => judge(read(bytes), context, { level: 'thorough', size: 'full', host: {} }));
      }, 2.5 * MEGABYTE);
    },
    240_000,
  );

  it('what is kept of such pages is bounded', () => {
    const page = read(links(10 * MEGABYTE));
    expect(page.links.length).toBeLessThanOrEqual(PAGE_OPTIONS.maxLinks);
    expect(read(images(10 * MEGABYTE)).images.length).toBeLessThanOrEqual(PAGE_OPTIONS.maxImages);
    expect(page.tagPaths.length).toBeLessThanOrEqual(PAGE_OPTIONS.maxTagPaths);
    const nested = read(fill('<div class="a b">', 10 * MEGABYTE));
    expect(nested.tagPaths.length).toBeLessThanOrEqual(PAGE_OPTIONS.maxTagPaths);
    for (let n = 0; n < 20; n++)
      judge(page, { ...context, url: `http://h${n}.example/` }, { level: 'auto', size: 'full', host: {} });
  });
});

/** Starts of what the expressions of the heuristics look for, repeated without the end that would match. */
const UNITS = [
  ...[
    'http://',
    'https://',
    '"https://a.example/x"',
    'https://i0.wp.com/',
    '.jpg',
    'a.',
    '?tag',
    '&aff',
    '/go',
    '//a@',
    'location',
    'location ',
    'location\t',
  ],
  ...[
    'location.href',
    'location.replace ',
    ' .',
    '..',
    ' ',
    '\n',
    'a1',
    'é',
    'slot8',
    'casino',
    '\\',
    "'",
    '(',
    'eval(',
  ],
  ...['at a.b(C.java:', 'unescape(', '%4', 'domain.com for ', 'x.', '-', '=', '<', '{"@type":'],
];

describe('expressions of the heuristics: text and attributes made to blow them up', () => {
  const quoted = (text: string) => text.replaceAll("'", '');
  const places: Readonly<Record<string, (text: string) => string>> = {
    text: (text) => `<p>${text}`,
    title: (text) => `<title>${text}</title><h1>${text}</h1>`,
    script: (text) => `<script>${text}</script><p>x`,
    // Only of a script that moves on are the addresses looked at.
    'script that moves on': (text) => `<script>location.replace(there);${text}</script><p>x`,
    href: (text) => `<a href='http://a.example/${quoted(text)}'>x</a><a href='${quoted(text)}'>x</a>`,
    image: (text) => `<img src='http://i0.wp.com/${quoted(text)}'><img src='${quoted(text)}'>`,
    anchor: (text) => `<a href="http://a.example/">${text}</a>`,
    redirect: (text) => `<meta http-equiv="refresh" content='0;url=http://a.example/${quoted(text)}'>`,
    description: (text) =>
      `<meta name="description" content='${quoted(text)}'><meta name="keywords" content='${quoted(text)}'>`,
  };

  it.each(Object.keys(places))(
    'in the place: %s',
    (place) => {
      for (const unit of UNITS) {
        expectLinear((length) => {
          const page = read(places[place]?.(fill(unit, length)) ?? '');
          return cost(() => analyse(pageFacts(page, context), HEURISTICS));
        }, MEGABYTE / 4);
      }
    },
    240_000,
  );
});
