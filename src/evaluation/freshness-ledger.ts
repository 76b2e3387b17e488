import type { World } from './freshness-world.ts';

/** How right the copies were, over the counted time; pages weighted by importance. */
export interface FreshnessFigures {
  /** Share of time that a copy is right. */
  readonly freshness: number;
  /** Mean days since the first change that the copy lacks; 0 while it is right. */
  readonly meanAgeDays: number;
  /** Of the whole run. */
  readonly crawls: number;
  /** Changes in the counted time that were overwritten before a crawl saw them. */
  readonly changesMissed: number;
}

/** What the crawler finds at a crawl. */
export interface Finding {
  readonly days: number;
  readonly changed: boolean;
}

/** Keeps account of copies, exactly between events. Days before `from` are not counted. */
export class FreshnessLedger {
  readonly #world: World;
  readonly #from: number;
  readonly #copiedAt: Float64Array;
  /** Index in `changes.times` of the page's first change after its copy. */
  readonly #next: Uint32Array;
  readonly #freshDays: Float64Array;
  readonly #ageDays: Float64Array;
  #crawls = 0;
  #missed = 0;

  constructor(world: World, from: number) {
    this.#world = world;
    this.#from = from;
    this.#copiedAt = new Float64Array(world.pages.length);
    this.#next = world.changes.offsets.slice(0, world.pages.length);
    this.#freshDays = new Float64Array(world.pages.length);
    this.#ageDays = new Float64Array(world.pages.length);
  }

  /** The page is copied on day `at`, not before its last crawl. */
  crawl(page: number, at: number): Finding {
    const found = { days: at - (this.#copiedAt[page] ?? 0), changed: this.#settle(page, at) > 0 };
    this.#copiedAt[page] = at;
    this.#crawls++;
    return found;
  }

  /** Ends the run on its last day. */
  close(): FreshnessFigures {
    const { pages, days } = this.#world;
    const sum = { importance: 0, fresh: 0, age: 0 };
    pages.forEach(({ importance }, page) => {
      this.#settle(page, days);
      sum.importance += importance;
      sum.fresh += importance * (this.#freshDays[page] ?? 0);
      sum.age += importance * (this.#ageDays[page] ?? 0);
    });
    const whole = sum.importance * (days - this.#from);
    return {
      freshness: sum.fresh / whole,
      meanAgeDays: sum.age / whole,
      crawls: this.#crawls,
      changesMissed: this.#missed,
    };
  }

  /** Counts the time from the copy to `until`; returns the changes within. */
  #settle(page: number, until: number): number {
    const { times, offsets } = this.#world.changes;
    const end = offsets[page + 1] ?? 0;
    const first = this.#next[page] ?? 0;
    let next = first;
    for (; next < end && (times[next] ?? 0) <= until; next++) {
      // All but the last before a crawl were overwritten unseen.
      if (next > first && (times[next - 1] ?? 0) >= this.#from) this.#missed++;
    }
    this.#next[page] = next;
    const staleFrom = next > first ? (times[first] ?? 0) : until;
    this.#count(page, staleFrom, until);
    return next - first;
  }

  #count(page: number, staleFrom: number, until: number): void {
    const from = Math.max(this.#from, this.#copiedAt[page] ?? 0);
    this.#freshDays[page] = (this.#freshDays[page] ?? 0) + Math.max(0, staleFrom - from);
    const counted = Math.max(this.#from, staleFrom);
    if (until <= counted) return;
    const age = ((until - staleFrom) ** 2 - (counted - staleFrom) ** 2) / 2;
    this.#ageDays[page] = (this.#ageDays[page] ?? 0) + age;
  }
}
