import type { Database } from '../../kit/sqlite.ts';
import { HOST_STATUS } from './schema.ts';

export interface AddressLimits {
  /** Requests under way at once to one network address. */
  readonly connectionsPerAddress: number;
  /** Milliseconds between the starts of two requests to one address. */
  readonly addressGapMs: number;
}

/** What shared hosting feels: how much goes to one network address, whatever the names are. */
export class Addresses {
  readonly #database: Database;
  readonly #limits: AddressLimits;

  constructor(database: Database, limits: AddressLimits) {
    this.#database = database;
    this.#limits = limits;
  }

  isFree(address: string, now: number): boolean {
    const row = this.#database.get<{ in_flight: number; next_at: number }>(
      'SELECT in_flight, next_at FROM frontier_addresses WHERE address = ?',
      address,
    );
    return row === undefined || (row.in_flight < this.#limits.connectionsPerAddress && row.next_at <= now);
  }

  /** Counts a request that begins now. */
  enter(address: string, now: number): void {
    this.#database.run(
      `INSERT INTO frontier_addresses (address, in_flight, parked, next_at) VALUES (?1, 1, 0, ?2)
       ON CONFLICT (address) DO UPDATE SET in_flight = in_flight + 1, next_at = max(next_at, ?2)`,
      address,
      now + this.#limits.addressGapMs,
    );
  }

  leave(address: string): void {
    this.#database.run('UPDATE frontier_addresses SET in_flight = in_flight - 1 WHERE address = ?', address);
  }

  addParked(address: string, change: number): void {
    this.#database.run(
      `INSERT INTO frontier_addresses (address, in_flight, parked, next_at) VALUES (?1, 0, ?2, 0)
       ON CONFLICT (address) DO UPDATE SET parked = parked + ?2`,
      address,
      change,
    );
  }

  /** Makes ready as many of the best parked hosts as their addresses take. */
  wake(now: number): void {
    const rows = this.#database.all<{ address: string; in_flight: number }>(
      'SELECT address, in_flight FROM frontier_addresses WHERE parked > 0 AND next_at <= ? AND in_flight < ?',
      now,
      this.#limits.connectionsPerAddress,
    );
    for (const { address, in_flight } of rows) {
      const room = this.#limits.addressGapMs > 0 ? 1 : this.#limits.connectionsPerAddress - in_flight;
      const woken = this.#database.run(
        `UPDATE frontier_hosts SET status = ${HOST_STATUS.ready} WHERE host_id IN (
           SELECT host_id FROM frontier_hosts WHERE status = ${HOST_STATUS.parked} AND address = ?
           ORDER BY best_rank, next_at, host_id LIMIT ?)`,
        address,
        room,
      );
      this.addParked(address, -woken);
    }
  }

  /** When the next address with parked hosts takes another request, unless one has to end first. */
  nextFree(): number | undefined {
    const row = this.#database.get<{ at: number | null }>(
      'SELECT min(next_at) AS at FROM frontier_addresses WHERE parked > 0 AND in_flight < ?',
      this.#limits.connectionsPerAddress,
    );
    return row?.at ?? undefined;
  }

  /** After an interruption no request is under way. */
  reset(): void {
    this.#database.run('UPDATE frontier_addresses SET in_flight = 0 WHERE in_flight <> 0');
  }
}
