import { expect, it } from 'vitest';
import { openDatabase } from '../../kit/sqlite.ts';
import { SeedStore } from './seeds.ts';

it('seeds are added once, changed, marked and removed', async () => {
  const database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1_000_000 });
  const store = new SeedStore(database);
  await store.putMany(
    [
      { url: 'http://b/', note: '', topic: 't' },
      { url: 'http://a/', note: '', topic: '' },
    ],
    1,
  );
  await store.putMany([{ url: 'http://b/', note: 'two', topic: 'u' }], 2);
  await store.markRun(['http://b/', 'http://unknown/'], 3);
  expect(await store.list()).toEqual([
    { url: 'http://a/', note: '', topic: '', addedAt: 1, lastRunAt: undefined },
    { url: 'http://b/', note: 'two', topic: 'u', addedAt: 1, lastRunAt: 3 },
  ]);
  expect(await store.removeMany(['http://a/', 'http://unknown/'])).toBe(1);
  expect((await store.list()).map(({ url }) => url)).toEqual(['http://b/']);
  database.close();
});
