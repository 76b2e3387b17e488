import type { Database } from '../../kit/sqlite.ts';
import { Addresses, type AddressLimits } from './addresses.ts';
import { type HostRow, HostRows } from './host-rows.ts';
import { type FrontierEntry, type FrontierSizes, type QueuedUrl, Queues } from './queues.ts';
import { BOX, HOST_STATUS, STEPS } from './schema.ts';

export type { FrontierEntry, FrontierSizes } from './queues.ts';

export interface FrontierOptions extends AddressLimits {
  /** Milliseconds between the end of a request to a host and the next one, if its robots.txt asks for no more. */
  readonly delayMs: number;
  /** Milliseconds a host rests after the first rate limit or server error; doubled by each further one in a row. */
  readonly backOffBaseMs: number;
  /** Milliseconds: longest rest, Retry-After included. */
  readonly backOffMaxMs: number;
  /** Deferred URLs are at most one in so many of a host's requests. */
  readonly deferredOneIn: number;
}

/** A URL handed out. Its host gets no second one until it is released. */
export interface Ticket {
  readonly urlId: number;
  readonly hostId: number;
  readonly priority: number;
  readonly deferred: boolean;
}

export interface FrontierPlace {
  readonly place: 'queued' | 'deferred' | 'waiting' | 'in-flight';
  readonly priority: number;
  /** Milliseconds since 1970 before which its time, or its host's rest, does not let it out; undefined in flight. */
  readonly dueAt: number | undefined;
}

export interface Release {
  readonly hostId: number;
  /** HTTP requests made to the host; 0 (refused by robots, say) leaves its delay as it was. */
  readonly requests: number;
  /** The host answered that it is asked too much or cannot answer; `retryAt` (ms since 1970) when it said until when. */
  readonly backOff?: { readonly retryAt?: number | undefined } | undefined;
}

/**
 * Which URL is fetched next: the one of highest priority among the hosts that may be asked now. A host is asked by one
 * request at a time and rests between two; an address takes a bounded number of requests at once, whatever the hosts'
 * names. Mercator's two levels (front by priority, back by host), both as indexes on disk.
 *
 * It owns its tables, keyed by the ids of the visited-URL controller, instead of columns of that one's rows: a queue
 * entry is deleted when handed out, while the row it stands for lives on, and small entries keep a queue's reads and
 * writes on few leaves. Whoever changes both commits them together (`Database.asyncTransaction`).
 */
export class Frontier {
  readonly #database: Database;
  readonly #options: FrontierOptions;
  readonly #queues: Queues;
  readonly #addresses: Addresses;
  readonly #hosts: HostRows;

  /** @throws NewerVersionError */
  constructor(database: Database, options: FrontierOptions) {
    database.migrate(BOX, STEPS);
    this.#database = database;
    this.#options = options;
    this.#queues = new Queues(database);
    this.#addresses = new Addresses(database, options);
    const { deferredOneIn } = options;
    this.#hosts = new HostRows({ database, queues: this.#queues, addresses: this.#addresses, deferredOneIn });
  }

