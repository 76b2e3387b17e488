import type { Database, MigrationStep } from '../../kit/sqlite.ts';

const BOX = 'focus-seeds';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE focus_seeds (
     url TEXT PRIMARY KEY, note TEXT NOT NULL, topic TEXT NOT NULL, added_at INTEGER NOT NULL, run_at INTEGER)
     WITHOUT ROWID;`,
];

export interface FocusSeed {
  readonly url: string;
  readonly note: string;
  readonly topic: string;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  readonly lastRunAt: number | undefined;
}

interface SeedRow {
  readonly url: string;
  readonly note: string;
  readonly topic: string;
  readonly added_at: number;
  readonly run_at: number | null;
}

/** The sites a focused crawl begins at, with what the operator noted of them. */
export class SeedStore {
  readonly #database: Database;

  /** @throws NewerVersionError */
  constructor(database: Database) {
    database.migrate(BOX, STEPS);
    this.#database = database;
  }

  /** A seed that is there keeps its time; note and topic become the new ones. */
  async putMany(seeds: readonly Pick<FocusSeed, 'url' | 'note' | 'topic'>[], now: number): Promise<void> {
    this.#database.transaction(() => {
      for (const { url, note, topic } of seeds) {
        this.#database.run(
          `INSERT INTO focus_seeds (url, note, topic, added_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (url) DO UPDATE SET note = excluded.note, topic = excluded.topic`,
          url,
          note,
          topic,
          now,
        );
      }
    });
  }

  /** How many of the URLs were seeds. */
  async removeMany(urls: readonly string[]): Promise<number> {
    return this.#database.transaction(() => {
      const present = urls.filter((url) => this.#has(url));
      for (const url of present) this.#database.run('DELETE FROM focus_seeds WHERE url = ?', url);
      return present.length;
    });
  }

  /** Notes a run; URLs that are no seeds are passed over. */
  async markRun(urls: readonly string[], now: number): Promise<void> {
    this.#database.transaction(() => {
      for (const url of urls) this.#database.run('UPDATE focus_seeds SET run_at = ? WHERE url = ?', now, url);
    });
  }

  async list(): Promise<readonly FocusSeed[]> {
    return this.#database
      .all<SeedRow>('SELECT url, note, topic, added_at, run_at FROM focus_seeds ORDER BY url')
      .map(({ url, note, topic, added_at, run_at }) => ({
        ...{ url, note, topic, addedAt: added_at },
        lastRunAt: run_at ?? undefined,
      }));
  }

  #has(url: string): boolean {
    return this.#database.get<{ url: string }>('SELECT url FROM focus_seeds WHERE url = ?', url) !== undefined;
  }
}
