import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { messageOf, UnableError } from '../config/errors.ts';
import { acquireLock, type LockFile } from '../kit/lock-file.ts';
import { makeFolder } from '../kit/make-folder.ts';
import { type Database, DatabaseFileError, isBusy, isCorrupt, NewerVersionError, openDatabase } from '../kit/sqlite.ts';
import { makeTables } from './new-collection.ts';

export const DATABASE_FILE = 'winnow.db';
export const LOCK_FILE = 'writer.lock';
const ARCHIVE_FOLDER = 'warc';

/** The writer's hold on a data folder: the lock and the one connection that writes. */
export interface WritableFolder {
  readonly dataDir: string;
  readonly database: Database;
  close(): void;
}

/** Takes the folder for writing; makes it when it is missing. Throws {@link UnableError} with what to do. */
export function openForWriting(dataDir: string, config: Config): WritableFolder {
  prepareFolder(dataDir);
  const lock = takeLock(dataDir);
  try {
    const database = openFile(dataDir, config, false);
    return {
      dataDir,
      database,
      close: () => {
        database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A read-only connection beside the writer. Throws {@link UnableError} when there is no collection. */
export function openForReading(dataDir: string, config: Config): Database {
  if (!existsSync(join(dataDir, DATABASE_FILE))) {
    throw new UnableError(
      `there is no collection in ${dataDir}; make one with "winnow crawl URL" or name another with --data${existsSync(join(dataDir, 'demo', DATABASE_FILE)) ? ' (the demo is --collection demo)' : ''}`,
    );
  }
  return openFile(dataDir, config, true);
}

/** A connection for the short writes that may run beside the writer (labels, sites, hide): waits for its lock. */
export function openForShortWrites(dataDir: string, config: Config): Database {
  prepareFolder(dataDir);
  const isNew = !existsSync(join(dataDir, DATABASE_FILE));
  const database = openFile(dataDir, config, false);
  if (isNew) makeTables(database, dataDir, config);
  return database;
}

/** What is thrown on a folder of a newer Winnow, a damaged one or a busy one, as an {@link UnableError}; else the error. */
export function asUnable(error: unknown, dataDir: string): unknown {
  if (error instanceof NewerVersionError) {
    return new UnableError(
      `${dataDir} was written by a newer Winnow (${error.box}: version ${error.found}, this one knows ${error.known}). Nothing was changed. Use that version, or another --data folder.`,
    );
  }
  if (error instanceof DatabaseFileError || isCorrupt(error)) {
    // Damage behind the first pages is met only when they are read, with SQLite's own words.
    const found =
      error instanceof DatabaseFileError
        ? error
        : new DatabaseFileError(join(dataDir, DATABASE_FILE), 'corrupt', error);
    return new UnableError(
      `${found.message}. Nothing was changed. Restore a backup ("winnow restore DIR"), or move the file away to begin anew.`,
    );
  }
  if (isBusy(error)) return new UnableError(`another process is writing to ${dataDir}; try again in a moment`);
  return error;
}

function openFile(dataDir: string, config: Config, readOnly: boolean): Database {
  const { writerCacheBytes, readerCacheBytes, busyTimeoutMs } = config.database;
  const archives = join(dataDir, ARCHIVE_FOLDER);
  if (statSync(archives, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UnableError(
      `${archives} is a file in the place of the folder of archives. Move it away, or restore a backup ("winnow restore DIR").`,
    );
  }
  try {
    return openDatabase(join(dataDir, DATABASE_FILE), {
      readOnly,
      busyTimeoutMs,
      cacheBytes: readOnly ? readerCacheBytes : writerCacheBytes,
    });
  } catch (error) {
    throw asUnable(error, dataDir);
  }
}

/** Makes the folder when it is missing. Throws {@link UnableError} when it cannot be written to. */
export function prepareFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UnableError(
      `cannot write to the data folder ${dataDir}: ${messageOf(error)}. Choose another with --data.`,
    );
  }
}

function takeLock(dataDir: string): LockFile {
  let outcome: ReturnType<typeof acquireLock>;
  try {
    outcome = acquireLock(join(dataDir, LOCK_FILE));
  } catch (error) {
    throw new UnableError(
      `cannot write to the data folder ${dataDir}: ${messageOf(error)}. Choose another with --data.`,
    );
  }
  if (outcome.kind === 'locked') return outcome.lock;
  const who = outcome.pid === undefined ? 'another process' : `process ${outcome.pid}`;
  throw new UnableError(
    `${who} is already writing to ${dataDir}; wait for it or stop it, or use another --data folder`,
  );
}
