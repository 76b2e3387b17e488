import type { Config } from '../config/config.ts';
import { UnableError, UsageError } from '../config/errors.ts';
import { crawl } from '../crawling/crawl.ts';
import { isDiskFull } from '../kit/sqlite.ts';
import type { GarbageAction, Level, Scope, StoppedReason } from '../model/lists.ts';
import type { CrawlReport } from '../model/reports.ts';
import { isOutOfSpace } from '../repository/repository.ts';
import { hostName } from '../url/url.ts';
import { asUnable } from './collection.ts';
import { type CrawlMachine, openMachine } from './crawl-machine.ts';
import { freeDiskBytes } from './disk.ts';
import { requireContact } from './fetch-once.ts';
import { refreshIndex } from './index-refresh.ts';
import type { StoredSeed } from './runs.ts';
import { SitemapReading } from './sitemap-reading.ts';

export interface CrawlRequest {
  /** Absolute URLs; empty = go on with what an earlier run left. */
  readonly seeds: readonly string[];
  readonly scope: Scope | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxPages: number | undefined;
  readonly maxDepth: number | undefined;
  readonly seconds: number | undefined;
  readonly level: Level | undefined;
  readonly garbage: GarbageAction | undefined;
}

/** What a run needs of the process around it. */
export interface RunEnvironment {
  readonly config: Config;
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
  progress(line: string): void;
  note(line: string): void;
}

/** Crawls until the frontier is empty or a limit is met; everything settled is committed when it returns. */
export async function runCrawl(request: CrawlRequest, environment: RunEnvironment): Promise<CrawlReport> {
  return await runOnMachine('crawl', request, environment, async (machine, run) => {
    const seeds = await enterSeeds(machine, request, run);
    if (seeds.length === 0)
      throw new UsageError('crawl: no URL was named and no earlier run left any; name one, or --seeds FILE');
    await machine.begin(seeds, run);
    const stopped = await crawlWithSitemaps(machine, request, environment);
    await refreshIndex(machine, environment);
    return stopped;
  });
}

async function crawlWithSitemaps(
  machine: CrawlMachine,
  request: CrawlRequest,
  environment: RunEnvironment,
): Promise<StoppedReason> {
  const sitemaps = new SitemapReading(machine, request.seeds);
  const steps = machine.steps();
  const dueIn = (): number | undefined => steps.dueIn() ?? (sitemaps.isOpen ? SITEMAPS_LOOK_MS : undefined);
  try {
    return await crawlLoop(machine, { ...steps, dueIn }, environment, request);
  } finally {
    await sitemaps.stop();
  }
}

/** Milliseconds until the frontier is asked again while it is empty and sitemaps are still being read. */
const SITEMAPS_LOOK_MS = 100;

/** One run of the writer on a data folder: `work` under its lock, with its report, and what goes wrong in words. */
export async function runOnMachine(
  command: 'crawl' | 'update',
  request: CrawlRequest,
  environment: RunEnvironment,
  work: (machine: CrawlMachine, run: number) => Promise<StoppedReason>,
): Promise<CrawlReport> {
  const { config, now } = environment;
  requireContact(config);
  const machine = await openMachine(request, environment);
  const startedAt = now();
  try {
    const run = machine.runs.begin(command, startedAt);
    const stopped = await work(machine, run);
    await machine.finishCounts();
    const report = machine.counter.report(stopped, (now() - startedAt) / 1000);
    machine.runs.end(run, report, now());
    return report;
  } catch (error) {
    if (isDiskFull(error) || isOutOfSpace(error))
      throw new UnableError(
        `the disk is full: what was committed is safe; free some space and run "winnow ${command}" again`,
      );
    throw asUnable(error, environment.dataDir);
  } finally {
    await machine.close();
  }
}

async function enterSeeds(machine: CrawlMachine, request: CrawlRequest, run: number): Promise<readonly StoredSeed[]> {
  const scope = request.scope ?? machine.config.crawl.scope;
  const fresh = request.seeds.map((url) => ({ url, host: hostName(url), scope }));
  machine.runs.addSeeds(fresh, run);
  return machine.runs.seeds();
}

/** The crawl loop until nothing is left, a limit is met, the run is interrupted or the disk nearly full. */
export async function crawlLoop(
  machine: CrawlMachine,
  steps: ReturnType<CrawlMachine['steps']>,
  environment: RunEnvironment,
  limits: Pick<CrawlRequest, 'seconds' | 'maxPages'>,
): Promise<StoppedReason> {
  const { config, now } = environment;
  const until = limits.seconds === undefined ? Number.POSITIVE_INFINITY : now() + limits.seconds * 1000;
  const maxPages = limits.maxPages ?? Number.POSITIVE_INFINITY;
  let nextLook = 0;
  const allowance = (underWay: number): number | StoppedReason => {
    const at = now();
    if (environment.signal.aborted) return 'interrupted';
    if (at >= until) return 'time';
    if (machine.counter.fetched >= maxPages) return 'max-pages';
    if (at >= nextLook) {
      nextLook = at + LOOK_EVERY_MS;
      environment.progress(machine.progressLine());
      if (freeDiskBytes(environment.dataDir) < config.crawl.minFreeDiskBytes) return 'disk-full';
    }
    return Math.max(0, maxPages - machine.counter.fetched - underWay);
  };
  const { concurrency, commitBatch, commitEveryMs } = config.crawl;
  return await crawl(steps, { concurrency, commitBatch, commitEveryMs, allowance });
}

/** Milliseconds between two looks at the disk, and two progress lines. */
const LOOK_EVERY_MS = 500;
