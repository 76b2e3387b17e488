import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { winnow } from './support/winnow.ts';

const root = mkdtempSync(join(tmpdir(), 'winnow-empty-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function statesIn(data: string): Promise<Record<string, string>> {
  const { stdout } = await winnow(['export', '--all', '--data', data]);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return Object.fromEntries(
    lines.map(({ url, state, reason }) => [url, reason === undefined ? state : `${state} ${reason}`]),
  );
}

it('a crawled answer without a byte of body is no page, whatever the level', async () => {
  const server = createServer((request, response) => {
    const html = { 'content-type': 'text/html' };
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else if (request.url === '/none') response.writeHead(204).end();
    else if (request.url === '/empty') response.writeHead(200, html).end();
    else if (request.url === '/leads') response.writeHead(200, { ...html, refresh: '0; url=/short' }).end();
    else if (request.url === '/short') response.writeHead(200, html).end('Tide.');
    else
      response
        .writeHead(200, html)
        .end('<a href=/none>n</a> <a href=/empty>e</a> <a href=/leads>l</a> The tide turns.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const data = join(root, 'crawled');
  await winnow(['crawl', `${origin}/`, '--allow-private', '--delay', '0', '--level', 'off', '--data', data]);
  server.closeAllConnections();
  server.close();
  expect(await statesIn(data)).toEqual({
    [`${origin}/`]: 'kept',
    [`${origin}/none`]: 'not-html empty',
    [`${origin}/empty`]: 'not-html empty',
    [`${origin}/leads`]: `redirect ${origin}/short`,
    [`${origin}/short`]: 'kept',
  });
}, 60_000);

it('an import refuses URLs that a crawl would refuse for their length, and keeps no empty page', async () => {
  const lines = join(root, 'pages.jsonl');
  const long = `http://letters.example/${'a'.repeat(3000)}`;
  const pages = [
    { url: 'http://letters.example/1', html: '<p>The tide turns twice a day.' },
    { url: long, html: '<p>The ebb comes after.' },
    { url: 'http://letters.example/empty', html: '' },
  ];
  writeFileSync(lines, pages.map((page) => JSON.stringify(page)).join('\n'));
  const data = join(root, 'imported');
  const ran = await winnow(['import', lines, '--level', 'off', '--json', '--data', data]);
  expect(JSON.parse(ran.stdout).problems).toEqual([
    { where: `${lines}:2`, detail: `the URL has ${long.length} characters, more than 2048` },
  ]);
  expect(await statesIn(data)).toEqual({
    'http://letters.example/1': 'kept',
    'http://letters.example/empty': 'not-html empty',
  });
}, 60_000);
