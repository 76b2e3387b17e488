import type { Database, MigrationStep } from '../kit/sqlite.ts';
import type { Scope, StoppedReason } from '../model/lists.ts';
import type { CrawlReport, StatusReport } from '../model/reports.ts';

const BOX = 'runs';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE runs (
     id INTEGER PRIMARY KEY, command TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER, stopped TEXT,
     summary TEXT, report TEXT);
   CREATE TABLE crawl_seeds (
     url TEXT PRIMARY KEY, host TEXT NOT NULL, scope TEXT NOT NULL, run INTEGER NOT NULL) WITHOUT ROWID;`,
];

export interface StoredSeed {
  readonly url: string;
  readonly host: string;
  readonly scope: Scope;
}

/** Runs of the writer and the seeds they were given: what `crawl` without URLs goes on with. */
export class Runs {
  readonly #database: Database;

  constructor(database: Database) {
    database.migrate(BOX, STEPS);
    this.#database = database;
  }

  begin(command: string, now: number): number {
    return this.#database.insert('INSERT INTO runs (command, started_at) VALUES (?, ?)', command, now);
  }

  end(id: number, report: CrawlReport, now: number): void {
    this.#database.run(
      'UPDATE runs SET ended_at = ?, stopped = ?, summary = ?, report = ? WHERE id = ?',
      now,
      report.stopped,
      report.summary,
      JSON.stringify(report),
      id,
    );
  }

  addSeeds(seeds: readonly StoredSeed[], run: number): void {
    for (const { url, host, scope } of seeds) {
      this.#database.run(
        'INSERT OR REPLACE INTO crawl_seeds (url, host, scope, run) VALUES (?, ?, ?, ?)',
        url,
        host,
        scope,
        run,
      );
    }
  }

  seeds(): StoredSeed[] {
    return this.#database.all<StoredSeed>('SELECT url, host, scope FROM crawl_seeds ORDER BY url');
  }

  last(): StatusReport['lastRun'] {
    const row = this.#database.get<RunRow>('SELECT * FROM runs ORDER BY id DESC LIMIT 1');
    if (row === undefined) return null;
    return {
      id: row.id,
      startedAt: new Date(row.started_at).toISOString(),
      ...(row.ended_at === null ? {} : { endedAt: new Date(row.ended_at).toISOString() }),
      ...(row.stopped === null ? {} : { stopped: row.stopped }),
      ...(row.summary === null ? {} : { summary: row.summary }),
    };
  }
}

interface RunRow {
  readonly id: number;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly stopped: StoppedReason | null;
  readonly summary: string | null;
}
