import { describe, expect, it } from 'vitest';
import { type Database, NewerVersionError, openDatabase } from '../../kit/sqlite.ts';
import { SeenCache } from './seen-cache.ts';
import { type Candidate, VisitedUrls } from './visited-urls.ts';

const OPTIONS = { seenCacheEntries: 16, hostCacheEntries: 4 };

function openEmpty(): Database {
  return openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 2 ** 20 });
}

function candidate(path: string, changes: Partial<Candidate> = {}): Candidate {
  const key = `http://site.example/${path}`;
  return { url: key, key, host: 'site.example', depth: 1, priority: 0, state: 'queued', ...changes };
}

const at = (now: number, run = 1) => ({ now, run });

describe('seeing', () => {
  it('T6: spellings with one key are one URL, and the first spelling is the one requested', async () => {
    const visited = new VisitedUrls(openEmpty(), OPTIONS);
    const [first, second] = await visited.seeMany(
      [candidate('a', { url: 'http://site.example/a?sid=1' }), candidate('a', { url: 'http://site.example/a?sid=2' })],
      at(1),
    );
    expect(second).toEqual({ ...first, news: 'known' });
    expect((await visited.get(first?.id ?? 0))?.url).toBe('http://site.example/a?sid=1');
  });

  it('numbers new URLs in the order in which they were found', async () => {
    const visited = new VisitedUrls(openEmpty(), OPTIONS);
    const hosts = ['b.example', 'a.example', 'c.example'];
    const found = hosts.flatMap((host) =>
      ['x', 'y'].map((path) => candidate(path, { host, key: `http://${host}/${path}` })),
    );
    expect((await visited.seeMany(found, at(1))).map((seen) => seen.id)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('opens again what was out of reach, with its new depth', async () => {
    const visited = new VisitedUrls(openEmpty(), OPTIONS);
    await visited.seeMany([candidate('deep', { depth: 51, state: 'refused', reason: 'depth' })], at(1));
    const [seen] = await visited.seeMany([candidate('deep', { depth: 3, priority: 7, foundFrom: 9 })], at(2, 2));
    expect(seen).toEqual({ id: 1, hostId: 1, news: 'reopened' });
    expect(await visited.get(1)).toMatchObject({
      state: 'queued',
      reason: undefined,
      depth: 3,
      priority: 7,
      foundFrom: 9,
    });
    expect(await visited.counts()).toEqual([{ state: 'queued', reason: undefined, count: 1 }]);
  });

  it('does not open what was refused after it was queued', async () => {
    const visited = new VisitedUrls(openEmpty(), OPTIONS);
    await visited.seeMany([candidate('a')], at(1));
    await visited.settleMany([{ id: 1, state: 'refused', reason: 'robots' }], at(2));
    expect(await visited.seeMany([candidate('a')], at(3))).toMatchObject([{ id: 1, news: 'known' }]);
    expect((await visited.get(1))?.state).toBe('refused');
  });

  it('forgets what a failed transaction had entered', async () => {
    const database = openEmpty();
    const visited = new VisitedUrls(database, OPTIONS);
    const failing = database.asyncTransaction(async () => {
      await visited.seeMany([candidate('lost'), candidate('lost', { host: 'other.example' })], at(1));
      throw new Error('planned');
    });
    await expect(failing).rejects.toThrow('planned');
    expect(visited.hosts.count()).toBe(0);
    expect(await visited.seeMany([candidate('kept'), candidate('lost')], at(2))).toEqual([
      { id: 1, hostId: 1, news: 'new' },
      { id: 2, hostId: 1, news: 'new' },
    ]);
  });
});

describe('settling', () => {
  it('keeps what an answer said until another says otherwise', async () => {
    const visited = new VisitedUrls(openEmpty(), OPTIONS);
    await visited.seeMany([candidate('a')], at(1));
    await visited.startMany([1], at(10));
    const fetched = { status: 200, etag: '"1"', lastModified: 'Tue', bytes: 500 };
    await visited.settleMany([{ id: 1, state: 'kept', fetched, verdict: 'keep', textHash: 'abc' }], at(20));
    const first = (await visited.get(1))?.answer;
    expect(first).toMatchObject({ fetchedAt: 20, fetches: 1, failures: 0, status: 200, etag: '"1"', verdict: 'keep' });
    await visited.settleMany([{ id: 1, state: 'queued' }], at(30));
    await visited.startMany([1], at(40));
    await visited.settleMany([{ id: 1, state: 'kept', fetched: { status: 304, bytes: 0 } }], at(50));
    expect((await visited.get(1))?.answer).toEqual({ ...first, fetchedAt: 50, fetches: 2, status: 304 });
    expect(visited.hosts.get(1)).toMatchObject({ fetches: 2, bytes: 500, lastAt: 50 });
  });

  it('does nothing the second time', async () => {
    const database = openEmpty();
    const visited = new VisitedUrls(database, OPTIONS);
    await visited.seeMany([candidate('a'), candidate('b')], at(1));
    await visited.startMany([1, 2], at(2));
    const settlements = [
      {
        id: 1,
        state: 'garbage' as const,
        verdict: 'spam' as const,
        kinds: ['content' as const],
        fetched: { bytes: 7 },
      },
      { id: 2, state: 'duplicate' as const, duplicateOf: 1, fetched: { bytes: 5 } },
    ];
    await visited.settleMany(settlements, at(3));
    const everything = async () => [
      await visited.list({ state: undefined, after: 0, limit: 9 }),
      await visited.history(1),
      visited.hosts.get(1),
      await visited.counts(),
      await visited.counts(1),
    ];
    const before = await everything();
    await visited.settleMany(settlements, at(4, 2));
    expect(await everything()).toEqual(before);
  });

  it('counts failures in a row, tries that are made again among them', async () => {
    const visited = new VisitedUrls(openEmpty(), OPTIONS);
    await visited.seeMany([candidate('a')], at(1));
    const failures: (number | undefined)[] = [];
    for (const [i, state] of (['queued', 'queued', 'failed', 'kept', 'failed'] as const).entries()) {
      await visited.startMany([1], at(10 * i + 2));
      const reason = state === 'kept' ? undefined : 'timeout';
      await visited.settleMany([{ id: 1, state, reason, fetched: { bytes: 0 } }], at(10 * i + 5));
      failures.push((await visited.get(1))?.answer?.failures);
    }
    expect(failures).toEqual([1, 2, 3, 0, 1]);
  });

  it('names the representative while the URL is a duplicate, and the kinds of garbage', async () => {
    const visited = new VisitedUrls(openEmpty(), OPTIONS);
    await visited.seeMany([candidate('a'), candidate('b')], at(1));
    await visited.settleMany([{ id: 2, state: 'duplicate', duplicateOf: 1 }], at(2));
    expect((await visited.get(2))?.answer?.duplicateOf).toBe(1);
    await visited.settleMany([{ id: 2, state: 'garbage', verdict: 'spam', kinds: ['cloaking', 'content'] }], at(3));
    expect((await visited.get(2))?.answer).toMatchObject({ duplicateOf: undefined, kinds: ['content', 'cloaking'] });
  });

  it('refuses an id that does not exist, and writes nothing of that batch', async () => {
    const visited = new VisitedUrls(openEmpty(), OPTIONS);
    await visited.seeMany([candidate('a')], at(1));
    const batch = [1, 2].map((id) => ({ id, state: 'kept' as const }));
    await expect(visited.settleMany(batch, at(2))).rejects.toThrow(RangeError);
    expect((await visited.get(1))?.state).toBe('queued');
  });
});

describe('storage', () => {
  it('finds a URL by key and host only', async () => {
    const visited = new VisitedUrls(openEmpty(), OPTIONS);
    await visited.seeMany([candidate('a')], at(1));
    expect((await visited.find('http://site.example/a', 'site.example'))?.id).toBe(1);
    expect(await visited.find('http://site.example/a', 'other.example')).toBeUndefined();
    expect(await visited.find('http://site.example/b', 'site.example')).toBeUndefined();
    expect(await visited.history(5)).toEqual([]);
  });

  it('lists the URLs of a host page by page', async () => {
    const visited = new VisitedUrls(openEmpty(), OPTIONS);
    await visited.seeMany(
      Array.from({ length: 25 }, (_, i) => candidate(`page-${i}`)),
      at(1),
    );
    const ids: number[] = [];
    for (let after: string | undefined; ; ) {
      const urls = await visited.listHost(1, after, 10);
      ids.push(...urls.map((url) => url.id));
      after = urls.at(-1)?.key;
      if (after === undefined) break;
    }
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
  });

  it('tables of a newer program are refused', () => {
    const database = openEmpty();
    new VisitedUrls(database, OPTIONS);
    database.run("UPDATE box_versions SET version = 99 WHERE box = 'visited-urls'");
    expect(() => new VisitedUrls(database, OPTIONS)).toThrow(NewerVersionError);
  });
});

describe('the cache of seen URLs', () => {
  it('tells hosts apart that share a hash', () => {
    const cache = new SeenCache(8);
    cache.set(1, -5n, 77);
    expect([cache.get(1, -5n), cache.get(2, -5n), cache.get(1, 5n)]).toEqual([77, undefined, undefined]);
    cache.clear();
    expect(cache.get(1, -5n)).toBeUndefined();
  });

  it('keeps the newer of two hashes that fall together', () => {
    const cache = new SeenCache(8);
    cache.set(1, 3n, 10);
    cache.set(1, 3n + 8n, 11);
    expect([cache.get(1, 3n), cache.get(1, 11n)]).toEqual([undefined, 11]);
  });
});
