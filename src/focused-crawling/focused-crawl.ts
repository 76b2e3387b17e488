import type { StoppedReason } from '../model/lists.ts';
import { type MergedResult, mergeRankings, type Ranking } from './priority/priority.ts';

/**
 * The steps of the query-based focused crawler (Kumar et al. 2018) as functions, in the order of the paper.
 * S = a site: a seed page that was fetched, I = a search interface of it.
 */
export interface FocusSteps<S, I> {
  /** Fetches the seed pages; every page that answered is a site. */
  visitSeeds(): Promise<readonly S[]>;
  /** The search interfaces of the site that may be used, the surest first. */
  findInterfaces(site: S): Promise<readonly I[]>;
  /** Fires the keywords at an interface; undefined when it was dropped: it errs, or answers everything alike. */
  fire(site: S, face: I, keywords: readonly string[]): Promise<readonly Ranking[] | undefined>;
  /** Puts the results into the frontier by their priority, and crawls until they have answers. */
  crawl(site: S, results: readonly MergedResult[]): Promise<void>;
  /** Words of the site's best pages that are no keywords yet. */
  learn(site: S): Promise<readonly string[]>;
  /** Why the run has to end now. */
  stopped(): StoppedReason | undefined;
}

export interface FocusRules {
  readonly keywords: readonly string[];
  /** Results taken from one answer. */
  readonly top: number;
  /** How often learned words are fired in turn. */
  readonly rounds: number;
}

/** Reaches the topic's pages through the sites' own search: seed, interface, queries, merge, fitness, crawl, learn. */
export async function focusedCrawl<S, I>(steps: FocusSteps<S, I>, rules: FocusRules): Promise<StoppedReason> {
  for (const site of await steps.visitSeeds()) {
    const working = await firstWorking(site, steps, rules);
    if (working === undefined) continue;
    await steps.crawl(site, mergeRankings(working.rankings, rules.top));
    for (let round = 0; round < rules.rounds && steps.stopped() === undefined; round++) {
      const learned = await steps.learn(site);
      if (learned.length === 0) break;
      const rankings = (await steps.fire(site, working.face, learned)) ?? [];
      await steps.crawl(site, mergeRankings(rankings, rules.top));
    }
  }
  return steps.stopped() ?? 'frontier-empty';
}

/** The first interface that answers with results, and its rankings. */
async function firstWorking<S, I>(
  site: S,
  steps: FocusSteps<S, I>,
  rules: FocusRules,
): Promise<{ readonly face: I; readonly rankings: readonly Ranking[] } | undefined> {
  for (const face of await steps.findInterfaces(site)) {
    if (steps.stopped() !== undefined) return undefined;
    const rankings = await steps.fire(site, face, rules.keywords);
    if (rankings !== undefined) return { face, rankings };
  }
  return undefined;
}
