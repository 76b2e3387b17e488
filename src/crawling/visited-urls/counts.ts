import type { Database } from '../../kit/sqlite.ts';
import type { UrlState } from '../../model/lists.ts';
import { STATE_CODES, stateOf } from './schema.ts';

export interface StateCount {
  readonly state: UrlState;
  /** undefined = URLs of this state without a reason. */
  readonly reason: string | undefined;
  readonly count: number;
}

export interface CountChange {
  readonly hostId: number;
  readonly state: UrlState;
  readonly reason: string | undefined;
  readonly change: number;
}

/**
 * Collects by how much the counts of a batch change; written once at its end, one row per state and reason for all
 * hosts and for each. URLs that wait are counted for all hosts only: links lead to very many hosts, and a count each
 * would be one more random write for every link found.
 */
export class CountChanges {
  readonly #byHost = new Map<number, Map<string, number>>();
  readonly #total = new Map<string, number>();

  add({ hostId, state, reason, change }: CountChange): void {
    const slot = `${STATE_CODES[state]} ${reason ?? ''}`;
    this.#total.set(slot, (this.#total.get(slot) ?? 0) + change);
    if (WAITING_STATES.includes(state)) return;
    let changes = this.#byHost.get(hostId);
    if (changes === undefined) this.#byHost.set(hostId, (changes = new Map()));
    changes.set(slot, (changes.get(slot) ?? 0) + change);
  }

  write(database: Database): void {
    for (const [hostId, changes] of [...this.#byHost].sort(([a], [b]) => a - b)) {
      for (const [slot, change] of changes) writeChange(database, hostId, slot, change);
    }
    for (const [slot, change] of this.#total) writeChange(database, ALL_HOSTS, slot, change);
  }
}

/** Counts over all hosts, or of one; the latter without the URLs that wait or are in flight. */
export function readCounts(database: Database, hostId: number | undefined): StateCount[] {
  const rows = database.all<{ state: number; reason: string; n: number }>(
    'SELECT state, reason, n FROM url_counts WHERE host_id = ? AND n > 0 ORDER BY state, reason',
    hostId ?? ALL_HOSTS,
  );
  return rows.map((row) => ({ state: stateOf(row.state), reason: row.reason || undefined, count: row.n }));
}

const WAITING_STATES: readonly UrlState[] = ['queued', 'deferred', 'in-flight'];

/** Row ids begin at 1, so 0 is free for the sum over all hosts. */
const ALL_HOSTS = 0;

function writeChange(database: Database, hostId: number, slot: string, change: number): void {
  if (change === 0) return;
  const space = slot.indexOf(' ');
  database.run(
    `INSERT INTO url_counts (host_id, state, reason, n) VALUES (?, ?, ?, ?)
     ON CONFLICT (host_id, state, reason) DO UPDATE SET n = n + excluded.n`,
    hostId,
    Number(slot.slice(0, space)),
    slot.slice(space + 1),
    change,
  );
}
