import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../kit/sqlite.ts';
import { buildWarcinfo, type WarcCapture } from './warc-record.ts';

/** Which series of files a capture goes to. */
export type WarcSeries = 'pages' | 'quarantine';

/** Where a record stands: `length` of its gzip member, `span` with the records that belong to it and follow it. */
export interface WarcLocation {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  readonly span: number;
}

export interface WarcFilesOptions {
  readonly folder: string;
  /** A file that has reached this many bytes is closed and the next one begun. */
  readonly rollBytes: number;
  /** Named in each file's warcinfo record. */
  readonly software: string;
  readonly newId: () => string;
  readonly now: () => number;
}

/** What opening found wrong; none of it stops the work. */
export interface WarcProblem {
  readonly file: string;
  readonly kind: 'missing' | 'shorter-than-committed' | 'unknown-file';
  readonly detail: string;
}

interface FileRow {
  readonly name: string;
  readonly series: WarcSeries;
  readonly committed: number;
  readonly state: 'open' | 'full' | 'damaged' | 'dead';
}

interface Writer {
  readonly name: string;
  readonly handle: FileHandle;
  size: number;
}

/**
 * The WARC files of a data folder. Bytes are appended and synced first; then the caller commits, in one transaction,
 * its rows and the new lengths ({@link WarcFiles.writeCommitted}). Opening cuts every file back to its committed
 * length. A file is registered before its first byte is written, so any unregistered file is somebody else's: it is
 * reported and left alone.
 */
export class WarcFiles {
  readonly #database: Database;
  readonly #options: WarcFilesOptions;
  readonly #writers = new Map<WarcSeries, Writer>();
  readonly #appended = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();
  readonly problems: readonly WarcProblem[];

  constructor(database: Database, options: WarcFilesOptions) {
    this.#database = database;
    this.#options = options;
    mkdirSync(options.folder, { recursive: true });
    this.problems = recover(database, options.folder);
  }

  /**
   * Appends captures in order and syncs the data to disk. Calls run one after the other. When writing fails
   * (a full disk), the file is cut back and the error thrown: nothing was appended.
   */
  append(series: WarcSeries, captures: readonly WarcCapture[]): Promise<WarcLocation[]> {
    const result = this.#last.then(() => (captures.length === 0 ? [] : this.#append(series, captures)));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Writes the lengths reached into the database: to be called in the transaction that writes the rows. */
  writeCommitted(): void {
    // Inserts where the registration itself was rolled back with somebody's transaction.
    for (const [name, size] of this.#appended)
      this.#database.run(
        `INSERT INTO warc_file (name, number, series, committed, state) VALUES (?, ?, ?, ?, 'open')
         ON CONFLICT (name) DO UPDATE SET committed = max(committed, excluded.committed)`,
        name,
        numberOf(name),
        name.slice(0, name.indexOf('-')),
        size,
      );
  }

  path(name: string): string {
    return join(this.#options.folder, name);
  }

  /** Committed bytes of a series. */
  bytes(series: WarcSeries): number {
    const row = this.#database.get<{ bytes: number }>(
      `SELECT coalesce(sum(committed), 0) AS bytes FROM warc_file WHERE series = ? AND state <> 'dead'`,
      series,
    );
    return row?.bytes ?? 0;
  }

  /** Ends the files being written, so that the next append begins new ones, and runs `work` before that append. */
  whileSealed<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      for (const [series, writer] of this.#writers) await this.#seal(series, writer);
      this.#database.run(`UPDATE warc_file SET state = 'full' WHERE state = 'open' AND committed > 0`);
      const outcome = await work();
      for (const name of this.#appended.keys()) if (!existsSync(this.path(name))) this.#appended.delete(name);
      return outcome;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#last;
    for (const writer of this.#writers.values()) await writer.handle.close();
    this.#writers.clear();
  }

  async #append(series: WarcSeries, captures: readonly WarcCapture[]): Promise<WarcLocation[]> {
    const writer = await this.#writerFor(series);
    const start = writer.size;
    const locations: WarcLocation[] = [];
    for (const { bytes, length } of captures) {
      locations.push({ file: writer.name, offset: writer.size, length, span: bytes.length });
      writer.size += bytes.length;
    }
    try {
      await writeAll(writer.handle, Buffer.concat(captures.map((capture) => capture.bytes)), start);
      await writer.handle.datasync();
    } catch (error) {
      writer.size = start;
      await writer.handle.truncate(start);
      throw error;
    }
    this.#appended.set(writer.name, writer.size);
    return locations;
  }

  async #writerFor(series: WarcSeries): Promise<Writer> {
    const current = this.#writers.get(series) ?? (await this.#reopen(series));
    if (current !== undefined && current.size < this.#options.rollBytes) {
      this.#writers.set(series, current);
      return current;
    }
    if (current !== undefined) await this.#seal(series, current);
    const fresh = await this.#begin(series);
    this.#writers.set(series, fresh);
    return fresh;
  }

  async #reopen(series: WarcSeries): Promise<Writer | undefined> {
    const row = this.#database.get<FileRow>(
      `SELECT * FROM warc_file WHERE series = ? AND state = 'open' ORDER BY name DESC LIMIT 1`,
      series,
    );
    if (row === undefined || row.committed === 0) return undefined;
    return { name: row.name, handle: await open(this.path(row.name), 'r+'), size: row.committed };
  }

  async #begin(series: WarcSeries): Promise<Writer> {
    const name = registerFile(this.#database, series, this.#options.folder);
    const handle = await open(this.path(name), 'wx');
    const { software, newId, now } = this.#options;
    const warcinfo = buildWarcinfo({ fileName: name, software, at: now(), newId });
    try {
      await writeAll(handle, warcinfo, 0);
      syncFolder(this.#options.folder);
    } catch (error) {
      await handle.close();
      rmSync(this.path(name), { force: true });
      throw error;
    }
    return { name, handle, size: warcinfo.length };
  }

  async #seal(series: WarcSeries, writer: Writer): Promise<void> {
    await writer.handle.close();
    this.#writers.delete(series);
    this.#database.run(`UPDATE warc_file SET state = 'full' WHERE name = ?`, writer.name);
  }
}

