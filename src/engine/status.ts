import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import type { Database } from '../kit/sqlite.ts';
import { URL_STATES } from '../model/lists.ts';
import type { StatusReport } from '../model/reports.ts';
import { readFreshnessRecord } from '../updating/freshness-record.ts';
import { asUnable, DATABASE_FILE, openForReading } from './collection.ts';
import { modelVersions } from './judging.ts';
import { visitedOptionsOf } from './options.ts';
import { Runs } from './runs.ts';
import { VERSION } from './version.ts';

/** Figures of a collection, over a connection of its own. Throws {@link UnableError} when there is none. */
export async function readStatus(dataDir: string, config: Config): Promise<StatusReport> {
  const database = openForReading(dataDir, config);
  try {
    return await statusOf(database, dataDir, config);
  } catch (error) {
    throw asUnable(error, dataDir);
  } finally {
    database.close();
  }
}

async function statusOf(database: Database, dataDir: string, config: Config): Promise<StatusReport> {
  const visited = new VisitedUrls(database, visitedOptionsOf(config));
  const refresh = readFreshnessRecord(database);
  const pages: Record<string, number> = Object.fromEntries(URL_STATES.map((state) => [state, 0]));
  for (const { state, count } of await visited.counts()) pages[state] = (pages[state] ?? 0) + count;
  return {
    pages,
    hosts: visited.hosts.count(),
    bytes: bytesOf(dataDir),
    queue: (pages['queued'] ?? 0) + (pages['deferred'] ?? 0),
    lastRun: new Runs(database).last(),
    model: modelVersions(dataDir),
    freshness: refresh?.freshness ?? null,
    ...(refresh === undefined ? {} : { refresh }),
    version: VERSION,
  };
}

/** Of a folder without a collection. */
export function emptyStatus(): StatusReport {
  return {
    pages: Object.fromEntries(URL_STATES.map((state) => [state, 0])),
    hosts: 0,
    bytes: { db: 0, warc: 0, quarantine: 0 },
    queue: 0,
    lastRun: null,
    model: modelVersions(''),
    freshness: null,
    version: VERSION,
  };
}

/** Bytes of the files of a data folder. */
export function bytesOf(dataDir: string): StatusReport['bytes'] {
  const folder = join(dataDir, 'warc');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const sizeOf = (wanted: (name: string) => boolean): number =>
    names.filter(wanted).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return {
    db: sizeOfFile(join(dataDir, DATABASE_FILE)) + sizeOfFile(join(dataDir, `${DATABASE_FILE}-wal`)),
    warc: sizeOf((name) => !name.startsWith('quarantine-')),
    quarantine: sizeOf((name) => name.startsWith('quarantine-')),
  };
}

function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
