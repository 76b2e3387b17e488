import { SystemConfigurator, type TreeSize } from '../garbage-detector/system-configurator/system-configurator.ts';
import type { Level } from '../model/lists.ts';

export interface JudgingLoadOptions {
  /** Milliseconds of judging that a second of crawling may cost, all threads together. */
  readonly budgetMsPerSecond: number;
  /** Reduced trees are left again when the load is below this share of the budget. */
  readonly returnShare: number;
}

/** Milliseconds over which the rate of pages is counted. */
const WINDOW_MS = 1_000;
/** Weight of the newest page in the mean cost. */
const NEWEST = 0.05;

/**
 * Measures what judging costs while a crawl runs and asks the system configurator which trees to use. Level `fast` keeps
 * its full trees: it is the cheap one already, and what it says of a page must not depend on the moment.
 */
export class JudgingLoad {
  readonly #configurator: SystemConfigurator;
  readonly #now: () => number;
  #msPerPage = 0;
  #pages = 0;
  #since: number;

  constructor(options: JudgingLoadOptions, now: () => number) {
    this.#configurator = new SystemConfigurator(options);
    this.#now = now;
    this.#since = now();
  }

  /** To be told of every page that came in to be judged; answers with the trees to use for it. */
  sizeFor(level: Level): TreeSize {
    this.#pages++;
    const elapsed = this.#now() - this.#since;
    if (elapsed >= WINDOW_MS) {
      this.#configurator.update({ pagesPerSecond: (this.#pages * 1000) / elapsed, msPerPage: this.#msPerPage });
      this.#pages = 0;
      this.#since = this.#now();
    }
    return level === 'fast' ? 'full' : this.#configurator.size;
  }

  /** Milliseconds that judging one page took with the full trees. */
  noteCost(milliseconds: number, size: TreeSize): void {
    if (size === 'full') this.#msPerPage += NEWEST * (milliseconds - this.#msPerPage);
  }
}
