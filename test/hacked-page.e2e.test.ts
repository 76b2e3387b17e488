import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeConfig } from '../src/config/config.ts';
import { readGarbage } from '../src/engine/garbage-list.ts';
import { importPages } from '../src/engine/import-pages.ts';
import type { CrawlReport } from '../src/model/reports.ts';
import { type ManyHosts, startManyHosts } from './support/many-hosts.ts';
import { paragraph } from './support/prose.ts';
import { statesOf } from './support/states.ts';

const PAGES = 200;
const HACKED = '/letter-77.html';

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

const letter = (n: number, extra = '') =>
  page(
    `Letters from the harbour, number ${n}`,
    `${[0, 1, 2, 3].map((at) => `<p>${paragraph(n * 8 + at)}</p>`).join('')}${extra}`,
  );

const INJECTED = `<div style="display:none">${[
  'best online casino',
  'casino free spins',
  'live casino bonus',
  'real money casino',
]
  .map((text, at) => `<a href="https://casino-away${at}.example/">${text}</a>`)
  .join(' ')}</div>`;

/** Nothing of the site but its address: a page of another trade, put there by somebody else. */
const DOORWAY = page(
  'Buy Viagra online without prescription | cheap generic Cialis | online pharmacy',
  Array.from(
    { length: 12 },
    (_, at) =>
      `<p>Buy viagra online, cheap generic cialis ${at} mg, no prescription needed at our online pharmacy. Order tadalafil now, discount sildenafil with overnight delivery ${at}. <a href="https://pills-away${at % 4}.example/?aff=7">buy cheap viagra</a></p>`,
  ).join(''),
);

/** The home page and 199 letters, one of them replaced. */
const SITES: Readonly<Record<string, string>> = {
  'injected.example': letter(77, INJECTED),
  'doorway.example': DOORWAY,
};

function answer(host: string, path: string, url: ManyHosts['url']): string | undefined {
  if (host === 'hub.example') {
    const links = Object.keys(SITES).map((site) => `<a href="${url(site, '/')}">${site}</a>`);
    return path === '/' ? page('Two parishes', `<p>${paragraph(9)}</p><p>${links.join(' ')}</p>`) : undefined;
  }
  const hacked = SITES[host];
  if (hacked === undefined) return undefined;
  // Every site tells stories of its own, else the second would be the first one's mirror.
  const first = Object.keys(SITES).indexOf(host) * 10_000;
  if (path === '/') {
    const list = Array.from(
      { length: PAGES - 1 },
      (_, n) => `<li><a href="/letter-${n + 1}.html">Letter ${first + n + 1}</a></li>`,
    );
    return page(
      `Letters of ${host}`,
      `${[5, 6, 7].map((at) => `<p>${paragraph(first + 5_000 + at)}</p>`).join('')}<ul>${list.join('')}</ul>`,
    );
  }
  if (path === HACKED) return hacked;
  const n = Number(/^\/letter-(\d+)\.html$/.exec(path)?.[1] ?? Number.NaN);
  return n < PAGES ? letter(first + n) : undefined;
}

describe('one hacked page on a good site of 200', () => {
  let web: ManyHosts;
  let report: CrawlReport;
  let states: readonly (readonly [string, string])[];

  beforeAll(async () => {
    web = await startManyHosts(['hub.example', ...Object.keys(SITES)], answer);
    report = await web.crawl(web.url('hub.example', '/'));
    states = (await statesOf(web.dataDir)).map((line) => {
      const [url = '', state = ''] = line.split(' ');
      return [url, state] as const;
    });
  }, 180_000);
  afterAll(() => web.stop());

  it.each(Object.keys(SITES))('%s: that page alone is lost', (host) => {
    const ofSite = states.filter(([url]) => new URL(url).hostname === host);
    expect(ofSite).toHaveLength(PAGES);
    expect(ofSite.filter(([, state]) => state !== 'kept')).toEqual([[web.url(host, HACKED), 'garbage']]);
  });

  it('the report tells injected links from content, and no domain is condemned', async () => {
    expect(report.garbage).toEqual({ injected: 1, content: 1 });
    expect(await readGarbage(web.dataDir, web.config)).toEqual([]);
  });
});

/** The least of a WARC that names a page: what a crawl elsewhere brought home. */
function warcOf(pages: readonly (readonly [url: string, html: string])[]): string {
  const records = pages.map(([url, html], n) => {
    const http = `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`;
    const head = [
      ...['WARC/1.1', 'WARC-Type: response', `WARC-Target-URI: ${url}`, 'WARC-Date: 2026-01-01T00:00:00Z'],
      `WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-${String(n).padStart(12, '0')}>`,
      ...['Content-Type: application/http; msgtype=response', `Content-Length: ${Buffer.byteLength(http)}`],
    ];
    return `${head.join('\r\n')}\r\n\r\n${http}\r\n\r\n`;
  });
  return records.join('');
}

describe('the same through import: hosts of a WARC may be condemned, as those a crawl finds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-hacked-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.keys(SITES))('%s: that page alone is lost', async (host) => {
    const url = (name: string, path: string) => `http://${name}${path}`;
    const paths = ['/', ...Array.from({ length: PAGES - 1 }, (_, n) => `/letter-${n + 1}.html`)];
    const file = join(folder, `${host}.warc`);
    writeFileSync(file, warcOf(paths.map((path) => [url(host, path), answer(host, path, url) ?? ''])));
    const config = mergeConfig({}, 'test');
    const dataDir = join(folder, host);
    const { signal } = new AbortController();
    const report = await importPages(
      { file, level: undefined, garbage: undefined },
      { config, dataDir, signal, now: Date.now, progress: () => {}, note: () => {} },
    );
    expect(report).toMatchObject({ records: PAGES, problemCount: 0, skipped: {} });
    const states = (await statesOf(dataDir)).map((line) => line.split(' ').slice(0, 2));
    const ofSite = states.filter(([key = '']) => new URL(key).hostname === host);
    expect(ofSite).toHaveLength(PAGES);
    expect(ofSite.filter(([, state]) => state !== 'kept')).toEqual([[url(host, HACKED), 'garbage']]);
    expect(await readGarbage(dataDir, config)).toEqual([]);
  });
});
