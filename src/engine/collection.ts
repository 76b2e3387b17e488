import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { messageOf, UnableError } from '../config/errors.ts';
import { acquireLock, type LockFile } from '../kit/lock-file.ts';
import { type Database, DatabaseFileError, isBusy, NewerVersionError, openDatabase } from '../kit/sqlite.ts';
import { makeTables } from './new-collection.ts';

export const DATABASE_FILE = 'winnow.db';
export const LOCK_FILE = 'writer.lock';

/** The writer's hold on a data folder: the lock and the one connection that writes. */
export interface WritableFolder {
  readonly dataDir: string;
  readonly database: Database;
  close(): void;
}

/** Takes the folder for writing; makes it when it is missing. Throws {@link UnableError} with what to do. */
export function openForWriting(dataDir: string, config: Config): WritableFolder {
  makeFolder(dataDir);
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
      `there is no collection in ${dataDir}; make one with "winnow crawl URL" or name another with --data`,
    );
  }
  return openFile(dataDir, config, true);
}

/** A connection for the short writes that may run beside the writer (labels, sites, hide): waits for its lock. */
export function openForShortWrites(dataDir: string, config: Config): Database {
  makeFolder(dataDir);
  const isNew = !existsSync(join(dataDir, DATABASE_FILE));
  const database = openFile(dataDir, config, false);
  if (isNew) makeTables(database, dataDir, config);
  return database;
}

/** What a box's constructor throws on a folder of a newer Winnow, as a message. */
export function asUnable(error: unknown, dataDir: string): unknown {
  if (error instanceof NewerVersionError) {
    return new UnableError(
      `${dataDir} was written by a newer Winnow (${error.box}: version ${error.found}, this one knows ${error.known}). Nothing was changed. Use that version, or another --data folder.`,
    );
  }
  if (error instanceof DatabaseFileError) {
    return new UnableError(
      `${error.message}. Nothing was changed. Restore a backup ("winnow restore DIR"), or move the file away to begin anew.`,
    );
  }
  if (isBusy(error)) return new UnableError(`another process is writing to ${dataDir}; try again in a moment`);
  return error;
}

function openFile(dataDir: string, config: Config, readOnly: boolean): Database {
  const { writerCacheBytes, readerCacheBytes, busyTimeoutMs } = config.database;
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

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
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
