import type { Database, MigrationStep } from '../../kit/sqlite.ts';
import { type ChangeSignal, PAGE_PARTS, type PageMemory, type PageName, SIGNAL_SOURCES } from '../../model/changes.ts';

const BOX = 'changes';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE reported_pages (
     key TEXT PRIMARY KEY, baseline TEXT, baseline_at INTEGER NOT NULL, confirmed_at INTEGER NOT NULL,
     signalled_at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE change_signals (
     key TEXT PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL, at INTEGER NOT NULL, parts TEXT NOT NULL)
     WITHOUT ROWID;
   CREATE INDEX change_signals_order ON change_signals (at, key);`,
  // Hashes became MD5: what was reported before can be compared with nothing.
  `UPDATE reported_pages SET baseline = NULL, baseline_at = 0, confirmed_at = 0`,
  // What is learnt of parts that change with every view; the order in which pages are forgotten.
  `ALTER TABLE reported_pages ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE reported_pages ADD COLUMN learnt TEXT;
   CREATE INDEX reported_pages_order ON reported_pages (seen_at);`,
  // Besides visitors sites themselves tell of changes.
  `DROP INDEX change_signals_order;
   ALTER TABLE change_signals RENAME TO older_signals;
   CREATE TABLE change_signals (
     key TEXT NOT NULL, source TEXT NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL, at INTEGER NOT NULL,
     parts TEXT NOT NULL, PRIMARY KEY (key, source)) WITHOUT ROWID;
   INSERT INTO change_signals SELECT key, 'beacon', url, host, at, parts FROM older_signals;
   DROP TABLE older_signals;
   CREATE INDEX change_signals_order ON change_signals (at, key);`,
];

/** What visitors' reports came to: the baseline of every reported page, and the changes that wait for a crawl. */
export class ChangeRepository {
  readonly #database: Database;
  readonly #maxPages: number;
  /** Pages put since the last trim. */
  #untrimmed = 0;

  /** `maxPages`: pages remembered, those reported last. @throws NewerVersionError */
  constructor(database: Database, maxPages: number) {
    database.migrate(BOX, STEPS);
    this.#database = database;
    this.#maxPages = maxPages;
  }

  async pageOf(key: string): Promise<PageMemory | undefined> {
    const row = this.#database.get<PageRow>('SELECT * FROM reported_pages WHERE key = ?', key);
    if (row === undefined) return undefined;
    const learnt: Learnt = row.learnt === null ? {} : JSON.parse(row.learnt);
    return {
      baseline: row.baseline === null ? undefined : JSON.parse(row.baseline),
      baselineAt: row.baseline_at,
      confirmedAt: row.confirmed_at,
      signalledAt: row.signalled_at,
      seenAt: row.seen_at,
      signal: learnt.signal,
      noise: learnt.noise ?? {},
    };
  }

  async putPages(pages: readonly { readonly key: string; readonly page: PageMemory }[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { key, page } of pages) {
        const { baseline, baselineAt, confirmedAt, signalledAt, seenAt } = page;
        const stored = baseline === undefined ? null : JSON.stringify(baseline);
        this.#database.run(PUT_PAGE, key, stored, baselineAt, confirmedAt, signalledAt, seenAt, learntOf(page));
      }
      this.#untrimmed += pages.length;
      if (this.#untrimmed > this.#maxPages / TRIM_SHARE) this.#trim();
    });
  }

  /** One signal a page and source: the newest. */
  async putSignals(signals: readonly ChangeSignal[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { key, source, url, host, at, parts } of signals)
        this.#database.run(PUT_SIGNAL, key, source, url, host, at, parts.join(' '));
    });
  }

  /** The oldest first. */
  async signals(limit: number): Promise<ChangeSignal[]> {
    const rows = this.#database.all<SignalRow>('SELECT * FROM change_signals ORDER BY at, key, source LIMIT ?', limit);
    return rows.map(({ parts, source, ...row }) => {
      const names = parts.split(' ');
      const known = SIGNAL_SOURCES.find((name) => name === source) ?? 'beacon';
      return { ...row, source: known, parts: PAGE_PARTS.filter((part) => names.includes(part)) };
    });
  }

  /** Removes signals that a crawl has answered, of all sources; one that came for the page since `at` stays. */
  async removeSignals(signals: readonly (Pick<PageName, 'key'> & { readonly at: number })[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { key, at } of signals)
        this.#database.run('DELETE FROM change_signals WHERE key = ? AND at <= ?', key, at);
    });
  }

  #trim(): void {
    this.#untrimmed = 0;
    this.#database.run(TRIM, this.#maxPages);
  }
}

/** Pages are counted whenever so many parts of the bound were put: counting them reads all. */
const TRIM_SHARE = 10;

function learntOf({ signal, noise }: PageMemory): string | null {
  return signal === undefined && Object.keys(noise).length === 0 ? null : JSON.stringify({ signal, noise });
}

const PUT_PAGE = `INSERT OR REPLACE INTO reported_pages
  (key, baseline, baseline_at, confirmed_at, signalled_at, seen_at, learnt) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const TRIM = `DELETE FROM reported_pages WHERE key IN
  (SELECT key FROM reported_pages ORDER BY seen_at DESC LIMIT -1 OFFSET ?)`;
const PUT_SIGNAL = `INSERT OR REPLACE INTO change_signals (key, source, url, host, at, parts)
  VALUES (?, ?, ?, ?, ?, ?)`;

interface PageRow {
  readonly baseline: string | null;
  readonly baseline_at: number;
  readonly confirmed_at: number;
  readonly signalled_at: number;
  readonly seen_at: number;
  readonly learnt: string | null;
}

type Learnt = Partial<Pick<PageMemory, 'signal' | 'noise'>>;

interface SignalRow {
  readonly key: string;
  readonly source: string;
  readonly url: string;
  readonly host: string;
  readonly at: number;
  readonly parts: string;
}
