import { expect, it } from 'vitest';
import { readPage } from './page.ts';
import { PAGE_OPTIONS } from './page-options.ts';
import { pageType } from './page-type.ts';

const typeOf = (html: string, url: string) => pageType(readPage(new TextEncoder().encode(html), {}, PAGE_OPTIONS), url);
const LIST = Array.from({ length: 30 }, (_, n) => `<li><a href="/${n}">The page number ${n}</a></li>`).join('');
const TEXT = `<p>${'A sentence about nothing in particular, and another. '.repeat(40)}</p>`;

it.each([
  ['home', '<h1>Welcome</h1>', 'https://a.example/'],
  ['home', LIST, 'https://a.example/index.php'],
  ['other', '<p>Found nothing</p>', 'https://a.example/?s=x'],
  ['listing', LIST, 'https://a.example/archive'],
  ['thread', TEXT, 'https://a.example/forum/viewtopic.php?t=1'],
  ['thread', `<script type="application/ld+json">{"@type": "QAPage"}</script>${TEXT}`, 'https://a.example/q/1'],
  ['product', '<script type="application/ld+json">{"@type":"Product"}</script>', 'https://a.example/p/1'],
  ['product', '<meta property="og:type" content="product">', 'https://a.example/p/1'],
  ['article', `<meta property="og:type" content="article">${TEXT}`, 'https://a.example/2024/x'],
  ['article', `<script type="application/ld+json">{"@type":"NewsArticle"}</script>${TEXT}`, 'https://a.example/x'],
  ['document', TEXT, 'https://a.example/manual/x'],
  ['other', '<p>Short.</p>', 'https://a.example/contact'],
])('%s: %s', (type, html, url) => expect(typeOf(html, url)).toBe(type));