/** Inserts the row of a new file (committed 0) and returns its name; numbers go up and are never used again. */
export function registerFile(database: Database, series: WarcSeries, folder: string): string {
  const row = database.get<{ last: number }>('SELECT coalesce(max(number), 0) AS last FROM warc_file');
  const onDisk = readdirSync(folder).map(numberOf);
  const number = Math.max(row?.last ?? 0, ...onDisk) + 1;
  const name = `${series}-${String(number).padStart(6, '0')}.warc.gz`;
  database.run(
    `INSERT INTO warc_file (name, number, series, committed, state) VALUES (?, ?, ?, 0, 'open')`,
    name,
    number,
    series,
  );
  return name;
}

function numberOf(name: string): number {
  return Number(/-(\d+)\.warc\.gz$/.exec(name)?.[1] ?? 0);
}

/** Makes a new name in the folder survive a power cut. */
export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function recover(database: Database, folder: string): WarcProblem[] {
  const problems: WarcProblem[] = [];
  const rows = database.all<FileRow>('SELECT * FROM warc_file ORDER BY number');
  for (const row of rows) {
    const path = join(folder, row.name);
    if (row.state === 'dead' || row.committed === 0) {
      rmSync(path, { force: true });
      database.run('DELETE FROM warc_file WHERE name = ?', row.name);
      continue;
    }
    const problem = cutBack(path, row);
    if (problem === undefined) continue;
    problems.push(problem);
    database.run(`UPDATE warc_file SET state = 'damaged' WHERE name = ?`, row.name);
  }
  const known = new Set(rows.map((row) => row.name));
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith('.warc.gz') && !known.has(name))
      problems.push({ file: name, kind: 'unknown-file', detail: 'not written by this data folder; left alone' });
  }
  return problems;
}

function cutBack(path: string, row: FileRow): WarcProblem | undefined {
  if (!existsSync(path)) return { file: row.name, kind: 'missing', detail: `${row.committed} bytes were committed` };
  const { size } = statSync(path);
  if (size < row.committed) {
    const detail = `${size} of ${row.committed} bytes are left`;
    return { file: row.name, kind: 'shorter-than-committed', detail };
  }
  if (size > row.committed) {
    const file = openSync(path, 'r+');
    ftruncateSync(file, row.committed);
    fdatasyncSync(file);
    closeSync(file);
  }
  return undefined;
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
