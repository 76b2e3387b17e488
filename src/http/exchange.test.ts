import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
