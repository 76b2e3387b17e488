/** Word that a page may have changed: what visitors' browsers report, and what is concluded from it. */

/** Parts of a page that the beacon hashes one by one, in the order of a report. */
export const PAGE_PARTS = ['title', 'text', 'headings', 'links', 'images', 'metadata'] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

/** MD5 of each part as the browser saw it: 32 lower-case hexadecimal digits. */
export type PartHashes = Readonly<Record<PagePart, string>>;

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

/** Reports said that a page differs from what they said before. */
export interface ChangeSignal extends PageName {
  readonly at: number;
  readonly parts: readonly PagePart[];
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

/** A site that carries the beacon. */
export interface RegisteredSite {
  /** Host with port, and path up to its last slash: 'example.org/blog/'. */
  readonly site: string;
  readonly url: string;
  readonly addedAt: number;
  /** What the file of `site verify` must hold. */
  readonly token: string;
  readonly verifiedAt: number | undefined;
}
