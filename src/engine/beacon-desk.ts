import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { BOX as VISITED_BOX } from '../crawling/visited-urls/schema.ts';
import { VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import type { Database } from '../kit/sqlite.ts';
import type {
  ChangeReport,
  ChangeSignal,
  PageMemory,
  PageName,
  PageStanding,
  RegisteredSite,
} from '../model/changes.ts';
import { baselineOf, Detector, type HeldCopy, isSignalled } from '../modification-detection/detector/detector.ts';
import { ReportQueue } from '../modification-detection/queue/queue.ts';
import { ChangeRepository } from '../modification-detection/repository/repository.ts';
import { readSites } from '../modification-detection/repository/sites.ts';
import { openBeaconDatabase } from './beacon-database.ts';
import { DATABASE_FILE, openForReading } from './collection.ts';
import { KeyFiles } from './key-files.ts';
import { queueLimitsOf, visitedOptionsOf } from './options.ts';

export interface Taken {
  /** Changes that wait for a crawl because of the reports. */
  readonly signals: number;
  /** Reports that found the queue full. */
  readonly dropped: number;
}

export interface KeyedPages {
  readonly pages: readonly PageName[];
  readonly key: string;
  readonly keyUrl: string;
}

export interface Submitted {
  /** As IndexNow has them: 200, 403 the key file does not hold the key, 429 too many key files. */
  readonly status: 200 | 403 | 429;
  readonly signals: number;
}

/** Reports taken from the queue at once. */
const BATCH = 500;

/**
 * Queue, detector and their repository on one connection to beacon.db, beside a reading one to the collection.
 * Synchronous inside: runs in a thread of its own.
 */
export class BeaconDesk {
  readonly #dataDir: string;
  readonly #config: Config;
  readonly #now: () => number;
  readonly #database: Database;
  readonly #queue: ReportQueue;
  readonly #changes: ChangeRepository;
  readonly #detector: Detector;
  readonly #keys: KeyFiles;
  #collection: Database | undefined;
  #visited: VisitedUrls | undefined;

  /** Throws {@link UnableError}. */
  constructor(dataDir: string, config: Config, now: () => number) {
    this.#dataDir = dataDir;
    this.#config = config;
    this.#now = now;
    this.#database = openBeaconDatabase(dataDir, config);
    this.#queue = new ReportQueue(this.#database, queueLimitsOf(config));
    this.#changes = new ChangeRepository(this.#database, config.beacon.maxPages);
    this.#keys = new KeyFiles(config, now);
    this.#detector = new Detector({ ...config.beacon, maxPages: config.beacon.maxDisputed });
  }

  async sites(): Promise<RegisteredSite[]> {
    const collection = this.#openCollection();
    return collection === undefined ? [] : readSites(collection);
  }

  async standingOf(page: PageName): Promise<PageStanding> {
    const copy = await this.#copyOf(page);
    if (copy === undefined) return { known: false, signalled: false, disputed: false, confirmedAt: undefined };
    const memory = await this.#changes.pageOf(page.key);
    return {
      known: true,
      signalled: isSignalled(memory, copy.fetchedAt),
      disputed: this.#detector.isDisputed(page.key, this.#now()),
      confirmedAt: baselineOf(memory, copy.fetchedAt) === undefined ? undefined : memory?.confirmedAt,
    };
  }

  /** Reports are on disk before they are looked at. */
  async take(reports: readonly ChangeReport[]): Promise<Taken> {
    const dropped = await this.#queue.putMany(reports);
    let signals = 0;
    for (;;) {
      const batch = await this.#queue.firstMany(BATCH);
      if (batch.length === 0) return { signals, dropped };
      signals += await this.#detect(batch);
    }
  }

  /** Pages that their site says have changed, if the site's key file holds the key; of pages never crawled nothing. */
  async submit({ pages, key, keyUrl }: KeyedPages): Promise<Submitted> {
    const found = await this.#keys.check(keyUrl, key);
    if (found !== 'held') return { status: found === 'missing' ? 403 : 429, signals: 0 };
    const at = this.#now();
    const signals: ChangeSignal[] = [];
    for (const { key: name, url, host } of pages) {
      const copy = await this.#copyOf({ key: name, url, host });
      if (copy !== undefined) signals.push({ key: name, url, host, source: 'indexnow', at, parts: [] });
    }
    await this.#changes.putSignals(signals);
    return { status: 200, signals: signals.length };
  }

  /** Changes that wait for a crawl, at most `limit`. */
  async waiting(limit: number): Promise<number> {
    return (await this.#changes.signals(limit)).length;
  }

  close(): void {
    this.#database.close();
    this.#collection?.close();
  }

  async #detect(batch: readonly ChangeReport[]): Promise<number> {
    const pages: { key: string; page: PageMemory }[] = [];
    const signals: ChangeSignal[] = [];
    for (const report of batch) {
      const copy = await this.#copyOf(report);
      if (copy === undefined) continue;
      const { key, url, host, at } = report;
      const found = this.#detector.judge(report, copy, await this.#changes.pageOf(key));
      if (found === undefined) continue;
      pages.push({ key, page: found.memory });
      if (found.changed !== undefined) signals.push({ key, url, host, source: 'beacon', at, parts: found.changed });
    }
    await this.#database.asyncTransaction(async () => {
      await this.#changes.putPages(pages);
      await this.#changes.putSignals(signals);
      await this.#queue.removeMany(batch);
    });
    return signals.length;
  }

  /** undefined: the page was never fetched, so that there is no copy that could be stale. */
  async #copyOf(page: PageName): Promise<HeldCopy | undefined> {
    this.#openCollection();
    const answer = (await this.#visited?.find(page.key, page.host))?.answer;
    if (answer?.fetchedAt === undefined) return undefined;
    return { fetchedAt: answer.fetchedAt, textHash: answer.textHash };
  }

  /** The collection may come into being while the server runs. */
  #openCollection(): Database | undefined {
    if (this.#visited !== undefined) return this.#collection;
    if (this.#collection === undefined && existsSync(join(this.#dataDir, DATABASE_FILE)))
      this.#collection = openForReading(this.#dataDir, this.#config);
    if (this.#collection !== undefined && this.#collection.versionOf(VISITED_BOX) > 0)
      this.#visited = new VisitedUrls(this.#collection, visitedOptionsOf(this.#config));
    return this.#collection;
  }
}
