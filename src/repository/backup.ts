import { existsSync, mkdirSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '../kit/sqlite.ts';
import { MAX_RECORD_BYTES } from './stored-pages.ts';
import { syncFolder } from './warc-files.ts';
import { readWarcFile } from './warc-reader.ts';

export interface DataFolder {
  /** Path of the database file. */
  readonly database: string;
  /** Folder of the WARC files. */
  readonly warc: string;
}

export type BackupOutcome =
  | { readonly kind: 'done'; readonly files: number; readonly bytes: number }
  /** The target is not empty, or the source lost data. */
  | { readonly kind: 'refused'; readonly detail: string };

interface CommittedFile {
  readonly name: string;
  readonly committed: number;
}

/**
 * Copies database and WARC files to an empty place while a crawl may write to them. The database comes first (SQLite's
 * online backup: one committed state); each WARC file is then copied up to the length committed in that state, beyond
 * which the copy has nothing. Bytes below a committed length never change; a compaction may remove whole files
 * meanwhile, so then all is begun again, a few times at most.
 */
export async function backUp(database: Database, source: DataFolder, target: DataFolder): Promise<BackupOutcome> {
  if (existsSync(target.database)) return { kind: 'refused', detail: `${target.database} exists` };
  mkdirSync(target.warc, { recursive: true });
  for (let turn = 0; turn < 3; turn++) {
    await database.backup(target.database);
    const outcome = await copyWarcs(target, source.warc);
    if (outcome !== undefined) return outcome;
  }
  return { kind: 'refused', detail: `WARC files are missing in ${source.warc}` };
}

/** What is wrong with a data folder (a backup, or before one is restored); nothing when it is whole. Reads all of it. */
export function verifyDataFolder(folder: DataFolder): string[] {
  if (!existsSync(folder.database)) return [`${folder.database} is missing`];
  const database = openDatabase(folder.database, READ_ONLY);
  try {
    const problems = database.findDamage();
    for (const file of committedFiles(database)) problems.push(...verifyFile(database, folder.warc, file));
    return problems;
  } finally {
    database.close();
  }
}

const READ_ONLY = { readOnly: true, busyTimeoutMs: 5000, cacheBytes: 4 << 20 } as const;

async function copyWarcs(target: DataFolder, sourceFolder: string): Promise<BackupOutcome | undefined> {
  const copy = openDatabase(target.database, READ_ONLY);
  let files: CommittedFile[];
  try {
    files = committedFiles(copy);
  } finally {
    copy.close();
  }
  let bytes = 0;
  for (const { name, committed } of files) {
    const path = join(sourceFolder, name);
    if (!existsSync(path) || statSync(path).size < committed) return undefined;
    await copyPrefix(path, join(target.warc, name), committed);
    bytes += committed;
  }
  syncFolder(target.warc);
  return { kind: 'done', files: files.length, bytes };
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

function committedFiles(database: Database): CommittedFile[] {
  return database.all<CommittedFile>(
    `SELECT name, committed FROM warc_file WHERE state <> 'dead' AND committed > 0 ORDER BY number`,
  );
}

function verifyFile(database: Database, folder: string, { name, committed }: CommittedFile): string[] {
  const path = join(folder, name);
  if (!existsSync(path)) return [`${name} is missing`];
  const { size } = statSync(path);
  if (size < committed) return [`${name} has ${size} of ${committed} bytes`];
  const problems: string[] = [];
  const starts = new Set<number>();
  for (const item of readWarcFile(path, { maxRecordBytes: MAX_RECORD_BYTES })) {
    if (item.kind === 'record') starts.add(item.offset);
    else if (item.offset < committed) problems.push(`${name} at ${item.offset}: ${item.detail}`);
  }
  for (const { offset } of database.iterate<{ offset: number }>('SELECT offset FROM page WHERE file = ?', name))
    if (!starts.has(offset)) problems.push(`${name}: no record at ${offset}`);
  return problems;
}
