import type { MigrationStep } from '../../kit/sqlite.ts';
import type { UrlState } from '../../model/lists.ts';

/** Name under which the box keeps its schema version. */
export const BOX = 'visited-urls';

/**
 * The stored number of each state. The numbers are part of the file format: never reuse one.
 * 0 and 1 are what most of a large crawl is in; the index by state leaves them out.
 */
export const STATE_CODES: Readonly<Record<UrlState, number>> = {
  queued: 0,
  deferred: 1,
  'in-flight': 2,
  kept: 3,
  garbage: 4,
  duplicate: 5,
  redirect: 6,
  'not-html': 7,
  noindex: 8,
  refused: 9,
  avoided: 10,
  blocked: 11,
  gone: 12,
  failed: 13,
  hidden: 14,
};

export function stateOf(code: number): UrlState {
  const state = STATES_BY_CODE.get(code);
  if (state === undefined) throw new RangeError(`no URL state has the number ${code}`);
  return state;
}

const STATES_BY_CODE = new Map<number, UrlState>();
for (const state of Object.keys(STATE_CODES) as UrlState[]) STATES_BY_CODE.set(STATE_CODES[state], state);

/**
 * `urls` holds what is known when a link is found and grows at its end only; what an answer adds is in `url_answers`,
 * so that the many URLs never requested stay narrow. `url_keys` is the seen-set: it is clustered by host first and
 * hash second, because the links of one page mostly stay on its host and so touch neighbouring leaves; ordered by
 * hash alone, every insert would touch a random leaf of a tree larger than the cache.
 * `shut` marks URLs that were never to be requested (out of scope, too deep, …).
 */
export const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE hosts (
     id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, address TEXT,
     first_at INTEGER NOT NULL, last_at INTEGER, fetches INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0);
   CREATE TABLE urls (
     id INTEGER PRIMARY KEY, host_id INTEGER NOT NULL, key TEXT NOT NULL, url TEXT,
     state INTEGER NOT NULL, reason TEXT, depth INTEGER NOT NULL, priority REAL NOT NULL,
     found_from INTEGER, found_at INTEGER NOT NULL, found_run INTEGER NOT NULL, transitions INTEGER NOT NULL);
   CREATE INDEX urls_by_state ON urls (state, id) WHERE state >= 2;
   CREATE TABLE url_keys (
     host_id INTEGER NOT NULL, hash INTEGER NOT NULL, url_id INTEGER NOT NULL, shut INTEGER NOT NULL,
     PRIMARY KEY (host_id, hash)) WITHOUT ROWID;
   CREATE TABLE url_answers (
     url_id INTEGER PRIMARY KEY, fetched_at INTEGER, fetches INTEGER NOT NULL, failures INTEGER NOT NULL,
     status INTEGER, etag TEXT, last_modified TEXT, verdict TEXT, kinds TEXT, duplicate_of INTEGER, text_hash TEXT);
   CREATE TABLE url_transitions (
     url_id INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, from_state INTEGER, to_state INTEGER NOT NULL,
     reason TEXT, run INTEGER NOT NULL, PRIMARY KEY (url_id, n)) WITHOUT ROWID;
   CREATE TABLE url_counts (
     host_id INTEGER NOT NULL, state INTEGER NOT NULL, reason TEXT NOT NULL, n INTEGER NOT NULL,
     PRIMARY KEY (host_id, state, reason)) WITHOUT ROWID;`,
  'CREATE INDEX url_answers_copies ON url_answers (duplicate_of) WHERE duplicate_of IS NOT NULL',
  'ALTER TABLE url_answers ADD COLUMN page_type TEXT',
];
