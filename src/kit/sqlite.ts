import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';

/** What a column may hold. Integers at or above 2^53 must be bound as BigInt and read through {@link Database.prepareBig}. */
export type SqlValue = null | number | bigint | string | Uint8Array;

export interface DatabaseOptions {
  readonly readOnly: boolean;
  /** How long a statement waits for another process's write lock. */
  readonly busyTimeoutMs: number;
  /** Page cache of this connection. */
  readonly cacheBytes: number;
}

/** One schema step: SQL text, or a function for steps that move data. Runs inside a transaction. */
export type MigrationStep = string | ((database: Database) => void);

export type DatabaseFileProblem = 'missing' | 'empty' | 'corrupt' | 'not-a-database' | 'folder' | 'unopenable';

/** The file cannot be used as a database; `problem` says why. */
export class DatabaseFileError extends Error {
  readonly problem: DatabaseFileProblem;
  readonly path: string;

  constructor(path: string, problem: DatabaseFileProblem, cause?: unknown) {
    super(`${path}: ${FILE_PROBLEM_TEXT[problem]}`, { cause });
    this.name = 'DatabaseFileError';
    this.problem = problem;
    this.path = path;
  }
}

/** The tables were written by a newer program: `found` > `known`. Nothing was changed. */
export class NewerVersionError extends Error {
  readonly box: string;
  readonly found: number;
  readonly known: number;

  constructor(box: string, found: number, known: number) {
    super(`the tables of ${box} have version ${found}; this program knows versions up to ${known}`);
    this.name = 'NewerVersionError';
    this.box = box;
    this.found = found;
    this.known = known;
  }
}

/** True when SQLite could not write because the disk (or quota) is full. The failed transaction was rolled back. */
export function isDiskFull(error: unknown): boolean {
  const code = sqliteCode(error);
  // 13 SQLITE_FULL; 4874 SQLITE_IOERR_SHMSIZE: the shared-memory file of the log could not grow.
  return code !== undefined && ((code & 0xff) === 13 || code === 4874);
}

/** True when the file's content is damaged (SQLITE_CORRUPT) or is no database at all (SQLITE_NOTADB). */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code !== undefined) return (code & 0xff) === 11 || (code & 0xff) === 26;
  return error instanceof DatabaseFileError && error.problem !== 'missing' && error.problem !== 'unopenable';
}

/** True when another connection held the lock for longer than the busy time-out (SQLITE_BUSY, SQLITE_LOCKED). */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && ((code & 0xff) === 5 || (code & 0xff) === 6);
}

/**
 * Opens a SQLite file in WAL mode with synchronous NORMAL: a killed process loses nothing that was committed,
 * a power cut at most the last commits, never consistency.
 * A missing file is created whole and then renamed into place, so a file of 0 bytes is damage and is refused as such.
 * @throws DatabaseFileError
 */
export function openDatabase(path: string, options: DatabaseOptions): Database {
  if (path !== ':memory:') checkFile(path, options);
  const connection = connect(path, options);
  try {
    configure(connection, options);
    return new Database(connection, path);
  } catch (error) {
    connection.close();
    throw asFileError(path, error);
  }
}

/**
 * A connection with cached statements, nestable transactions and one schema version per box.
 * Calls are synchronous and block the thread.
 */
export class Database {
  readonly path: string;
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #bigStatements = new Map<string, StatementSync>();
  readonly #rollbackListeners = new Set<() => void>();
  #depth = 0;
  #lastAsync: Promise<unknown> = Promise.resolve();
  /** Set for what runs inside an asyncTransaction, to refuse a second one there: it would wait for its own end. */
  readonly #inAsync = new AsyncLocalStorage<{ isOpen: boolean }>();

  constructor(connection: DatabaseSync, path: string) {
    this.#connection = connection;
    this.path = path;
  }

