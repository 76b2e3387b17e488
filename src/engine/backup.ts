import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { messageOf, UnableError } from '../config/errors.ts';
import { acquireLock } from '../kit/lock-file.ts';
import { makeFolder } from '../kit/make-folder.ts';
import { DatabaseFileError, openDatabase } from '../kit/sqlite.ts';
import { backUp, type DataFolder, verifyDatabase } from '../repository/backup.ts';
import { type DamagedRecord, forgetDamagedRecords } from '../repository/damage.ts';
import { asUnable, DATABASE_FILE, LOCK_FILE, openForReading } from './collection.ts';

export interface CopyReport {
  readonly from: string;
  readonly to: string;
  /** WARC files. */
  readonly files: number;
  /** Bytes of the WARC files. */
  readonly bytes: number;
  /** Records that are broken in what was copied; their pages keep row, text and place in the index. */
  readonly problems: readonly DamagedRecord[];
}

const MODELS = 'models';

/** A copy of the collection in an empty or new folder; a crawl may go on meanwhile. Throws {@link UnableError}. */
export async function backUpCollection(dataDir: string, target: string, config: Config): Promise<CopyReport> {
  const to = resolve(target);
  if (!isEmpty(to))
    throw new UnableError(
      `${to} is not empty: name a new folder, so that no older backup is lost. Nothing was written.`,
    );
  const database = openForReading(dataDir, config);
  try {
    const outcome = await backUp(database, folderOf(dataDir), folderOf(to));
    if (outcome.kind === 'refused') throw new UnableError(`no backup was made: ${outcome.detail}`);
    copyModels(dataDir, to);
    // Reading the copy left these behind, empty.
    for (const suffix of ['-wal', '-shm']) rmSync(folderOf(to).database + suffix, { force: true });
    return { from: dataDir, to, files: outcome.files, bytes: outcome.bytes, problems: outcome.damaged };
  } catch (error) {
    throw explained(error, dataDir, to);
  } finally {
    database.close();
  }
}

/**
 * Brings a backup back into a folder without a collection. Its database is checked first; of its archives all that is
 * whole comes back. The database appears last and at once, so that a restore cut off leaves no half collection. Throws
 * {@link UnableError}.
 */
export async function restoreCollection(source: string, dataDir: string, config: Config): Promise<CopyReport> {
  const from = resolve(source);
  if (existsSync(join(dataDir, DATABASE_FILE)))
    throw new UnableError(
      `${dataDir} holds a collection already: restore into another folder with --data. Nothing was changed.`,
    );
  const fresh = { database: join(dataDir, `${DATABASE_FILE}.restoring`), warc: join(dataDir, 'warc') };
  if (!existsSync(fresh.database) && !isEmpty(fresh.warc))
    throw new UnableError(
      `${fresh.warc} holds archives: restore into another folder with --data. Nothing was changed.`,
    );
  if (!existsSync(join(from, DATABASE_FILE)))
    throw new UnableError(`${from} is no backup: there is no ${DATABASE_FILE} in it`);
  verify(from);
  const lock = lockFolder(dataDir);
  const database = openForReading(from, config);
  try {
    removeDatabase(fresh.database);
    const outcome = await backUp(database, folderOf(from), fresh);
    if (outcome.kind === 'refused') throw new UnableError(`nothing was restored: ${outcome.detail}`);
    if (outcome.damaged.length > 0) forgetRecords(fresh);
    copyModels(from, dataDir);
    removeDatabase(join(dataDir, DATABASE_FILE));
    renameSync(fresh.database, join(dataDir, DATABASE_FILE));
    return { from, to: dataDir, files: outcome.files, bytes: outcome.bytes, problems: outcome.damaged };
  } catch (error) {
    throw explained(error, from, dataDir);
  } finally {
    database.close();
    removeDatabase(fresh.database);
    lock.release();
  }
}

function folderOf(dataDir: string): DataFolder {
  return { database: join(dataDir, DATABASE_FILE), warc: join(dataDir, 'warc') };
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    throw new UnableError(`cannot use ${folder}: ${messageOf(error)}`);
  }
}

function verify(from: string): void {
  let problems: readonly string[];
  try {
    problems = verifyDatabase(folderOf(from).database);
  } catch (error) {
    if (!(error instanceof DatabaseFileError)) throw error;
    problems = [error.message];
  }
  if (problems.length === 0) return;
  const shown = problems.slice(0, 5).join('; ');
  throw new UnableError(
    `the backup in ${from} is damaged (${problems.length} problems): ${shown}. Nothing was changed.`,
  );
}

function forgetRecords({ database: path, warc }: DataFolder): void {
  const database = openDatabase(path, { readOnly: false, busyTimeoutMs: 5000, cacheBytes: 4 << 20 });
  try {
    forgetDamagedRecords(database, warc);
    database.checkpoint();
  } finally {
    database.close();
  }
}

function lockFolder(dataDir: string): { release(): void } {
  let outcome: ReturnType<typeof acquireLock>;
  try {
    makeFolder(dataDir);
    outcome = acquireLock(join(dataDir, LOCK_FILE));
  } catch (error) {
    throw new UnableError(`cannot write to ${dataDir}: ${messageOf(error)}. Choose another folder with --data.`);
  }
  if (outcome.kind === 'locked') return outcome.lock;
  throw new UnableError(`process ${outcome.pid ?? '?'} is writing to ${dataDir}; wait for it or stop it`);
}

function copyModels(from: string, to: string): void {
  const source = join(from, MODELS);
  if (!existsSync(source)) return;
  makeFolder(join(to, MODELS));
  for (const name of readdirSync(source))
    if (name.endsWith('.json')) copyFileSync(join(source, name), join(to, MODELS, name));
}

/** With the files that SQLite keeps beside it. */
function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}

function explained(error: unknown, from: string, to: string): unknown {
  if (error instanceof UnableError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new UnableError(`the disk of ${to} is full: the copy is not complete, remove it; ${from} was not changed`);
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM' || code === 'ENOTDIR' || code === 'EEXIST')
    return new UnableError(`cannot write to ${to}: ${messageOf(error)}`);
  return asUnable(error, from);
}
