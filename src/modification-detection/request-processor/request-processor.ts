import { LruMap } from '../../kit/lru.ts';
import type { ChangeReport, PageName, PageStanding, RegisteredSite, SitePage } from '../../model/changes.ts';
import { type CompiledKeyRules, resolveUrl } from '../../url/url.ts';
import { readReport } from './read-report.ts';
import { SiteSet } from './site-set.ts';
import { Visitors } from './visitors.ts';

export { siteOf } from './site-set.ts';

export interface RequestProcessorOptions {
  /** Milliseconds since a visitor last confirmed a page during which nobody else is asked. */
  readonly newEnoughMs: number;
  /** Milliseconds that what is known of a page is used without asking again. */
  readonly standingMs: number;
  /** Pages whose standing is held in memory. */
  readonly standingEntries: number;
  /** Look-ups under way above which the answer is empty: the beacon must never make a site wait. */
  readonly maxLookups: number;
  /** UTF-16 units of a page's URL. */
  readonly maxUrlLength: number;
}

export interface RequestProcessorParts {
  readonly keyRules: CompiledKeyRules;
  readonly visitorKey: Uint8Array;
  readonly standingOf: (page: PageName) => Promise<PageStanding>;
  readonly now: () => number;
}

export type ReportOutcome =
  | { readonly kind: 'accepted'; readonly report: ChangeReport }
  | { readonly kind: 'malformed'; readonly problem: string }
  | { readonly kind: 'refused'; readonly reason: 'not-registered' | 'foreign-origin' };

interface Held {
  readonly standing: PageStanding;
  readonly until: number;
}

/**
 * KDIR 2012, request processor: of each visit it decides whether the browser is asked to look at the page, and it
 * checks what browsers report. Pages outside the registered sites are never looked up and never reported on.
 */
export class RequestProcessor {
  readonly #options: RequestProcessorOptions;
  readonly #parts: RequestProcessorParts;
  readonly #visitors: Visitors;
  readonly #standings: LruMap<string, Held>;
  #sites = new SiteSet([]);
  #lookups = 0;

  constructor(options: RequestProcessorOptions, parts: RequestProcessorParts) {
    this.#options = options;
    this.#parts = parts;
    this.#visitors = new Visitors(parts.visitorKey);
    this.#standings = new LruMap(options.standingEntries);
  }

  setSites(sites: readonly RegisteredSite[]): void {
    this.#sites = new SiteSet(sites);
  }

  /** Whether the browser that shows this page is to look at it. `referer`: the page's URL as the browser sent it. */
  async wantsReport(referer: string | undefined): Promise<boolean> {
    const page = this.#pageOf(referer ?? '');
    if (page === undefined) return false;
    const standing = await this.#standingOf(page);
    return standing !== undefined && !isNewEnough(standing, this.#parts.now() - this.#options.newEnoughMs);
  }

  /** `origin`: the request's Origin header. Browsers send 'null' where a site's referrer policy hides it. */
  accept(body: string, from: { readonly origin: string | undefined; readonly address: string }): ReportOutcome {
    const read = readReport(body);
    if ('problem' in read) return { kind: 'malformed', problem: read.problem };
    const page = this.#pageOf(read.url);
    if (page === undefined) return { kind: 'refused', reason: 'not-registered' };
    const { origin } = from;
    if (origin !== undefined && origin !== 'null' && URL.parse(page.url)?.origin !== origin)
      return { kind: 'refused', reason: 'foreign-origin' };
    const visitor = this.#visitors.nameOf(from.address);
    return { kind: 'accepted', report: { ...page, parts: read.parts, at: this.#parts.now(), visitor } };
  }

  #pageOf(url: string): SitePage | undefined {
    if (url === '' || url.length > this.#options.maxUrlLength) return undefined;
    const site = this.#sites.siteWith(url);
    if (site === undefined) return undefined;
    const resolved = resolveUrl(url, undefined, this.#parts.keyRules);
    if ('reason' in resolved) return undefined;
    return { url: resolved.url, key: resolved.key, host: resolved.host, site };
  }

  /** undefined: too much is being asked already. */
  async #standingOf(page: PageName): Promise<PageStanding | undefined> {
    const now = this.#parts.now();
    const held = this.#standings.get(page.key);
    if (held !== undefined && held.until > now) return held.standing;
    if (this.#lookups >= this.#options.maxLookups) return undefined;
    this.#lookups++;
    try {
      const standing = await this.#parts.standingOf(page);
      this.#standings.set(page.key, { standing, until: now + this.#options.standingMs });
      return standing;
    } finally {
      this.#lookups--;
    }
  }
}

/** Nothing to learn: not in the collection, about to be crawled anyway, or confirmed a moment ago. */
function isNewEnough({ known, signalled, disputed, confirmedAt }: PageStanding, since: number): boolean {
  if (!known || signalled) return true;
  return !disputed && confirmedAt !== undefined && confirmedAt > since;
}
