import { describe, expect, it } from 'vitest';
import { readPage } from './page.ts';
import { PAGE_OPTIONS } from './page-options.ts';

function mainText(html: string): string {
  return readPage(new TextEncoder().encode(html), { url: 'http://h/' }, PAGE_OPTIONS).mainText;
}

const FOOTER =
  '<div class="footer">Copyright of the authors. This page is licensed under a licence that allows you to copy it. Examples and recipes are additionally licensed under another one. The foundation is a non-profit corporation, please donate. Last updated in October.</div>';

describe('main text of pages that name-based rules mislead', () => {
  it('an article whose id speaks of cookies stays', () => {
    const article = `<div class="body"><section id="module-http.cookies"><h1>http.cookies</h1>${'<p>This module abstracts the concept of cookies, a mechanism to keep state over HTTP.</p>'.repeat(4)}</section></div>`;
    expect(mainText(`${article}${FOOTER}`)).toMatch(/^http\.cookies\nThis module/);
    expect(mainText(`${article}${FOOTER}`)).not.toMatch(/licensed/);
  });

  it('X1: a cookie dialog longer than the article goes', () => {
    const dialog = `<div class="cookie-consent">${'<p>We and our partners store cookies on your device to measure and personalise what you see here.</p>'.repeat(6)}</div>`;
    const article = `<article><h1>Mill reopens</h1>${'<p>The old mill by the river grinds flour again after a year of repairs.</p>'.repeat(3)}</article>`;
    expect(mainText(`${dialog}${article}`)).toMatch(/^Mill reopens/);
    expect(mainText(`${dialog}${article}`)).not.toMatch(/partners/);
  });

  it('a footer is not the content of a page of links, though it holds all the prose', () => {
    const links = Array.from(
      { length: 40 },
      (_, i) => `<li><a href="/p${i}">Chapter ${i} of the book of rivers</a></li>`,
    );
    const text = mainText(`<div class="body"><h1>Contents</h1><ul>${links.join('')}</ul></div>${FOOTER}`);
    expect(text).toMatch(/Chapter 7 of the book/);
    expect(text).not.toMatch(/licensed/);
  });
});
