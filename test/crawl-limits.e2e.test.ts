import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CrawlReport } from '../src/model/reports.ts';
import { statesOf } from './support/states.ts';
import { winnow } from './support/winnow.ts';

type Answer = (
  host: string,
  path: string,
) => { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string } | 'hang';

let server: Server | undefined;
const folder = mkdtempSync(join(tmpdir(), 'winnow-limits-'));

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Serves `answer` under any name, crawls from `seeds` (host and path) and reports. */
async function crawl(
  name: string,
  answer: Answer,
  seeds: readonly string[],
  options: readonly string[] = [],
): Promise<{ report: CrawlReport; states: string[]; requests: string[] }> {
  const requests: string[] = [];
  const started = createServer((request, response) => {
    const host = (request.headers.host ?? '').split(':')[0] ?? '';
    requests.push(`${host}${request.url}`);
    const given = answer(host, request.url ?? '/');
    if (given === 'hang') return;
    response.writeHead(given.status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...given.headers });
    response.end(given.body ?? '');
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', () => resolve()));
  const address = started.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const hosts = join(folder, `${name}.hosts`);
  writeFileSync(
    hosts,
    [...new Set(seeds.map((seed) => seed.split('/')[0]))].map((host) => `127.0.0.1 ${host} other.${host}\n`).join(''),
  );
  const data = join(folder, name);
  const urls = seeds.map((seed) => `http://${seed.replace('/', `:${port}/`)}`);
  const ran = await winnow([
    'crawl',
    ...urls,
    '--data',
    data,
    '--hosts',
    hosts,
    '--allow-private',
    '--delay',
    '0',
    '--level',
    'off',
    '--json',
    '--quiet',
    ...options,
  ]);
  expect(ran.stderr).toBe('');
  return { report: JSON.parse(ran.stdout), states: await statesOf(data), requests };
}

const page = (title: string, links: readonly string[]): string =>
  `<title>${title}</title><main><h1>${title}</h1><p>${title} has a text of its own that no other page of this small web shares with it, word for word.</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</main>`;

describe('a crawl ends', () => {
  it('redirects between two hosts without end: redirect-limit', async () => {
    const { report, states } = await crawl(
      'ping-pong',
      (host, path) => {
        if (path === '/robots.txt') return { status: 404 };
        const n = Number(/\/(\d+)$/.exec(path)?.[1] ?? 0);
        const other = host.startsWith('other.') ? host.slice(6) : `other.${host}`;
        return { status: 302, headers: { location: `http://${other}:${String(currentPort())}/${n + 1}` } };
      },
      ['evil.example/0'],
      ['--scope', 'domain'],
    );
    expect(report.failed['redirect-limit']).toBe(1);
    expect(states.length).toBeLessThanOrEqual(25);
    expect(report.stopped).toBe('frontier-empty');
  });

  it('a sitemap that never answers holds up no page, and no limit', async () => {
    const { report, requests } = await crawl(
      'slow-sitemap',
      (host, path) => {
        if (path === '/robots.txt')
          return {
            headers: { 'content-type': 'text/plain' },
            body: `Sitemap: http://${host}:${currentPort()}/map.xml\n`,
          };
        if (path === '/map.xml') return 'hang';
        if (path === '/') return { body: page('Start', ['/a', '/b']) };
        return { body: page(`Page ${path}`, []) };
      },
      ['good.example/'],
      ['--for', '6s'],
    );
    expect(requests).toContain('good.example/map.xml');
    expect(report.kept).toBe(3);
    expect(report.stopped).toBe('time');
  });

  it('a sitemap on another site is not asked for; an own one is read after the pause that its host asks for', async () => {
    const { report, requests } = await crawl(
      'foreign-sitemap',
      (host, path) => {
        if (path === '/robots.txt')
          return {
            headers: { 'content-type': 'text/plain' },
            body: `Sitemap: http://victim.example:${currentPort()}/map.xml\nSitemap: http://${host}:${currentPort()}/own.xml\n`,
          };
        if (path === '/own.xml')
          return {
            headers: { 'content-type': 'application/xml' },
            body: `<urlset><url><loc>http://${host}:${currentPort()}/hidden</loc></url></urlset>`,
          };
        return { body: page(`Page ${path}`, []) };
      },
      ['site.example/'],
    );
    expect(requests.filter((request) => request.startsWith('victim'))).toEqual([]);
    expect(requests).toContain('site.example/hidden');
    expect(report.kept).toBe(2);
  });

  it('a start page that is flagged as garbage does not end the crawl of a site the operator listed', async () => {
    const { report, states } = await crawl(
      'flagged',
      (_host, path) => {
        if (path === '/robots.txt') return { status: 404 };
        if (path === '/')
          return {
            body: '<title>404 Page not found</title><h1>404 Page not found</h1><p>Sorry, the page you requested could not be found on this server.</p><a href="/a">a</a> <a href="/b">b</a>',
          };
        return { body: page(`Page ${path}`, []) };
      },
      ['listed.example/'],
      ['--level', 'fast'],
    );
    expect(states.filter((state) => state.includes(' avoided '))).toEqual([]);
    expect(report.fetched).toBe(3);
  });

  it('private addresses are refused as such, at once and without a request, unless they are allowed', async () => {
    const data = join(folder, 'private');
    const ran = await winnow([
      'crawl',
      'http://127.0.0.1:9/',
      'http://[::ffff:7f00:1]:9/',
      '--contact',
      'a@b.example',
      '--data',
      data,
      '--json',
      '--quiet',
    ]);
    const report: CrawlReport = JSON.parse(ran.stdout);
    expect(report.refused).toEqual({ address: 2 });
    expect(report.overhead.robots).toBe(0);
    expect(report.summary).toContain('--allow-private');
    expect(ran.code).toBe(1);
  });

  it('H16: every page names the home page as canonical, and all are kept', async () => {
    const { report } = await crawl(
      'canonical',
      (host, path) => {
        if (path === '/robots.txt') return { status: 404 };
        const links = path === '/' ? ['/a', '/b', '/c', '/d', '/e'] : [];
        return { body: `<link rel="canonical" href="http://${host}:${currentPort()}/">${page(`Page ${path}`, links)}` };
      },
      ['shop.example/'],
    );
    expect(report.kept).toBe(6);
  });
});

function currentPort(): number {
  const address = server?.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
