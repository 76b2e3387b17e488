import type { SignalSource } from './changes.ts';
import type { PageType } from './lists.ts';

/** How a collection stands, as the updating module saw it at its last look over all pages. Times: ISO 8601 UTC. */
export interface FreshnessRecord {
  readonly at: string;
  /** Pages in the index. */
  readonly pages: number;
  /** Expected share of copies that are still right, each page weighted by its importance. */
  readonly freshness: number;
  /** The same with every page alike. */
  readonly plainFreshness: number;
  readonly byType: readonly TypeFreshness[];
  /** What would be crawled next, the best first. */
  readonly next: readonly NextCrawl[];
  readonly sources: readonly SourceRecord[];
  readonly budget: { readonly perHour: number; readonly left: number };
}

export interface TypeFreshness {
  readonly type: PageType;
  readonly pages: number;
  readonly freshness: number;
  /** Changes a day, mean over its pages. */
  readonly changesPerDay: number;
}

export interface NextCrawl {
  readonly url: string;
  /** Probability that the copy is out of date. */
  readonly stale: number;
  readonly changesPerDay: number;
  /** Signals since it was last fetched. */
  readonly signals: Readonly<Partial<Record<SignalSource, number>>>;
  readonly lastFetched: string;
}

/** A source of signals, as the fetches that followed showed it. */
export interface SourceRecord {
  readonly source: SignalSource;
  /** Signals that fetches have answered, and those that wait. */
  readonly answered: number;
  readonly waiting: number;
  /** Share of changes that it tells of, mean over the sites that use it. */
  readonly recall: number;
  /** False signals of a page in a day, likewise. */
  readonly noise: number;
}
