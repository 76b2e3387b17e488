import { parseSitemap } from '../crawling/robots-analyser/sitemaps.ts';
import type { Candidate } from '../crawling/visited-urls/visited-urls.ts';
import type { SignalSource } from '../model/changes.ts';
import type { FetchOutcome } from '../model/fetch.ts';
import { hostName, registrableDomain, resolveUrl } from '../url/url.ts';
import type { CrawlMachine } from './crawl-machine.ts';
import { noteTold, type ToldChange } from './told-changes.ts';

/** Sitemaps read for one seed's site: an index may name thousands. */
const MAX_SITEMAPS = 50;
/** The protocol's own bound for one file. */
const MAX_ENTRIES = 50_000;
/** URLs put into the frontier at once. */
const BATCH = 1_000;

/** Sites whose sitemaps are read at once. */
const SITES_AT_ONCE = 4;

/**
 * Reads the sitemaps that the seeds' robots.txt files name, beside the crawl: a site that answers slowly holds up
 * nothing but its own. Between two requests it pauses as long as the site asks for; a limit or a refusal ends it.
 */
export class SitemapReading {
  readonly #machine: CrawlMachine;
  readonly #stop = new AbortController();
  readonly #work: Promise<void>;
  #open = true;

  constructor(machine: CrawlMachine, seeds: readonly string[]) {
    this.#machine = machine;
    const origins = machine.config.crawl.sitemaps ? new Map(seeds.map((seed) => [new URL(seed).origin, seed])) : [];
    const waiting = [...origins.values()];
    this.#work = this.#readAll(waiting);
    // stop() throws what failed; until then it must not end the process.
    this.#work.catch(() => undefined);
  }

  /** While it is, the frontier may still get URLs. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** When all are read. Throws what failed in storing URLs. */
  async done(): Promise<void> {
    await this.#work;
  }

  /** Gives up what is under way. Throws what failed in storing URLs. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }

  async #readAll(waiting: string[]): Promise<void> {
    try {
      await Promise.all(Array.from({ length: SITES_AT_ONCE }, () => this.#readSites(waiting)));
    } finally {
      this.#open = false;
    }
  }

  async #readSites(waiting: string[]): Promise<void> {
    for (let seed = waiting.shift(); seed !== undefined && !this.#stop.signal.aborted; seed = waiting.shift()) {
      await this.#readSite(seed);
    }
  }

  async #readSite(seed: string): Promise<void> {
    const machine = this.#machine;
    const until = machine.now + machine.config.crawl.sitemapSeconds * 1000;
    const ownDomain = registrableDomain(hostName(seed));
    const waiting = await machine.robots.sitemaps(seed);
    const known = new Set(waiting);
    for (const url of known) {
      if (known.size > MAX_SITEMAPS || machine.now > until || this.#stop.signal.aborted) return;
      if (registrableDomain(hostName(url)) !== ownDomain) continue;
      const { children, pauseMs } = await this.#readSitemap(url);
      if (pauseMs === undefined) return;
      for (const child of children.slice(0, MAX_SITEMAPS - known.size)) known.add(child);
      await pause(pauseMs, this.#stop.signal);
    }
  }

  /** Enters the pages of one sitemap. `pauseMs` undefined: the site wants no more requests now. */
  async #readSitemap(
    url: string,
  ): Promise<{ readonly children: readonly string[]; readonly pauseMs: number | undefined }> {
    const machine = this.#machine;
    const decision = await machine.robots.decide(url);
    if (!decision.allowed) return { children: [], pauseMs: 0 };
    machine.counter.overhead.sitemaps++;
    const pauseMs = machine.delayMs(decision.crawlDelay);
    const outcome = await this.#fetch(url);
    if (outcome === undefined || outcome.kind === 'blocked' || outcome.kind === 'failed')
      return { children: [], pauseMs: undefined };
    // An answer other than 200 is never read as a sitemap.
    if (outcome.kind !== 'page' || outcome.response.status !== 200) return { children: [], pauseMs };
    const { http } = machine.config;
    const options = {
      url: outcome.response.url,
      now: machine.now,
      maxEntries: MAX_ENTRIES,
      maxBytes: http.maxSitemapBytes,
    };
    const sitemap = await parseSitemap(outcome.response.body, options);
    const { entries } = sitemap;
    const named = { url, source: 'sitemap' } as const;
    for (let at = 0; at < entries.length; at += BATCH) await enterNamed(machine, entries.slice(at, at + BATCH), named);
    return { children: sitemap.sitemaps.map((child) => child.loc), pauseMs };
  }

  /** undefined when the reading was stopped. */
  async #fetch(url: string): Promise<FetchOutcome | undefined> {
    try {
      return await this.#machine.fetcher.fetch({ url, purpose: 'sitemap' }, this.#stop.signal);
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      throw error;
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

interface SitemapEntry {
  readonly loc: string;
  /** Milliseconds since 1970. */
  readonly lastmod?: number;
}

/** Enters the pages that a sitemap or a feed names, and takes its dates as word of changes. */
export async function enterNamed(
  machine: CrawlMachine,
  entries: readonly SitemapEntry[],
  { url: sitemap, source }: { readonly url: string; readonly source: SignalSource },
): Promise<void> {
  const dated: ToldChange[] = [];
  const candidates = entries.flatMap(({ loc, lastmod }): Candidate[] => {
    const resolved = resolveUrl(loc, sitemap, machine.keyRules);
    if ('reason' in resolved) return [];
    const { url, key, host } = resolved;
    if (lastmod !== undefined && lastmod <= machine.now) dated.push({ key, host, at: lastmod });
    const checked = machine.validator.validate({ url, key, depth: 1, from: undefined });
    const base = { url, key, host, depth: 1, priority: -1 };
    if (checked.kind === 'accept') return [{ ...base, state: 'queued' }];
    if (checked.kind !== 'refused') return [{ ...base, state: checked.kind }];
    return [{ ...base, state: checked.kind, reason: checked.reason }];
  });
  await machine.enterFound(candidates);
  await noteTold(source, dated, machine);
}
