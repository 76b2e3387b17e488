import type { Database } from '../../kit/sqlite.ts';
import type { Addresses } from './addresses.ts';
import type { QueuedUrl, Queues } from './queues.ts';
import { HOST_STATUS } from './schema.ts';

/** A host as the frontier knows it. */
export interface HostRow {
  readonly host_id: number;
  status: number;
  /** Rank of the URL it would hand out next, and whether that is a deferred one. */
  best_rank: number;
  best_deferred: number;
  /** Milliseconds since 1970: not asked earlier. For a ready host, since when it has been waiting its turn. */
  next_at: number;
  requests: number;
  deferred_requests: number;
  /** Milliseconds that its robots.txt asks for. */
  delay: number;
  /** Rate limits and server errors in a row. */
  back_offs: number;
  address: string | null;
}

export interface HostRowsParts {
  readonly database: Database;
  readonly queues: Queues;
  readonly addresses: Addresses;
  /** Deferred URLs are at most one in so many of a host's requests. */
  readonly deferredOneIn: number;
}

/** The front of the frontier: hosts by the rank of their first URL, and why a host is not asked now. */
export class HostRows {
  readonly #parts: HostRowsParts;
  readonly #database: Database;

  constructor(parts: HostRowsParts) {
    this.#parts = parts;
    this.#database = parts.database;
  }

  get(hostId: number): HostRow {
    const row = this.#database.get<HostRow>('SELECT * FROM frontier_hosts WHERE host_id = ?', hostId);
    return row ?? { ...NEW_HOST, host_id: hostId };
  }

  /** Hosts that may be asked now: best rank first, and among equals the one that has waited longest. */
  ready(limit: number): HostRow[] {
    return this.#database.all<HostRow>(
      'SELECT * FROM frontier_hosts WHERE status = 1 ORDER BY best_rank, next_at, host_id LIMIT ?',
      limit,
    );
  }

  /** The host got a new ordinary URL and nothing else changed. One statement, as most of a crawl's writes are these. */
  addOrdinary(hostId: number, rank: number): void {
    this.#database.run(ADD_ORDINARY, hostId, rank);
  }

  /** Looks what is first in the host's queue, brings its status into line with it, and writes the row. */
  refresh(host: HostRow): void {
    if (host.status !== HOST_STATUS.busy) this.#settle(host);
    this.#save(host);
  }

  firstUrl(host: HostRow): QueuedUrl | undefined {
    const oneIn = this.#parts.deferredOneIn;
    return this.#parts.queues.first(host.host_id, (host.deferred_requests + 1) * oneIn <= host.requests + 1);
  }

  /** Asleep until `next_at`, if it has anything. */
  sleep(host: HostRow): void {
    this.#unpark(host);
    host.status = HOST_STATUS.sleeping;
    this.refresh(host);
  }

  /** Waits for its address. Only for a host that could be asked now but for that. */
  park(host: HostRow, address: string): void {
    this.#unpark(host);
    host.address = address;
    host.status = HOST_STATUS.parked;
    this.#parts.addresses.addParked(address, 1);
    this.refresh(host);
  }

  /** Makes ready every host whose time has come. */
  wake(now: number): void {
    this.#database.run('UPDATE frontier_hosts SET status = 1 WHERE status = 2 AND next_at <= ?', now);
  }

  /** When the next sleeping host is due. */
  nextSleeping(): number | undefined {
    const sql = 'SELECT min(next_at) AS at FROM frontier_hosts WHERE status = 2';
    return this.#database.get<{ at: number | null }>(sql)?.at ?? undefined;
  }

  #settle(host: HostRow): void {
    const first = this.firstUrl(host);
    if (first === undefined) {
      this.#unpark(host);
      host.status = HOST_STATUS.idle;
      return;
    }
    host.best_rank = first.rank;
    host.best_deferred = first.deferred;
    if (host.status === HOST_STATUS.idle) host.status = host.next_at === 0 ? HOST_STATUS.ready : HOST_STATUS.sleeping;
  }

  #unpark(host: HostRow): void {
    if (host.status === HOST_STATUS.parked && host.address !== null) {
      this.#parts.addresses.addParked(host.address, -1);
      host.status = HOST_STATUS.sleeping;
    }
  }

  #save(host: HostRow): void {
    this.#database.run(
      SAVE,
      host.host_id,
      host.status,
      host.best_rank,
      host.best_deferred,
      host.next_at,
      host.requests,
      host.deferred_requests,
      host.delay,
      host.back_offs,
      host.address,
    );
  }
}

const NEW_HOST = {
  status: HOST_STATUS.idle as number,
  best_rank: 0,
  best_deferred: 0,
  next_at: 0,
  requests: 0,
  deferred_requests: 0,
  delay: 0,
  back_offs: 0,
  address: null,
};

/** An idle host becomes ready, or sleeps until its time; a deferred URL is no longer the one to be handed out next. */
const ADD_ORDINARY = `INSERT INTO frontier_hosts
  (host_id, status, best_rank, best_deferred, next_at, requests, deferred_requests, delay, back_offs)
  VALUES (?1, 1, ?2, 0, 0, 0, 0, 0, 0)
  ON CONFLICT (host_id) DO UPDATE SET
    best_rank = CASE WHEN status = 0 OR best_deferred = 1 THEN ?2 ELSE min(best_rank, ?2) END,
    best_deferred = 0,
    status = CASE WHEN status <> 0 THEN status WHEN next_at = 0 THEN 1 ELSE 2 END`;

const SAVE = `INSERT INTO frontier_hosts
  (host_id, status, best_rank, best_deferred, next_at, requests, deferred_requests, delay, back_offs, address)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
  ON CONFLICT (host_id) DO UPDATE SET
    status = ?2, best_rank = ?3, best_deferred = ?4, next_at = ?5, requests = ?6, deferred_requests = ?7, delay = ?8,
    back_offs = ?9, address = ?10`;