  /** Enters URLs. A URL in flight that is entered again is handed out once more after its release. */
  async putMany(entries: readonly FrontierEntry[]): Promise<void> {
    this.#commit(() => {
      const bestNew = new Map<number, number>();
      const changed = new Set<number>();
      for (const entry of entries.toSorted(byQueueOrder)) {
        const isNew = this.#queues.put(entry);
        if (!isNew || entry.deferred === true) changed.add(entry.hostId);
        else if (entry.notBefore === undefined && !bestNew.has(entry.hostId)) {
          bestNew.set(entry.hostId, -entry.priority);
        }
      }
      for (const [hostId, rank] of bestNew) this.#hosts.addOrdinary(hostId, rank);
      for (const hostId of changed) this.#hosts.refresh(this.#hosts.get(hostId));
    });
  }

  /** At most `limit` URLs whose hosts and addresses may be asked at `now`, best first. */
  async takeMany({ limit, now }: { readonly limit: number; readonly now: number }): Promise<Ticket[]> {
    return this.#commit(() => {
      this.#wake(now);
      const tickets: Ticket[] = [];
      let visits = 0;
      while (tickets.length < limit && visits < limit + MAX_PARKED_AT_ONCE) {
        const hosts = this.#hosts.ready(limit - tickets.length);
        if (hosts.length === 0) break;
        visits += hosts.length;
        for (const host of hosts) {
          const ticket = this.#handOut(host, now);
          if (ticket !== undefined) tickets.push(ticket);
        }
      }
      return tickets;
    });
  }

  /**
   * Tells to which address a host's name resolved. `put-back`: that address takes no further request now; the URL in
   * flight is in the queue again and its ticket void.
   */
  async setAddress(hostId: number, address: string, now: number): Promise<'admitted' | 'put-back'> {
    return this.#commit(() => {
      const host = this.#hosts.get(hostId);
      const flight = this.#flightOf(hostId);
      if (flight === undefined) {
        this.#moveTo(host, address);
        return 'admitted';
      }
      if (flight.address === address) return 'admitted';
      if (this.#addresses.isFree(address, now)) {
        this.#redirectFlight(flight, address, now);
        host.address = address;
        this.#hosts.refresh(host);
        return 'admitted';
      }
      this.#land(flight);
      this.#queues.restore({ ...flight, not_before: null });
      host.status = HOST_STATUS.sleeping;
      host.address = address;
      if (host.next_at > now) this.#hosts.sleep(host);
      else this.#hosts.park(host, address);
      return 'put-back';
    });
  }

  /** Ends requests: their hosts may be asked again after their delay. A host without a URL in flight is passed over. */
  async releaseMany(releases: readonly Release[], now: number): Promise<void> {
    this.#commit(() => {
      for (const release of releases) {
        const flight = this.#flightOf(release.hostId);
        if (flight === undefined) continue;
        this.#land(flight);
        const host = this.#hosts.get(release.hostId);
        host.requests += release.requests;
        if (flight.deferred === 1) host.deferred_requests += release.requests;
        this.#rest(host, release, now);
        this.#hosts.sleep(host);
      }
    });
  }

  /** Milliseconds between two requests that the host's robots.txt asks for; 0 = none. */
  async setDelay(hostId: number, delayMs: number): Promise<void> {
    this.#commit(() => {
      const host = this.#hosts.get(hostId);
      if (host.delay === delayMs) return;
      host.delay = delayMs;
      this.#hosts.refresh(host);
    });
  }

  /** The host is not asked before `until` (ms since 1970). A request under way is not touched. */
  async blockUntil(hostId: number, until: number): Promise<void> {
    this.#commit(() => {
      const host = this.#hosts.get(hostId);
      host.next_at = Math.max(host.next_at, until);
      if (host.status === HOST_STATUS.busy) this.#hosts.refresh(host);
      else this.#hosts.sleep(host);
    });
  }

  /** Removes at most `limit` queued URLs of a host, best first, and returns their ids; call again until none is left. */
  async removeOf(hostId: number, limit: number): Promise<number[]> {
    return this.#commit(() => {
      const ids = this.#queues.idsOf(hostId, 0, limit);
      if (ids.length < limit) ids.push(...this.#queues.idsOf(hostId, 1, limit - ids.length));
      for (const id of ids) this.#queues.remove(id);
      this.#hosts.refresh(this.#hosts.get(hostId));
      return ids;
    });
  }

  /** Turns at most `limit` queued URLs of a host into deferred ones and returns their ids. */
  async deferOf(hostId: number, limit: number): Promise<number[]> {
    return this.#commit(() => {
      const ids = this.#queues.idsOf(hostId, 0, limit);
      for (const id of ids) {
        const row = this.#queues.remove(id);
        if (row !== undefined) this.#queues.restore({ ...row, deferred: 1 });
      }
      this.#hosts.refresh(this.#hosts.get(hostId));
      return ids;
    });
  }

  /** Removes URLs wherever they stand; a request under way is not touched. */
  async removeMany(urlIds: readonly number[]): Promise<void> {
    this.#commit(() => {
      const hostIds = new Set<number>();
      for (const urlId of urlIds) {
        const row = this.#queues.remove(urlId);
        if (row !== undefined) hostIds.add(row.host_id);
      }
      for (const hostId of hostIds) this.#hosts.refresh(this.#hosts.get(hostId));
    });
  }

  /**
   * After an interrupted run: URLs in flight are queued again at their old place, to be handed out once more.
   * Returns their ids.
   */
  async resume(): Promise<number[]> {
    return this.#commit(() => {
      const flights = this.#database.all<Flight>('SELECT * FROM frontier_flights ORDER BY url_id');
      for (const flight of flights) {
        this.#land(flight);
        this.#queues.restore({ ...flight, not_before: null });
        this.#hosts.sleep(this.#hosts.get(flight.host_id));
      }
      this.#addresses.reset();
      return flights.map((flight) => flight.url_id);
    });
  }

  /**
   * Milliseconds since 1970 at which {@link takeMany} may have something; not later than `now` when it may already.
   * undefined: nothing until a request under way ends or something is entered. Deferred URLs over their share do not count.
   */
  nextDueAt(now: number): number | undefined {
    if (this.#hosts.ready(1).length > 0) return now;
    const times = [this.#hosts.nextSleeping(), this.#queues.nextWaiting(), this.#addresses.nextFree()];
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  /** Where a URL stands; undefined when it is not in the frontier. */
  async whereIs(urlId: number): Promise<FrontierPlace | undefined> {
    const flight = this.#database.get<Flight>('SELECT * FROM frontier_flights WHERE url_id = ?', urlId);
    if (flight !== undefined) return { place: 'in-flight', priority: 0 - flight.rank, dueAt: undefined };
    const row = this.#queues.get(urlId);
    if (row === undefined) return undefined;
    const place = row.not_before !== null ? 'waiting' : row.deferred === 1 ? 'deferred' : 'queued';
    const dueAt = Math.max(row.not_before ?? 0, this.#hosts.get(row.host_id).next_at);
    return { place, priority: 0 - row.rank, dueAt };
  }

  sizes(): FrontierSizes {
    return this.#queues.sizes();
  }

  #commit<T>(work: () => T): T {
    return this.#database.transaction(() => {
      const result = work();
      this.#queues.writeSizes();
      return result;
    });
  }

  #wake(now: number): void {
    for (const hostId of this.#queues.wake(now, MAX_WOKEN_AT_ONCE)) this.#hosts.refresh(this.#hosts.get(hostId));
    this.#hosts.wake(now);
    this.#addresses.wake(now);
  }

  #handOut(host: HostRow, now: number): Ticket | undefined {
    const { host_id: hostId, address } = host;
    if (address !== null && !this.#addresses.isFree(address, now)) {
      this.#hosts.park(host, address);
      return undefined;
    }
    const first = this.#hosts.firstUrl(host);
    if (first === undefined) {
      this.#hosts.refresh(host);
      return undefined;
    }
    this.#queues.remove(first.url_id);
    this.#database.run(
      'INSERT INTO frontier_flights (host_id, url_id, rank, deferred, address) VALUES (?, ?, ?, ?, ?)',
      hostId,
      first.url_id,
      first.rank,
      first.deferred,
      address,
    );
    this.#database.run(`UPDATE frontier_hosts SET status = ${HOST_STATUS.busy} WHERE host_id = ?`, hostId);
    if (address !== null) this.#addresses.enter(address, now);
    return { urlId: first.url_id, hostId, priority: 0 - first.rank, deferred: first.deferred === 1 };
  }

  #flightOf(hostId: number): Flight | undefined {
    return this.#database.get<Flight>('SELECT * FROM frontier_flights WHERE host_id = ?', hostId);
  }

  /** The request of a flight has ended. */
  #land(flight: Flight): void {
    this.#database.run('DELETE FROM frontier_flights WHERE host_id = ?', flight.host_id);
    if (flight.address !== null) this.#addresses.leave(flight.address);
  }

  #redirectFlight(flight: Flight, address: string, now: number): void {
    if (flight.address !== null) this.#addresses.leave(flight.address);
    this.#addresses.enter(address, now);
    this.#database.run('UPDATE frontier_flights SET address = ? WHERE host_id = ?', address, flight.host_id);
  }

  /** A host that is not being asked: if it is parked, it waits at the new address from now on. */
  #moveTo(host: HostRow, address: string): void {
    if (host.address === address) return;
    if (host.status === HOST_STATUS.parked) this.#hosts.park(host, address);
    else {
      host.address = address;
      this.#hosts.refresh(host);
    }
  }

  #rest(host: HostRow, { requests, backOff }: Release, now: number): void {
    const { delayMs, backOffBaseMs, backOffMaxMs } = this.#options;
    if (requests > 0) host.next_at = Math.max(host.next_at, now + Math.max(delayMs, host.delay));
    if (backOff === undefined) {
      if (requests > 0) host.back_offs = 0;
      return;
    }
    const until = backOff.retryAt ?? now + backOffBaseMs * 2 ** Math.min(host.back_offs, 30);
    host.back_offs++;
    host.next_at = Math.max(host.next_at, Math.min(until, now + backOffMaxMs));
  }
}

/** Bounds the work of one call when very many hosts share a busy address; the next call goes on. */
const MAX_PARKED_AT_ONCE = 1_000;

/** Bounds the work of one call when very many URLs become due at the same moment; the next call goes on. */
const MAX_WOKEN_AT_ONCE = 10_000;

/** A request under way: a queue entry with the address it goes to. */
interface Flight extends Omit<QueuedUrl, 'not_before'> {
  readonly address: string | null;
}

/** Within a host in order of rank, so that the first one is the host's best. */
function byQueueOrder(a: FrontierEntry, b: FrontierEntry): number {
  return a.hostId - b.hostId || b.priority - a.priority || a.urlId - b.urlId;
}
