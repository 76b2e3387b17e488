import { LruMap } from '../kit/lru.ts';

export interface HostLeaningsOptions {
  /** Hosts remembered, those met last. */
  readonly hosts: number;
  /** Pages remembered of a host, those met last. */
  readonly pagesPerHost: number;
}

/** About 6 MB a thread at most, with addresses of usual length. */
export const HOSTS_REMEMBERED: HostLeaningsOptions = { hosts: 2000, pagesPerHost: 24 };

interface Leaning {
  readonly url: string;
  readonly logOdds: number;
}

/**
 * How far the last pages of each host lean to spam: a page of a site whose other pages look like spam is more likely
 * to be spam itself (one round of stacked graphical learning, Castillo et al. 2007, over pages met before). Good pages
 * do not speak for each other, so that a hacked page on a good site is judged on its own.
 */
export class HostLeanings {
  readonly #hosts: LruMap<string, readonly Leaning[]>;
  readonly #pagesPerHost: number;

  constructor(options: HostLeaningsOptions) {
    this.#hosts = new LruMap(options.hosts);
    this.#pagesPerHost = options.pagesPerHost;
  }

  /** Log-odds that the host's other pages add to a page's spam score: the mean of what speaks against them, shrunk. */
  leaningOf(host: string, url: string): number {
    const others = (this.#hosts.get(host) ?? []).filter((page) => page.url !== url);
    const sum = others.reduce((all, { logOdds }) => all + Math.min(MOST, Math.max(0, logOdds)), 0);
    return sum / (others.length + 1);
  }

  /** `logOdds` of spam by the page's own evidence, without what its host added. An address counts once. */
  note(host: string, url: string, logOdds: number): void {
    const others = (this.#hosts.get(host) ?? []).filter((page) => page.url !== url);
    this.#hosts.set(host, [...others.slice(1 - this.#pagesPerHost), { url, logOdds }]);
  }
}

/** One page beyond all doubt is no more than this. */
const MOST = 6;
