import type { Database } from '../../kit/sqlite.ts';
import type { UrlState } from '../../model/lists.ts';
import { stateOf } from './schema.ts';

/** When and in which run something happened. `now`: milliseconds since 1970. */
export interface Stamp {
  readonly now: number;
  readonly run: number;
}

export interface UrlTransition {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** undefined: the URL was seen for the first time. */
  readonly from: UrlState | undefined;
  readonly to: UrlState;
  readonly reason: string | undefined;
  readonly run: number;
}

/** The columns of `urls` that a change of state needs. */
export interface StateRow {
  readonly id: number;
  readonly host_id: number;
  readonly state: number;
  readonly reason: string | null;
  readonly transitions: number;
  readonly found_at: number;
  readonly found_run: number;
}

export interface Change {
  readonly at: number;
  readonly to: number;
  readonly reason: string | null;
  readonly run: number;
}

export function readState(database: Database, id: number): StateRow | undefined {
  return database.get<StateRow>(
    'SELECT id, host_id, state, reason, transitions, found_at, found_run FROM urls WHERE id = ?',
    id,
  );
}

/**
 * Sets state and reason and records the change. The discovery, number 0, is written only now: of most URLs of a large
 * crawl nothing else is ever recorded, and their row says it all.
 */
export function changeState(database: Database, row: StateRow, change: Change): void {
  const insert = database.prepare(
    'INSERT INTO url_transitions (url_id, n, at, from_state, to_state, reason, run) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  if (row.transitions === 0) insert.run(row.id, 0, row.found_at, null, row.state, row.reason, row.found_run);
  insert.run(row.id, row.transitions + 1, change.at, row.state, change.to, change.reason, change.run);
  database.run(
    'UPDATE urls SET state = ?, reason = ?, transitions = transitions + 1 WHERE id = ?',
    change.to,
    change.reason,
    row.id,
  );
}

export function historyOf(database: Database, id: number): UrlTransition[] {
  const row = readState(database, id);
  if (row === undefined) return [];
  if (row.transitions === 0) {
    const { found_at: at, reason, found_run: run } = row;
    return [{ at, from: undefined, to: stateOf(row.state), reason: reason ?? undefined, run }];
  }
  return database
    .all<TransitionRow>(
      'SELECT at, from_state, to_state, reason, run FROM url_transitions WHERE url_id = ? ORDER BY n',
      id,
    )
    .map(({ at, from_state, to_state, reason, run }) => ({
      at,
      from: from_state === null ? undefined : stateOf(from_state),
      to: stateOf(to_state),
      reason: reason ?? undefined,
      run,
    }));
}

interface TransitionRow {
  readonly at: number;
  readonly from_state: number | null;
  readonly to_state: number;
  readonly reason: string | null;
  readonly run: number;
}
