import { LruMap } from '../../kit/lru.ts';
import type { FetchOutcome, FetchRequest } from '../../model/fetch.ts';
import type { RobotsDecision } from '../../model/robots.ts';
import { MAX_ROBOTS_BYTES, parseRobots, RobotsFile } from './robots-file.ts';
import { classifyRobotsAnswer } from './robots-policy.ts';

export { parseRobots, RobotsFile } from './robots-file.ts';

export interface RobotsOptions {
  /** Product token looked up in the files. */
  readonly agent: string;
  /** Milliseconds that a copy is used without asking again (RFC 9309 §2.4: at most 24 h). */
  readonly lifeMs: number;
  /** Milliseconds from the first failed attempt that the last good copy still counts. */
  readonly copyMs: number;
  /** Milliseconds of being unreachable after which everything is allowed (RFC 9309 §2.3.1.4: e.g. 30 days). */
  readonly unreachableOpenMs: number;
  /** Milliseconds until the first new attempt after a failed one; doubled with each further failure. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** Redirect hops followed for robots.txt (RFC 9309 §2.3.1.2: at least five). */
  readonly maxRedirects: number;
  /** Bytes of robots.txt held in memory over all origins. */
  readonly cacheBytes: number;
}

/** What is remembered of an origin between runs. All times in milliseconds since 1970. */
export interface RobotsRecord {
  /** Scheme and authority: `https://host:8443`. */
  readonly origin: string;
  /** The last real robots.txt; empty when there was none. */
  readonly body: Uint8Array;
  /** When `body` (or its absence) was last confirmed; undefined when it never was. */
  readonly readAt: number | undefined;
  readonly checkedAt: number;
  readonly recheckAt: number;
  /** Start and number of failed attempts in a row. */
  readonly failingSince: number | undefined;
  readonly failures: number;
  /** The last attempt gave an HTML page or another type in place of the file: in itself no reason to forbid. */
  readonly html: boolean;
  /** Why there is no file, or what failed. */
  readonly because: string;
}

export interface RobotsSources {
  readonly fetchRobots: (request: FetchRequest) => Promise<FetchOutcome>;
  readonly now: () => number;
  readonly load: (origin: string) => Promise<RobotsRecord | undefined>;
  readonly save: (record: RobotsRecord) => Promise<void>;
  /** Hosts whose operator runs the crawl and has said so in the configuration file; the caller logs each use. */
  readonly isOverridden: (host: string) => boolean;
}

interface Entry {
  readonly record: RobotsRecord;
  readonly file: RobotsFile;
}

/** Answers for every URL what its origin's robots.txt allows; one request an origin, however many ask at once. */
export class RobotsAnalyser {
  readonly #options: RobotsOptions;
  readonly #sources: RobotsSources;
  readonly #entries: LruMap<string, Entry>;
  readonly #pending = new Map<string, Promise<Entry>>();

  constructor(options: RobotsOptions, sources: RobotsSources) {
    this.#options = options;
    this.#sources = sources;
    // A parsed file takes a few times its bytes; 1 KiB stands for the rest of an entry.
    this.#entries = new LruMap(options.cacheBytes, (entry) => entry.record.body.length * 4 + 1024);
  }

  /** @param url absolute http(s) URL in WHATWG form. Rejects only when `fetchRobots`, `load` or `save` does. */
  async decide(url: string): Promise<RobotsDecision> {
    const parsed = URL.parse(url);
    if (parsed === null) return { allowed: false, crawlDelay: null, because: 'not a URL' };
    if (this.#sources.isOverridden(parsed.hostname)) {
      return {
        allowed: true,
        crawlDelay: null,
        because: `robots.txt of ${parsed.hostname} is overridden by configuration`,
      };
    }
    const entry = await this.#entry(parsed.origin);
    return this.#decideBy(entry, url);
  }

  /** Absolute URLs of the sitemaps that the origin's robots.txt names. */
  async sitemaps(url: string): Promise<readonly string[]> {
    const origin = URL.parse(url)?.origin;
    if (origin === undefined) return [];
    const { file } = await this.#entry(origin);
    const absolute = file.sitemaps.map((sitemap) => URL.parse(sitemap, `${origin}/robots.txt`)?.href);
    return absolute.filter((sitemap) => sitemap !== undefined);
  }

