import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { messageOf } from '../config/errors.ts';
import { lockHolder } from '../kit/lock-file.ts';
import { type Database, openDatabase } from '../kit/sqlite.ts';
import { committedFiles, findDamagedRecords } from '../repository/damage.ts';
import { StoredPages } from '../repository/stored-pages.ts';
import type { WarcLocation } from '../repository/warc-files.ts';
import { asUnable, DATABASE_FILE, LOCK_FILE, openForReading } from './collection.ts';
import { freeDiskBytes } from './disk.ts';
import { modelVersions } from './judging.ts';
import { repositoryOptionsOf } from './options.ts';

/** One thing looked at. `missing` keeps Winnow from working; `warning` keeps it from some of its work. */
export interface DoctorFinding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'missing';
  readonly detail: string;
  /** What to do about it. */
  readonly advice?: string;
}

interface Checkup {
  readonly dataDir: string;
  readonly config: Config;
}

/** What is missing on this machine and in this data folder. Changes nothing. */
export async function examine(checkup: Checkup): Promise<readonly DoctorFinding[]> {
  return [
    nodeVersion(),
    fullTextSearch(),
    ...models(checkup),
    folder(checkup),
    disk(checkup),
    writer(checkup),
    ...(await collection(checkup)),
    contact(checkup),
    browser(process.env),
  ];
}

function nodeVersion(): DoctorFinding {
  const { node } = process.versions;
  const isEnough = Number(node.split('.')[0]) >= 24;
  return isEnough
    ? { check: 'node', status: 'ok', detail: `Node ${node}` }
    : { check: 'node', status: 'missing', detail: `Node ${node} is too old`, advice: 'use Node 24 or newer' };
}

function fullTextSearch(): DoctorFinding {
  const database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 });
  try {
    const version = database.get<{ v: string }>('SELECT sqlite_version() AS v')?.v ?? '?';
    database.exec('CREATE VIRTUAL TABLE probe USING fts5(text)');
    return { check: 'sqlite', status: 'ok', detail: `SQLite ${version} with FTS5` };
  } catch (error) {
    return {
      check: 'sqlite',
      status: 'missing',
      detail: `SQLite has no FTS5: ${messageOf(error)}`,
      advice: 'use a Node built with its own SQLite',
    };
  } finally {
    database.close();
  }
}

function models({ dataDir }: Checkup): DoctorFinding[] {
  return Object.entries(modelVersions(dataDir)).map(([detector, version]) =>
    version === 'none'
      ? {
          check: `model ${detector}`,
          status: 'missing',
          detail: `no model for ${detector}`,
          advice: `reinstall Winnow, or train one with "winnow train --detector ${detector}"`,
        }
      : { check: `model ${detector}`, status: 'ok', detail: `${detector} ${version}` },
  );
}

function folder({ dataDir }: Checkup): DoctorFinding {
  const existing = nearestExisting(dataDir);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    const detail = existing === dataDir ? `${dataDir} can be written` : `${dataDir} can be made`;
    return { check: 'folder', status: 'ok', detail };
  } catch (error) {
    const detail = `${existing} cannot be written: ${messageOf(error)}`;
    return { check: 'folder', status: 'missing', detail, advice: 'change its owner, or name another with --data' };
  }
}

function nearestExisting(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : nearestExisting(parent);
}

