import { getDomain, parse as parseHost } from 'tldts';
import { hash64 } from '../kit/hash.ts';
import { type CompiledKeyRules, keyOf } from './key.ts';

export { type CompiledKeyRules, compileKeyRules } from './key.ts';

/** An http(s) URL in the two forms of the contract. */
export interface ResolvedUrl {
  /** WHATWG href without fragment. */
  readonly url: string;
  /** What two spellings of one document share: see {@link keyOf}. */
  readonly key: string;
  /** Host name in ASCII without port; IPv6 in brackets. */
  readonly host: string;
  /** Scheme and authority without credentials: what robots.txt and politeness go by. */
  readonly origin: string;
}

/** `invalid`: the URL standard refuses it. `scheme`: valid, but not http(s); `url` is then its href without fragment. */
export interface UnresolvedUrl {
  readonly reason: 'invalid' | 'scheme';
  readonly url?: string;
}

/** Resolves a reference as a browser does (WHATWG URL standard) against an absolute base. Never throws. */
export function resolveUrl(
  ref: string,
  base: string | undefined,
  rules: CompiledKeyRules,
): ResolvedUrl | UnresolvedUrl {
  const parsed = URL.parse(ref, base);
  if (parsed === null) return { reason: 'invalid' };
  const url = withoutFragment(parsed.href);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return { reason: 'scheme', url };
  return { url, key: keyOf(url, rules), host: parsed.hostname, origin: parsed.origin };
}

/** XXH64 of a key, signed: the primary key of the stores. */
export function keyHash(key: string): bigint {
  return hash64(key);
}

/** Host name of an absolute URL in ASCII, without port; '' when there is none. */
export function hostName(url: string): string {
  return PLAIN_HOST.exec(url)?.[1] ?? URL.parse(url)?.hostname ?? '';
}

/** A host that the URL standard leaves as it is: lower-case ASCII, no credentials, last label no number. */
const PLAIN_HOST = /^https?:\/\/((?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*)(?=(?::\d+)?(?:[/?#]|$))/;

/**
 * Registrable domain of a host name by the public suffix list with its private part ('a.b.github.io' → 'b.github.io').
 * IP addresses, single labels and public suffixes are their own.
 */
export function registrableDomain(host: string): string {
  const known = domains.get(host);
  if (known !== undefined) return known;
  const domain = getDomain(host, { allowPrivateDomains: true, validateHostname: false }) ?? host;
  if (domains.size >= 10_000) domains.clear();
  domains.set(host, domain);
  return domain;
}

/** Whether a host is a suffix under which others register ('com', 'co.uk'); a name of one label that is none is a host. */
export function isPublicSuffix(host: string): boolean {
  const { publicSuffix, isIcann } = parseHost(host, { validateHostname: false });
  return isIcann === true && publicSuffix === host;
}

/** Links of one page name the same few hosts again and again; emptied when full, so memory stays bounded. */
const domains = new Map<string, string>();

export function isHttp(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

/** One line of `url --batch`. */
export interface UrlLine {
  readonly ref: string;
  readonly base?: string | null | undefined;
}

/** Answer to one line: `url` is null when the standard refuses the reference, `key` also when it is not http(s). */
export interface UrlLineAnswer {
  readonly url: string | null;
  readonly key: string | null;
  readonly reason?: 'invalid' | 'scheme';
}

export function resolveLine(line: UrlLine, rules: CompiledKeyRules): UrlLineAnswer {
  const resolved = resolveUrl(line.ref, line.base ?? undefined, rules);
  if ('reason' in resolved) return { url: resolved.url ?? null, key: null, reason: resolved.reason };
  return { url: resolved.url, key: resolved.key };
}

function withoutFragment(href: string): string {
  const hash = href.indexOf('#');
  return hash < 0 ? href : href.slice(0, hash);
}
