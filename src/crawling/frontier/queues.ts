import type { Database } from '../../kit/sqlite.ts';

/** One URL for the frontier. Entering an id again replaces its priority, time and deferral. */
export interface FrontierEntry {
  readonly urlId: number;
  readonly hostId: number;
  /** The higher the earlier; equal ones in the order of their ids. */
  readonly priority: number;
  /** Milliseconds since 1970: not handed out earlier. */
  readonly notBefore?: number | undefined;
  /** Possible soft-404: after everything else of its host, and a bounded share of the host's requests. */
  readonly deferred?: boolean | undefined;
}

export interface QueuedUrl {
  readonly url_id: number;
  readonly host_id: number;
  readonly deferred: number;
  readonly rank: number;
  readonly not_before: number | null;
}

export interface FrontierSizes {
  /** Ready to be handed out as soon as host and address allow. */
  readonly queued: number;
  readonly deferred: number;
  /** Entered for a later time. */
  readonly waiting: number;
  readonly inFlight: number;
}

/** The back of the frontier: one ordered queue a host, and the URLs entered for a later time. */
export class Queues {
  readonly #database: Database;
  readonly #changes = { queued: 0, deferred: 0, waiting: 0 };

  constructor(database: Database) {
    this.#database = database;
    database.onRollback(() => this.#forgetChanges());
  }

  /** False when the id was there already; the entry then replaced it. */
  put(entry: FrontierEntry): boolean {
    const row = rowOf(entry);
    if (this.#insert(row)) return true;
    this.remove(entry.urlId);
    this.#insert(row);
    return false;
  }

  /** Puts a row back as it was; nothing happens when its id was entered again meanwhile. */
  restore(row: QueuedUrl): void {
    this.#insert(row);
  }

  /** The URL to be handed out next: an ordinary one, else a deferred one if these may be. */
  first(hostId: number, mayDefer: boolean): QueuedUrl | undefined {
    return this.#firstOf(hostId, 0) ?? (mayDefer ? this.#firstOf(hostId, 1) : undefined);
  }

  get(urlId: number): QueuedUrl | undefined {
    return this.#database.get<QueuedUrl>('SELECT * FROM frontier_urls WHERE url_id = ?', urlId);
  }

  remove(urlId: number): QueuedUrl | undefined {
    const row = this.#database.get<QueuedUrl>('DELETE FROM frontier_urls WHERE url_id = ? RETURNING *', urlId);
    if (row !== undefined) this.#changes[kindOf(row)]--;
    return row;
  }

  /** Moves at most `limit` URLs whose time has come into the queues of their hosts; returns these hosts. */
  wake(now: number, limit: number): Set<number> {
    const rows = this.#database.all<QueuedUrl>(
      'SELECT * FROM frontier_urls WHERE not_before IS NOT NULL AND not_before <= ? ORDER BY not_before, url_id LIMIT ?',
      now,
      limit,
    );
    for (const row of rows) {
      this.#database.run('UPDATE frontier_urls SET not_before = NULL WHERE url_id = ?', row.url_id);
      this.#changes.waiting--;
      this.#changes[row.deferred === 1 ? 'deferred' : 'queued']++;
    }
    return new Set(rows.map((row) => row.host_id));
  }

  /** When the next URL entered for a later time is due. */
  nextWaiting(): number | undefined {
    const sql = 'SELECT min(not_before) AS at FROM frontier_urls WHERE not_before IS NOT NULL';
    return this.#database.get<{ at: number | null }>(sql)?.at ?? undefined;
  }

  /** Ids of at most `limit` URLs of a host, those for a later time not counted. */
  idsOf(hostId: number, deferred: 0 | 1, limit: number): number[] {
    return this.#database
      .all<{ url_id: number }>(
        `SELECT url_id FROM frontier_urls WHERE host_id = ? AND deferred = ? AND not_before IS NULL
         ORDER BY rank, url_id LIMIT ?`,
        hostId,
        deferred,
        limit,
      )
      .map((row) => row.url_id);
  }

  /** To be called at the end of each transaction that changed queues. */
  writeSizes(): void {
    for (const kind of SIZE_KINDS) {
      if (this.#changes[kind] === 0) continue;
      this.#database.run('UPDATE frontier_sizes SET n = n + ? WHERE kind = ?', this.#changes[kind], kind);
    }
    this.#forgetChanges();
  }

  sizes(): FrontierSizes {
    const rows = this.#database.all<{ kind: string; n: number }>('SELECT kind, n FROM frontier_sizes');
    const inFlight = this.#database.get<{ n: number }>('SELECT count(*) AS n FROM frontier_flights')?.n ?? 0;
    const sizeOf = (kind: SizeKind) => rows.find((row) => row.kind === kind)?.n ?? 0;
    return { queued: sizeOf('queued'), deferred: sizeOf('deferred'), waiting: sizeOf('waiting'), inFlight };
  }

  #firstOf(hostId: number, deferred: 0 | 1): QueuedUrl | undefined {
    return this.#database.get<QueuedUrl>(
      `SELECT * FROM frontier_urls WHERE host_id = ? AND deferred = ? AND not_before IS NULL
       ORDER BY rank, url_id LIMIT 1`,
      hostId,
      deferred,
    );
  }

  #insert(row: QueuedUrl): boolean {
    const inserted = this.#database.run(
      'INSERT INTO frontier_urls (url_id, host_id, deferred, rank, not_before) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      row.url_id,
      row.host_id,
      row.deferred,
      row.rank,
      row.not_before,
    );
    if (inserted === 1) this.#changes[kindOf(row)]++;
    return inserted === 1;
  }

  #forgetChanges(): void {
    for (const kind of SIZE_KINDS) this.#changes[kind] = 0;
  }
}

const SIZE_KINDS = ['queued', 'deferred', 'waiting'] as const;
type SizeKind = (typeof SIZE_KINDS)[number];

function kindOf(row: QueuedUrl): SizeKind {
  if (row.not_before !== null) return 'waiting';
  return row.deferred === 1 ? 'deferred' : 'queued';
}

function rowOf(entry: FrontierEntry): QueuedUrl {
  return {
    url_id: entry.urlId,
    host_id: entry.hostId,
    deferred: entry.deferred === true ? 1 : 0,
    rank: -entry.priority,
    not_before: entry.notBefore ?? null,
  };
}
