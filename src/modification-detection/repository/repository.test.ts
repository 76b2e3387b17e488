import { describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../kit/sqlite.ts';
import type { ChangeSignal, PageMemory, SignalSource } from '../../model/changes.ts';
import { ChangeRepository } from './repository.ts';

/** As the first version of the program wrote it. */
const FIRST_VERSION = `CREATE TABLE reported_pages (
     key TEXT PRIMARY KEY, baseline TEXT, baseline_at INTEGER NOT NULL, confirmed_at INTEGER NOT NULL,
     signalled_at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE change_signals (
     key TEXT PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL, at INTEGER NOT NULL, parts TEXT NOT NULL)
     WITHOUT ROWID;
   CREATE INDEX change_signals_order ON change_signals (at, key);
   INSERT INTO reported_pages VALUES ('http://a/', '{"title":"0123456789abcdef"}', 5, 6, 7);
   INSERT INTO change_signals VALUES ('http://a/', 'http://a/', 'a', 7, 'title text');`;

describe('an older file', () => {
  it('keeps its signals; its baselines were hashes of another kind', async () => {
    const database = memory();
    database.migrate('changes', [FIRST_VERSION]);
    const changes = new ChangeRepository(database, 10);
    expect(await changes.signals(9)).toMatchObject([
      { key: 'http://a/', source: 'beacon', at: 7, parts: ['title', 'text'] },
    ]);
    expect(await changes.pageOf('http://a/')).toMatchObject({ baseline: undefined, baselineAt: 0, signalledAt: 7 });
  });
});

it('a page has one signal of each source, and a crawl answers all that came before it', async () => {
  const changes = new ChangeRepository(memory(), 10);
  const signal = (source: SignalSource, at: number): ChangeSignal => ({
    ...{ url: 'http://a/', key: 'http://a/', host: 'a', source, at, parts: [] },
  });
  await changes.putSignals([signal('beacon', 1), signal('indexnow', 2), signal('indexnow', 5)]);
  expect((await changes.signals(9)).map(({ source, at }) => `${source} ${at}`)).toEqual(['beacon 1', 'indexnow 5']);
  await changes.removeSignals([{ key: 'http://a/', at: 4 }]);
  expect((await changes.signals(9)).map(({ source }) => source)).toEqual(['indexnow']);
});

describe('memory of pages', () => {
  const page = (seenAt: number): PageMemory => ({
    ...{ baseline: { title: 'x' }, baselineAt: 1, confirmedAt: 2, signalledAt: 3, seenAt },
    signal: { parts: ['title'], textHash: undefined },
    noise: { links: { doubt: 1.5, masked: false, recent: ['a'], believed: [], same: 1, since: 4 } },
  });

  it('comes back as it was put', async () => {
    const changes = new ChangeRepository(memory(), 10);
    await changes.putPages([{ key: 'a', page: page(5) }]);
    expect(await changes.pageOf('a')).toEqual(page(5));
  });

  it('is bounded: pages that were not reported for longest are forgotten', async () => {
    const changes = new ChangeRepository(memory(), 100);
    for (let i = 0; i < 1_000; i++) await changes.putPages([{ key: `${i}`, page: page(i) }]);
    const held = [];
    for (let i = 0; i < 1_000; i++) if ((await changes.pageOf(`${i}`)) !== undefined) held.push(i);
    expect(held.length).toBeLessThanOrEqual(111);
    expect(held[0]).toBeGreaterThan(880);
  });
});

function memory(): Database {
  return openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 });
}
