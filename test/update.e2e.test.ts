import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paragraph } from './support/prose.ts';
import { winnow } from './support/winnow.ts';

const TOPICS = ['lighthouse', 'orchards', 'foundry', 'island', 'printing press', 'beech'];

describe('update and site, run as a user would', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-update-'));
  const data = join(folder, 'data');
  const requests: string[] = [];
  let proof = '';
  let feed = '';
  let sitemap = '';
  let changed = { path: '', text: '' };
  let server: Server;
  let origin = '';
  let fetching: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? '/';
      requests.push(path);
      if (path === '/.well-known/winnow-site.txt')
        return response.writeHead(200, { 'content-type': 'text/plain' }).end(proof);
      const named = { '/feed.xml': feed, '/sitemap.xml': sitemap, '/robots.txt': `Sitemap: ${origin}/sitemap.xml\n` }[
        path
      ];
      if (named !== undefined)
        return response.writeHead(named === '' ? 404 : 200, { 'content-type': 'text/xml' }).end(named);
      const topic = path === '/' ? 'index of topics' : TOPICS[Number(path.slice(1))];
      if (topic === undefined) return response.writeHead(404).end();
      const links = path === '/' ? TOPICS.map((name, i) => `<a href="/${i}">${name}</a>`).join(' ') : '';
      const prose = [0, 1, 2, 3].map((n) => `<p>${paragraph(10 * topic.length + n)}</p>`).join('');
      const text = path === changed.path ? changed.text + prose : prose;
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end(
        `<!doctype html><title>${topic}</title><link rel="alternate" type="application/atom+xml" href="/feed.xml"><main><h1>${topic}</h1>${text}${links}</main>`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    const config = join(folder, 'settings.json');
    // Every copy is old; nothing is judged, as this is not what is tested.
    writeFileSync(config, JSON.stringify({ updating: { dueProbability: 0 }, crawl: { level: 'off' } }));
    fetching = ['--data', data, '--config', config, '--allow-private', '--delay', '0', '--json'];
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  const pagesAsked = (): string[] => requests.filter((path) => /^\/\d*$/.test(path)).toSorted();

  it('a site is registered with a collection only', async () => {
    const ran = await winnow(['site', 'add', origin, '--data', data]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no collection') });
  });

  it('crawls known pages again, oldest first within the rate, and leaves what a crawl left waiting', async () => {
    await winnow(['crawl', origin, '--max-pages', '3', ...fetching]);
    const known = pagesAsked();
    expect(known).toHaveLength(3);
    requests.length = 0;
    const first = await winnow(['update', '--once', '--rate', '2/h', ...fetching]);
    expect(JSON.parse(first.stdout)).toMatchObject({ fetched: 2, unchanged: 2, stopped: 'frontier-empty' });
    // The hour's budget is spent, whoever asks again.
    const second = await winnow(['update', '--once', '--rate', '2/h', ...fetching]);
    expect(JSON.parse(second.stdout)).toMatchObject({ fetched: 0 });
    expect(pagesAsked()).toHaveLength(2);
    for (const path of pagesAsked()) expect(known).toContain(path);
  });

  it('ends at its time, and says so', async () => {
    requests.length = 0;
    const ran = await winnow(['update', '--for', '1s', '--rate', '3600/h', ...fetching]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ stopped: 'time' });
  });

  it('the crawl goes on afterwards with what it had left', async () => {
    requests.length = 0;
    await winnow(['crawl', ...fetching]);
    expect(pagesAsked()).toHaveLength(TOPICS.length + 1 - 3);
  });

  it('crawls what a feed and a sitemap say has changed, and explain tells between when it did', async () => {
    const settings = join(folder, 'told.json');
    writeFileSync(settings, JSON.stringify({ crawl: { level: 'off' } }));
    const told = ['--data', data, '--config', settings, '--allow-private', '--delay', '0', '--json'];
    await winnow(['update', '--once', ...told]);
    requests.length = 0;
    const now = new Date().toISOString();
    changed = { path: '/1', text: '<p>The orchards were sold to a travelling circus in the spring.</p>' };
    feed = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="${origin}/1"/><updated>${now}</updated></entry></feed>`;
    sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${origin}/2</loc><lastmod>${now}</lastmod></url></urlset>`;
    writeFileSync(settings, JSON.stringify({ crawl: { level: 'off' }, updating: { feedMs: 0, sitemapMs: 0 } }));
    const ran = await winnow(['update', '--once', ...told]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ fetched: 2, unchanged: 1 });
    expect(pagesAsked()).toEqual(['/1', '/2']);
    const explained = await winnow(['explain', `${origin}/1`, '--data', data, '--json']);
    const { changes } = JSON.parse(explained.stdout);
    expect(changes).toMatchObject([{ parts: ['mainText'], signal: 'feed' }]);
    expect(Date.parse(changes[0].notBefore)).toBeLessThan(Date.parse(changes[0].notAfter));
    const { freshness, refresh } = JSON.parse((await winnow(['status', '--data', data, '--json'])).stdout);
    expect(freshness).toBeGreaterThan(0.99);
    expect(refresh).toMatchObject({ pages: TOPICS.length + 1, sources: [{ source: 'feed' }, { source: 'sitemap' }] });
  });

  it('names what is wrong with its options', async () => {
    for (const args of [
      ['--once', '--for', '1s'],
      ['--rate', '0'],
      ['--rate', 'fast'],
      ['--rate', '-1/h'],
    ]) {
      const ran = await winnow(['update', ...args, ...fetching]);
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(args[0] ?? '') });
    }
  });

  it('a site is verified by the file of its owner, and by that token only', async () => {
    const [row] = JSON.parse((await winnow(['site', 'add', origin, '--data', data, '--json'])).stdout);
    expect(row).toMatchObject({ url: `${origin}/`, verified: null });
    proof = 'something else';
    const wrong = await winnow(['site', 'verify', origin, ...fetching]);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('/.well-known/winnow-site.txt') });
    proof = `${row.token}\n`;
    expect((await winnow(['site', 'verify', origin, ...fetching])).code).toBe(0);
    // Added again: the token and what was verified stay.
    await winnow(['site', 'add', origin, '--data', data]);
    const rows = JSON.parse((await winnow(['site', 'list', '--data', data, '--json'])).stdout);
    const { tag: _tag, inline: _inline, policy: _policy, ...stored } = row;
    expect(rows).toEqual([{ ...stored, verified: expect.stringMatching(/^\d{4}-.*Z$/), verifiedBy: 'file' }]);
    const unknown = await winnow(['site', 'verify', `${origin}/elsewhere/`, ...fetching]);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('not registered') });
  });
}, 120_000);
