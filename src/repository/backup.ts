import { existsSync, mkdirSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '../kit/sqlite.ts';
import { committedFiles, type DamagedRecord, findDamagedRecords } from './damage.ts';
import { syncFolder } from './warc-files.ts';

export interface DataFolder {
  /** Path of the database file. */
  readonly database: string;
  /** Folder of the WARC files. */
  readonly warc: string;
}

export type BackupOutcome =
  | {
      readonly kind: 'done';
      readonly files: number;
      readonly bytes: number;
      /** Records that are broken in the copy, as in the source; everything else is whole. */
      readonly damaged: readonly DamagedRecord[];
    }
  /** The target is not empty. */
  | { readonly kind: 'refused'; readonly detail: string };

/**
 * Copies database and WARC files to an empty place while a crawl may write to them. The database comes first (SQLite's
 * online backup: one committed state); each WARC file is then copied up to the length committed in that state, beyond
 * which the copy has nothing. Bytes below a committed length never change; a compaction may remove whole files
 * meanwhile, so then all is begun again, a few times at most. What is still missing then is lost: the rest is copied.
 * The copy is read to its end, and what is broken in it reported.
 */
export async function backUp(database: Database, source: DataFolder, target: DataFolder): Promise<BackupOutcome> {
  if (existsSync(target.database)) return { kind: 'refused', detail: `${target.database} exists` };
  mkdirSync(target.warc, { recursive: true });
  for (let turn = 1; ; turn++) {
    await database.backup(target.database);
    const outcome = await copyWarcs(target, source.warc, turn < TURNS ? 'all' : 'what is left');
    if (outcome !== undefined) return outcome;
  }
}

const TURNS = 3;

/** What is wrong with a data folder; nothing when it is whole. Reads all of it. */
export function verifyDataFolder(folder: DataFolder): string[] {
  if (!existsSync(folder.database)) return [`${folder.database} is missing`];
  const database = openDatabase(folder.database, READ_ONLY);
  try {
    const records = findDamagedRecords(database, folder.warc);
    return [
      ...database.findDamage(),
      ...records.map(({ file, offset, detail }) => `${file} at byte ${offset}: ${detail}`),
    ];
  } finally {
    database.close();
  }
}

/** What is wrong with a database file by itself. */
export function verifyDatabase(path: string): string[] {
  const database = openDatabase(path, READ_ONLY);
  try {
    return database.findDamage();
  } finally {
    database.close();
  }
}

const READ_ONLY = { readOnly: true, busyTimeoutMs: 5000, cacheBytes: 4 << 20 } as const;

async function copyWarcs(
  target: DataFolder,
  sourceFolder: string,
  wanted: 'all' | 'what is left',
): Promise<BackupOutcome | undefined> {
  const copy = openDatabase(target.database, READ_ONLY);
  try {
    const files = committedFiles(copy).map(({ name, committed }) => {
      const path = join(sourceFolder, name);
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      return { name, path, length: Math.min(size, committed), isWhole: size >= committed };
    });
    if (wanted === 'all' && !files.every((file) => file.isWhole)) return undefined;
    const present = files.filter(({ length }) => length > 0);
    for (const { name, path, length } of present) {
      // A compaction may have removed it since.
      if (!existsSync(path)) return undefined;
      await copyPrefix(path, join(target.warc, name), length);
    }
    syncFolder(target.warc);
    const bytes = present.reduce((sum, { length }) => sum + length, 0);
    return { kind: 'done', files: present.length, bytes, damaged: findDamagedRecords(copy, target.warc) };
  } finally {
    copy.close();
  }
}

async function copyPrefix(from: string, to: string, length: number): Promise<void> {
  const source = await open(from, 'r');
  const target = await open(to, 'w');
  try {
    await copyBytes(source, target, length);
    await target.datasync();
  } finally {
    await source.close();
    await target.close();
  }
}

async function copyBytes(source: FileHandle, target: FileHandle, length: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(1 << 20);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, length - at), at);
    if (bytesRead === 0) return;
    await target.write(buffer, 0, bytesRead, at);
    at += bytesRead;
  }
}
