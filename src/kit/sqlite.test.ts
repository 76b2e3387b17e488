import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Database,
  DatabaseFileError,
  isBusy,
  isCorrupt,
  isDiskFull,
  NewerVersionError,
  openDatabase,
} from './sqlite.ts';

const OPTIONS = { readOnly: false, busyTimeoutMs: 20, cacheBytes: 2 ** 20 };

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-test-'));
  path = join(folder, 'a.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function withTable(): Database {
  const database = openDatabase(path, OPTIONS);
  database.exec('CREATE TABLE t (a)');
  return database;
}

function values(database: Database): unknown[] {
  return database.all<{ a: unknown }>('SELECT a FROM t ORDER BY rowid').map((row) => row.a);
}

function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('transactions', () => {
  it('nested at random, some of them failing, leave what a stack of lists says', () => {
    type Tree = { readonly value: number; readonly fails: boolean; readonly children: readonly Tree[] };
    const node = (children: fc.Arbitrary<Tree[]>): fc.Arbitrary<Tree> =>
      fc.record({ value: fc.nat(99), fails: fc.boolean(), children });
    const grow = (level: number): fc.Arbitrary<Tree> =>
      node(level === 0 ? fc.constant([]) : fc.array(grow(level - 1), { maxLength: 3 }));
    const tree = grow(3);
    const database = withTable();
    const write = ({ value, fails, children }: Tree): void => {
      database.run('INSERT INTO t VALUES (?)', value);
      for (const child of children) caught(() => database.transaction(() => write(child)));
      if (fails) throw new Error('planned');
    };
    const model = ({ value, fails, children }: Tree): number[] => (fails ? [] : [value, ...children.flatMap(model)]);
    fc.assert(
      fc.property(tree, (root) => {
        database.run('DELETE FROM t');
        caught(() => database.transaction(() => write(root)));
        expect(values(database)).toEqual(model(root));
        expect(database.inTransaction).toBe(false);
      }),
    );
    database.close();
  });

  it('tell their listeners after a rollback only', () => {
    const database = withTable();
    let rollbacks = 0;
    const end = database.onRollback(() => void rollbacks++);
    database.transaction(() => database.run('INSERT INTO t VALUES (1)'));
    expect(rollbacks).toBe(0);
    expect(() => database.transaction(() => database.run('INSERT INTO none VALUES (1)'))).toThrow(/none/);
    expect(rollbacks).toBe(1);
    end();
    expect(() =>
      database.transaction(() => {
        throw new Error('planned');
      }),
    ).toThrow('planned');
    expect(rollbacks).toBe(1);
    database.close();
  });

  it('refuse work that awaits, and undo it', () => {
    const database = withTable();
    expect(() => database.transaction(async () => database.run('INSERT INTO t VALUES (1)'))).toThrow(
      /asyncTransaction/,
    );
    expect(values(database)).toEqual([]);
    database.close();
  });

  it('that await run one after the other, each whole or not at all', async () => {
    const database = withTable();
    const pair = (value: number, fails: boolean) =>
      database.asyncTransaction(async () => {
        database.run('INSERT INTO t VALUES (?)', value);
        await Promise.resolve();
        if (fails) throw new Error('planned');
        database.transaction(() => database.run('INSERT INTO t VALUES (?)', value));
      });
    const ends = await Promise.allSettled([pair(1, false), pair(2, true), pair(3, false)]);
    expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(values(database)).toEqual([1, 1, 3, 3]);
    database.close();
  });
});

it('a transaction that awaits is refused inside another one instead of waiting for it for ever', async () => {
  const database = withTable();
  const inner = () => database.asyncTransaction(async () => database.run('INSERT INTO t VALUES (2)'));
  const outer = database.asyncTransaction(async () => {
    database.run('INSERT INTO t VALUES (1)');
    await expect(inner()).rejects.toThrow(/inside/);
  });
  await outer;
  await inner();
  expect(values(database)).toEqual([1, 2]);
  database.close();
});