  /** The file in force for the origin of `url`, for the admin's list of lints. */
  async file(url: string): Promise<RobotsFile> {
    const origin = URL.parse(url)?.origin;
    return origin === undefined ? NO_RULES : (await this.#entry(origin)).file;
  }

  #decideBy({ record, file }: Entry, url: string): RobotsDecision {
    const now = this.#sources.now();
    const { failingSince } = record;
    const decision = file.decide(this.#options.agent, url);
    if (failingSince === undefined) {
      return record.body.length === 0 && record.because !== '' ? { ...decision, because: record.because } : decision;
    }
    const failingFor = now - failingSince;
    if (record.readAt !== undefined && failingFor <= this.#options.copyMs) {
      return { ...decision, because: `${decision.because} (last good copy; ${record.because})` };
    }
    if (record.html) return { allowed: true, crawlDelay: null, because: record.because };
    if (failingFor >= this.#options.unreachableOpenMs) {
      return { allowed: true, crawlDelay: null, because: `${record.because}, for too long to wait for` };
    }
    return { allowed: false, crawlDelay: null, because: record.because, retryAt: record.recheckAt };
  }

  async #entry(origin: string): Promise<Entry> {
    const held = this.#entries.get(origin);
    if (held !== undefined && held.record.recheckAt > this.#sources.now()) return held;
    const pending =
      this.#pending.get(origin) ?? this.#refresh(origin, held).finally(() => this.#pending.delete(origin));
    this.#pending.set(origin, pending);
    return await pending;
  }

  async #refresh(origin: string, held: Entry | undefined): Promise<Entry> {
    const previous = held?.record ?? (await this.#sources.load(origin));
    const isDue = previous === undefined || previous.recheckAt <= this.#sources.now();
    const record = isDue ? await this.#check(origin, previous) : previous;
    if (isDue) await this.#sources.save(record);
    const entry = { record, file: record.body.length === 0 ? NO_RULES : parseRobots(record.body) };
    this.#entries.set(origin, entry);
    return entry;
  }

  async #check(origin: string, previous: RobotsRecord | undefined): Promise<RobotsRecord> {
    const outcome = await this.#sources.fetchRobots(this.#request(origin));
    const answer = classifyRobotsAnswer(outcome);
    switch (answer.kind) {
      case 'file':
        if (parseRobots(answer.body).isHtml) return this.#failed(origin, previous, HTML_ANSWER);
        return this.#confirmed(origin, answer.body.slice(0, MAX_ROBOTS_BYTES), '');
      case 'not-robots':
        return this.#failed(origin, previous, { ...HTML_ANSWER, because: answer.because });
      case 'unchanged':
        return this.#confirmed(origin, previous?.body ?? new Uint8Array(), previous?.because ?? '');
      case 'none':
        return this.#confirmed(origin, new Uint8Array(), answer.because);
      case 'unreachable':
        return this.#failed(origin, previous, { because: answer.because, html: false, retryAt: answer.retryAt });
    }
  }

  /** Hops beyond the limit are refused here, so that the fetcher answers `redirect`; the address guard is the fetcher's. */
  #request(origin: string): FetchRequest {
    let hops = 0;
    const followRedirect = (): boolean => ++hops <= this.#options.maxRedirects;
    return { url: `${origin}/robots.txt`, purpose: 'robots', followRedirect };
  }

  #confirmed(origin: string, body: Uint8Array, because: string): RobotsRecord {
    const now = this.#sources.now();
    return {
      origin,
      body,
      readAt: now,
      checkedAt: now,
      recheckAt: now + this.#options.lifeMs,
      failingSince: undefined,
      failures: 0,
      html: false,
      because,
    };
  }

  #failed(
    origin: string,
    previous: RobotsRecord | undefined,
    failure: { because: string; html: boolean; retryAt?: number | undefined },
  ): RobotsRecord {
    const now = this.#sources.now();
    const failures = (previous?.failures ?? 0) + 1;
    const wait = Math.min(this.#options.retryMs * 2 ** Math.min(failures - 1, 30), this.#options.maxRetryMs);
    return {
      origin,
      body: previous?.body ?? new Uint8Array(),
      readAt: previous?.readAt,
      checkedAt: now,
      recheckAt: Math.max(now + wait, failure.retryAt ?? 0),
      failingSince: previous?.failingSince ?? now,
      failures,
      html: failure.html,
      because: failure.because,
    };
  }
}

const HTML_ANSWER = { because: 'robots.txt is an HTML page', html: true };

const NO_RULES = new RobotsFile([], [], []);

/** One line of `robots --batch`. */
export interface RobotsLine {
  readonly robots: string;
  readonly agent: string;
  /** Path or absolute URL; '' is '/'. */
  readonly path: string;
}

export interface RobotsLineAnswer {
  readonly allowed: boolean;
  /** Seconds, uncapped. */
  readonly crawlDelay: number | null;
}

/** Answers one line of `robots --batch`. */
export function decideLine(line: RobotsLine): RobotsLineAnswer {
  const { allowed, crawlDelay } = parseRobots(line.robots).decide(line.agent, line.path);
  return { allowed, crawlDelay };
}
