import type { MigrationStep } from '../../kit/sqlite.ts';

/** Name under which the box keeps its schema version. */
export const BOX = 'frontier';

/** Where a host stands. The numbers are part of the file format. */
export const HOST_STATUS = {
  /** Has nothing that may be handed out. */
  idle: 0,
  /** May be asked now. */
  ready: 1,
  /** May be asked at `next_at`. */
  sleeping: 2,
  /** Is being asked. */
  busy: 3,
  /** Waits until its address takes another connection. */
  parked: 4,
} as const;

/**
 * `rank` is the negated priority, so that every order is ascending. The front of the frontier is the index
 * `frontier_hosts_ready` over the hosts that may be asked; the back is `frontier_queues`, one run of entries a host.
 * A link's host is mostly the host of its page, so inserts touch neighbouring leaves; taking is a look at the first
 * entry of an index. Nothing of it is held in memory: a transaction rolled back leaves nothing to repair, and memory
 * does not depend on the number of URLs or hosts.
 */
export const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE frontier_urls (
     url_id INTEGER PRIMARY KEY, host_id INTEGER NOT NULL, deferred INTEGER NOT NULL, rank REAL NOT NULL,
     not_before INTEGER);
   CREATE INDEX frontier_queues ON frontier_urls (host_id, deferred, rank, url_id) WHERE not_before IS NULL;
   CREATE INDEX frontier_waiting ON frontier_urls (not_before, url_id) WHERE not_before IS NOT NULL;
   CREATE TABLE frontier_hosts (
     host_id INTEGER PRIMARY KEY, status INTEGER NOT NULL, best_rank REAL NOT NULL, best_deferred INTEGER NOT NULL,
     next_at INTEGER NOT NULL,
     requests INTEGER NOT NULL, deferred_requests INTEGER NOT NULL, delay INTEGER NOT NULL,
     back_offs INTEGER NOT NULL, address TEXT);
   CREATE INDEX frontier_hosts_ready ON frontier_hosts (best_rank, next_at, host_id) WHERE status = 1;
   CREATE INDEX frontier_hosts_sleeping ON frontier_hosts (next_at) WHERE status = 2;
   CREATE INDEX frontier_hosts_parked ON frontier_hosts (address, best_rank, next_at, host_id) WHERE status = 4;
   CREATE TABLE frontier_addresses (
     address TEXT PRIMARY KEY, in_flight INTEGER NOT NULL, parked INTEGER NOT NULL, next_at INTEGER NOT NULL)
     WITHOUT ROWID;
   CREATE INDEX frontier_addresses_wanted ON frontier_addresses (next_at) WHERE parked > 0;
   CREATE TABLE frontier_flights (
     host_id INTEGER PRIMARY KEY, url_id INTEGER NOT NULL, rank REAL NOT NULL, deferred INTEGER NOT NULL, address TEXT);
   CREATE TABLE frontier_sizes (kind TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
   INSERT INTO frontier_sizes (kind, n) VALUES ('queued', 0), ('deferred', 0), ('waiting', 0);`,
];
