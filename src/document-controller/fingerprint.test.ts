import { describe, expect, it } from 'vitest';
import { readPage } from '../page/page.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { fingerprint } from './fingerprint.ts';

function textHash(html: string): string {
  const body = new TextEncoder().encode(html);
  return fingerprint(readPage(body, { url: 'http://h/' }, PAGE_OPTIONS), body).textHash;
}

const NOTICE =
  '<div class="body"><p>This manual is published under a licence that lets you copy, change and pass it on, provided that this notice stays with every copy that you make of it.</p></div>';

function indexPage(letter: string): string {
  const entries = Array.from(
    { length: 200 },
    (_, i) => `<li><a href="p${i}.html">${letter}${letter}-entry number ${i}</a></li>`,
  );
  return `<title>Index</title>${NOTICE}<ul>${entries.join('')}</ul>`;
}

describe('textHash', () => {
  it('tells index pages apart that share their one paragraph of prose', () => {
    expect(textHash(indexPage('a'))).not.toBe(textHash(indexPage('b')));
    expect(textHash(indexPage('a'))).toBe(textHash(indexPage('a')));
  });

  it('is that of the main text where it is most of the page', () => {
    const article = `<main><h1>Wells</h1>${'<p>The well in the yard was dug before the house was built, and it has never been dry.</p>'.repeat(3)}</main>`;
    expect(textHash(`${article}<footer>printed today</footer>`)).toBe(
      textHash(`${article}<footer>printed yesterday</footer>`),
    );
  });
});
