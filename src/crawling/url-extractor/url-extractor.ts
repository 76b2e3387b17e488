import type { HeadLink, Link, LinkPosition, Page } from '../../model/page.ts';
import type { Counts } from '../../model/reports.ts';
import { type CompiledKeyRules, type ResolvedUrl, resolveUrl } from '../../url/url.ts';

export interface ExtractOptions {
  readonly keyRules: CompiledKeyRules;
  /** strict: rel=nofollow links are not followed. lenient: followed, without credit. */
  readonly nofollow: 'strict' | 'lenient';
  /** Distinct links taken from a page, in document order. */
  readonly maxLinks: number;
  /** UTF-16 units of anchor text kept per link. */
  readonly maxTextLength: number;
}

type LinkKind = 'anchor' | 'frame' | 'refresh' | 'next' | 'prev' | 'alternate';

/** One distinct target of a page. */
export interface ExtractedLink extends ResolvedUrl {
  readonly kind: LinkKind;
  /** First visible text of a link to this target. */
  readonly text: string;
  readonly rel: readonly string[];
  readonly position: LinkPosition;
  /** No link to this target could be seen. */
  readonly hidden: boolean;
  /** May be fetched because of this page. */
  readonly followed: boolean;
  /** Counts in the link graph: not nofollow, ugc or sponsored. */
  readonly credited: boolean;
}

export interface Extraction {
  /** Distinct by key, without the page itself, in document order. */
  readonly links: readonly ExtractedLink[];
  /** What the page names as its canonical URL; may be itself. */
  readonly canonical: ResolvedUrl | undefined;
  /** Feeds that the page offers, absolute. */
  readonly feeds: readonly string[];
  /** Targets not followed by reason: 'scheme' and 'nofollow' of the closed list, 'invalid', and 'over-limit'. */
  readonly refused: Counts;
}

/** Resolves every link of a page; two links to one key become one. Linear in the number of links. */
export function extractLinks(page: Page, options: ExtractOptions): Extraction {
  const extractor = new Extractor(page, options);
  if (page.redirect !== undefined) extractor.add({ ...PLAIN, href: page.redirect.target, kind: 'refresh' });
  for (const link of page.headLinks) extractor.addHeadLink(link);
  for (const link of page.links) {
    if (link.element !== 'link') extractor.add({ ...link, kind: kindOf(link) });
  }
  return extractor.result();
}

interface Candidate {
  readonly href: string;
  readonly kind: LinkKind;
  readonly text: string;
  readonly rel: readonly string[];
  readonly position: LinkPosition;
  readonly hidden: boolean;
}

const PLAIN = { text: '', rel: [], position: 'other', hidden: false } as const;

const NO_CREDIT: ReadonlySet<string> = new Set(['nofollow', 'ugc', 'sponsored']);

const FEEDS: ReadonlySet<string> = new Set(['application/rss+xml', 'application/atom+xml', 'application/feed+json']);

class Extractor {
  readonly #page: Page;
  readonly #options: ExtractOptions;
  readonly #base: string | undefined;
  readonly #self: string | undefined;
  readonly #links = new Map<string, ExtractedLink>();
  readonly #feeds = new Set<string>();
  readonly #dropped = { scheme: 0, invalid: 0, 'over-limit': 0 };

  constructor(page: Page, options: ExtractOptions) {
    this.#page = page;
    this.#options = options;
    this.#base = page.baseUrl ?? page.url;
    this.#self = page.url === undefined ? undefined : keyIn(resolveUrl(page.url, undefined, options.keyRules));
  }

  addHeadLink(link: HeadLink): void {
    const kind = link.rel.includes('next') ? 'next' : link.rel.includes('prev') ? 'prev' : 'alternate';
    if (kind === 'alternate' && !link.rel.includes('alternate')) return;
    const type = link.type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (kind === 'alternate' && FEEDS.has(type)) {
      const feed = resolveUrl(link.href, this.#base, this.#options.keyRules);
      if ('key' in feed && this.#feeds.size < 20) this.#feeds.add(feed.url);
    } else if (type === '' || type === 'text/html' || type === 'application/xhtml+xml') {
      this.add({ ...PLAIN, href: link.href, kind, rel: link.rel });
    }
  }

  add(candidate: Candidate): void {
    const target = resolveUrl(candidate.href, this.#base, this.#options.keyRules);
    if ('reason' in target) {
      this.#dropped[target.reason]++;
      return;
    }
    if (target.key === this.#self) return;
    const known = this.#links.get(target.key);
    if (known === undefined && this.#links.size >= this.#options.maxLinks) {
      this.#dropped['over-limit']++;
      return;
    }
    const link = this.#describe(target, candidate);
    this.#links.set(target.key, known === undefined ? link : merge(known, link));
  }

  result(): Extraction {
    const links = [...this.#links.values()];
    const nofollow = links.reduce((count, link) => count + (link.followed ? 0 : 1), 0);
    const counts = Object.entries({ ...this.#dropped, nofollow }).filter(([, count]) => count > 0);
    return { links, canonical: this.#canonical(), feeds: [...this.#feeds], refused: Object.fromEntries(counts) };
  }

  #describe(target: ResolvedUrl, candidate: Candidate): ExtractedLink {
    const { kind, rel, position, hidden } = candidate;
    const pageAllows = this.#page.robots.follow;
    const credited = pageAllows && !rel.some((token) => NO_CREDIT.has(token));
    // A page's own nofollow is obeyed as it stands; the setting is about rel=nofollow, which speaks of credit.
    const followed = pageAllows && (credited || this.#options.nofollow === 'lenient');
    const text = candidate.text.slice(0, this.#options.maxTextLength);
    return { ...target, kind, text, rel, position, hidden, followed, credited };
  }

  #canonical(): ResolvedUrl | undefined {
    const { canonical } = this.#page;
    if (canonical === undefined || canonical.trim() === '') return undefined;
    const target = resolveUrl(canonical, this.#base, this.#options.keyRules);
    return 'key' in target ? target : undefined;
  }
}

/** The first link stands; what a second one to the same target adds is what makes it more visible or more trusted. */
function merge(first: ExtractedLink, second: ExtractedLink): ExtractedLink {
  return {
    ...first,
    text: first.text === '' ? second.text : first.text,
    position: second.position === 'main' ? 'main' : first.position,
    hidden: first.hidden && second.hidden,
    followed: first.followed || second.followed,
    credited: first.credited || second.credited,
    rel: first.credited || !second.credited ? first.rel : second.rel,
  };
}

function kindOf(link: Link): LinkKind {
  return link.element === 'iframe' || link.element === 'frame' ? 'frame' : 'anchor';
}

function keyIn(resolved: ReturnType<typeof resolveUrl>): string | undefined {
  return 'key' in resolved ? resolved.key : undefined;
}
