import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULTS } from '../config/defaults.ts';
import type { CommandContext } from './command.ts';
import { robotsCommand } from './robots.ts';

/** One origin a way in which robots.txt can be had or not. */
const ANSWERS = {
  rules: { status: 200, body: 'User-agent: *\nDisallow: /private/\nUser-agent: other\nDisallow: /\n' },
  missing: { status: 404, body: 'no' },
  forbidden: { status: 403, body: 'no' },
  broken: { status: 500, body: 'no' },
  busy: { status: 503, body: 'no' },
  dropped: { status: 0, body: '' },
} as const;
const servers = new Map<string, { server: Server; origin: string }>();

beforeAll(async () => {
  for (const [name, answer] of Object.entries(ANSWERS)) {
    const server = createServer((request, response) => {
      if (answer.status === 0) request.socket.destroy();
      else response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.body);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    servers.set(name, { server, origin: `http://127.0.0.1:${port}` });
  }
});
afterAll(() => {
  for (const { server } of servers.values()) server.close();
});

interface Options {
  readonly paths?: readonly string[];
  readonly agent?: string;
  readonly allowPrivate?: boolean;
}

async function ask(name: string, { paths = [], agent, allowPrivate = true }: Options = {}) {
  const context: CommandContext = {
    config: {
      ...DEFAULTS,
      crawl: { ...DEFAULTS.crawl, contact: 'me@example.org' },
      http: { ...DEFAULTS.http, allowPrivate },
    },
    dataDir: '/nonexistent',
    json: true,
    signal: new AbortController().signal,
    progress: () => undefined,
    note: () => undefined,
    now: Date.now,
  };
  const args = [`${servers.get(name)?.origin}/`, ...paths];
  const result = await robotsCommand.run?.({ args, options: { agent } }, context);
  if (result?.kind !== 'report') throw new Error('no report');
  return result;
}

describe('robots URL decides as a crawl would', () => {
  it.each([
    ['broken', /500/],
    ['busy', /503/],
    ['dropped', /robots\.txt/],
  ])('%s: nothing is allowed, and why', async (name, why) => {
    const { json, text } = await ask(name, { paths: ['/a', '/b'] });
    expect(json).toMatchObject({
      answers: [
        { path: '/a', allowed: false },
        { path: '/b', allowed: false },
      ],
    });
    expect(text).toMatch(/^disallowed {2}\/a {2}\(/);
    expect(text).toMatch(why);
  });

  it('an address that may not be asked: nothing is allowed', async () => {
    const { json, text } = await ask('rules', { allowPrivate: false });
    expect(json).toMatchObject({ answers: [{ allowed: false }] });
    expect(text).toMatch(/\(robots\.txt .+refused address/);
  });

  it.each([
    ['missing', /404|4xx/],
    ['forbidden', /403|4xx/],
  ])('%s: all is allowed, and why', async (name, why) => {
    const { json, text } = await ask(name);
    expect(json).toMatchObject({ answers: [{ path: '/', allowed: true }] });
    expect(text).toMatch(why);
  });

  it('rules are asked for the agent that was named', async () => {
    const paths = ['/private/x', '/public'];
    expect((await ask('rules', { paths })).json).toMatchObject({
      answers: [
        { path: '/private/x', allowed: false },
        { path: '/public', allowed: true },
      ],
    });
    expect((await ask('rules', { paths, agent: 'other' })).json).toMatchObject({
      answers: [{ allowed: false }, { allowed: false }],
    });
  });
});
