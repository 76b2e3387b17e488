import type { Database, MigrationStep } from '../../kit/sqlite.ts';
import type { ChangeReport } from '../../model/changes.ts';
import { ReportBuffer } from './report-buffer.ts';

export { ReportBuffer } from './report-buffer.ts';

const BOX = 'report-queue';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE report_queue (
     key TEXT PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL, parts TEXT NOT NULL, at INTEGER NOT NULL)
     WITHOUT ROWID;
   CREATE INDEX report_queue_order ON report_queue (at, key);`,
  // Hashes became MD5: what was reported before can be compared with nothing.
  `DELETE FROM report_queue`,
];

/**
 * Reports on disk that the detector has not seen, one a page: the newest by the server's clock. Who sent them stays in
 * memory, so reports found after a restart have no visitor.
 */
export class ReportQueue {
  readonly #database: Database;
  readonly #maxPages: number;
  readonly #visitors = new Map<string, string>();

  /** @throws NewerVersionError */
  constructor(database: Database, maxPages: number) {
    database.migrate(BOX, STEPS);
    this.#database = database;
    this.#maxPages = maxPages;
  }

  /** Reports of further pages are dropped when the queue is full; returns how many were. */
  async putMany(reports: readonly ChangeReport[]): Promise<number> {
    const newest = new ReportBuffer(reports.length);
    for (const report of reports) newest.put(report);
    return this.#database.transaction(() => {
      let room = this.#maxPages - this.size();
      let dropped = 0;
      for (const report of newest.takeAll()) {
        const isNew = this.#database.get('SELECT 1 FROM report_queue WHERE key = ?', report.key) === undefined;
        if (isNew && room <= 0) dropped++;
        else if (this.#put(report) > 0 && isNew) room--;
      }
      return dropped;
    });
  }

  /** The oldest reports; they stay until {@link removeMany}. */
  async firstMany(limit: number): Promise<ChangeReport[]> {
    const rows = this.#database.all<Row>('SELECT * FROM report_queue ORDER BY at, key LIMIT ?', limit);
    return rows.map((row) => ({
      url: row.url,
      key: row.key,
      host: row.host,
      parts: JSON.parse(row.parts),
      at: row.at,
      visitor: this.#visitors.get(row.key) ?? '',
    }));
  }

  /** A report that came for the page meanwhile stays. */
  async removeMany(reports: readonly ChangeReport[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { key, at } of reports) {
        if (this.#database.run('DELETE FROM report_queue WHERE key = ? AND at <= ?', key, at) > 0)
          this.#visitors.delete(key);
      }
    });
  }

  size(): number {
    return this.#database.get<{ n: number }>('SELECT count(*) AS n FROM report_queue')?.n ?? 0;
  }

  #put(report: ChangeReport): number {
    const { key, url, host, parts, at, visitor } = report;
    const written = this.#database.run(PUT, key, url, host, JSON.stringify(parts), at);
    if (written > 0) this.#visitors.set(key, visitor);
    return written;
  }
}

const PUT = `INSERT INTO report_queue (key, url, host, parts, at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET url = excluded.url, parts = excluded.parts, at = excluded.at
  WHERE excluded.at >= report_queue.at`;

interface Row {
  readonly key: string;
  readonly url: string;
  readonly host: string;
  readonly parts: string;
  readonly at: number;
}
