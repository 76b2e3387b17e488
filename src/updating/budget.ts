import type { Database, MigrationStep } from '../kit/sqlite.ts';

const BOX = 'refresh-budget';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE refresh_budget (id INTEGER PRIMARY KEY CHECK (id = 1), pages REAL NOT NULL, at INTEGER NOT NULL);`,
];

/**
 * Pages that may be crawled again: a bucket that fills with `perHour` pages an hour and holds an hour's worth. It is
 * stored, so the rate holds over any number of runs, however short.
 */
export class RefreshBudget {
  readonly #database: Database;
  readonly perHour: number;

  /** @throws NewerVersionError */
  constructor(database: Database, perHour: number) {
    database.migrate(BOX, STEPS);
    this.#database = database;
    this.perHour = perHour;
  }

  /** Whole pages that may be crawled at `now` (milliseconds since 1970). */
  available(now: number): number {
    return Math.floor(this.#level(now));
  }

  spend(pages: number, now: number): void {
    const left = Math.max(0, this.#level(now) - pages);
    this.#database.run('INSERT OR REPLACE INTO refresh_budget (id, pages, at) VALUES (1, ?, ?)', left, now);
  }

  #level(now: number): number {
    const row = this.#database.get<{ pages: number; at: number }>('SELECT pages, at FROM refresh_budget WHERE id = 1');
    if (row === undefined) return this.perHour;
    const grown = (Math.max(0, now - row.at) * this.perHour) / MS_PER_HOUR;
    return Math.min(this.perHour, row.pages + grown);
  }
}

const MS_PER_HOUR = 3_600_000;
