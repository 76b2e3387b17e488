import type { Database, MigrationStep } from '../../kit/sqlite.ts';
import type { ChangeReport } from '../../model/changes.ts';
import { type QueueLimits, ReportBuffer } from './report-buffer.ts';

export { ReportBuffer } from './report-buffer.ts';

const BOX = 'report-queue';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE report_queue (
     key TEXT PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL, parts TEXT NOT NULL, at INTEGER NOT NULL)
     WITHOUT ROWID;
   CREATE INDEX report_queue_order ON report_queue (at, key);`,
  // Hashes became MD5: what was reported before can be compared with nothing.
  `DELETE FROM report_queue`,
  `ALTER TABLE report_queue ADD COLUMN site TEXT NOT NULL DEFAULT '';
   UPDATE report_queue SET site = host || '/';
   DROP INDEX report_queue_order;
   CREATE INDEX report_queue_order ON report_queue (site, at, key);`,
];

/**
 * Reports on disk that the detector has not seen: a bounded queue for each site, one slot for each page, in it the
 * newest report by the server's clock. Sites are served in turn. Who sent a report stays in memory, so reports found
 * after a restart have no visitor.
 */
export class ReportQueue {
  readonly #database: Database;
  readonly #limits: QueueLimits;
  readonly #visitors = new Map<string, string>();
  /** The site that was served last; the next turn begins behind it. */
  #served = '';

  /** @throws NewerVersionError */
  constructor(database: Database, limits: QueueLimits) {
    database.migrate(BOX, STEPS);
    this.#database = database;
    this.#limits = limits;
  }

  /** Reports of further pages are dropped when their site's queue or the whole is full; returns how many were. */
  async putMany(reports: readonly ChangeReport[]): Promise<number> {
    const newest = new ReportBuffer({ perSite: reports.length, total: reports.length });
    for (const report of reports) newest.put(report);
    return this.#database.transaction(() => {
      const sizes = this.#sizes();
      let room = this.#limits.total - this.size();
      let dropped = 0;
      for (const report of newest.takeAll()) {
        const isNew = this.#database.get('SELECT 1 FROM report_queue WHERE key = ?', report.key) === undefined;
        const size = sizes.get(report.site) ?? 0;
        if (isNew && (room <= 0 || size >= this.#limits.perSite)) dropped++;
        else if (this.#put(report) > 0 && isNew) {
          room--;
          sizes.set(report.site, size + 1);
        }
      }
      return dropped;
    });
  }

  /** Of every site in turn its oldest report; they stay until {@link removeMany}. */
  async firstMany(limit: number): Promise<ChangeReport[]> {
    return this.#database.all<Row>(FIRST, this.#served, limit).map((row) => ({
      url: row.url,
      key: row.key,
      host: row.host,
      site: row.site,
      parts: JSON.parse(row.parts),
      at: row.at,
      visitor: this.#visitors.get(row.key) ?? '',
    }));
  }

  /** Removes reports that were served, in the order they were. One that came for the page meanwhile stays. */
  async removeMany(reports: readonly ChangeReport[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { key, at } of reports) {
        if (this.#database.run('DELETE FROM report_queue WHERE key = ? AND at <= ?', key, at) > 0)
          this.#visitors.delete(key);
      }
    });
    this.#served = reports.at(-1)?.site ?? this.#served;
  }

  size(): number {
    return this.#database.get<{ n: number }>('SELECT count(*) AS n FROM report_queue')?.n ?? 0;
  }

  #sizes(): Map<string, number> {
    const rows = this.#database.all<{ site: string; n: number }>(
      'SELECT site, count(*) AS n FROM report_queue GROUP BY site',
    );
    return new Map(rows.map(({ site, n }) => [site, n]));
  }

  #put(report: ChangeReport): number {
    const { key, url, host, site, parts, at, visitor } = report;
    const written = this.#database.run(PUT, key, url, host, site, JSON.stringify(parts), at);
    if (written > 0) this.#visitors.set(key, visitor);
    return written;
  }
}

const PUT = `INSERT INTO report_queue (key, url, host, site, parts, at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET url = excluded.url, parts = excluded.parts, at = excluded.at
  WHERE excluded.at >= report_queue.at`;
const FIRST = `SELECT * FROM
    (SELECT *, row_number() OVER (PARTITION BY site ORDER BY at, key) AS turn FROM report_queue)
  ORDER BY turn, site <= ?, site LIMIT ?`;

interface Row {
  readonly key: string;
  readonly url: string;
  readonly host: string;
  readonly site: string;
  readonly parts: string;
  readonly at: number;
}
