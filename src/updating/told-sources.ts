import type { Database, MigrationStep } from '../kit/sqlite.ts';

const BOX = 'told-sources';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE told_sources (
     url TEXT PRIMARY KEY, kind TEXT NOT NULL, host TEXT NOT NULL, read_at INTEGER NOT NULL,
     etag TEXT, last_modified TEXT) WITHOUT ROWID;
   CREATE INDEX told_sources_due ON told_sources (kind, read_at);
   CREATE INDEX told_sources_by_host ON told_sources (kind, host);`,
];

/** Where sites tell of their changes by themselves: their feeds, and the sitemaps that a site's robots.txt names. */
export type ToldKind = 'feed' | 'sitemaps';

export interface ToldSource {
  readonly kind: ToldKind;
  /** Of the feed, or of a seed whose site's sitemaps are meant. */
  readonly url: string;
  readonly host: string;
  /** Milliseconds since 1970; 0 = never. */
  readonly readAt: number;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** Which of them are known, and when each was last read. */
export class ToldSources {
  readonly #database: Database;

  /** @throws NewerVersionError */
  constructor(database: Database) {
    database.migrate(BOX, STEPS);
    this.#database = database;
  }

  /** Known ones keep what is known of them; of a host with {@link PER_HOST} none is added. */
  async addMany(sources: readonly Pick<ToldSource, 'kind' | 'url' | 'host'>[]): Promise<void> {
    if (sources.length === 0) return;
    this.#database.transaction(() => {
      for (const { kind, url, host } of sources) this.#database.run(ADD, url, kind, host, PER_HOST);
    });
  }

  /** Those last read at `before` or earlier, the longest unread first. */
  async due(kind: ToldKind, before: number, limit: number): Promise<ToldSource[]> {
    return this.#database.all<Row>(DUE, kind, before, limit).map(({ read_at, last_modified, ...row }) => ({
      kind,
      url: row.url,
      host: row.host,
      readAt: read_at,
      etag: row.etag ?? undefined,
      lastModified: last_modified ?? undefined,
    }));
  }

  async setRead(
    url: string,
    at: number,
    validators: Partial<Pick<ToldSource, 'etag' | 'lastModified'>>,
  ): Promise<void> {
    const { etag, lastModified } = validators;
    this.#database.run(SET_READ, at, etag ?? null, lastModified ?? null, url);
  }
}

/** Feeds of a host: sites with one for every tag and thread repeat themselves in them. */
const PER_HOST = 5;

const ADD = `INSERT OR IGNORE INTO told_sources (url, kind, host, read_at)
  SELECT ?1, ?2, ?3, 0 WHERE (SELECT count(*) FROM told_sources WHERE kind = ?2 AND host = ?3) < ?4`;
const DUE = `SELECT url, host, read_at, etag, last_modified FROM told_sources
  WHERE kind = ? AND read_at <= ? ORDER BY read_at, url LIMIT ?`;
const SET_READ = `UPDATE told_sources SET read_at = ?, etag = coalesce(?, etag),
  last_modified = coalesce(?, last_modified) WHERE url = ?`;

interface Row {
  readonly url: string;
  readonly host: string;
  readonly read_at: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
}
