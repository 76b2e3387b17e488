import { parseSitemap } from '../crawling/robots-analyser/sitemaps.ts';
import type { HttpResponse } from '../model/fetch.ts';
import type { ToldSource } from '../updating/told-sources.ts';
import { hostName } from '../url/url.ts';
import type { CrawlMachine } from './crawl-machine.ts';
import { enterNamed, SitemapReading } from './sitemap-reading.ts';

/** Feeds read in one round: the others are due in the next. */
const FEEDS_AT_ONCE = 200;
/** Entries of a feed: more are an archive. */
const MAX_ENTRIES = 1_000;

/**
 * Reads what sites tell of their changes: the feeds that their pages name and the sitemaps of the seeds' sites, each
 * from time to time and beside the crawl loop, with conditional requests and under robots.txt.
 */
export class ToldReading {
  readonly #machine: CrawlMachine;
  readonly #seeds: readonly string[];
  readonly #stop = new AbortController();
  #work: Promise<void> = Promise.resolve();
  #open = false;
  #nextRound = 0;
  #rounds = 0;

  constructor(machine: CrawlMachine, seeds: readonly string[]) {
    this.#machine = machine;
    this.#seeds = seeds;
  }

  /** Rounds that have ended. */
  get rounds(): number {
    return this.#rounds;
  }

  /** While it is, signals may still come in. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** To be called now and then: starts a round when the last one has ended and something may be due. */
  look(): void {
    const { now, config } = this.#machine;
    if (this.#open || now < this.#nextRound || this.#stop.signal.aborted) return;
    this.#nextRound = now + Math.min(config.updating.feedMs, config.updating.sitemapMs) / 4;
    this.#open = true;
    const round = this.#work.then(() => this.#round());
    this.#work = round.finally(() => {
      this.#open = false;
      this.#rounds++;
    });
    // stop() throws what failed; until then it must not end the process.
    this.#work.catch(() => undefined);
  }

  /** Gives up what is under way. Throws what failed in storing. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }

  async #round(): Promise<void> {
    const { told, now, config } = this.#machine;
    await told.addMany(this.#seeds.map((url) => ({ kind: 'sitemaps', url, host: hostName(url) })));
    const sites = await told.due('sitemaps', now - config.updating.sitemapMs, FEEDS_AT_ONCE);
    await this.#readSitemaps(sites.map(({ url }) => url));
    for (const feed of await told.due('feed', now - config.updating.feedMs, FEEDS_AT_ONCE)) {
      if (this.#stop.signal.aborted) return;
      await this.#readFeed(feed);
    }
  }

  async #readSitemaps(sites: readonly string[]): Promise<void> {
    const { told } = this.#machine;
    const startedAt = this.#machine.now;
    const reading = new SitemapReading(this.#machine, sites);
    const stop = (): void => void reading.stop().catch(() => undefined);
    this.#stop.signal.addEventListener('abort', stop, { once: true });
    await reading.done();
    this.#stop.signal.removeEventListener('abort', stop);
    if (this.#stop.signal.aborted) return;
    for (const url of sites) await told.setRead(url, startedAt, {});
  }

  async #readFeed({ url, etag, lastModified }: ToldSource): Promise<void> {
    const machine = this.#machine;
    const startedAt = machine.now;
    const response = await this.#fetch(url, { etag, lastModified });
    const validators = { etag: response?.headers['etag'], lastModified: response?.headers['last-modified'] };
    await machine.told.setRead(url, startedAt, validators);
    if (response === undefined) return;
    const { http } = machine.config;
    const options = { url: response.url, now: machine.now, maxEntries: MAX_ENTRIES, maxBytes: http.maxSitemapBytes };
    const { kind, entries } = await parseSitemap(response.body, options);
    if (kind === 'feed') await enterNamed(machine, entries, { url: response.url, source: 'feed' });
  }

  /** undefined: forbidden, unchanged, no answer of status 200, or stopped. */
  async #fetch(url: string, validators: Pick<ToldSource, 'etag' | 'lastModified'>): Promise<HttpResponse | undefined> {
    const { robots, counter, fetcher } = this.#machine;
    if (!(await robots.decide(url)).allowed) return undefined;
    counter.overhead.sitemaps++;
    try {
      const outcome = await fetcher.fetch({ url, purpose: 'sitemap', ...validators }, this.#stop.signal);
      return outcome.kind === 'page' && outcome.response.status === 200 ? outcome.response : undefined;
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      throw error;
    }
  }
}
