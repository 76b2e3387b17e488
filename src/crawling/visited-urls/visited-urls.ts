import { hash64 } from '../../kit/hash.ts';
import type { Database } from '../../kit/sqlite.ts';
import type { UrlState } from '../../model/lists.ts';
import { readCounts, type StateCount } from './counts.ts';
import { Hosts } from './hosts.ts';
import { BOX, STATE_CODES, STEPS } from './schema.ts';
import { type Candidate, type SeenUrl, see } from './seeing.ts';
import { SeenCache } from './seen-cache.ts';
import { type Settlement, settle } from './settle.ts';
import { historyOf, type Stamp, type UrlTransition } from './transitions.ts';
import { readUrl, readUrls, type VisitedUrl } from './url-rows.ts';

export type { StateCount } from './counts.ts';
export type { Host, Hosts } from './hosts.ts';
export type { Candidate, SeenUrl } from './seeing.ts';
export type { FetchedFacts, Settlement } from './settle.ts';
export type { Stamp, UrlTransition } from './transitions.ts';
export type { UrlAnswer, VisitedUrl } from './url-rows.ts';

export interface VisitedUrlsOptions {
  /** Seen URLs kept in memory, 24 bytes each. */
  readonly seenCacheEntries: number;
  /** Host names kept in memory. */
  readonly hostCacheEntries: number;
}

/**
 * Every URL ever seen, its state, and how it came to it.
 *
 * The frontier keeps its own table keyed by the ids given here. What {@link VisitedUrls.seeMany} reports as new and the
 * frontier's entry for it must be committed together (`Database.asyncTransaction`): a URL that is seen but not queued
 * would never be requested. {@link VisitedUrls.list} by state lets the engine repair such a gap.
 */
export class VisitedUrls {
  readonly hosts: Hosts;
  readonly #database: Database;
  readonly #cache: SeenCache;

  /** @throws NewerVersionError */
  constructor(database: Database, options: VisitedUrlsOptions) {
    database.migrate(BOX, STEPS);
    this.#database = database;
    this.hosts = new Hosts(database, options.hostCacheEntries);
    this.#cache = new SeenCache(options.seenCacheEntries);
    database.onRollback(() => this.#cache.clear());
  }

  /** Enters the candidates not yet known; the answers stand in the order of the candidates. */
  async seeMany(candidates: readonly Candidate[], stamp: Stamp): Promise<SeenUrl[]> {
    const seeing = { database: this.#database, hosts: this.hosts, cache: this.#cache, stamp };
    return this.#database.transaction(() => see(candidates, seeing));
  }

  /** Marks URLs the frontier handed out as in flight; the rows stand in the order of the ids. */
  async startMany(ids: readonly number[], stamp: Stamp): Promise<VisitedUrl[]> {
    return this.#database.transaction(() => {
      this.#settle(
        ids.map((id) => ({ id, state: 'in-flight' })),
        stamp,
      );
      return readUrls(this.#database, ids);
    });
  }

  /** Records outcomes. The same settlement twice changes nothing the second time. Throws RangeError for an unknown id. */
  async settleMany(settlements: readonly Settlement[], stamp: Stamp): Promise<void> {
    this.#database.transaction(() => this.#settle(settlements, stamp));
  }

  /**
   * After an interrupted run: URLs in flight become queued or deferred again, as before. Returns them. Their hosts may
   * have been released already, so they are to be put into the frontier again.
   */
  async resume(stamp: Stamp): Promise<VisitedUrl[]> {
    return this.#database.transaction(() => {
      const rows = this.#database.all<{ id: number; before: number | null }>(
        `SELECT id, (SELECT from_state FROM url_transitions WHERE url_id = id ORDER BY n DESC LIMIT 1) AS before
         FROM urls WHERE state = ${STATE_CODES['in-flight']} AND state >= 2 ORDER BY id`,
      );
      const settlements = rows.map(({ id, before }): Settlement => {
        return { id, state: before === STATE_CODES.deferred ? 'deferred' : 'queued' };
      });
      this.#settle(settlements, stamp);
      return readUrls(
        this.#database,
        rows.map((row) => row.id),
      );
    });
  }

  async get(id: number): Promise<VisitedUrl | undefined> {
    return readUrl(this.#database, id);
  }

  /** In the order of the ids. Throws RangeError for an unknown id. */
  async getMany(ids: readonly number[]): Promise<VisitedUrl[]> {
    return readUrls(this.#database, ids);
  }

  async find(key: string, host: string): Promise<VisitedUrl | undefined> {
    const hostId = this.hosts.find(host);
    if (hostId === undefined) return undefined;
    const row = this.#database.get<{ url_id: number }>(
      'SELECT url_id FROM url_keys WHERE host_id = ? AND hash = ?',
      hostId,
      hash64(key),
    );
    return row === undefined ? undefined : readUrl(this.#database, row.url_id);
  }

  /** Every change of state of one URL, the first being its discovery (from undefined). */
  async history(id: number): Promise<UrlTransition[]> {
    return historyOf(this.#database, id);
  }

  /** URLs in order of id, those after `after`; of one state, or of all. */
  async list(query: ListQuery): Promise<VisitedUrl[]> {
    const where = query.state === undefined ? '' : `AND ${stateCondition(query.state)}`;
    const sql = `SELECT id FROM urls WHERE id > ? ${where} ORDER BY id LIMIT ?`;
    const rows = this.#database.all<{ id: number }>(sql, query.after, query.limit);
    return readUrls(
      this.#database,
      rows.map((row) => row.id),
    );
  }

  /** URLs of one host, in the order of their keys' hashes; those after the one with the key `after`. */
  async listHost(hostId: number, after: string | undefined, limit: number): Promise<VisitedUrl[]> {
    const rows = this.#database.all<{ url_id: number }>(
      'SELECT url_id FROM url_keys WHERE host_id = ? AND hash >= ? AND hash IS NOT ? ORDER BY hash LIMIT ?',
      hostId,
      after === undefined ? -(2n ** 63n) : hash64(after),
      after === undefined ? null : hash64(after),
      limit,
    );
    return readUrls(
      this.#database,
      rows.map((row) => row.url_id),
    );
  }

  /** URLs by state and reason, over all hosts or of one; of one without the URLs that wait or are in flight. */
  async counts(hostId?: number): Promise<StateCount[]> {
    return readCounts(this.#database, hostId);
  }

  #settle(settlements: readonly Settlement[], stamp: Stamp): void {
    settle(settlements, { database: this.#database, hosts: this.hosts, stamp });
    // Links to an avoided URL may open it again, so they must reach the table.
    if (settlements.some((settlement) => settlement.state === 'avoided')) this.#cache.clear();
  }
}

export interface ListQuery {
  readonly state: UrlState | undefined;
  /** Id of the last one seen; 0 to begin. */
  readonly after: number;
  readonly limit: number;
}

function stateCondition(state: UrlState): string {
  const code = STATE_CODES[state];
  // The second term is what tells SQLite that the partial index covers the query.
  return code >= 2 ? `state = ${code} AND state >= 2` : `state = ${code}`;
}
