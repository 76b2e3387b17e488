import type { RegisteredSite } from '../../model/changes.ts';

/** Registered sites by host, for one look-up a request. */
export class SiteSet {
  readonly #paths = new Map<string, readonly string[]>();

  constructor(sites: readonly RegisteredSite[]) {
    for (const { site } of sites) {
      const slash = site.indexOf('/');
      const host = site.slice(0, slash);
      this.#paths.set(host, [...(this.#paths.get(host) ?? []), site.slice(slash)]);
    }
  }

  /** `url` absolute. */
  holds(url: string): boolean {
    const parsed = URL.parse(url);
    if (parsed === null) return false;
    return this.#paths.get(parsed.host)?.some((path) => parsed.pathname.startsWith(path)) ?? false;
  }
}

/** The name under which a URL's site is registered: host with port, and path up to its last slash. */
export function siteOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined;
  return parsed.host + parsed.pathname.slice(0, parsed.pathname.lastIndexOf('/') + 1);
}
