import type { RegisteredSite } from '../../model/changes.ts';

/** Registered sites by host, for one look-up a request. */
export class SiteSet {
  /** Folders of each host, the longest first. */
  readonly #folders = new Map<string, readonly string[]>();

  constructor(sites: readonly RegisteredSite[]) {
    for (const { site } of sites) {
      const slash = site.indexOf('/');
      const host = site.slice(0, slash);
      const folders = [...(this.#folders.get(host) ?? []), site.slice(slash)];
      this.#folders.set(
        host,
        folders.sort((a, b) => b.length - a.length),
      );
    }
  }

  /** The name of the narrowest registered site that holds the page. `url` absolute. */
  siteWith(url: string): string | undefined {
    const parsed = URL.parse(url);
    if (parsed === null) return undefined;
    const folder = this.#folders.get(parsed.host)?.find((path) => parsed.pathname.startsWith(path));
    return folder === undefined ? undefined : parsed.host + folder;
  }
}

/** The name under which a URL's site is registered: host with port, and path up to its last slash. */
export function siteOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined;
  return parsed.host + parsed.pathname.slice(0, parsed.pathname.lastIndexOf('/') + 1);
}
