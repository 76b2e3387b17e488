import { isIP } from 'node:net';
import { parseHttpDate } from './retry-after.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
}

/** A chain of redirects never needs more; each name counts once per domain and path. */
const MAX_COOKIES = 100;
const MAX_COOKIE_LENGTH = 8192;

/**
 * Cookies of one redirect chain (RFC 6265 §5, by its lenient parsing). `isPublicSuffix` keeps a host from setting cookies
 * for all of `co.uk`. Expires in a form that cannot be read makes a session cookie, not an expired one.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();
  readonly #isPublicSuffix: (domain: string) => boolean;

  constructor(isPublicSuffix: (domain: string) => boolean) {
    this.#isPublicSuffix = isPublicSuffix;
  }

  /** Takes one Set-Cookie value received from `url` at `now` (milliseconds since 1970). */
  store(setCookie: string, url: URL, now: number): void {
    if (setCookie.length > MAX_COOKIE_LENGTH) return;
    const [pair = '', ...attributes] = setCookie.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    if (equals < 0 || name === '' || /[\x00-\x08\x0A-\x1F\x7F]/.test(pair)) return;
    const settings = readAttributes(attributes);
    const domain = this.#domainFor(settings.get('domain'), url.hostname);
    if (domain === undefined) return;
    const path = settings.get('path')?.startsWith('/') ? (settings.get('path') ?? '/') : defaultPath(url.pathname);
    const key = `${domain.name}\n${path}\n${name}`;
    this.#cookies.delete(key);
    if (isExpired(settings, now) || this.#cookies.size >= MAX_COOKIES) return;
    const secure = settings.has('secure');
    this.#cookies.set(key, {
      name,
      value: pair.slice(equals + 1).trim(),
      domain: domain.name,
      hostOnly: domain.hostOnly,
      path,
      secure,
    });
  }

  /** The Cookie header for a request to `url`, '' when none applies: longest paths first, then oldest (§5.4). */
  header(url: URL): string {
    if (this.#cookies.size === 0) return '';
    return [...this.#cookies.values()]
      .filter((cookie) => applies(cookie, url))
      .sort((left, right) => right.path.length - left.path.length)
      .map((cookie) => `${cookie.name}=${cookie.value}`)
      .join('; ');
  }

  #domainFor(attribute: string | undefined, host: string): { name: string; hostOnly: boolean } | undefined {
    const wanted = attribute?.replace(/^\./, '').toLowerCase() ?? '';
    if (wanted === '' || wanted === host)
      return { name: host, hostOnly: wanted === '' || this.#isPublicSuffix(wanted) };
    if (!domainMatches(host, wanted) || this.#isPublicSuffix(wanted)) return undefined;
    return { name: wanted, hostOnly: false };
  }
}

function readAttributes(attributes: readonly string[]): Map<string, string> {
  const settings = new Map<string, string>();
  for (const attribute of attributes) {
    const equals = attribute.indexOf('=');
    const name = (equals < 0 ? attribute : attribute.slice(0, equals)).trim().toLowerCase();
    settings.set(name, equals < 0 ? '' : attribute.slice(equals + 1).trim());
  }
  return settings;
}

function isExpired(settings: ReadonlyMap<string, string>, now: number): boolean {
  const maxAge = settings.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = parseHttpDate(settings.get('expires') ?? '');
  return expires !== undefined && expires <= now;
}

function applies(cookie: Cookie, url: URL): boolean {
  if (cookie.secure && url.protocol !== 'https:') return false;
  const hostFits = cookie.hostOnly ? url.hostname === cookie.domain : domainMatches(url.hostname, cookie.domain);
  if (!hostFits || !url.pathname.startsWith(cookie.path)) return false;
  return (
    url.pathname.length === cookie.path.length || cookie.path.endsWith('/') || url.pathname[cookie.path.length] === '/'
  );
}

function domainMatches(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && isIP(host) === 0);
}

function defaultPath(pathname: string): string {
  const slash = pathname.lastIndexOf('/');
  return slash <= 0 ? '/' : pathname.slice(0, slash);
}
