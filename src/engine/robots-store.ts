import type { RobotsRecord } from '../crawling/robots-analyser/robots-analyser.ts';
import type { Database, MigrationStep } from '../kit/sqlite.ts';

const BOX = 'robots';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE robots_records (
     origin TEXT PRIMARY KEY, body BLOB NOT NULL, read_at INTEGER, checked_at INTEGER NOT NULL,
     recheck_at INTEGER NOT NULL, failing_since INTEGER, failures INTEGER NOT NULL, html INTEGER NOT NULL,
     because TEXT NOT NULL) WITHOUT ROWID`,
];

/** robots.txt files between runs, for the robots analyser's load and save. */
export class RobotsStore {
  readonly #database: Database;

  constructor(database: Database) {
    database.migrate(BOX, STEPS);
    this.#database = database;
  }

  async load(origin: string): Promise<RobotsRecord | undefined> {
    const row = this.#database.get<RobotsRow>('SELECT * FROM robots_records WHERE origin = ?', origin);
    if (row === undefined) return undefined;
    return {
      origin,
      body: row.body,
      readAt: row.read_at ?? undefined,
      checkedAt: row.checked_at,
      recheckAt: row.recheck_at,
      failingSince: row.failing_since ?? undefined,
      failures: row.failures,
      html: row.html === 1,
      because: row.because,
    };
  }

  async save(record: RobotsRecord): Promise<void> {
    this.#database.run(
      'INSERT OR REPLACE INTO robots_records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      record.origin,
      record.body,
      record.readAt ?? null,
      record.checkedAt,
      record.recheckAt,
      record.failingSince ?? null,
      record.failures,
      record.html ? 1 : 0,
      record.because,
    );
  }
}

interface RobotsRow {
  readonly body: Uint8Array;
  readonly read_at: number | null;
  readonly checked_at: number;
  readonly recheck_at: number;
  readonly failing_since: number | null;
  readonly failures: number;
  readonly html: number;
  readonly because: string;
}
