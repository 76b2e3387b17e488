import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULTS } from '../src/config/defaults.ts';
import { runFocus } from '../src/engine/focus-run.ts';
import type { FocusReport } from '../src/model/reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'winnow-faces-'));
let server: Server | undefined;
/** A site that has nothing to do with the seed. */
let bystander: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  bystander?.closeAllConnections();
  bystander?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listen(listener: Server, host: string): Promise<string> {
  await new Promise<void>((resolve) => listener.listen(0, host, resolve));
  const address = listener.address();
  return `http://${host}:${typeof address === 'object' ? address?.port : ''}`;
}

/** A site of one seed page; `answers` gives what stands at a path (without query), `{origin}` being its own. */
async function focusOn(answers: Readonly<Record<string, (query: URLSearchParams) => string>>) {
  const asked: string[] = [];
  let origin = '';
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://h');
    asked.push(`${request.method} ${url.pathname}${url.search}`);
    const body = answers[url.pathname]?.(url.searchParams);
    if (body?.startsWith('-> ')) {
      response.writeHead(307, { location: body.slice(3).replaceAll('{victim}', victim) });
      response.end();
      return;
    }
    const type = url.pathname.endsWith('.txt')
      ? 'text/plain'
      : url.pathname.endsWith('.xml')
        ? 'text/xml'
        : 'text/html';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
    response.end(body?.replaceAll('{origin}', origin).replaceAll('{victim}', victim));
  });
  const atVictim: string[] = [];
  bystander = createServer((request, response) => {
    atVictim.push(`${request.method} ${request.url}`);
    response.end();
  });
  const victim = await listen(bystander, '127.0.0.2');
  origin = await listen(server, '127.0.0.1');
  const report: FocusReport = await runFocus(
    {
      ...{ seeds: [`${origin}/`], categories: [{ name: 'topic', weight: 1, keywords: ['tide'] }], strategy: 'query' },
      ...{ fitness: 'auto', tagWeights: {}, learn: 'off', maxDepth: undefined },
      ...{ top: undefined, maxRequests: undefined, maxPages: undefined },
    },
    {
      config: {
        ...DEFAULTS,
        http: { ...DEFAULTS.http, allowPrivate: true },
        crawl: { ...DEFAULTS.crawl, delaySeconds: 0, level: 'off', workers: 1 },
      },
      dataDir: folder,
      signal: new AbortController().signal,
      now: Date.now,
      progress: () => undefined,
      note: () => undefined,
    },
  );
  return { report, asked, atVictim, paths: report.relevant.map(({ url }) => url.slice(origin.length)) };
}

const FORM = '<form action=/s role=search><input name=q></form>';
const TIDE = () => '<title>Tide</title><p>The tide of the northern sounds, and when it turns.</p>';
const results = (query: URLSearchParams) =>
  `<nav><a href=/>home</a></nav>${query.get('q') === 'tide' ? '<main><a href=/t1>one</a></main>' : '<p>Nothing.</p>'}`;

describe('interfaces', () => {
  it('an action that robots.txt disallows is not asked', async () => {
    const { report, asked } = await focusOn({ '/robots.txt': () => 'User-agent: *\nDisallow: /s', '/': () => FORM });
    expect(report.interfaces).toMatchObject([{ kind: 'form', state: 'refused' }]);
    expect(asked.filter((line) => line.startsWith('GET /s'))).toEqual([]);
  });

  it('an interface that answers everything alike is dropped, and the next one is used', async () => {
    const { report, paths } = await focusOn({
      '/': () => `<form action=/same role=search id=search><input type=search name=q></form>${FORM}`,
      '/same': () => '<main><a href=/x1>always</a></main>',
      '/s': results,
      '/t1': TIDE,
    });
    expect(report.interfaces).toMatchObject([{ state: 'dropped' }, { state: 'used' }]);
    expect(paths).toEqual(['/t1']);
  });

  it('an OpenSearch description is read once and wins over the form', async () => {
    const { report, asked, paths } = await focusOn({
      '/': () => `<link rel=search type="application/opensearchdescription+xml" href=/os.xml>${FORM}`,
      '/os.xml': () =>
        '<OpenSearchDescription><Url type="text/html" template="{origin}/s?q={searchTerms}&amp;from=os"/></OpenSearchDescription>',
      '/s': results,
      '/t1': TIDE,
    });
    expect(report.interfaces).toMatchObject([
      { kind: 'opensearch', state: 'used' },
      { kind: 'form', state: 'not-tried' },
    ]);
    expect(asked.filter((line) => line.endsWith('/os.xml'))).toHaveLength(1);
    expect(asked).toContain('GET /s?q=tide&from=os');
    expect(paths).toEqual(['/t1']);
  });

  it('a SearchAction is used without a form', async () => {
    const { report, paths } = await focusOn({
      '/': () =>
        '<script type="application/ld+json">{"@type":"SearchAction","target":"{origin}/s?q={term}","query-input":"required name=term"}</script><p>Harbour library of the northern coast.',
      '/s': results,
      '/t1': TIDE,
    });
    expect(report.interfaces).toMatchObject([{ kind: 'search-action', state: 'used' }]);
    expect(paths).toEqual(['/t1']);
  });
});

describe('an interface that leads to somebody else is dropped and nothing is sent there', () => {
  const form = (attributes: string) =>
    `<form role=search ${attributes}><input type=hidden name=amount value=100><input type=search name=q></form>`;
  const cases: readonly (readonly [string, Readonly<Record<string, () => string>>])[] = [
    ['a form by GET', { '/': () => form('action="{victim}/admin/delete"') }],
    ['a form by POST', { '/': () => form('action="{victim}/transfer" method=post') }],
    ['a form whose base is elsewhere', { '/': () => `<base href="{victim}/">${form('action=s')}` }],
    ['a query that is redirected', { '/': () => form('action=/s'), '/s': () => '-> {victim}/s' }],
    ['a POST that is redirected', { '/': () => form('action=/s method=post'), '/s': () => '-> {victim}/s' }],
    [
      'a SearchAction',
      {
        '/': () =>
          '<script type="application/ld+json">{"@type":"SearchAction","target":"{victim}/s?q={term}","query-input":"required name=term"}</script>',
      },
    ],
    [
      'an OpenSearch template',
      {
        '/': () => '<link rel=search type="application/opensearchdescription+xml" href=/os.xml>',
        '/os.xml': () =>
          '<OpenSearchDescription><Url type="text/html" template="{victim}/s?q={searchTerms}"/></OpenSearchDescription>',
      },
    ],
    [
      'an OpenSearch description',
      { '/': () => '<link rel=search type="application/opensearchdescription+xml" href="{victim}/os.xml">' },
    ],
  ];
  it.each(cases)('%s', async (_name, answers) => {
    const { report, atVictim } = await focusOn(answers);
    expect(report.interfaces).toMatchObject([{ state: 'dropped', reason: expect.stringContaining('another site') }]);
    expect(atVictim).toEqual([]);
  });
});
