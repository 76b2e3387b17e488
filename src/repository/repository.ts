import type { Database } from '../kit/sqlite.ts';
import type { GarbageKind } from '../model/lists.ts';
import { type CompactionLimits, type CompactionReport, compactFiles } from './compaction.ts';
import type { PackedPage, StoredCapture, StoredPage, StoredState } from './page-row.ts';
import { REPOSITORY_STEPS } from './schema.ts';
import { StoredPages } from './stored-pages.ts';
import {
  WarcFiles,
  type WarcFilesOptions,
  type WarcLocation,
  type WarcProblem,
  type WarcSeries,
} from './warc-files.ts';
import type { WarcCapture } from './warc-record.ts';

export type { PackedPage, PageContent, PageOutline, StoredPage, StoredPageDetails, StoredState } from './page-row.ts';

export interface RepositoryOptions extends WarcFilesOptions {
  /** Bytes of a body after content-decoding when reading back. */
  readonly maxBodyBytes: number;
  /** Quarantined pages whose bytes are held, for each registrable domain and kind of garbage; the newest stay. */
  readonly quarantinePerDomainAndKind: number;
}

/** A version of a page to store. */
export interface PageVersion {
  readonly id: number;
  readonly state: StoredState;
  /** Registrable domain. */
  readonly domain: string;
  readonly kind: GarbageKind | undefined;
  readonly fetchedAt: number;
  readonly changedAt: number | undefined;
  readonly status: number;
  readonly textHash: string;
  readonly content: PackedPage;
  readonly capture: StoredCapture | undefined;
}

/** A page met again unchanged. */
export interface PageRevisit {
  readonly id: number;
  readonly checkedAt: number;
  readonly location: WarcLocation | undefined;
}

/** True when appending failed because the disk, a quota or the file-size limit is reached: nothing was appended. */
export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ENOSPC' || error.code === 'EDQUOT' || error.code === 'EFBIG';
}

/**
 * Stored pages, quarantine and their history. Opening cuts files back, so only the process that holds the folder's lock
 * may do it; see {@link StoredPages} for readers in other processes.
 */
export class Repository {
  readonly pages: StoredPages;
  readonly files: WarcFiles;
  readonly #database: Database;
  readonly #options: RepositoryOptions;

  constructor(database: Database, options: RepositoryOptions) {
    database.migrate('repository', REPOSITORY_STEPS);
    this.#database = database;
    this.#options = options;
    this.files = new WarcFiles(database, options);
    this.pages = new StoredPages(database, options);
  }

  /** What was found wrong with the WARC files at opening. */
  get problems(): readonly WarcProblem[] {
    return this.files.problems;
  }

  /** Appends captures and syncs them to disk: before {@link putMany} of the rows that point at them. */
  async appendMany(series: WarcSeries, captures: readonly WarcCapture[]): Promise<StoredCapture[]> {
    const locations = await this.files.append(series, captures);
    return locations.map((location, i) => ({
      location,
      recordId: captures[i]?.recordId ?? '',
      date: captures[i]?.date ?? '',
      payloadDigest: captures[i]?.payloadDigest ?? '',
    }));
  }

