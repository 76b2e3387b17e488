import type { Database, MigrationStep } from '../kit/sqlite.ts';
import type { FreshnessRecord } from '../model/freshness.ts';

const BOX = 'freshness-record';
const STEPS: readonly MigrationStep[] = [
  'CREATE TABLE freshness_record (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL);',
];

/** The newest {@link FreshnessRecord}: written by each look over all pages, read by status and the admin page. */
export class FreshnessRecords {
  readonly #database: Database;

  /** @throws NewerVersionError */
  constructor(database: Database) {
    database.migrate(BOX, STEPS);
    this.#database = database;
  }

  async put(record: FreshnessRecord): Promise<void> {
    this.#database.run('INSERT OR REPLACE INTO freshness_record (id, record) VALUES (1, ?)', JSON.stringify(record));
  }
}

/** Over a read-only connection; undefined in a folder that was never updated. */
export function readFreshnessRecord(database: Database): FreshnessRecord | undefined {
  if (database.versionOf(BOX) === 0) return undefined;
  const row = database.get<{ record: string }>('SELECT record FROM freshness_record WHERE id = 1');
  return row === undefined ? undefined : (JSON.parse(row.record) as FreshnessRecord);
}
