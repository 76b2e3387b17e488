import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../kit/sqlite.ts';
import { readMember } from './gzip-members.ts';
import {
  fromDetailsRow,
  fromRow,
  PAGE_COLUMNS,
  type PageDetailsRow,
  type PageRow,
  type StoredPage,
  type StoredPageDetails,
  unpackText,
} from './page-row.ts';
import type { WarcLocation } from './warc-files.ts';
import { parseRecord, parseResponse, type StoredResponse } from './warc-parse.ts';

export type ReadOutcome =
  | { readonly kind: 'response'; readonly response: StoredResponse }
  /** The file or the record is gone or damaged. */
  | { readonly kind: 'lost'; readonly detail: string };

/** Reading side of the repository; works on a read-only connection beside the writer. */
export class StoredPages {
  readonly #database: Database;
  readonly #folder: string;
  readonly #maxBodyBytes: number;

  /** `maxBodyBytes` bounds a body after content-decoding, `folder` holds the WARC files. */
  constructor(database: Database, options: { readonly folder: string; readonly maxBodyBytes: number }) {
    this.#database = database;
    this.#folder = options.folder;
    this.#maxBodyBytes = options.maxBodyBytes;
  }

  /** Newest version of each page held, in no particular order. */
  async getMany(ids: readonly number[]): Promise<StoredPage[]> {
    const sql = `SELECT ${PAGE_COLUMNS} FROM page WHERE url = ? ORDER BY version DESC LIMIT 1`;
    return ids.flatMap((id) => this.#database.all<PageRow>(sql, id)).map(fromRow);
  }

  async detailsOf(ids: readonly number[]): Promise<StoredPageDetails[]> {
    const sql = `SELECT ${PAGE_COLUMNS}, text, outline, parts, judgement FROM page
                 WHERE url = ? ORDER BY version DESC LIMIT 1`;
    return ids.flatMap((id) => this.#database.all<PageDetailsRow>(sql, id)).map(fromDetailsRow);
  }

  /** Main text of the newest version by page id; pages not held are absent. */
  async textOf(ids: readonly number[]): Promise<Map<number, string>> {
    const texts = new Map<number, string>();
    for (const id of ids) {
      const row = this.#database.get<{ text: Uint8Array }>(
        'SELECT text FROM page WHERE url = ? ORDER BY version DESC LIMIT 1',
        id,
      );
      if (row !== undefined) texts.set(id, unpackText(row.text));
    }
    return texts;
  }

  /** All versions held, newest first. */
  async versionsOf(id: number): Promise<StoredPage[]> {
    return this.#database
      .all<PageRow>(`SELECT ${PAGE_COLUMNS} FROM page WHERE url = ? ORDER BY version DESC`, id)
      .map(fromRow);
  }

  /** Newest versions in the order of their ids, above `after`: for exports and re-judging. */
  async page(after: number, limit: number): Promise<StoredPageDetails[]> {
    const ids = this.#database.all<{ url: number }>(
      'SELECT DISTINCT url FROM page WHERE url > ? ORDER BY url LIMIT ?',
      after,
      limit,
    );
    return this.detailsOf(ids.map((row) => row.url));
  }

  /** The stored answer with its body decoded. */
  async read(location: WarcLocation): Promise<ReadOutcome> {
    const bytes = await readRange(join(this.#folder, location.file), location.offset, location.length);
    if (typeof bytes === 'string') return { kind: 'lost', detail: bytes };
    const member = readMember(bytes, MAX_RECORD_BYTES);
    if (member.kind !== 'member')
      return { kind: 'lost', detail: member.kind === 'cut' ? 'the record is cut off' : member.detail };
    const parsed = parseRecord(member.content, 0);
    if (parsed.kind !== 'record') return { kind: 'lost', detail: 'the record cannot be read' };
    const response = parseResponse(parsed.record, this.#maxBodyBytes);
    return response === undefined ? { kind: 'lost', detail: 'no HTTP answer' } : { kind: 'response', response };
  }
}

/** Bytes of one record decompressed; bodies on the wire are capped far below. */
export const MAX_RECORD_BYTES = 256 * 1024 * 1024;

async function readRange(path: string, offset: number, length: number): Promise<Buffer | string> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be opened';
  }
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
    return bytesRead < length ? 'the file ends before the record' : buffer;
  } finally {
    await handle.close();
  }
}
