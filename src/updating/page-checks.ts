import type { Database, MigrationStep } from '../kit/sqlite.ts';
import { SIGNAL_SOURCES, type SignalSource } from '../model/changes.ts';

const BOX = 'page-checks';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE page_checks (
     url_id INTEGER NOT NULL, at INTEGER NOT NULL, since INTEGER NOT NULL, changed INTEGER NOT NULL,
     parts TEXT NOT NULL, signals TEXT NOT NULL, PRIMARY KEY (url_id, at)) WITHOUT ROWID;
   CREATE TABLE page_signals (
     url_id INTEGER NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (url_id, source, at)) WITHOUT ROWID;`,
];

/** Signals of each source; none of a source that is left out. */
export type SignalCounts = Readonly<Partial<Record<SignalSource, number>>>;

/** A page was fetched again: what that told of the time since the fetch before. Times: milliseconds since 1970. */
export interface PageCheck {
  /** Id of its URL. */
  readonly id: number;
  readonly since: number;
  readonly at: number;
  /** At least one change lies between the two. */
  readonly changed: boolean;
  /** Which parts differ; of a page that is no more, none. */
  readonly parts: readonly string[];
  /** Signals that came between the two. */
  readonly signals: SignalCounts;
}

export interface PageSignal {
  readonly id: number;
  readonly source: SignalSource;
  readonly at: number;
}

/** What fetching pages again has told, and word of changes since the last fetch: what change rates are learned from. */
export class PageChecks {
  readonly #database: Database;

  /** @throws NewerVersionError */
  constructor(database: Database) {
    database.migrate(BOX, STEPS);
    this.#database = database;
  }

  /** Takes checks without their signals, which it knows; signals up to a check are used up by it. */
  async noteMany(checks: readonly Omit<PageCheck, 'signals'>[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { id, since, at, changed, parts } of checks) {
        const signals = Object.entries(this.#countSignals(id, at)).map(([source, count]) => `${source}:${count}`);
        this.#database.run(PUT_CHECK, id, at, since, changed ? 1 : 0, parts.join(' '), signals.join(' '));
        this.#database.run('DELETE FROM page_signals WHERE url_id = ? AND at <= ?', id, at);
        this.#database.run(PRUNE, id, CHECKS_PER_PAGE);
      }
    });
  }

  async signalMany(signals: readonly PageSignal[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { id, source, at } of signals) {
        const { n } = this.#database.get<{ n: number }>(COUNT_SOURCE, id, source) ?? { n: 0 };
        if (n < SIGNALS_PER_SOURCE) this.#database.run(PUT_SIGNAL, id, source, at);
      }
    });
  }

  /** Oldest first. */
  async checksOf(id: number): Promise<PageCheck[]> {
    return readChecks(this.#database, id);
  }

  /** Every page that was fetched again, by id, with its checks, oldest first. */
  *all(): Generator<{ readonly id: number; readonly checks: readonly PageCheck[] }> {
    let checks: PageCheck[] = [];
    for (const row of this.#database.iterate<CheckRow>(`${SELECT_CHECKS} ORDER BY url_id, at`)) {
      const [first] = checks;
      if (first !== undefined && first.id !== row.url_id) {
        yield { id: first.id, checks };
        checks = [];
      }
      checks.push(checkFrom(row));
    }
    const [first] = checks;
    if (first !== undefined) yield { id: first.id, checks };
  }

  /** Signals that no fetch has answered yet, by page. */
  async waiting(): Promise<ReadonlyMap<number, SignalCounts>> {
    const counts = new Map<number, Partial<Record<SignalSource, number>>>();
    const rows = this.#database.iterate<{ url_id: number; source: string; n: number }>(
      'SELECT url_id, source, count(*) AS n FROM page_signals GROUP BY url_id, source',
    );
    for (const { url_id, source, n } of rows) {
      const known = counts.get(url_id) ?? {};
      if (isSource(source)) known[source] = n;
      counts.set(url_id, known);
    }
    return counts;
  }

  #countSignals(id: number, upTo: number): SignalCounts {
    const rows = this.#database.all<{ source: string; n: number }>(
      'SELECT source, count(*) AS n FROM page_signals WHERE url_id = ? AND at <= ? GROUP BY source',
      id,
      upTo,
    );
    return Object.fromEntries(rows.map(({ source, n }) => [source, n]));
  }
}

/** Over a read-only connection, to a folder that may never have been updated. Oldest first. */
export function readChecks(database: Database, id: number): PageCheck[] {
  if (database.versionOf(BOX) === 0) return [];
  return database.all<CheckRow>(`${SELECT_CHECKS} WHERE url_id = ? ORDER BY at`, id).map(checkFrom);
}

/** Enough for a rate; older ones say little of the page of today. */
const CHECKS_PER_PAGE = 32;
/** Of one page between two fetches: whoever sends more adds nothing. */
const SIGNALS_PER_SOURCE = 20;

const SELECT_CHECKS = 'SELECT url_id, at, since, changed, parts, signals FROM page_checks';
const PUT_CHECK = `INSERT OR REPLACE INTO page_checks (url_id, at, since, changed, parts, signals)
  VALUES (?, ?, ?, ?, ?, ?)`;
const PUT_SIGNAL = 'INSERT OR IGNORE INTO page_signals (url_id, source, at) VALUES (?, ?, ?)';
const COUNT_SOURCE = 'SELECT count(*) AS n FROM page_signals WHERE url_id = ? AND source = ?';
const PRUNE = `DELETE FROM page_checks WHERE url_id = ?1 AND at NOT IN
  (SELECT at FROM page_checks WHERE url_id = ?1 ORDER BY at DESC LIMIT ?2)`;

interface CheckRow {
  readonly url_id: number;
  readonly at: number;
  readonly since: number;
  readonly changed: number;
  readonly parts: string;
  readonly signals: string;
}

function checkFrom({ url_id: id, at, since, changed, parts, signals }: CheckRow): PageCheck {
  const counts: Partial<Record<SignalSource, number>> = {};
  for (const entry of signals === '' ? [] : signals.split(' ')) {
    const [source = '', count] = entry.split(':');
    if (isSource(source)) counts[source] = Number(count);
  }
  return { id, since, at, changed: changed === 1, parts: parts === '' ? [] : parts.split(' '), signals: counts };
}

function isSource(name: string): name is SignalSource {
  return SIGNAL_SOURCES.some((source) => source === name);
}