describe('values', () => {
  it('64-bit hashes survive as BigInt, and reading one as a number is refused instead of rounded', () => {
    const database = withTable();
    const large = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n];
    for (const value of large) database.run('INSERT INTO t VALUES (?)', value);
    expect(
      database
        .prepareBig('SELECT a FROM t ORDER BY rowid')
        .all()
        .map((row) => row['a']),
    ).toEqual(large);
    expect(() => values(database)).toThrow(/too large/);
    database.close();
  });

  it('rows may be iterated while the same text runs again', () => {
    const database = withTable();
    for (const value of [1, 2]) database.run('INSERT INTO t VALUES (?)', value);
    const sums: number[] = [];
    for (const row of database.iterate<{ a: number }>('SELECT a FROM t')) {
      for (const other of database.iterate<{ a: number }>('SELECT a FROM t')) sums.push(row.a * 10 + other.a);
    }
    expect(sums).toEqual([11, 12, 21, 22]);
    database.close();
  });
});

describe('versions', () => {
  it('each box runs its own steps once, in order', () => {
    const database = openDatabase(path, OPTIONS);
    const one = ['CREATE TABLE one (a)'];
    expect(database.migrate('one', one)).toEqual({ from: 0, to: 1 });
    const two = [...one, (open: Database) => void open.run('INSERT INTO one VALUES (7)')];
    expect(database.migrate('one', two)).toEqual({ from: 1, to: 2 });
    expect(database.migrate('one', two)).toEqual({ from: 2, to: 2 });
    expect(database.migrate('other', ['CREATE TABLE other (a)'])).toEqual({ from: 0, to: 1 });
    expect(database.all('SELECT a FROM one')).toHaveLength(1);
    expect([database.versionOf('one'), database.versionOf('other'), database.versionOf('none')]).toEqual([2, 1, 0]);
    database.close();
  });

  it('a step that fails leaves the old version whole', () => {
    const database = openDatabase(path, OPTIONS);
    database.migrate('box', ['CREATE TABLE box (a)']);
    const broken = ['CREATE TABLE box (a)', 'CREATE TABLE second (a)', 'INSERT INTO missing VALUES (1)'];
    expect(() => database.migrate('box', broken)).toThrow(/missing/);
    expect(database.versionOf('box')).toBe(1);
    expect(database.get("SELECT 1 FROM sqlite_master WHERE name = 'second'")).toBeUndefined();
    database.close();
  });

  it('tables of a newer program are refused with both versions', () => {
    const database = openDatabase(path, OPTIONS);
    database.migrate('box', ['CREATE TABLE box (a)', 'SELECT 1']);
    const error = caught(() => database.migrate('box', ['CREATE TABLE box (a)']));
    expect(error).toBeInstanceOf(NewerVersionError);
    expect(error).toMatchObject({ box: 'box', found: 2, known: 1 });
    database.close();
  });
});

