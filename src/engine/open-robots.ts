import { RobotsAnalyser } from '../crawling/robots-analyser/robots-analyser.ts';
import type { HttpFetcher } from '../http/http.ts';
import type { Database } from '../kit/sqlite.ts';
import type { ReportCounter } from './crawl-report.ts';
import type { RunEnvironment } from './crawl-run.ts';
import { robotsOptionsOf } from './options.ts';
import { RobotsStore } from './robots-store.ts';

interface RobotsBy {
  readonly database: Database;
  readonly counter: ReportCounter;
  readonly fetcher: HttpFetcher;
}

/** The robots analyser of a crawl: its files from the store or the network, every request for one counted. */
export function openRobots(environment: RunEnvironment, { database, counter, fetcher }: RobotsBy): RobotsAnalyser {
  const { config, now } = environment;
  const store = new RobotsStore(database);
  return new RobotsAnalyser(robotsOptionsOf(config), {
    fetchRobots: async (request) => {
      const outcome = await fetcher.fetch(request);
      // Refused by the address guard: nothing was asked of anybody.
      if (outcome.kind !== 'refused' || outcome.requests > 0) counter.overhead.robots++;
      return outcome;
    },
    now,
    load: (origin) => store.load(origin),
    save: (record) => store.save(record),
    isOverridden: (host) => {
      const overridden = config.robots.overrideHosts.includes(host);
      if (overridden) environment.note(`robots.txt of ${host} is not obeyed, as configured`);
      return overridden;
    },
  });
}