  /**
   * Stores versions and the file lengths reached. All is done before the first await, so it can share a transaction.
   * Putting the same (id, fetchedAt) again replaces that version.
   */
  async putMany(versions: readonly PageVersion[]): Promise<void> {
    this.#database.transaction(() => {
      for (const version of versions) {
        this.#put(version);
        if (version.state === 'garbage') this.#limitQuarantine(version);
      }
      this.files.writeCommitted();
    });
  }

  /** Notes that pages were seen unchanged. */
  async touchMany(revisits: readonly PageRevisit[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { id, checkedAt, location } of revisits) this.#touch(id, checkedAt, location);
      this.files.writeCommitted();
    });
  }

  /** Changes the state of the newest version: a duplicate that became the representative, a verdict by hand. */
  async setState(id: number, state: StoredState, kind: GarbageKind | undefined): Promise<void> {
    this.#database.run(
      `UPDATE page SET state = ?, kind = ? WHERE url = ? AND version = (SELECT max(version) FROM page WHERE url = ?)`,
      state,
      kind ?? '',
      id,
      id,
    );
  }

  /** Forgets pages with all their versions; their bytes go at the next compaction. */
  async removeMany(ids: readonly number[]): Promise<void> {
    this.#database.transaction(() => {
      for (const id of ids) {
        this.#database.run('DELETE FROM page WHERE url = ?', id);
        this.#database.run('DELETE FROM revisit WHERE url = ?', id);
      }
    });
  }

  /** Keeps to the limits; see {@link compactFiles}. Appending waits until it is done. */
  async compact(limits: CompactionLimits): Promise<CompactionReport> {
    const { folder, software, newId, now } = this.#options;
    return this.files.whileSealed(() =>
      compactFiles({ database: this.#database, folder, software, newId, now: now() }, limits),
    );
  }

  /** Bytes of the WARC files. */
  bytes(): { readonly warc: number; readonly quarantine: number } {
    return { warc: this.files.bytes('pages'), quarantine: this.files.bytes('quarantine') };
  }

  close(): Promise<void> {
    return this.files.close();
  }

  #put(page: PageVersion): void {
    const latest = this.#database.get<Pick<StoredPage, 'version'> & { fetched_at: number }>(
      'SELECT version, fetched_at FROM page WHERE url = ? ORDER BY version DESC LIMIT 1',
      page.id,
    );
    const version = latest === undefined ? 1 : latest.version + (latest.fetched_at === page.fetchedAt ? 0 : 1);
    const { content, capture } = page;
    const location = capture?.location;
    this.#database.run(
      INSERT_PAGE,
      page.id,
      version,
      page.state,
      page.domain,
      page.kind ?? '',
      page.fetchedAt,
      page.fetchedAt,
      page.changedAt ?? null,
      page.status,
      content.title,
      content.language,
      content.charset,
      page.textHash,
      content.spam ?? null,
      content.softError ?? null,
      content.text,
      content.outline,
      content.judgement ?? null,
      content.parts,
      location?.file ?? null,
      location?.offset ?? null,
      location?.length ?? null,
      location?.span ?? null,
      capture?.recordId ?? null,
      capture?.date ?? null,
      capture?.payloadDigest ?? null,
    );
  }

  #touch(id: number, checkedAt: number, location: WarcLocation | undefined): void {
    this.#database.run(
      `UPDATE page SET checked_at = max(checked_at, ?)
       WHERE url = ? AND version = (SELECT max(version) FROM page WHERE url = ?)`,
      checkedAt,
      id,
      id,
    );
    if (location === undefined) return;
    const { file, offset, length, span } = location;
    this.#database.run(
      'INSERT OR REPLACE INTO revisit VALUES (?, ?, ?, ?, ?, ?)',
      id,
      checkedAt,
      file,
      offset,
      length,
      span,
    );
  }

  /** Lets go of the bytes of all but the newest quarantined pages of this domain and kind; features and verdict stay. */
  #limitQuarantine(page: PageVersion): void {
    this.#database.run(
      `UPDATE page SET file = NULL WHERE row IN (
         SELECT row FROM page WHERE domain = ? AND kind = ? AND state = 'garbage' AND file IS NOT NULL
         ORDER BY fetched_at DESC, row DESC LIMIT -1 OFFSET ?)`,
      page.domain,
      page.kind ?? '',
      this.#options.quarantinePerDomainAndKind,
    );
  }
}

const INSERT_PAGE = `INSERT OR REPLACE INTO page (
  url, version, state, domain, kind, fetched_at, checked_at, changed_at, status, title, language, charset, text_hash,
  spam, soft_404, text, outline, judgement, parts, file, offset, length, span, record_id, record_date, payload_digest
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
