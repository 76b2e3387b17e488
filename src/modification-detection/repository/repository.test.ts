import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../kit/sqlite.ts';
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
    const database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 });
    database.migrate('changes', [FIRST_VERSION]);
    const changes = new ChangeRepository(database);
    expect(await changes.signals(9)).toMatchObject([{ key: 'http://a/', at: 7, parts: ['title', 'text'] }]);
    expect(await changes.pageOf('http://a/')).toMatchObject({ baseline: undefined, baselineAt: 0, signalledAt: 7 });
  });
});
