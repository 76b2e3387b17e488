import type { Settlement } from '../crawling/visited-urls/visited-urls.ts';
import type { JudgedRecord } from '../garbage-detector/garbage-repository/garbage-repository.ts';
import type { IndexRow } from '../inverted-index/index-document.ts';
import type { GarbageKind } from '../model/lists.ts';
import type { LinkPosition } from '../model/page.ts';
import type { PackedPage, StoredState } from '../repository/repository.ts';
import type { WarcCapture } from '../repository/warc-record.ts';
import type { PageReading } from './analysis.ts';
import type { PageHandle } from './analysis-pool.ts';
import type { Counted } from './crawl-report.ts';

/** A URL on its way through the boxes. */
export interface CrawlTicket {
  readonly id: number;
  readonly hostId: number;
  /** Host name without port. */
  readonly host: string;
  readonly url: string;
  readonly key: string;
  readonly depth: number;
  readonly priority: number;
  readonly deferred: boolean;
  /** What earlier fetches left, for conditional requests and to tell a change. */
  readonly known: {
    readonly etag?: string | undefined;
    readonly lastModified?: string | undefined;
    readonly textHash?: string | undefined;
    /** Milliseconds since 1970. */
    readonly fetchedAt?: number | undefined;
    readonly failures: number;
    readonly wasKept: boolean;
  };
}

/** A page read, before it is judged. */
export interface ReadPage {
  readonly handle: PageHandle;
  readonly reading: PageReading;
  readonly status: number;
  readonly fetchedAt: number;
  readonly bytes: number;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** A link to enter; `state` as the validator said. */
export interface LinkToEnter {
  readonly url: string;
  readonly key: string;
  readonly host: string;
  readonly depth: number;
  readonly priority: number;
  readonly state: 'queued' | 'deferred' | 'refused' | 'avoided';
  readonly reason?: 'scope' | 'trap' | 'depth' | 'scheme' | 'url-length' | 'nofollow' | undefined;
  readonly text: string;
  readonly credited: boolean;
  readonly position: LinkPosition;
}

/** A version of a page for the repository. */
export interface PageToStore {
  readonly state: StoredState;
  readonly kind: GarbageKind | undefined;
  readonly content: PackedPage;
  readonly capture: WarcCapture;
  readonly fetchedAt: number;
  readonly changedAt: number | undefined;
  readonly status: number;
  readonly textHash: string;
}

/** What is committed for one URL. */
export interface Settled {
  readonly ticket: CrawlTicket;
  readonly settlement: Settlement;
  readonly counted: Counted;
  readonly page?: PageToStore | undefined;
  readonly index?: IndexRow | undefined;
  /** Leaves the index: it was kept before and is no longer. */
  readonly unindex?: boolean | undefined;
  readonly links?: readonly LinkToEnter[] | undefined;
  /** Back into the frontier, not before this time. */
  readonly again?: { readonly notBefore: number | undefined; readonly deferred: boolean } | undefined;
  readonly judged?: JudgedRecord | undefined;
  /** Seen unchanged at this time. */
  readonly touched?: number | undefined;
  /** Feeds that a kept page of this site names. */
  readonly feeds?: readonly string[] | undefined;
  /** The document controller was asked about it. */
  readonly admitted?: boolean | undefined;
  /** Judged garbage by itself: its copies are garbage too. */
  readonly condemnedText?: boolean | undefined;
}
