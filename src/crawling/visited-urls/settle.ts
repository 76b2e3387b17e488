import { hash64 } from '../../kit/hash.ts';
import type { Database } from '../../kit/sqlite.ts';
import type { GarbageKind, PageType, UrlState, Verdict } from '../../model/lists.ts';
import { CountChanges } from './counts.ts';
import type { Hosts } from './hosts.ts';
import { STATE_CODES, stateOf } from './schema.ts';
import { changeState, readState, type Stamp, type StateRow } from './transitions.ts';

/** What became of a URL. A field left out keeps its stored value. */
export interface Settlement {
  readonly id: number;
  /** `queued` or `deferred` for another try, with the reason of the failure. */
  readonly state: UrlState;
  readonly reason?: string | undefined;
  readonly fetched?: FetchedFacts | undefined;
  readonly verdict?: Verdict | undefined;
  readonly kinds?: readonly GarbageKind[] | undefined;
  /** Id of the representative, or of the page judged garbage that it is a copy of; kept while it is a copy. */
  readonly duplicateOf?: number | undefined;
  readonly textHash?: string | undefined;
  readonly pageType?: PageType | undefined;
}

/** Present when the URL was requested. */
export interface FetchedFacts {
  readonly status?: number | undefined;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Bytes over the wire. */
  readonly bytes: number;
}

export interface Settling {
  readonly database: Database;
  readonly hosts: Hosts;
  readonly stamp: Stamp;
}

/** Writes outcomes: state, transition, counts, what the answer said. Runs inside a transaction. */
export function settle(settlements: readonly Settlement[], settling: Settling): void {
  const { database, hosts, stamp } = settling;
  const counts = new CountChanges();
  const traffic = new Map<number, { fetches: number; bytes: number }>();
  for (const settlement of settlements) {
    const row = readState(database, settlement.id);
    if (row === undefined) throw new RangeError(`no URL has the id ${settlement.id}`);
    const changed = writeState(row, settlement, counts, settling);
    const answered = changed && settlement.fetched !== undefined;
    if (hasAnswer(settlement)) writeAnswer(database, settlement, answered ? stamp.now : undefined);
    if (answered) addTraffic(traffic, row.host_id, settlement.fetched?.bytes ?? 0);
  }
  counts.write(database);
  for (const [hostId, { fetches, bytes }] of traffic) hosts.addFetches(hostId, { now: stamp.now, fetches, bytes });
}

/** False when the URL is in that state already, for that reason: the settlement is a repetition. */
function writeState(row: StateRow, settlement: Settlement, counts: CountChanges, settling: Settling): boolean {
  const reason = settlement.reason ?? null;
  const to = STATE_CODES[settlement.state];
  if (row.state === to && row.reason === reason) return false;
  const { database, stamp } = settling;
  changeState(database, row, { at: stamp.now, to, reason, run: stamp.run });
  counts.add({ hostId: row.host_id, state: stateOf(row.state), reason: row.reason ?? undefined, change: -1 });
  counts.add({ hostId: row.host_id, state: settlement.state, reason: settlement.reason, change: 1 });
  if (settlement.state === 'avoided') shut(database, row);
  return true;
}

/** From now on a link that is to be followed opens the URL again. */
function shut(database: Database, row: StateRow): void {
  const key = database.get<{ key: string }>('SELECT key FROM urls WHERE id = ?', row.id)?.key ?? '';
  database.run('UPDATE url_keys SET shut = 1 WHERE host_id = ? AND hash = ?', row.host_id, hash64(key));
}

function hasAnswer(settlement: Settlement): boolean {
  const { fetched, verdict, kinds, duplicateOf, textHash, state } = settlement;
  const said = fetched ?? verdict ?? kinds ?? duplicateOf ?? textHash;
  return said !== undefined || state === 'failed' || state === 'blocked';
}

/** `fetchedAt` undefined: nothing new was fetched. */
function writeAnswer(database: Database, settlement: Settlement, fetchedAt: number | undefined): void {
  const { id, fetched, verdict, kinds, duplicateOf, textHash, pageType } = settlement;
  const again = fetchedAt === undefined ? 0 : 1;
  const failed = isFailure(settlement);
  database.run(
    UPSERT_ANSWER,
    id,
    fetchedAt ?? null,
    again,
    failed ? again : 0,
    fetched?.status ?? null,
    fetched?.etag ?? null,
    fetched?.lastModified ?? null,
    verdict ?? null,
    kinds === undefined ? null : kinds.join(' '),
    settlement.state === 'duplicate' || settlement.state === 'garbage' ? (duplicateOf ?? null) : null,
    textHash ?? null,
    failed ? 1 : 0,
    pageType ?? null,
  );
}

function isFailure({ state, reason }: Settlement): boolean {
  return (
    state === 'failed' || state === 'blocked' || ((state === 'queued' || state === 'deferred') && reason !== undefined)
  );
}

/** Parameter 12 says whether the answer was a failure: failures count up while they follow one another. */
const UPSERT_ANSWER = `INSERT INTO url_answers
  (url_id, fetched_at, fetches, failures, status, etag, last_modified, verdict, kinds, duplicate_of, text_hash, page_type)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?13)
  ON CONFLICT (url_id) DO UPDATE SET
    fetched_at = coalesce(?2, fetched_at), fetches = fetches + ?3,
    failures = CASE WHEN ?12 THEN failures + ?4 ELSE 0 END,
    status = coalesce(?5, status), etag = coalesce(?6, etag), last_modified = coalesce(?7, last_modified),
    verdict = coalesce(?8, verdict), kinds = coalesce(?9, kinds), duplicate_of = ?10,
    text_hash = coalesce(?11, text_hash), page_type = coalesce(?13, page_type)`;

function addTraffic(traffic: Map<number, { fetches: number; bytes: number }>, hostId: number, bytes: number): void {
  const sum = traffic.get(hostId);
  if (sum === undefined) traffic.set(hostId, { fetches: 1, bytes });
  else {
    sum.fetches++;
    sum.bytes += bytes;
  }
}
