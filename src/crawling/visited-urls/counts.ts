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

/** Collects by how much the counts of a batch change; written once at its end, one row per host, state and reason. */
export class CountChanges {
  readonly #byHost = new Map<number, Map<string, number>>();

  add({ hostId, state, reason, change }: CountChange): void {
    let changes = this.#byHost.get(hostId);
    if (changes === undefined) this.#byHost.set(hostId, (changes = new Map()));
    const slot = `${STATE_CODES[state]} ${reason ?? ''}`;
    changes.set(slot, (changes.get(slot) ?? 0) + change);
  }

  write(database: Database): void {
    const total = new Map<string, number>();
    for (const [hostId, changes] of [...this.#byHost].sort(([a], [b]) => a - b)) {
      for (const [slot, change] of changes) {
        total.set(slot, (total.get(slot) ?? 0) + change);
        writeChange(database, hostId, slot, change);
      }
    }
    for (const [slot, change] of total) writeChange(database, ALL_HOSTS, slot, change);
  }
}

/** Counts of one host, or of all when no host is named. */
export function readCounts(database: Database, hostId: number | undefined): StateCount[] {
  const rows = database.all<{ state: number; reason: string; n: number }>(
    'SELECT state, reason, n FROM url_counts WHERE host_id = ? AND n > 0 ORDER BY state, reason',
    hostId ?? ALL_HOSTS,
  );
  return rows.map((row) => ({ state: stateOf(row.state), reason: row.reason || undefined, count: row.n }));
}

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
