import { expect, it } from 'vitest';
import { pageFacts, pageTerms } from '../garbage-detector/content-analyser/content-analyser.ts';
import { readPage } from '../page/page.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { withoutWords } from './without-words.ts';

const read = (html: string) => readPage(new TextEncoder().encode(html), {}, PAGE_OPTIONS);

const HTML = `<title>Casino news, 娱乐城大全</title><meta name="description" content="the casino">
  <h1>CASINO</h1><p>A casino, casinos and the casino's door.</p>
  <a href="https://best-casino.example/casino/1">casino games</a> <img src="/casino.png" alt="Casino">`;

it('takes the words out of every place, with their boundaries', () => {
  const page = withoutWords(read(HTML), new Set(['casino', '乐城']));
  expect(page.title).toBe('  news, 娱 大全');
  expect(page.metas.find(({ name }) => name === 'description')?.content).toBe('the  ');
  expect(page.blocks.map(({ text }) => text).join(' ')).toContain('casinos');
  expect(page.links[0]).toMatchObject({ href: 'https://best- .example/ /1', text: '  games' });
  expect(page.images[0]).toMatchObject({ src: '/ .png', alt: ' ' });
});

it('leaves no term of the words', () => {
  const terms = [...pageTerms(pageFacts(withoutWords(read(HTML), new Set(['casino'])), {}))];
  expect(terms.filter((term) => /^[a-pr-z]:casino$/.test(term))).toEqual([]);
  expect(terms).toContain('w:casinos');
});

it('leaves a page alone without words', () => {
  const page = read(HTML);
  expect(withoutWords(page, new Set())).toBe(page);
});

it('words with signs of regular expressions are words', () => {
  expect(withoutWords(read('<title>c++ a.b</title>'), new Set(['a.b', 'x|y'])).title).toBe('c++  ');
});

it('sees words as the tokens do: beside unspaced scripts, in fancy letters, not in a scheme', () => {
  const html = '<title>24小时 𝐬𝐥𝐨𝐭 slots</title><a href="http://slot.example/http">x</a>';
  const page = withoutWords(read(html), new Set(['24', 'slot', 'http']));
  expect(page.title).toBe(' 小时   slots');
  expect(page.links[0]?.href).toBe('http:// .example/ ');
});