function disk({ dataDir, config }: Checkup): DoctorFinding {
  const free = freeDiskBytes(nearestExisting(dataDir));
  const least = config.crawl.minFreeDiskBytes;
  const megabytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20).toLocaleString('en')} MB`;
  if (free >= least) return { check: 'disk', status: 'ok', detail: `${megabytes(free)} free` };
  return {
    check: 'disk',
    status: 'missing',
    detail: `${megabytes(free)} free, crawls stop below ${megabytes(least)}`,
    advice: 'free some space, run "winnow compact", or lower crawl.minFreeDiskBytes',
  };
}

function writer({ dataDir }: Checkup): DoctorFinding {
  const pid = lockHolder(join(dataDir, LOCK_FILE));
  const detail = pid === undefined ? 'no process is writing' : `process ${pid} is writing to ${dataDir}`;
  return { check: 'writer', status: 'ok', detail };
}

async function collection({ dataDir, config }: Checkup): Promise<DoctorFinding[]> {
  if (!existsSync(join(dataDir, DATABASE_FILE)))
    return [{ check: 'database', status: 'ok', detail: `no collection in ${dataDir} yet` }];
  try {
    const database = openForReading(dataDir, config);
    try {
      return [integrity(database), await archives(database, { dataDir, config })];
    } finally {
      database.close();
    }
  } catch (error) {
    return [{ check: 'database', status: 'missing', detail: messageOf(asUnable(error, dataDir)), advice: RESTORE }];
  }
}

const RESTORE = 'restore a backup with "winnow restore DIR" into another folder';

function integrity(database: Database): DoctorFinding {
  const damage = database.findDamage();
  if (damage.length === 0) return { check: 'database', status: 'ok', detail: 'the database is sound' };
  return { check: 'database', status: 'missing', detail: `damaged: ${damage.slice(0, 3).join('; ')}`, advice: RESTORE };
}

/** Up to this many bytes of archives every record is read; of more only the ends. A backup reads all of them. */
const SMALL_ARCHIVE_BYTES = 1 << 28;

async function archives(database: Database, checkup: Checkup): Promise<DoctorFinding> {
  if (database.versionOf('repository') === 0) return archiveEnds(database, checkup);
  const committed = committedFiles(database).reduce((sum, file) => sum + file.committed, 0);
  return committed > SMALL_ARCHIVE_BYTES ? archiveEnds(database, checkup) : allRecords(database, checkup);
}

function allRecords(database: Database, { dataDir }: Checkup): DoctorFinding {
  const damaged = findDamagedRecords(database, join(dataDir, 'warc'));
  const files = committedFiles(database).length;
  if (damaged.length === 0)
    return { check: 'archives', status: 'ok', detail: `every record of ${files} WARC files is sound` };
  const shown = damaged.slice(0, 3).map(({ file, offset, detail }) => `${file} at byte ${offset}: ${detail}`);
  const detail = `${damaged.length} damaged records: ${shown.join('; ')}`;
  if (damaged.some(({ pages }) => pages > 0)) return { check: 'archives', status: 'missing', detail, advice: RESTORE };
  return { check: 'archives', status: 'warning', detail, advice: 'no page needs them: "winnow compact" may drop them' };
}

/** Each file must reach as far as was committed, and its last record be readable. */
async function archiveEnds(database: Database, { dataDir, config }: Checkup): Promise<DoctorFinding> {
  const files = database.versionOf('repository') === 0 ? [] : database.all<WarcLocation>(LAST_RECORDS);
  const pages = new StoredPages(database, repositoryOptionsOf(config, dataDir, Date.now));
  const lost = shortFiles(database, dataDir);
  for (const { file, offset, length, span } of files) {
    const outcome = await pages.read({ file, offset, length, span });
    if (outcome.kind === 'lost') lost.push(`${file}: ${outcome.detail}`);
  }
  if (lost.length === 0)
    return { check: 'archives', status: 'ok', detail: `${files.length} WARC files are sound at their ends` };
  return { check: 'archives', status: 'missing', detail: lost.slice(0, 3).join('; '), advice: RESTORE };
}

function shortFiles(database: Database, dataDir: string): string[] {
  if (database.versionOf('repository') === 0) return [];
  const files = database.all<{ name: string; committed: number }>(
    `SELECT name, committed FROM warc_file WHERE state <> 'dead' AND committed > 0 ORDER BY name`,
  );
  return files.flatMap(({ name, committed }) => {
    const size = statSync(join(dataDir, 'warc', name), { throwIfNoEntry: false })?.size ?? 0;
    return size < committed ? [`${name}: ${size} of ${committed} bytes are left`] : [];
  });
}

const LAST_RECORDS = `SELECT p.file, max(p.offset) AS offset, p.length, p.span
  FROM page p JOIN warc_file f ON f.name = p.file WHERE f.state <> 'dead' GROUP BY p.file ORDER BY p.file`;

function contact({ config }: Checkup): DoctorFinding {
  if (config.crawl.contact !== '') return { check: 'contact', status: 'ok', detail: config.crawl.contact };
  return {
    check: 'contact',
    status: 'warning',
    detail: 'no contact is configured: only private addresses can be crawled',
    advice: 'set crawl.contact in the configuration file, or use --contact',
  };
}

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

function browser(environment: NodeJS.ProcessEnv): DoctorFinding {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((path) => path !== '');
  const found = folders.flatMap((path) => BROWSERS.map((name) => join(path, name))).find((path) => existsSync(path));
  if (found !== undefined) return { check: 'browser', status: 'ok', detail: found };
  return {
    check: 'browser',
    status: 'warning',
    detail: 'no Chromium on the path: pages cannot be rendered',
    advice: 'needed only for --render auto and always',
  };
}
