import { Heap } from '../kit/heap.ts';
import type { Random } from '../kit/random.ts';
import type { CrawlRates, RateQuestion } from '../updating/policies.ts';
import type { Beliefs } from './freshness-beliefs.ts';

/** Chooses a page for each slot; slots come at a constant rate. */
export interface CrawlPlan {
  /** The page to crawl on day `now`, not before any day given earlier. */
  choose(now: number): number;
  /** The page was crawled on day `now`, and beliefs of it are up to date. */
  crawled(page: number, now: number): void;
  /** Signals since the last crawl of the page. */
  signals(page: number): number;
  /** Beliefs of all pages may have changed. */
  revise(now: number): void;
}

interface Due {
  readonly page: number;
  readonly at: number;
  readonly stamp: number;
}

export interface RatePlanOptions {
  readonly importance: Float64Array;
  readonly budget: number;
  readonly rates: (question: RateQuestion) => CrawlRates;
  readonly random: Random;
}

/** Each page at even distances by its crawl rate, the one that is due first at each slot. First crawls are spread at random. */
export class RatePlan implements CrawlPlan {
  readonly #options: RatePlanOptions;
  readonly #beliefs: Beliefs;
  readonly #crawledAt: Float64Array;
  readonly #stamps: Uint32Array;
  readonly #due = new Heap<Due>((a, b) => a.at < b.at);
  #rates: CrawlRates;

  constructor(beliefs: Beliefs, options: RatePlanOptions) {
    this.#options = options;
    this.#beliefs = beliefs;
    this.#crawledAt = options.importance.map(() => -options.random.next());
    this.#stamps = new Uint32Array(options.importance.length);
    this.#rates = this.#solve();
    // A page's first distance is a random part of the whole.
    this.#rates.forEach((rate, page) => {
      this.#crawledAt[page] = (this.#crawledAt[page] ?? 0) / rate;
      this.#enter(page);
    });
  }

  choose(): number {
    for (let due = this.#due.pop(); due !== undefined; due = this.#due.pop())
      if (due.stamp === this.#stamps[due.page]) return due.page;
    throw new RangeError('no page is ever due');
  }

  crawled(page: number, now: number): void {
    this.#crawledAt[page] = now;
    this.#enter(page);
  }

  signals(): number {
    return 0;
  }

  revise(): void {
    this.#rates = this.#solve();
    this.#due.clear();
    this.#rates.forEach((_, page) => {
      this.#enter(page);
    });
  }

  #enter(page: number): void {
    const stamp = (this.#stamps[page] ?? 0) + 1;
    this.#stamps[page] = stamp;
    const rate = this.#rates[page] ?? 0;
    if (rate > 0) this.#due.push({ page, at: (this.#crawledAt[page] ?? 0) + 1 / rate, stamp });
  }

  #solve(): CrawlRates {
    const { importance, budget, rates } = this.#options;
    return rates({ importance, changeRates: importance.map((_, page) => this.#beliefs.changeRate(page)), budget });
  }
}
