import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve, until } from './support/beacon-stage.ts';
import { paragraph } from './support/prose.ts';
import { winnow } from './support/winnow.ts';

const KEY = 'a1b2c3d4e5f6-key';

describe('IndexNow, from a site to the index', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-indexnow-'));
  const fetching = ['--data', folder, '--allow-private', '--delay', '0', '--json'];
  const requests: string[] = [];
  let site: Server;
  let origin = '';
  let news = '';
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    site = createServer((request, response) => {
      const path = request.url ?? '/';
      requests.push(path);
      if (path === `/${KEY}.txt`) return response.writeHead(200, { 'content-type': 'text/plain' }).end(`${KEY}\n`);
      if (path !== '/' && path !== '/ferries') return response.writeHead(404).end();
      const text = [1, 2, 3].map((n) => `<p>${paragraph(path.length * 7 + n)}</p>`).join('');
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end(`<title>${path}</title><main><p>${news}</p>${text}<a href="/ferries">Ferries</a></main>`);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const address = site.address();
    origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    await winnow(['crawl', origin, ...fetching]);
    await winnow(['site', 'add', origin, '--data', folder]);
    server = await serve(fetching.filter((option) => option !== '--json'));
  }, 120_000);
  afterAll(async () => {
    await server.kill('SIGTERM');
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  const get = async (url: string, key: string): Promise<number> => {
    const query = new URLSearchParams({ url, key });
    return (await fetch(`${server.url}/indexnow?${query}`)).status;
  };
  const post = async (body: unknown): Promise<number> =>
    (await fetch(`${server.url}/indexnow`, { method: 'POST', body: JSON.stringify(body) })).status;
  const update = async (): Promise<Record<string, number>> =>
    JSON.parse((await winnow(['update', '--once', ...fetching])).stdout);

  it('what a site cannot prove, or is of no registered site, is refused; nothing else is asked for', async () => {
    expect(
      await until(
        () => get(`${origin}/ferries`, 'another-key-0'),
        (status) => status !== 422,
      ),
    ).toBe(403);
    requests.length = 0;
    expect(await get('http://elsewhere.example/', KEY)).toBe(422);
    expect(await get(`${origin}/ferries`, 'short')).toBe(400);
    expect(await post({ host: '127.0.0.1', key: KEY, urlList: [`${origin}/`, 'http://elsewhere.example/'] })).toBe(422);
    expect(await post('no object')).toBe(400);
    expect(requests).toEqual([]);
    expect(await get(`${origin}/ferries`, 'another-key-1')).toBe(403);
    expect(requests).toEqual(['/another-key-1.txt']);
    expect(await update()).toMatchObject({ fetched: 0 });
  });

  it('a page that its site tells of is crawled again; one never crawled is not', async () => {
    news = 'A second ferry sails from Monday, with room for forty bicycles.';
    expect(await get(`${origin}/ferries`, KEY)).toBe(200);
    expect(await post({ host: '127.0.0.1', key: KEY, urlList: [`${origin}/never-seen`] })).toBe(200);
    requests.length = 0;
    expect(await update()).toMatchObject({ fetched: 1, kept: 1 });
    expect(requests).not.toContain('/never-seen');
    const found = JSON.parse((await winnow(['search', 'bicycles', '--data', folder, '--json'])).stdout);
    expect(found.hits.map(({ url }: { url: string }) => url)).toEqual([`${origin}/ferries`]);
  });

  it('made-up keys cannot make the server ask a site without end', async () => {
    requests.length = 0;
    const statuses = [];
    for (let n = 0; n < 12; n++) statuses.push(await get(`${origin}/`, `made-up-key-${n}`));
    expect(statuses).toContain(429);
    expect(requests.length).toBeLessThanOrEqual(5);
  });
}, 120_000);
