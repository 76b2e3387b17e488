import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFAULTS } from '../config/defaults.ts';
import { ReaderPool } from '../engine/reader-pool.ts';
import { BEACON_COUNTS, type BeaconCounters } from '../model/changes.ts';
import { createApp } from './app.ts';
import { escapeHtml } from './pages/html.ts';
import type { Services } from './services.ts';
import { hashOf } from './token.ts';

/** Over a folder without a collection, which answers as an empty one. */
const TOKEN = 'the-token';
const readers = new ReaderPool('/nonexistent', DEFAULTS, 1);
const COUNTERS = Object.fromEntries(BEACON_COUNTS.map((name, i) => [name, 1_000 + i])) as BeaconCounters;
const started: (readonly string[])[] = [];
let app: FastifyInstance;

function servicesWith(status: Services['status']): Services {
  return {
    config: DEFAULTS,
    beacon: {
      isPlainlyEmpty: () => false,
      wantsReport: async () => false,
      accept: () => ({ kind: 'malformed', problem: 'a report' }),
      submit: async () => 422,
      counters: () => COUNTERS,
    },
    search: (ask) => readers.search(ask),
    status,
    explain: (url) => readers.explain(url),
    garbage: () => readers.garbage(),
    startCrawl: async (urls) => {
      started.push(urls);
      return { started: true, message: 'started' };
    },
    stopCrawl: async () => false,
    onEvent: () => () => undefined,
    now: Date.now,
    close: () => readers.close(),
  };
}

async function open(status: Services['status']): Promise<FastifyInstance> {
  return await createApp({ services: servicesWith(status), token: hashOf(TOKEN), trustProxy: [] });
}

beforeAll(async () => {
  app = await open(() => readers.status());
});
afterAll(() => app.close());

describe('parameters of the API', () => {
  it.each([
    ['/api/v1/search', 'q'],
    ['/api/v1/search?q=', 'q'],
    ['/api/v1/search?q=a&q=b', 'q'],
    [`/api/v1/search?q=${'a'.repeat(9_000)}`, 'q'],
    ['/api/v1/search?q=a&limit=-1', 'limit'],
    ['/api/v1/search?q=a&limit=1.5', 'limit'],
    ['/api/v1/search?q=a&limit=1&limit=2', 'limit'],
    ['/api/v1/search?q=a&offset=NaN', 'offset'],
    ['/api/v1/search?q=a&offset=99999999999999999999', 'offset'],
    ['/api/v1/search?q=a&explain=perhaps', 'explain'],
    ['/api/v1/explain', 'url'],
    ['/api/v1/explain?url=a&url=b', 'url'],
  ])('%.60s: 400, names the parameter', async (url, name) => {
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${TOKEN}` } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatch(new RegExp(`^${name}: `));
  });

  it('good ones are taken', async () => {
    expect((await app.inject('/api/v1/search?q=a&limit=5&offset=10&explain=true')).statusCode).toBe(200);
  });
});

describe('bodies of the admin forms', () => {
  const BODIES = [
    undefined,
    'null',
    '5',
    '"x"',
    '[]',
    '{}',
    '{"token":5,"urls":5}',
    '{"token":null,"urls":["a"]}',
    '{',
  ];

  it.each(BODIES)('%s: neither signs in nor starts a crawl, and is no fault of the server', async (payload) => {
    const type = payload === undefined ? {} : { 'content-type': 'application/json' };
    const body = payload === undefined ? {} : { payload };
    const signIn = await app.inject({ method: 'POST', url: '/admin/sign-in', headers: type, ...body });
    expect([400, 401]).toContain(signIn.statusCode);
    expect(signIn.cookies).toEqual([]);
    const headers = { ...type, authorization: `Bearer ${TOKEN}` };
    const crawl = await app.inject({ method: 'POST', url: '/admin/crawl', headers, ...body });
    expect(crawl.statusCode).toBe(400);
    expect(started).toEqual([]);
  });

  it('the form itself works', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/x-www-form-urlencoded' };
    const payload = 'urls=https%3A%2F%2Fa.example%2F';
    expect((await app.inject({ method: 'POST', url: '/admin/crawl', headers, payload })).statusCode).toBe(200);
    expect(started).toEqual([['https://a.example/']]);
  });
});

it('an unexpected error is 500 without its text, which goes to the log', async () => {
  const broken = await open(() => Promise.reject(new Error('the secret \u001b[2J cause')));
  const log = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const answer = await broken.inject('/api/v1/status');
  const logged = log.mock.calls.flat().join('\n');
  log.mockRestore();
  await broken.close();
  expect(answer.statusCode).toBe(500);
  expect(answer.body).not.toContain('secret');
  expect(logged).toContain('GET /api/v1/status');
  expect(logged).toContain('the secret \ufffd[2J cause');
});

it('text of crawled pages can neither be markup nor turn the text around it', () => {
  expect(escapeHtml('\u202e<b>\u2066&\u0000\u009b\u001b"\u2069')).toBe('&#60;b&#62;&#38;&#34;');
  expect(escapeHtml('a\tb\nעברית')).toBe('a\tb\nעברית');
});

it('the admin page shows everything that the beacon counted', async () => {
  const answer = await app.inject({ url: '/admin', headers: { authorization: `Bearer ${TOKEN}` } });
  for (const name of BEACON_COUNTS) expect(answer.body).toContain(COUNTERS[name].toLocaleString('en'));
});
