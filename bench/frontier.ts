import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Frontier } from '../src/crawling/frontier/frontier.ts';
import { type Candidate, VisitedUrls } from '../src/crawling/visited-urls/visited-urls.ts';
import { type Database, openDatabase } from '../src/kit/sqlite.ts';

export interface FrontierBenchOptions {
  readonly urls: number;
  readonly hosts: number;
  /** Figures are taken at each of these numbers of URLs, over the last tenth before it. */
  readonly marks: readonly number[];
  readonly cacheBytes: number;
}

export interface FrontierFigures {
  readonly urls: number;
  readonly pages: number;
  /** Links looked up so far, those to known URLs included. */
  readonly links: number;
  /** Disk space of the whole database, log included, per URL. */
  readonly bytesPerUrl: number;
  /** Over the last tenth: everything a crawl does here (see links, queue, take, start, settle, release), per new URL. */
  readonly microsecondsPerUrl: number;
  /** The same in processor time, which other programs on the machine disturb less. */
  readonly cpuMicroseconds: number;
  /** Elapsed time per URL from the beginning on. */
  readonly meanMicroseconds: number;
  readonly residentMegabytes: number;
}

const OPTIONS: FrontierBenchOptions = {
  urls: 10_000_000,
  hosts: 100_000,
  marks: [1_000_000, 2_000_000, 5_000_000, 10_000_000],
  cacheBytes: 64 * 2 ** 20,
};

/** Entry of `npm run bench frontier`: prints a table and the growth from the first mark to the last. */
export async function run(): Promise<void> {
  const figures = await measureFrontier(OPTIONS);
  console.log('     URLs    pages     links  bytes/URL  µs/URL   (CPU)  µs/URL mean  RSS MB');
  for (const row of figures) console.log(lineOf(row));
  const [first, last] = [figures[0], figures.at(-1)];
  if (first === undefined || last === undefined) return;
  const elapsed = last.microsecondsPerUrl / first.microsecondsPerUrl;
  const processor = last.cpuMicroseconds / first.cpuMicroseconds;
  const growth = `${elapsed.toFixed(2)} elapsed, ${processor.toFixed(2)} processor`;
  console.log(`time per URL at ${last.urls} as a multiple of that at ${first.urls}: ${growth} (bar: < 1.5)`);
}

