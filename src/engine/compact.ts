import type { Config } from '../config/config.ts';
import { messageOf, UnableError } from '../config/errors.ts';
import { isDiskFull } from '../kit/sqlite.ts';
import { isOutOfSpace, Repository } from '../repository/repository.ts';
import { asUnable, openForWriting } from './collection.ts';
import { freeDiskBytes } from './disk.ts';
import { repositoryOptionsOf } from './options.ts';
import { PageRules } from './page-rules.ts';
import { bytesOf } from './status.ts';

export interface CompactReport {
  readonly versionsRemoved: number;
  readonly filesRewritten: number;
  /** Bytes of database and WARC files. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** False: the disk has no room for the copy that SQLite makes of its file. */
  readonly databaseRewritten: boolean;
}

/** Keeps to the configured versions, days and disk budget, and drops the bytes of forgotten pages. */
export async function compactCollection(dataDir: string, config: Config, now: () => number): Promise<CompactReport> {
  const folder = openForWriting(dataDir, config);
  const { database } = folder;
  try {
    const bytesBefore = allBytes(dataDir);
    const rules = new PageRules(database);
    const repository = new Repository(database, repositoryOptionsOf(config, dataDir, now));
    try {
      const { versionsPerUrl, versionDays, diskBytes, quarantineShare, rewriteBelow } = config.repository;
      const { versionsRemoved, filesRewritten } = await repository.compact({
        ...{ versionsPerUrl, days: versionDays, diskBytes, quarantineShare },
        // What a person wants forgotten must not stay because its file is full enough of other pages.
        rewriteBelow: rules.hasUnpurged ? 1 : rewriteBelow,
      });
      rules.markPurged();
      const databaseRewritten = freeDiskBytes(dataDir) > 2 * bytesOf(dataDir).db;
      if (databaseRewritten) database.exec('VACUUM');
      database.checkpoint();
      return { versionsRemoved, filesRewritten, bytesBefore, bytesAfter: allBytes(dataDir), databaseRewritten };
    } finally {
      await repository.close();
    }
  } catch (error) {
    if (isDiskFull(error) || isOutOfSpace(error))
      throw new UnableError(
        `the disk is too full to rewrite files (${messageOf(error)}): nothing was lost; free some space`,
      );
    throw asUnable(error, dataDir);
  } finally {
    folder.close();
  }
}

function allBytes(dataDir: string): number {
  const { db, warc, quarantine } = bytesOf(dataDir);
  return db + warc + quarantine;
}
