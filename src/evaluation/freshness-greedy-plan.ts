import { Heap } from '../kit/heap.ts';
import type { Beliefs } from './freshness-beliefs.ts';
import type { CrawlPlan } from './freshness-plans.ts';
import type { PageEvents } from './freshness-world.ts';

export interface GreedyPlanOptions {
  readonly pages: number;
  readonly days: number;
  /** Signals that the plan hears. */
  readonly signals?: PageEvents;
}

interface Crossing {
  readonly page: number;
  readonly at: number;
  readonly stamp: number;
}

/** Pages compared at a slot at most, and those left when there are more. */
const MOST_READY = 64;
const FEW_READY = 16;
/** A page may be taken for ready this much before its value reaches the threshold. */
const EARLY = 0.97;
/** Of the day that a value reaches the threshold, relative to the page's age. */
const PRECISION = 0.01;
/** And in days, at least. */
const LEAST_PRECISION = 1e-7;
/** First step of the search for that day, in days. */
const FIRST_STEP = 0.1;
/** Days and signals at which a page is worth all that it can ever be. */
const FOR_EVER = 1e9;
const MANY = 1e6;

/**
 * The page of greatest crawl value at each slot. Values only grow between crawls, so a page below a threshold waits in a
 * calendar for the day its value reaches it, or for a signal; only the few above it are compared. As long as one of them
 * is above, the choice is the greatest of all; when none is, the threshold falls.
 */
export class GreedyPlan implements CrawlPlan {
  readonly #beliefs: Beliefs;
  readonly #days: number;
  readonly #crawledAt: Float64Array;
  readonly #signals: Uint32Array;
  readonly #stamps: Uint32Array;
  /** What a page can be worth at most, by what is believed of it. */
  readonly #mostValue: Float64Array;
  readonly #ready = new Set<number>();
  readonly #calendar = new Heap<Crossing>((a, b) => a.at < b.at);
  readonly #feed: SignalFeed | undefined;
  #threshold = Number.MIN_VALUE;

  constructor(beliefs: Beliefs, { pages, days, signals }: GreedyPlanOptions) {
    this.#beliefs = beliefs;
    this.#days = days;
    this.#crawledAt = new Float64Array(pages);
    this.#signals = new Uint32Array(pages);
    this.#stamps = new Uint32Array(pages);
    this.#mostValue = new Float64Array(pages);
    this.#feed = signals === undefined ? undefined : new SignalFeed(signals);
    this.revise(0);
  }