  /** The cached statement for this text; integers are read as numbers (reading one above 2^53 throws). */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      // run() also reports the last rowid inserted, which full-text tables leave above 2^53; Node 26 throws on that.
      if (!RETURNS_ROWS.test(sql)) statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** As {@link prepare}, every integer read as BigInt: for 64-bit hashes. */
  prepareBig(sql: string): StatementSync {
    let statement = this.#bigStatements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      statement.setReadBigInts(true);
      this.#bigStatements.set(sql, statement);
    }
    return statement;
  }

  /** Runs several statements without parameters, uncached. */
  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Runs a writing statement; the number of rows changed. */
  run(sql: string, ...values: readonly SqlValue[]): number {
    return Number(this.prepare(sql).run(...values).changes);
  }

  /** Runs an INSERT; the rowid of the new row. */
  insert(sql: string, ...values: readonly SqlValue[]): number {
    return Number(this.prepare(sql).run(...values).lastInsertRowid);
  }

  /** First row. `Row` is the caller's word for the columns that its SQL names. */
  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[] {
    return this.prepare(sql).all(...values) as Row[];
  }

  /**
   * Rows one by one, over a statement of its own so that the same text may run again meanwhile.
   * Rows written while iterating may or may not show.
   */
  iterate<Row>(sql: string, ...values: readonly SqlValue[]): IterableIterator<Row> {
    return this.#connection.prepare(sql).iterate(...values) as IterableIterator<Row>;
  }

  /**
   * Runs `work` in a transaction: all of it is committed, or nothing when it throws. Inside another transaction it is a
   * savepoint: a throw undoes its own part, and the outer one goes on if the caller catches it.
   */
  transaction<T>(work: () => T): T {
    const depth = this.#begin();
    let result: T;
    try {
      result = work();
      if (result instanceof Promise)
        throw new TypeError('transaction() takes synchronous work; use asyncTransaction()');
      this.#commit(depth);
    } catch (error) {
      this.#rollback(depth);
      throw error;
    }
    return result;
  }

  /**
   * As {@link transaction} for work that awaits; such transactions run one after the other.
   * Every statement of this connection run meanwhile joins it: await only the stores' own methods inside.
   * Rejects when called from inside another transaction.
   */
  async asyncTransaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inAsync.getStore()?.isOpen === true) throw new Error('asyncTransaction() inside asyncTransaction()');
    const scope = { isOpen: true };
    const result = this.#lastAsync.then(() => this.#inAsync.run(scope, () => this.#runAsync(work)));
    const end = () => {
      scope.isOpen = false;
    };
    this.#lastAsync = result.then(end, end);
    return await result;
  }

  /** Called after every rollback: whoever caches what rows hold must forget it. Returns a function that ends this. */
  onRollback(listener: () => void): () => void {
    this.#rollbackListeners.add(listener);
    return () => this.#rollbackListeners.delete(listener);
  }

  /** The schema version of one box's tables; 0 when it has none. */
  versionOf(box: string): number {
    if (this.get(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'box_versions'`) === undefined) return 0;
    return this.get<{ version: number }>('SELECT version FROM box_versions WHERE box = ?', box)?.version ?? 0;
  }

  /**
   * Brings the tables of one box to version `steps.length` by running the steps not yet run, all or none.
   * Steps are only ever appended. On a read-only connection of the same version it does nothing.
   * @throws NewerVersionError
   */
  migrate(box: string, steps: readonly MigrationStep[]): { readonly from: number; readonly to: number } {
    const from = this.versionOf(box);
    const to = steps.length;
    if (from > to) throw new NewerVersionError(box, from, to);
    if (from < to) this.transaction(() => this.#runSteps(box, steps.slice(from), to));
    return { from, to };
  }

  /** Copies the committed state into another file while this one stays in use. */
  async backup(path: string): Promise<void> {
    await backup(this.#connection, path);
  }

  /** Moves the write-ahead log into the file and truncates it; false when readers kept it from finishing. */
  checkpoint(): boolean {
    const row = this.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
    return row?.busy === 0;
  }

  /** Reads the whole file; the problems found, none when it is sound. Takes time proportional to the file. */
  findDamage(): string[] {
    const rows = this.all<{ quick_check: string }>('PRAGMA quick_check(20)');
    return rows.map((row) => row.quick_check).filter((text) => text !== 'ok');
  }

  /** True inside {@link transaction} or {@link asyncTransaction}. */
  get inTransaction(): boolean {
    return this.#depth > 0;
  }

  close(): void {
    this.#statements.clear();
    this.#bigStatements.clear();
    if (this.#connection.isOpen) this.#connection.close();
  }

  async #runAsync<T>(work: () => Promise<T>): Promise<T> {
    if (this.#depth > 0) throw new Error('asyncTransaction() inside transaction()');
    const depth = this.#begin();
    try {
      const result = await work();
      this.#commit(depth);
      return result;
    } catch (error) {
      this.#rollback(depth);
      throw error;
    }
  }

  #begin(): number {
    // IMMEDIATE: a transaction that reads first and writes later would fail at once when another process wrote between.
    this.prepare(this.#depth === 0 ? 'BEGIN IMMEDIATE' : `SAVEPOINT level_${this.#depth}`).run();
    return this.#depth++;
  }

  #commit(depth: number): void {
    this.prepare(depth === 0 ? 'COMMIT' : `RELEASE level_${depth}`).run();
    this.#depth = depth;
  }

  #rollback(depth: number): void {
    this.#depth = depth;
    // SQLite itself ends the whole transaction on some errors, a full disk among them.
    if (this.#connection.isTransaction) {
      if (depth === 0) this.#connection.exec('ROLLBACK');
      else this.#connection.exec(`ROLLBACK TO level_${depth}; RELEASE level_${depth}`);
    }
    for (const listener of this.#rollbackListeners) listener();
  }

  #runSteps(box: string, steps: readonly MigrationStep[], version: number): void {
    this.exec('CREATE TABLE IF NOT EXISTS box_versions (box TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID');
    for (const step of steps) {
      if (typeof step === 'string') this.exec(step);
      else step(this);
    }
    this.run('INSERT OR REPLACE INTO box_versions (box, version) VALUES (?, ?)', box, version);
  }
}

