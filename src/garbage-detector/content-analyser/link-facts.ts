import type { Link, Page, PageContext } from '../../model/page.ts';
import { hostName, registrableDomain } from '../../url/url.ts';
import { tokenize } from './tokens.ts';

/** What the links of a page come to, counted over at most {@link MAX_LINKS} of them. */
export interface LinkFacts {
  /** `<a href>` and `<area href>` only; '#…', 'javascript:' and 'mailto:' apart. */
  readonly total: number;
  readonly internal: number;
  readonly external: number;
  /** Links of fragments, scripts and mail addresses. */
  readonly empty: number;
  readonly hidden: number;
  /** External links with rel=nofollow, sponsored or ugc. */
  readonly nofollow: number;
  /** External registrable domain → number of links. */
  readonly domains: ReadonlyMap<string, number>;
  /** Words inside `<a>`, without links that visitors wrote (ugc). */
  readonly anchorWords: readonly string[];
  readonly externalAnchorWords: readonly string[];
  readonly distinctHrefs: number;
  /** Of one href at most. */
  readonly mostRepeated: number;
  readonly distinctTexts: number;
  readonly hrefLength: { readonly sum: number; readonly max: number };
  readonly queryLinks: number;
  /** Host that each of the first {@link MAX_LINKS} links of the page names, '' for a reference without host. */
  readonly hostOf: readonly string[];
  /** Registrable domain that each of the first {@link MAX_LINKS} links of the page names, '' for a reference without host. */
  readonly domainOf: readonly string[];
  /** Registrable domain of the page, from its URL, canonical or og:url; '' when none tells. */
  readonly ownDomain: string;
}

export const MAX_LINKS = 4000;
const ANCHOR_TOKENS = 8000;

export function linkFacts(page: Page, context: PageContext): LinkFacts {
  const ownDomain = domainOfPage(page, context);
  const counts = { internal: 0, external: 0, empty: 0, hidden: 0, nofollow: 0, queryLinks: 0, sum: 0, max: 0 };
  const domains = new Map<string, number>();
  const hrefs = new Map<string, number>();
  const texts = new Set<string>();
  const anchorWords: string[] = [];
  const externalAnchorWords: string[] = [];
  const hostOf = page.links.slice(0, MAX_LINKS).map(({ href }) => hostOfHref(href));
  const domainOf = hostOf.map((host) => (host === '' ? '' : registrableDomain(host)));
  for (let at = 0; at < domainOf.length; at++) {
    const link = page.links[at] as Link;
    if (link.element !== 'a' && link.element !== 'area') continue;
    if (link.hidden) counts.hidden++;
    texts.add(link.text);
    const before = anchorWords.length;
    if (!link.rel.includes('ugc')) tokenize(link.text, anchorWords, ANCHOR_TOKENS);
    if (isEmptyHref(link.href)) {
      counts.empty++;
      continue;
    }
    hrefs.set(link.href, (hrefs.get(link.href) ?? 0) + 1);
    counts.sum += link.href.length;
    counts.max = Math.max(counts.max, link.href.length);
    if (link.href.includes('?')) counts.queryLinks++;
    const domain = domainOf[at] as string;
    if (domain === '' || domain === ownDomain) {
      counts.internal++;
      continue;
    }
    counts.external++;
    domains.set(domain, (domains.get(domain) ?? 0) + 1);
    for (let word = before; word < anchorWords.length; word++) externalAnchorWords.push(anchorWords[word] as string);
    if (isUnvouched(link)) counts.nofollow++;
  }
  return {
    total: counts.internal + counts.external,
    internal: counts.internal,
    external: counts.external,
    empty: counts.empty,
    hidden: counts.hidden,
    nofollow: counts.nofollow,
    queryLinks: counts.queryLinks,
    hrefLength: { sum: counts.sum, max: counts.max },
    domains,
    anchorWords,
    externalAnchorWords,
    distinctHrefs: hrefs.size,
    mostRepeated: hrefs.size === 0 ? 0 : Math.max(...hrefs.values()),
    distinctTexts: texts.size,
    ownDomain,
    hostOf,
    domainOf,
  };
}

/** Host of an absolute or scheme-relative reference in lower case, '' for others. Cheaper than parsing the URL. */
export function hostOfHref(href: string): string {
  const match = /^\s*(?:https?:)?[\\/]{2}(?:[^\\/?#@]*@)?([^\\/?#:]+)/i.exec(href.slice(0, 300));
  return match?.[1]?.toLowerCase() ?? '';
}

/** Marked by the site as not its own word: comments (ugc), paid links (sponsored), nofollow. */
export function isUnvouched({ rel }: Link): boolean {
  return rel.some((token) => NO_CREDIT.has(token));
}

const NO_CREDIT: ReadonlySet<string> = new Set(['nofollow', 'sponsored', 'ugc']);

function isEmptyHref(href: string): boolean {
  return (
    href === '' || href.startsWith('#') || /^\s*(?:javascript|mailto|tel|data|sms|whatsapp):/i.test(href.slice(0, 20))
  );
}

function domainOfPage(page: Page, context: PageContext): string {
  const candidates = [
    context.url,
    page.url,
    page.canonical,
    page.metas.find((meta) => meta.name === 'og:url')?.content,
  ];
  for (const candidate of candidates) {
    const host = candidate === undefined ? '' : hostName(candidate);
    if (host !== '') return registrableDomain(host);
  }
  return '';
}
