import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from './exchange.ts';
import { exchangeFailure } from './failure.ts';
import { ok, Site, testFetcher } from './test-support.ts';

let site: Site;
beforeAll(async () => {
  site = await Site.start();
});
afterAll(() => site.server.close());

describe('a request that HTTP cannot carry', () => {
  it.each(['a\r\nX-Evil: 1', 'a\nb', 'a\u0000b', '日本'])(
    'User-Agent %j fails as protocol, nothing waits',
    async (userAgent) => {
      site.answers['/'] = () => ok('never');
      const fetcher = testFetcher({ userAgent });
      const url = `${site.server.url}/`;
      const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
      const outcomes = await Promise.all([1, 2, 3].map(() => fetcher.fetch({ url, purpose: 'page' })));
      for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'failed', reason: 'protocol' });
      await fetcher.close();
      const after = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
      expect(after).toBeLessThanOrEqual(before);
    },
  );
});

it('a client that throws in place of sending: a result, and no clock is left running', async () => {
  class Throwing extends Client {
    override dispatch(): boolean {
      throw new TypeError('invalid header');
    }
  }
  const client = new Throwing(site.server.url);
  const clocks = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = clocks();
  const pending = exchange(
    { client, address: undefined, alive: true, served: 0 },
    { path: '/', method: 'GET', headers: [], body: undefined },
    {
      limits: { deadline: performance.now() + 5_000, headersTimeoutMs: 5_000, minBytesPerSecond: 1, graceMs: 1_000 },
      bodyLimit: () => 100,
      signal: undefined,
    },
  );
  expect(clocks()).toBe(before);
  const result = await pending;
  if (result.answer !== undefined) throw new Error('an answer');
  expect(exchangeFailure(result.error, result.begun)).toMatchObject({ reason: 'protocol' });
  await client.close();
});