  choose(now: number): number {
    this.#hear(now);
    this.#advance(now);
    for (;;) {
      const best = this.#bestReady(now);
      if (best !== undefined && best.value >= this.#threshold) return best.page;
      if (!this.#lower(now)) return best?.page ?? this.#oldest();
    }
  }

  crawled(page: number, now: number): void {
    this.#crawledAt[page] = now;
    this.#signals[page] = 0;
    this.#ready.delete(page);
    this.#mostValue[page] = this.#beliefs.value(page, FOR_EVER, MANY);
    this.#await(page, now);
  }

  signals(page: number): number {
    return this.#signals[page] ?? 0;
  }

  revise(now: number): void {
    for (let page = 0; page < this.#stamps.length; page++)
      this.#mostValue[page] = this.#beliefs.value(page, FOR_EVER, MANY);
    this.#fill(now);
  }

  /** Enters all pages anew. */
  #fill(now: number): void {
    this.#calendar.clear();
    this.#ready.clear();
    for (let page = 0; page < this.#stamps.length; page++) this.#await(page, now);
  }

  #hear(now: number): void {
    for (let signal = this.#feed?.next(now); signal !== undefined; signal = this.#feed?.next(now)) {
      const { page, at } = signal;
      this.#signals[page] = (this.#signals[page] ?? 0) + 1;
      if (!this.#ready.has(page)) this.#await(page, at);
    }
  }

  /** Makes those ready whose day has come. */
  #advance(now: number): void {
    for (let top = this.#calendar.peek(); top !== undefined && top.at <= now; top = this.#calendar.peek()) {
      this.#calendar.pop();
      if (top.stamp !== this.#stamps[top.page]) continue;
      // The threshold may have risen since.
      if (this.#value(top.page, now) >= this.#threshold * EARLY) this.#ready.add(top.page);
      else this.#await(top.page, now);
    }
    if (this.#ready.size > MOST_READY) this.#raise(now);
  }

  #bestReady(now: number): { readonly page: number; readonly value: number } | undefined {
    let best: number | undefined;
    let most = -1;
    for (const page of this.#ready) {
      const value = this.#value(page, now);
      if (value > most || (value === most && page < (best ?? page))) {
        best = page;
        most = value;
      }
    }
    return best === undefined ? undefined : { page: best, value: most };
  }

  /** False when the threshold is as good as 0. */
  #lower(now: number): boolean {
    if (this.#threshold < 1e-12) return false;
    this.#threshold /= 2;
    this.#fill(now);
    this.#advance(now);
    return true;
  }

  #raise(now: number): void {
    const values = [...this.#ready].map((page) => ({ page, value: this.#value(page, now) }));
    values.sort((a, b) => b.value - a.value);
    this.#threshold = values[FEW_READY]?.value ?? this.#threshold;
    for (const { page, value } of values) {
      if (value >= this.#threshold) continue;
      this.#ready.delete(page);
      this.#await(page, now);
    }
  }

  /** Enters the page in the calendar, on the day its value reaches the threshold without more signals. */
  #await(page: number, now: number): void {
    const stamp = (this.#stamps[page] ?? 0) + 1;
    this.#stamps[page] = stamp;
    const at = this.#crossing(page, now);
    if (at < this.#days) this.#calendar.push({ page, at, stamp });
  }

  /** The day may be early by a hundredth of the page's age, never late. */
  #crossing(page: number, now: number): number {
    if ((this.#mostValue[page] ?? 0) < this.#threshold) return Number.POSITIVE_INFINITY;
    if (this.#value(page, now) >= this.#threshold) return now;
    const crawledAt = this.#crawledAt[page] ?? 0;
    let early = now;
    let step = FIRST_STEP + (now - crawledAt) / 4;
    let late = now + step;
    for (; this.#value(page, late) < this.#threshold; late += step *= 2) {
      if (late > this.#days) return Number.POSITIVE_INFINITY;
      early = late;
    }
    while (late - early > PRECISION * (early - crawledAt) + LEAST_PRECISION) {
      const middle = (early + late) / 2;
      if (this.#value(page, middle) < this.#threshold) early = middle;
      else late = middle;
    }
    return early;
  }

  #value(page: number, at: number): number {
    return this.#beliefs.value(page, at - (this.#crawledAt[page] ?? 0), this.#signals[page] ?? 0);
  }

  /** When nothing is worth a crawl. */
  #oldest(): number {
    let oldest = 0;
    this.#crawledAt.forEach((at, page) => {
      if (at < (this.#crawledAt[oldest] ?? 0)) oldest = page;
    });
    return oldest;
  }
}

/** The signals of all pages in the order of time. */
class SignalFeed {
  readonly #times: Float64Array;
  readonly #pageOf: Uint32Array;
  readonly #order: Uint32Array;
  #at = 0;

  constructor({ offsets, times }: PageEvents) {
    this.#times = times;
    this.#order = Uint32Array.from(times.keys()).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
    this.#pageOf = new Uint32Array(times.length);
    for (let page = 0; page + 1 < offsets.length; page++) this.#pageOf.fill(page, offsets[page], offsets[page + 1]);
  }

  /** The next signal until `now`, if there is one. */
  next(now: number): { readonly page: number; readonly at: number } | undefined {
    const event = this.#order[this.#at];
    if (event === undefined) return undefined;
    const at = this.#times[event] ?? 0;
    if (at > now) return undefined;
    this.#at++;
    return { page: this.#pageOf[event] ?? 0, at };
  }
}
