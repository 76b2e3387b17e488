import type { Database } from '../../kit/sqlite.ts';
import {
  GARBAGE_KINDS,
  type GarbageKind,
  PAGE_TYPES,
  type PageType,
  type UrlState,
  VERDICTS,
  type Verdict,
} from '../../model/lists.ts';
import { stateOf } from './schema.ts';

export interface VisitedUrl {
  readonly id: number;
  readonly hostId: number;
  readonly host: string;
  readonly url: string;
  readonly key: string;
  readonly state: UrlState;
  readonly reason: string | undefined;
  readonly depth: number;
  readonly priority: number;
  /** Id of the page on which it was found first; undefined for seeds and sitemaps. */
  readonly foundFrom: number | undefined;
  /** Milliseconds since 1970. */
  readonly foundAt: number;
  readonly foundRun: number;
  /** undefined: no outcome was recorded yet. */
  readonly answer: UrlAnswer | undefined;
}

/** What the outcomes so far said; the newest value of each. */
export interface UrlAnswer {
  /** Milliseconds since 1970; undefined when it was never requested. */
  readonly fetchedAt: number | undefined;
  readonly fetches: number;
  /** Failures in a row up to now. */
  readonly failures: number;
  readonly status: number | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly verdict: Verdict | undefined;
  readonly kinds: readonly GarbageKind[];
  readonly duplicateOf: number | undefined;
  readonly textHash: string | undefined;
  readonly pageType: PageType | undefined;
}

export function readUrl(database: Database, id: number): VisitedUrl | undefined {
  const row = database.get<UrlRow>(SELECT_URL, id);
  return row === undefined ? undefined : urlFrom(row);
}

/** In the order of the ids; throws RangeError for an unknown one. */
export function readUrls(database: Database, ids: readonly number[]): VisitedUrl[] {
  return ids.map((id) => {
    const url = readUrl(database, id);
    if (url === undefined) throw new RangeError(`no URL has the id ${id}`);
    return url;
  });
}

const SELECT_URL = `SELECT u.id, u.host_id, h.name AS host, u.url, u.key, u.state, u.reason, u.depth, u.priority,
    u.found_from, u.found_at, u.found_run, a.url_id AS answered, a.fetched_at, a.fetches, a.failures, a.status, a.etag,
    a.last_modified, a.verdict, a.kinds, a.duplicate_of, a.text_hash,
    a.page_type
  FROM urls u JOIN hosts h ON h.id = u.host_id LEFT JOIN url_answers a ON a.url_id = u.id WHERE u.id = ?`;

interface UrlRow {
  readonly id: number;
  readonly host_id: number;
  readonly host: string;
  readonly url: string | null;
  readonly key: string;
  readonly state: number;
  readonly reason: string | null;
  readonly depth: number;
  readonly priority: number;
  readonly found_from: number | null;
  readonly found_at: number;
  readonly found_run: number;
  readonly answered: number | null;
  readonly fetched_at: number | null;
  readonly fetches: number | null;
  readonly failures: number | null;
  readonly status: number | null;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly verdict: string | null;
  readonly kinds: string | null;
  readonly duplicate_of: number | null;
  readonly text_hash: string | null;
  readonly page_type: string | null;
}

function urlFrom(row: UrlRow): VisitedUrl {
  return {
    id: row.id,
    hostId: row.host_id,
    host: row.host,
    url: row.url ?? row.key,
    key: row.key,
    state: stateOf(row.state),
    reason: row.reason ?? undefined,
    depth: row.depth,
    priority: row.priority,
    foundFrom: row.found_from ?? undefined,
    foundAt: row.found_at,
    foundRun: row.found_run,
    answer: row.answered === null ? undefined : answerFrom(row),
  };
}

function answerFrom(row: UrlRow): UrlAnswer {
  const kinds = (row.kinds ?? '').split(' ');
  return {
    fetchedAt: row.fetched_at ?? undefined,
    fetches: row.fetches ?? 0,
    failures: row.failures ?? 0,
    status: row.status ?? undefined,
    etag: row.etag ?? undefined,
    lastModified: row.last_modified ?? undefined,
    verdict: VERDICTS.find((verdict) => verdict === row.verdict),
    kinds: GARBAGE_KINDS.filter((kind) => kinds.includes(kind)),
    duplicateOf: row.duplicate_of ?? undefined,
    textHash: row.text_hash ?? undefined,
    pageType: PAGE_TYPES.find((type) => type === row.page_type),
  };
}
