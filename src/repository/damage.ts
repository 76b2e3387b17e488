import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../kit/sqlite.ts';
import { MAX_RECORD_BYTES } from './stored-pages.ts';
import { readWarcFile } from './warc-reader.ts';

export interface DamagedRecord {
  readonly file: string;
  /** Byte at which the damage begins; the size of a file that ends too early. */
  readonly offset: number;
  readonly detail: string;
  /** Page versions that lose their bytes by it; 0 when nothing points there. */
  readonly pages: number;
}

export interface CommittedFile {
  readonly name: string;
  readonly committed: number;
}

export function committedFiles(database: Database): CommittedFile[] {
  return database.all<CommittedFile>(
    `SELECT name, committed FROM warc_file WHERE state <> 'dead' AND committed > 0 ORDER BY number`,
  );
}

/** What is broken in the committed part of the WARC files in `folder`; reads every record of them. */
export function findDamagedRecords(database: Database, folder: string): DamagedRecord[] {
  return committedFiles(database).flatMap((file) => damageOf(database, folder, file));
}

/**
 * Makes rows whose records are damaged say that their bytes are gone, and files that end early say where they end. Rows,
 * texts and index stay. Only for a database that nobody else has open.
 */
export function forgetDamagedRecords(database: Database, folder: string): void {
  const damaged = findDamagedRecords(database, folder);
  database.transaction(() => {
    for (const { file, offset } of damaged) {
      database.run(`UPDATE page SET file = NULL WHERE file = ? AND ${COVERS}`, file, offset, offset);
      database.run(`DELETE FROM revisit WHERE file = ? AND ${COVERS}`, file, offset, offset);
    }
    for (const { name, committed } of committedFiles(database)) {
      const size = sizeOf(join(folder, name));
      if (size >= committed) continue;
      database.run('UPDATE page SET file = NULL WHERE file = ? AND offset + span > ?', name, size);
      database.run('DELETE FROM revisit WHERE file = ? AND offset + span > ?', name, size);
      database.run(`UPDATE warc_file SET committed = ?, state = 'full' WHERE name = ?`, size, name);
    }
  });
}

/** A record with those that belong to it and follow it covers the byte. */
const COVERS = 'offset <= ? AND offset + span > ?';

function damageOf(database: Database, folder: string, { name, committed }: CommittedFile): DamagedRecord[] {
  const path = join(folder, name);
  const size = sizeOf(path);
  const found = new Map<number, string>();
  const starts = new Set<number>();
  if (size > 0)
    for (const item of readWarcFile(path, { maxRecordBytes: MAX_RECORD_BYTES })) {
      if (item.offset >= committed) break;
      if (item.kind === 'record') starts.add(item.offset);
      else if (!found.has(item.offset)) found.set(item.offset, item.detail);
    }
  const rows = database.iterate<{ offset: number }>(
    'SELECT offset FROM page WHERE file = ? AND offset < ? ORDER BY offset',
    name,
    size,
  );
  for (const { offset } of rows)
    if (!starts.has(offset) && !found.has(offset)) found.set(offset, 'no record begins here');
  const damaged = [...found]
    .sort(([a], [b]) => a - b)
    .map(([offset, detail]) => ({ file: name, offset, detail, pages: pagesOver(database, name, offset) }));
  if (size >= committed) return damaged;
  const pages = count(database, 'file = ? AND offset + span > ?', [name, size]);
  const detail = existsSync(path) ? `the file has ${size} of ${committed} bytes` : 'the file is missing';
  return [{ file: name, offset: size, detail, pages }, ...damaged];
}

function pagesOver(database: Database, file: string, offset: number): number {
  return count(database, `file = ? AND ${COVERS}`, [file, offset, offset]);
}

function count(database: Database, where: string, values: readonly (string | number)[]): number {
  return database.get<{ n: number }>(`SELECT count(*) AS n FROM page WHERE ${where}`, ...values)?.n ?? 0;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