/** Statements that are read from; all others are run. */
const RETURNS_ROWS = /^\s*(?:SELECT|WITH|PRAGMA|VALUES|EXPLAIN)\b|\bRETURNING\b/i;

const FILE_PROBLEM_TEXT: Readonly<Record<DatabaseFileProblem, string>> = {
  missing: 'there is no such file',
  empty: 'the file has 0 bytes: its content was lost',
  corrupt: 'the file is damaged',
  'not-a-database': 'the file is not an SQLite database',
  folder: 'a folder is in the place of the file',
  unopenable: 'the file cannot be opened',
};

function checkFile(path: string, options: DatabaseOptions): void {
  if (existsSync(path)) {
    const found = statSync(path);
    if (found.isDirectory()) throw new DatabaseFileError(path, 'folder');
    if (found.size === 0) throw new DatabaseFileError(path, 'empty');
  } else if (options.readOnly) {
    throw new DatabaseFileError(path, 'missing');
  } else {
    createFile(path, options);
  }
}

function createFile(path: string, options: DatabaseOptions): void {
  const fresh = `${path}.new-${process.pid}`;
  rmSync(fresh, { force: true });
  try {
    closeSync(openSync(fresh, 'wx'));
  } catch (error) {
    throw new DatabaseFileError(path, 'unopenable', error);
  }
  const connection = connect(fresh, options);
  try {
    connection.exec('PRAGMA journal_mode = WAL');
  } catch (error) {
    throw asFileError(path, error);
  } finally {
    connection.close();
  }
  renameSync(fresh, path);
}

function connect(path: string, options: DatabaseOptions): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: options.readOnly, timeout: options.busyTimeoutMs });
  } catch (error) {
    throw asFileError(path, error);
  }
}

function configure(connection: DatabaseSync, options: DatabaseOptions): void {
  connection.exec(`PRAGMA cache_size = ${-Math.floor(options.cacheBytes / 1024)}; PRAGMA temp_store = MEMORY`);
  if (options.readOnly) {
    connection.exec('SELECT count(*) FROM sqlite_master');
    return;
  }
  connection.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${LOG_BYTES / PAGE_BYTES};
     PRAGMA journal_size_limit = ${LOG_BYTES}; SELECT count(*) FROM sqlite_master`,
  );
}

const PAGE_BYTES = 4096;

/**
 * The write-ahead log is copied into the file when it has this size. A page written many times before that is copied
 * once, which is what random inserts into large trees cost; reading a log of this size after a kill takes a moment only.
 */
const LOG_BYTES = 64 * 2 ** 20;

function asFileError(path: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  const primary = code & 0xff;
  if (primary === 11) return new DatabaseFileError(path, 'corrupt', error);
  if (primary === 26) return new DatabaseFileError(path, 'not-a-database', error);
  if (primary === 14) return new DatabaseFileError(path, 'unopenable', error);
  return error;
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}
