import { RecentMap } from '../../kit/recent-map.ts';
import { type BucketOptions, TokenBuckets } from '../../kit/token-buckets.ts';
import {
  BEACON_COUNTS,
  type BeaconCount,
  type BeaconCounters,
  type ChangeReport,
  type PageName,
  type PageStanding,
  type RegisteredSite,
  type SitePage,
} from '../../model/changes.ts';
import { type CompiledKeyRules, resolveUrl } from '../../url/url.ts';
import { readSubmission } from './indexnow.ts';
import { readReport } from './read-report.ts';
import { SiteSet } from './site-set.ts';
import { Visitors } from './visitors.ts';

export { holdsKey } from './indexnow.ts';
export { siteOf } from './site-set.ts';

export interface RequestProcessorOptions {
  /** Milliseconds since a visitor last confirmed a page during which nobody else is asked. */
  readonly newEnoughMs: number;
  /** Milliseconds that what is known of a page is used without asking again. */
  readonly standingMs: number;
  /** UTF-16 units of the keys of pages whose standing is held in memory. */
  readonly standingLength: number;
  /** Look-ups under way above which the answer is empty: the beacon must never make a site wait. */
  readonly maxLookups: number;
  /** UTF-16 units of a page's URL. */
  readonly maxUrlLength: number;
  /** Milliseconds that visitors are told apart under one key. */
  readonly visitorKeyMs: number;
  /** Scripts and reports of one visitor, look-ups and reports of one site. */
  readonly visitorLimit: BucketOptions;
  readonly siteLimit: BucketOptions;
}

export interface RequestProcessorParts {
  readonly keyRules: CompiledKeyRules;
  readonly newVisitorKey: () => Uint8Array;
  readonly standingOf: (page: PageName) => Promise<PageStanding>;
  /** The queue is full or the machine busy: everything is answered emptily. */
  readonly isBusy: () => boolean;
  readonly now: () => number;
}

/** Who asks for the script. */
export interface Visit {
  /** The page's URL as the browser sent it. */
  readonly referer: string | undefined;
  readonly address: string;
}

export type ReportOutcome =
  | { readonly kind: 'accepted'; readonly report: ChangeReport }
  | { readonly kind: 'malformed'; readonly problem: string }
  | { readonly kind: 'refused'; readonly reason: 'not-registered' | 'foreign-origin' }
  | { readonly kind: 'shed'; readonly reason: 'visitor' | 'site' | 'load' };

export type IndexNowOutcome =
  | { readonly pages: readonly SitePage[]; readonly key: string; readonly keyUrl: string }
  | { readonly status: 400 | 422 | 429; readonly problem: string };

interface Held {
  readonly standing: PageStanding;
  readonly until: number;
}

/**
 * KDIR 2012, request processor: of each visit it decides whether the browser is asked to look at the page, and it
 * checks what browsers report. Pages outside the registered sites are never looked up and never reported on. All that
 * it holds is bounded; what it refuses is counted.
 */
export class RequestProcessor {
  readonly #options: RequestProcessorOptions;
  readonly #parts: RequestProcessorParts;
  readonly #visitors: Visitors;
  readonly #standings: RecentMap<string, Held>;
  readonly #asked: TokenBuckets;
  readonly #lookedUp: TokenBuckets;
  readonly #reported: TokenBuckets;
  readonly #reportedOn: TokenBuckets;
  readonly #counts = new Map<BeaconCount, number>();
  #sites = new SiteSet([]);
  #lookups = 0;

  constructor(options: RequestProcessorOptions, parts: RequestProcessorParts) {
    this.#options = options;
    this.#parts = parts;
    this.#visitors = new Visitors({ newKey: parts.newVisitorKey, keyMs: options.visitorKeyMs, now: parts.now });
    this.#standings = new RecentMap(options.standingLength, (key) => key.length);
    this.#asked = new TokenBuckets(options.visitorLimit);
    this.#lookedUp = new TokenBuckets(options.siteLimit);
    this.#reported = new TokenBuckets(options.visitorLimit);
    this.#reportedOn = new TokenBuckets(options.siteLimit);
  }

  setSites(sites: readonly RegisteredSite[]): void {
    this.#sites = new SiteSet(sites);
  }

