import { existsSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../kit/sqlite.ts';
import { registerFile, syncFolder, type WarcSeries } from './warc-files.ts';
import { buildWarcinfo } from './warc-record.ts';

export interface CompactionLimits {
  /** Versions of a page held, the newest included; at least 1. */
  readonly versionsPerUrl: number;
  /** Days that versions other than the newest are held. */
  readonly days: number;
  /** Bytes of all WARC files: while above, the oldest versions lose their bytes, never the newest of a kept page. */
  readonly diskBytes: number;
  /** Share of `diskBytes` that quarantined pages may take. */
  readonly quarantineShare: number;
  /** A file is rewritten when less than this share of it is still pointed at. */
  readonly rewriteBelow: number;
}

export interface CompactionReport {
  readonly versionsRemoved: number;
  readonly filesRewritten: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

interface CompactionContext {
  readonly database: Database;
  readonly folder: string;
  readonly software: string;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface FileUse {
  readonly name: string;
  readonly series: WarcSeries;
  readonly committed: number;
}

/** A record to carry over; `page` rows go by their row number, revisits by (url, at). */
interface Carried {
  readonly source: 'page' | 'revisit';
  readonly row: number;
  readonly at: number;
  readonly offset: number;
  readonly span: number;
}

/**
 * Drops versions beyond the limits, then rewrites the WARC files that hold little else than dropped ones. A new file is
 * complete and synced before one transaction turns all rows to it and declares the old one dead; a crash leaves either
 * the old file or both, and opening removes what is unfinished or dead. The files must not be appended to meanwhile.
 */
export async function compactFiles(context: CompactionContext, limits: CompactionLimits): Promise<CompactionReport> {
  const { database } = context;
  const bytesBefore = totalBytes(database);
  const versionsRemoved = database.transaction(() => {
    const removed = dropVersions(context, limits);
    letGo(database, 'quarantine', limits.diskBytes * limits.quarantineShare);
    letGo(database, 'all', limits.diskBytes);
    return removed;
  });
  let filesRewritten = 0;
  for (const file of filesToRewrite(database, limits.rewriteBelow)) {
    if (!isAllCommitted(context.folder, file)) continue;
    await rewrite(context, file);
    filesRewritten++;
  }
  return { versionsRemoved, filesRewritten, bytesBefore, bytesAfter: totalBytes(database) };
}

function dropVersions({ database, now }: CompactionContext, limits: CompactionLimits): number {
  const oldest = now - limits.days * 86_400_000;
  database.run('DELETE FROM revisit WHERE at < ?', oldest);
  return database.run(
    `DELETE FROM page WHERE row IN (
       SELECT row FROM (
         SELECT row, fetched_at, row_number() OVER (PARTITION BY url ORDER BY version DESC) AS age FROM page)
       WHERE age > max(?, 1) OR (age > 1 AND fetched_at < ?))`,
    limits.versionsPerUrl,
    oldest,
  );
}

/** Takes the bytes of the oldest captures until the rest fits: what is not the newest version first, then garbage. */
function letGo(database: Database, which: 'quarantine' | 'all', maxBytes: number): void {
  const condition = which === 'quarantine' ? `AND state = 'garbage'` : '';
  database.run(
    `UPDATE page SET file = NULL WHERE row IN (
       SELECT row FROM (
         SELECT row, state, newest, sum(span) OVER (ORDER BY newest DESC, state = 'garbage', fetched_at DESC, row DESC) AS total
         FROM (SELECT row, state, span, fetched_at, version = max(version) OVER (PARTITION BY url) AS newest
               FROM page) WHERE row IN (SELECT row FROM page WHERE file IS NOT NULL ${condition}))
       WHERE total > ? AND NOT (newest AND state <> 'garbage'))`,
    Math.max(0, Math.floor(maxBytes)),
  );
}

function filesToRewrite(database: Database, rewriteBelow: number): FileUse[] {
  return database.all<FileUse>(
    `SELECT name, series, committed FROM warc_file
     WHERE state = 'full' AND committed > 0 AND ? * committed >
       coalesce((SELECT sum(span) FROM page WHERE file = name), 0) +
       coalesce((SELECT sum(span) FROM revisit WHERE file = name), 0)
     ORDER BY number`,
    rewriteBelow,
  );
}

/** A file with bytes whose rows are not committed yet, or with fewer than were committed, is left as it is. */
function isAllCommitted(folder: string, file: FileUse): boolean {
  const path = join(folder, file.name);
  return existsSync(path) && statSync(path).size === file.committed;
}

async function rewrite(context: CompactionContext, old: FileUse): Promise<void> {
  const { database, folder } = context;
  const carried = carriedOf(database, old.name);
  const target = carried.length === 0 ? undefined : await copyRecords(context, old, carried);
  database.transaction(() => {
    if (target !== undefined) {
      for (const [i, record] of carried.entries()) redirect(database, record, target.name, target.offsets[i] ?? 0);
      database.run(`UPDATE warc_file SET committed = ?, state = 'full' WHERE name = ?`, target.size, target.name);
    }
    database.run(`UPDATE warc_file SET state = 'dead' WHERE name = ?`, old.name);
  });
  rmSync(join(folder, old.name), { force: true });
  database.run('DELETE FROM warc_file WHERE name = ?', old.name);
}

function carriedOf(database: Database, file: string): Carried[] {
  const columns = 'offset, span';
  return [
    ...database.all<Carried>(`SELECT 'page' AS source, row, 0 AS at, ${columns} FROM page WHERE file = ?`, file),
    ...database.all<Carried>(
      `SELECT 'revisit' AS source, url AS row, at, ${columns} FROM revisit WHERE file = ?`,
      file,
    ),
  ].sort((a, b) => a.offset - b.offset);
}

function redirect(database: Database, record: Carried, file: string, offset: number): void {
  if (record.source === 'page')
    database.run('UPDATE page SET file = ?, offset = ? WHERE row = ?', file, offset, record.row);
  else
    database.run(
      'UPDATE revisit SET file = ?, offset = ? WHERE url = ? AND at = ?',
      file,
      offset,
      record.row,
      record.at,
    );
}

/** Copies whole gzip members, byte by byte the same; records are named by offset and keep their ids and digests. */
async function copyRecords(
  context: CompactionContext,
  old: FileUse,
  carried: readonly Carried[],
): Promise<{ readonly name: string; readonly offsets: readonly number[]; readonly size: number }> {
  const { database, folder, software, newId, now } = context;
  const name = registerFile(database, old.series, folder);
  const source = await open(join(folder, old.name), 'r');
  const target = await open(join(folder, name), 'wx');
  const offsets: number[] = [];
  let size = 0;
  try {
    const warcinfo = buildWarcinfo({ fileName: name, software, at: now, newId });
    await target.writeFile(warcinfo);
    size = warcinfo.length;
    for (const { offset, span } of carried) {
      const { buffer, bytesRead } = await source.read(Buffer.allocUnsafe(span), 0, span, offset);
      offsets.push(size);
      await target.writeFile(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
    await target.datasync();
    syncFolder(folder);
  } finally {
    await source.close();
    await target.close();
  }
  return { name, offsets, size };
}

function totalBytes(database: Database): number {
  return database.get<{ bytes: number }>('SELECT coalesce(sum(committed), 0) AS bytes FROM warc_file')?.bytes ?? 0;
}
