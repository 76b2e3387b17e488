/** Word that a page may have changed: what visitors' browsers report, and what is concluded from it. */

/** Parts of a page that the beacon hashes one by one, in the order of a report. */
export const PAGE_PARTS = ['title', 'text', 'headings', 'links', 'images', 'metadata'] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

/** MD5 of each part as the browser saw it: 32 lower-case hexadecimal digits. */
export type PartHashes = Readonly<Record<PagePart, string>>;

/** Who says that a page changed: visitors' browsers, the site by IndexNow, its feeds, its sitemaps. */
export const SIGNAL_SOURCES = ['beacon', 'indexnow', 'feed', 'sitemap'] as const;
export type SignalSource = (typeof SIGNAL_SOURCES)[number];

/** A page in the forms of the contract. */
export interface PageName {
  readonly url: string;
  readonly key: string;
  /** Host name without port. */
  readonly host: string;
}

/** A page of a site that carries the beacon. */
export interface SitePage extends PageName {
  /** Name of the registered site: {@link RegisteredSite.site}. */
  readonly site: string;
}

/** What one visitor's browser saw. */
export interface ChangeReport extends SitePage {
  readonly parts: PartHashes;
  /** Milliseconds since 1970 by the server's clock. */
  readonly at: number;
  /** Tells visitors apart while the server runs; '' = unknown. Never written to disk. */
  readonly visitor: string;
}

/** Word that a page has changed. */
export interface ChangeSignal extends PageName {
  readonly source: SignalSource;
  readonly at: number;
  /** Those that changed, as far as the source tells. */
  readonly parts: readonly PagePart[];
}

/** What was learnt of a part of a page that differed; parts that never did have none. Values: first digits of hashes. */
export interface PartNoise {
  /** Differences that look like another view of the same page, less those that a crawl confirmed. */
  readonly doubt: number;
  /** Its changes count for nothing. */
  readonly masked: boolean;
  /** Values reported, the newest last. */
  readonly recent: readonly string[];
  /** Values believed, the newest last. */
  readonly believed: readonly string[];
  /** Reports in a row that said the same, and when the first of them came. */
  readonly same: number;
  readonly since: number;
}

export type PageNoise = Readonly<Partial<Record<PagePart, PartNoise>>>;

/** A signalled change and the copy that it called stale. */
export interface OpenSignal {
  readonly parts: readonly PagePart[];
  readonly textHash: string | undefined;
}

/** What reports said of a page so far; the detector's memory. Times: milliseconds since 1970, 0 = never. */
export interface PageMemory {
  /** What was first agreed on after a crawl, part by part: later reports are compared with it. */
  readonly baseline: Partial<PartHashes> | undefined;
  readonly baselineAt: number;
  /** When a report last said the same. */
  readonly confirmedAt: number;
  readonly signalledAt: number;
  /** When the last report came. */
  readonly seenAt: number;
  /** The last signal, until a crawl has answered it. */
  readonly signal: OpenSignal | undefined;
  readonly noise: PageNoise;
}

/** What is known of a page when its visitor asks for the beacon. Times: milliseconds since 1970. */
export interface PageStanding {
  /** It was crawled at least once; of other pages nothing is to be learnt. */
  readonly known: boolean;
  /** A change was signalled and the page is still to be crawled. */
  readonly signalled: boolean;
  /** Visitors' reports differ and too few agree. */
  readonly disputed: boolean;
  /** When a report last showed that nothing changed since the crawl; undefined: none did. */
  readonly confirmedAt: number | undefined;
}

/** How a site's owner showed that it is theirs: a file, a meta tag of the front page, a DNS record. */
export const PROOF_METHODS = ['file', 'meta', 'dns'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** A site that carries the beacon. */
export interface RegisteredSite {
  /** Host with port, and path up to its last slash: 'example.org/blog/'. */
  readonly site: string;
  readonly url: string;
  readonly addedAt: number;
  /** What `site verify` must find. */
  readonly token: string;
  readonly verifiedAt: number | undefined;
  readonly verifiedBy?: ProofMethod | undefined;
}

/** What the request processor counts, from its start. */
export const BEACON_COUNTS = [
  ...(['visits', 'scripts', 'newEnough', 'notRegistered', 'shedVisitor', 'shedSite', 'shedLoad', 'failed'] as const),
  ...(['reports', 'accepted', 'malformed', 'reportsNotRegistered', 'foreignOrigin'] as const),
  ...(['reportsShedVisitor', 'reportsShedSite', 'reportsShedLoad', 'queueFull', 'signals'] as const),
  ...(['indexNowSignals', 'indexNowRefused'] as const),
] as const;
export type BeaconCount = (typeof BEACON_COUNTS)[number];
/** visits = scripts + newEnough + notRegistered + shed… + failed; reports = accepted + all that was not. */
export type BeaconCounters = Readonly<Record<BeaconCount, number>>;