describe('files', () => {
  it('I1: a full disk is recognised, loses nothing committed, and writing goes on when there is room again', () => {
    const database = withTable();
    database.run("INSERT INTO t VALUES ('kept')");
    database.exec('PRAGMA max_page_count = 20');
    const error = caught(() =>
      database.transaction(() => {
        database.run("INSERT INTO t VALUES ('lost')");
        database.run('INSERT INTO t VALUES (zeroblob(1000000))');
      }),
    );
    expect(isDiskFull(error)).toBe(true);
    expect([isCorrupt(error), isBusy(error), database.inTransaction]).toEqual([false, false, false]);
    expect(values(database)).toEqual(['kept']);
    database.exec('PRAGMA max_page_count = 100000');
    database.close();
    const again = openDatabase(path, OPTIONS);
    again.run("INSERT INTO t VALUES ('new')");
    expect(values(again)).toEqual(['kept', 'new']);
    again.close();
  });

  it('I3: a file cut to 0 bytes is damage, not an empty database and not a lock', () => {
    withTable().close();
    truncateSync(path, 0);
    const error = caught(() => openDatabase(path, OPTIONS));
    expect(error).toBeInstanceOf(DatabaseFileError);
    expect(error).toMatchObject({ problem: 'empty', path });
    expect([isCorrupt(error), isBusy(error)]).toEqual([true, false]);
    expect(readFileSync(path)).toHaveLength(0);
  });

  it('I3: a file that is no database, and one cut in the middle', () => {
    writeFileSync(path, 'not a database, but long enough to be looked at. '.repeat(100));
    expect(caught(() => openDatabase(path, OPTIONS))).toMatchObject({ problem: 'not-a-database' });
    rmSync(path);
    const database = withTable();
    for (let i = 0; i < 2_000; i++) database.run('INSERT INTO t VALUES (?)', `row ${i} `.repeat(20));
    expect(database.findDamage()).toEqual([]);
    database.checkpoint();
    database.close();
    truncateSync(path, 4096 * 5);
    const error = caught(() => {
      const cut = openDatabase(path, OPTIONS);
      try {
        values(cut);
      } finally {
        cut.close();
      }
    });
    expect(isCorrupt(error)).toBe(true);
  });

  it('a missing file is made for a writer only, and an unreachable one is said to be so', () => {
    const missing = caught(() => openDatabase(path, { ...OPTIONS, readOnly: true }));
    expect(missing).toMatchObject({ problem: 'missing' });
    expect(isCorrupt(missing)).toBe(false);
    expect(existsSync(path)).toBe(false);
    expect(caught(() => openDatabase(join(folder, 'none', 'a.db'), OPTIONS))).toMatchObject({ problem: 'unopenable' });
  });

  it('a reader sees what was committed and cannot write', () => {
    const writer = withTable();
    const reader = openDatabase(path, { ...OPTIONS, readOnly: true });
    writer.transaction(() => {
      writer.run('INSERT INTO t VALUES (1)');
      expect(values(reader)).toEqual([]);
    });
    expect(values(reader)).toEqual([1]);
    expect(() => reader.run('INSERT INTO t VALUES (2)')).toThrow(/readonly/);
    reader.close();
    writer.close();
  });

  it('a second writer is told that the database is busy', () => {
    const first = withTable();
    const second = openDatabase(path, OPTIONS);
    first.transaction(() => {
      const error = caught(() => second.run('INSERT INTO t VALUES (2)'));
      expect([isBusy(error), isCorrupt(error)]).toEqual([true, false]);
    });
    second.run('INSERT INTO t VALUES (2)');
    expect(values(first)).toEqual([2]);
    first.close();
    second.close();
  });

  it('a backup is whole while writing goes on', async () => {
    const database = withTable();
    for (let i = 0; i < 500; i++) database.run('INSERT INTO t VALUES (?)', i);
    const copying = database.backup(join(folder, 'copy.db'));
    database.run('INSERT INTO t VALUES (500)');
    await copying;
    const copy = openDatabase(join(folder, 'copy.db'), { ...OPTIONS, readOnly: true });
    expect([500, 501]).toContain(values(copy).length);
    expect(copy.findDamage()).toEqual([]);
    copy.close();
    database.close();
  });

  it('what a process committed is there after it is killed', () => {
    const script = `
      import { openDatabase } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)};
      const database = openDatabase(${JSON.stringify(path)}, ${JSON.stringify(OPTIONS)});
      database.exec('CREATE TABLE t (a)');
      for (let i = 0; i < 10; i++) database.transaction(() => database.run('INSERT INTO t VALUES (?)', i));
      database.exec('BEGIN; INSERT INTO t VALUES (99)');
      process.kill(process.pid, 'SIGKILL');`;
    const child = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script]);
    expect(child.signal).toBe('SIGKILL');
    const database = openDatabase(path, OPTIONS);
    expect(values(database)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    database.close();
  });
});
