import type { Database, MigrationStep } from '../../kit/sqlite.ts';
import { PROOF_METHODS, type ProofMethod, type RegisteredSite } from '../../model/changes.ts';

const BOX = 'beacon-sites';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE beacon_sites (
     site TEXT PRIMARY KEY, url TEXT NOT NULL, added_at INTEGER NOT NULL, token TEXT NOT NULL, verified_at INTEGER)
     WITHOUT ROWID;`,
  `ALTER TABLE beacon_sites ADD COLUMN verified_by TEXT;
   UPDATE beacon_sites SET verified_by = 'file' WHERE verified_at IS NOT NULL`,
];

/** Sites that carry the beacon, in the collection's database. */
export class Sites {
  readonly #database: Database;

  /** @throws NewerVersionError */
  constructor(database: Database) {
    database.migrate(BOX, STEPS);
    this.#database = database;
  }

  /** A site added before keeps its token and what was verified. */
  async add(site: RegisteredSite): Promise<void> {
    this.#database.run(
      'INSERT OR IGNORE INTO beacon_sites (site, url, added_at, token) VALUES (?, ?, ?, ?)',
      site.site,
      site.url,
      site.addedAt,
      site.token,
    );
  }

  async setVerified(site: string, by: ProofMethod, verifiedAt: number): Promise<void> {
    this.#database.run('UPDATE beacon_sites SET verified_at = ?, verified_by = ? WHERE site = ?', verifiedAt, by, site);
  }

  async list(): Promise<RegisteredSite[]> {
    return readSites(this.#database);
  }
}

/** Over a read-only connection, to a folder in which no site may ever have been registered. */
export function readSites(database: Database): RegisteredSite[] {
  if (database.versionOf(BOX) === 0) return [];
  return database.all<SiteRow>('SELECT * FROM beacon_sites ORDER BY site').map((row) => ({
    site: row.site,
    url: row.url,
    addedAt: row.added_at,
    token: row.token,
    verifiedAt: row.verified_at ?? undefined,
    verifiedBy: PROOF_METHODS.find((method) => method === row.verified_by),
  }));
}

interface SiteRow {
  readonly site: string;
  readonly url: string;
  readonly added_at: number;
  readonly token: string;
  readonly verified_at: number | null;
  /** Absent in an older file that is only read. */
  readonly verified_by?: string | null;
}