/** A crawl without network: pages with 50 links, 40 of them within their host, over `hosts` hosts. */
export async function measureFrontier(options: FrontierBenchOptions): Promise<FrontierFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'frontier-bench-'));
  const path = join(folder, 'bench.db');
  const database = openDatabase(path, { readOnly: false, busyTimeoutMs: 1_000, cacheBytes: options.cacheBytes });
  try {
    return await crawlWithoutNetwork(database, options);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

async function crawlWithoutNetwork(database: Database, options: FrontierBenchOptions): Promise<FrontierFigures[]> {
  const visited = new VisitedUrls(database, { seenCacheEntries: 2 ** 18, hostCacheEntries: 20_000 });
  const frontier = new Frontier(database, FRONTIER_OPTIONS);
  const web = new LinkMaker(options.hosts);
  const figures: FrontierFigures[] = [];
  const counts = { urls: 0, pages: 0, links: 0 };
  const enter = async (candidates: readonly Candidate[], now: number): Promise<void> => {
    const seen = await visited.seeMany(candidates, { now, run: 1 });
    const entries = seen.flatMap(({ id, hostId, news }, index) => {
      return news === 'new' ? [{ urlId: id, hostId, priority: candidates[index]?.priority ?? 0 }] : [];
    });
    await frontier.putMany(entries);
    counts.urls += entries.length;
    counts.links += candidates.length;
  };
  await database.asyncTransaction(() => enter(web.seeds(1_000), 0));

  const started = performance.now();
  let windowStart = momentAt(0);
  let now = 1_000;
  for (const mark of options.marks.filter((urls) => urls <= options.urls)) {
    while (counts.urls < mark) {
      if (windowStart.urls < mark * 0.9 && counts.urls >= mark * 0.9) {
        windowStart = momentAt(counts.urls);
      }
      now += 1_000;
      await database.asyncTransaction(async () => {
        const tickets = await frontier.takeMany({ limit: PAGES_A_BATCH, now });
        const urls = await visited.startMany(
          tickets.map((ticket) => ticket.urlId),
          { now, run: 1 },
        );
        const links = urls.flatMap((url) => web.linksOf(url.host, url.id, url.depth));
        await enter(links, now);
        await visited.settleMany(
          urls.map(({ id }) => ({ id, state: 'kept', verdict: 'keep', fetched: { status: 200, bytes: 20_000 } })),
          { now, run: 1 },
        );
        await frontier.releaseMany(
          tickets.map(({ hostId }) => ({ hostId, requests: 1 })),
          now,
        );
        counts.pages += urls.length;
      });
    }
    figures.push(figuresAt(database, { ...counts, started, windowStart }));
  }
  return figures;
}

/** A usual commit of the crawl loop. */
const PAGES_A_BATCH = 64;

const FRONTIER_OPTIONS = {
  delayMs: 1_000,
  backOffBaseMs: 30_000,
  backOffMaxMs: 86_400_000,
  deferredOneIn: 10,
  connectionsPerAddress: 8,
  addressGapMs: 0,
};

interface Progress {
  readonly urls: number;
  readonly pages: number;
  readonly links: number;
  readonly started: number;
  readonly windowStart: Moment;
}

interface Moment {
  readonly time: number;
  /** Microseconds of processor time. */
  readonly cpu: number;
  readonly urls: number;
}

function momentAt(urls: number): Moment {
  const { user, system } = process.cpuUsage();
  return { time: performance.now(), cpu: user + system, urls };
}

function figuresAt(database: Database, progress: Progress): FrontierFigures {
  const now = momentAt(progress.urls);
  const { urls, pages, links, started, windowStart } = progress;
  const log = statSync(`${database.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return {
    urls,
    pages,
    links,
    bytesPerUrl: (statSync(database.path).size + log) / urls,
    microsecondsPerUrl: ((now.time - windowStart.time) * 1_000) / (urls - windowStart.urls),
    cpuMicroseconds: (now.cpu - windowStart.cpu) / (urls - windowStart.urls),
    meanMicroseconds: ((now.time - started) * 1_000) / urls,
    residentMegabytes: process.memoryUsage.rss() / 2 ** 20,
  };
}

function lineOf(row: FrontierFigures): string {
  return [
    String(row.urls).padStart(9),
    String(row.pages).padStart(8),
    String(row.links).padStart(9),
    row.bytesPerUrl.toFixed(0).padStart(10),
    row.microsecondsPerUrl.toFixed(1).padStart(7),
    row.cpuMicroseconds.toFixed(1).padStart(7),
    row.meanMicroseconds.toFixed(1).padStart(12),
    row.residentMegabytes.toFixed(0).padStart(7),
  ].join(' ');
}

/** Links of a made-up web: three in five within the host are new, and three in ten to other hosts. */
class LinkMaker {
  readonly #pagesOf: Int32Array;
  #random = 1;

  constructor(hosts: number) {
    this.#pagesOf = new Int32Array(hosts);
  }

  seeds(count: number): Candidate[] {
    return Array.from({ length: count }, (_, host) => this.#link(host, 1, { foundFrom: undefined, depth: 0 }));
  }

  linksOf(hostName: string, foundFrom: number, depth: number): Candidate[] {
    const host = Number(hostName.slice('site-'.length, -'.example'.length));
    const links: Candidate[] = [];
    const page = { foundFrom, depth: depth + 1 };
    for (let i = 0; i < 40; i++) links.push(this.#link(host, 0.6, page));
    for (let i = 0; i < 10; i++) links.push(this.#link(this.#below(this.#pagesOf.length), 0.3, page));
    return links;
  }

  #link(
    host: number,
    newShare: number,
    page: { readonly foundFrom: number | undefined; readonly depth: number },
  ): Candidate {
    const known = this.#pagesOf[host] ?? 0;
    const isNew = known === 0 || this.#below(1_000) < newShare * 1_000;
    const number = isNew ? known : this.#below(known);
    if (isNew) this.#pagesOf[host] = known + 1;
    const key = `https://site-${host}.example/section-${number % 17}/a-usual-article-title/${number}.html`;
    const { foundFrom, depth } = page;
    return { url: key, key, host: `site-${host}.example`, depth, priority: -depth, foundFrom, state: 'queued' };
  }

  /** Xorshift32: the bench needs the same links each time, not good randomness. */
  #below(bound: number): number {
    let x = this.#random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#random = x >>> 0;
    return this.#random % bound;
  }
}
