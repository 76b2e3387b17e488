import { afterEach, expect, it } from 'vitest';
import { explainUrl } from '../src/engine/explain.ts';
import { type ManyHosts, startManyHosts } from './support/many-hosts.ts';
import { paragraph } from './support/prose.ts';

const MUSEUM = 'museum.example';
const RIVAL = 'rival-scraper.example';
const HUB = 'hub.example';
const NAMES = [
  'anchor',
  'barge',
  'capstan',
  'dinghy',
  'ensign',
  'fender',
  'galley',
  'hawser',
  'ironclad',
  'jib',
  'keel',
];
const PATHS = NAMES.map((name) => `/${name}/`);

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;
const article = (at: number) =>
  `<main><h1>The ${NAMES[at]}</h1>${[0, 1, 2, 3, 4].map((n) => `<p>${paragraph(1000 * at + 16 * n)}</p>`).join('')}</main>`;
const HIDDEN = `<div style="display:none">${['one', 'two', 'three', 'four', 'five', 'six']
  .map((name) => `<a href="https://casino-${name}.example/">online casino bonus slots ${name}</a>`)
  .join(' ')}</div>`;

function answer(host: string, path: string, url: ManyHosts['url']): string | undefined {
  const links = (to: string) => PATHS.map((name) => `<a href="${url(to, name)}">${name}</a>`).join(' ');
  if (host === HUB && path === '/rival') return page('A hub', `<p>${paragraph(1)}</p>${links(RIVAL)}`);
  if (host === HUB && path === '/museum') return page('A hub', `<p>${paragraph(2)}</p>${links(MUSEUM)}`);
  if (host === HUB && path === '/both') return page('A hub', `<p>${paragraph(3)}</p>${links(RIVAL)} ${links(MUSEUM)}`);
  const at = PATHS.indexOf(path);
  if (at < 0) return undefined;
  return page(`The ${NAMES[at]}`, host === RIVAL ? article(at) + HIDDEN : article(at));
}

let web: ManyHosts | undefined;
afterEach(() => web?.stop());

it.each([
  ['the copies are crawled first', ['/rival', '/museum']],
  ['the originals are crawled first', ['/museum', '/rival']],
  ['both at once', ['/both']],
])('who copies good pages and hides links in the copies takes none of them out of the index: %s', async (_, hubs) => {
  web = await startManyHosts([MUSEUM, RIVAL, HUB], answer);
  for (const hub of hubs) await web.crawl(web.url(HUB, hub));
  for (const path of PATHS) {
    const original = await explainUrl(web.url(MUSEUM, path), web.dataDir, web.config);
    const copy = await explainUrl(web.url(RIVAL, path), web.dataDir, web.config);
    expect([path, original?.state, original?.reason]).toEqual([path, 'kept', undefined]);
    expect([path, copy?.state]).toEqual([path, expect.stringMatching(/^(?:garbage|duplicate|avoided)$/)]);
  }
});