  counters(): BeaconCounters {
    const entries = BEACON_COUNTS.map((name) => [name, this.#counts.get(name) ?? 0] as const);
    return Object.fromEntries(entries) as BeaconCounters;
  }

  count(name: BeaconCount, n = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + n);
  }

  /** Whether the answer is known to be the empty one without a look-up: most answers, so it costs next to nothing. */
  isPlainlyEmpty(referer: string | undefined): boolean {
    const reason = this.#plainReason(this.#pageOf(referer ?? ''));
    if (reason === undefined) return false;
    this.count('visits');
    this.count(reason);
    return true;
  }

  /** Whether the browser that shows this page is to look at it. */
  async wantsReport(visit: Visit): Promise<boolean> {
    this.count('visits');
    const result = await this.#decide(visit);
    this.count(result);
    return result === 'scripts';
  }

  /** `origin`: the request's Origin header. Browsers send 'null' where a site's referrer policy hides it. */
  accept(body: string, from: { readonly origin: string | undefined; readonly address: string }): ReportOutcome {
    this.count('reports');
    const outcome = this.#check(body, from);
    this.count(countOf(outcome));
    return outcome;
  }

  /** Pages that a site says have changed: all of registered sites, or nothing is looked at. */
  submit(fields: unknown, address: string): IndexNowOutcome {
    const read = readSubmission(fields);
    if ('problem' in read) return read;
    if (this.#parts.isBusy() || !this.#reported.take(this.#visitors.nameOf(address), this.#parts.now()))
      return { status: 429, problem: 'too many requests' };
    const pages = read.urls.flatMap((url) => this.#pageOf(url) ?? []);
    if (pages.length < read.urls.length) return { status: 422, problem: 'a URL is of no registered site' };
    return { pages, key: read.key, keyUrl: read.keyUrl };
  }

  async #decide({ referer, address }: Visit): Promise<BeaconCount> {
    const page = this.#pageOf(referer ?? '');
    const plain = this.#plainReason(page);
    if (plain !== undefined || page === undefined) return plain ?? 'notRegistered';
    const standing = this.#held(page) ?? (await this.#lookUp(page));
    if (typeof standing === 'string') return standing;
    const now = this.#parts.now();
    if (isNewEnough(standing, now - this.#options.newEnoughMs)) return 'newEnough';
    return this.#asked.take(this.#visitors.nameOf(address), now) ? 'scripts' : 'shedVisitor';
  }

  #plainReason(page: SitePage | undefined): BeaconCount | undefined {
    if (page === undefined) return 'notRegistered';
    if (this.#parts.isBusy()) return 'shedLoad';
    const standing = this.#held(page);
    if (standing === undefined) return undefined;
    return isNewEnough(standing, this.#parts.now() - this.#options.newEnoughMs) ? 'newEnough' : undefined;
  }

  #check(body: string, from: { readonly origin: string | undefined; readonly address: string }): ReportOutcome {
    if (this.#parts.isBusy()) return { kind: 'shed', reason: 'load' };
    const now = this.#parts.now();
    const visitor = this.#visitors.nameOf(from.address);
    if (!this.#reported.take(visitor, now)) return { kind: 'shed', reason: 'visitor' };
    const read = readReport(body);
    if ('problem' in read) return { kind: 'malformed', problem: read.problem };
    const page = this.#pageOf(read.url);
    if (page === undefined) return { kind: 'refused', reason: 'not-registered' };
    const { origin } = from;
    if (origin !== undefined && origin !== 'null' && URL.parse(page.url)?.origin !== origin)
      return { kind: 'refused', reason: 'foreign-origin' };
    if (!this.#reportedOn.take(page.site, now)) return { kind: 'shed', reason: 'site' };
    return { kind: 'accepted', report: { ...page, parts: read.parts, at: now, visitor } };
  }

  #pageOf(url: string): SitePage | undefined {
    if (url === '' || url.length > this.#options.maxUrlLength) return undefined;
    const site = this.#sites.siteWith(url);
    if (site === undefined) return undefined;
    const resolved = resolveUrl(url, undefined, this.#parts.keyRules);
    if ('reason' in resolved) return undefined;
    return { url: resolved.url, key: resolved.key, host: resolved.host, site };
  }

  #held(page: PageName): PageStanding | undefined {
    const held = this.#standings.get(page.key);
    return held !== undefined && held.until > this.#parts.now() ? held.standing : undefined;
  }

  /** A count instead: too much is being asked already, of this site or of all. */
  async #lookUp(page: SitePage): Promise<PageStanding | BeaconCount> {
    const now = this.#parts.now();
    if (this.#lookups >= this.#options.maxLookups) return 'shedLoad';
    if (!this.#lookedUp.take(page.site, now)) return 'shedSite';
    this.#lookups++;
    try {
      const standing = await this.#parts.standingOf({ url: page.url, key: page.key, host: page.host });
      this.#standings.set(page.key, { standing, until: now + this.#options.standingMs });
      return standing;
    } finally {
      this.#lookups--;
    }
  }
}

function countOf(outcome: ReportOutcome): BeaconCount {
  if (outcome.kind === 'accepted' || outcome.kind === 'malformed') return outcome.kind;
  if (outcome.kind === 'refused') return outcome.reason === 'foreign-origin' ? 'foreignOrigin' : 'reportsNotRegistered';
  return ({ visitor: 'reportsShedVisitor', site: 'reportsShedSite', load: 'reportsShedLoad' } as const)[outcome.reason];
}

/** Nothing to learn: not in the collection, about to be crawled anyway, or confirmed a moment ago. */
function isNewEnough({ known, signalled, disputed, confirmedAt }: PageStanding, since: number): boolean {
  if (!known || signalled) return true;
  return !disputed && confirmedAt !== undefined && confirmedAt > since;
}
