import type { CrawlReport } from '../model/reports.ts';
import { ChangeRepository } from '../modification-detection/repository/repository.ts';
import { RefreshBudget } from '../updating/budget.ts';
import { hasBeaconDatabase, openBeaconDatabase } from './beacon-database.ts';
import type { CrawlMachine } from './crawl-machine.ts';
import { RECRAWL_PRIORITY } from './crawl-machine.ts';
import { type CrawlRequest, crawlLoop, type RunEnvironment, runOnMachine } from './crawl-run.ts';
import { ToldReading } from './told-reading.ts';
import { UpdateFeed } from './update-feed.ts';

export interface UpdateRequest {
  /** once: what is due now. always: until `seconds` have passed or it is interrupted. */
  readonly mode: 'once' | 'always';
  readonly seconds: number | undefined;
  /** Pages an hour, over all runs; undefined = as configured. */
  readonly ratePerHour: number | undefined;
}

/** Pages that were crawled before are crawled again: those of which a change was signalled first, then by age. */
export async function runUpdate(request: UpdateRequest, environment: RunEnvironment): Promise<CrawlReport> {
  const { config, dataDir } = environment;
  const signals = hasBeaconDatabase(dataDir) ? openBeaconDatabase(dataDir, config) : undefined;
  try {
    return await runOnMachine('update', AS_BEFORE, environment, async (machine, run) => {
      await machine.begin(machine.runs.seeds(), run);
      machine.takeOnly(RECRAWL_PRIORITY);
      const changes = signals === undefined ? undefined : new ChangeRepository(signals, config.beacon.maxPages);
      const seeds = machine.runs.seeds().map(({ url }) => url);
      const told = new ToldReading(machine, seeds);
      const feed = new UpdateFeed({ machine, changes, budget: budgetOf(machine, request), told, mode: request.mode });
      try {
        const limits = { seconds: request.seconds, maxPages: undefined };
        const stopped = await crawlLoop(machine, feed.steps(), environment, limits);
        await feed.finish();
        return stopped;
      } finally {
        await told.stop();
      }
    });
  } finally {
    signals?.close();
  }
}

function budgetOf(machine: CrawlMachine, request: UpdateRequest): RefreshBudget {
  return new RefreshBudget(machine.database, request.ratePerHour ?? machine.config.updating.ratePerHour);
}

/** Nothing new is asked for: scope and level as configured and as the seeds were given. */
const AS_BEFORE: CrawlRequest = {
  seeds: [],
  scope: undefined,
  include: [],
  exclude: [],
  maxPages: undefined,
  maxDepth: undefined,
  seconds: undefined,
  level: undefined,
  garbage: undefined,
};
