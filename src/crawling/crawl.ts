import type { FetchOutcome, HttpResponse } from '../model/fetch.ts';
import type { StoppedReason } from '../model/lists.ts';
import type { RobotsDecision } from '../model/robots.ts';

/** What the document controller says of a page: new, or a copy of one held or of one judged garbage. */
export type CopyRelation = 'new' | 'exact' | 'near' | 'garbage-copy';

/**
 * The boxes of the KDIR 2012 figure as functions, in the order in which a URL meets them.
 * T = one URL handed out by the frontier, P = a page read, S = what will be committed for a URL.
 */
export interface CrawlSteps<T, P, S> {
  /** Frontier: URLs whose hosts may be asked now, at most `limit`. */
  take(limit: number): Promise<readonly T[]>;
  /** Milliseconds until a host becomes due; undefined when nothing waits. */
  dueIn(): number | undefined;
  /** URL validator once more: what was learnt of the URL's host and folder since it was queued. */
  recheck(ticket: T): Promise<S | undefined>;
  /** Robots analyser. */
  robots(ticket: T): Promise<RobotsDecision>;
  refuse(ticket: T, decision: RobotsDecision): Promise<S>;
  /** Crawler. Redirects it followed are settled too; `ticket` is then the URL that answered. */
  fetch(ticket: T): Promise<{ readonly ticket: T; readonly outcome: FetchOutcome }>;
  /** Every answer that is not a page. */
  conclude(ticket: T, outcome: Exclude<FetchOutcome, { kind: 'page' }>): Promise<S>;
  /** Page reader, URL extractor and fingerprints. */
  read(ticket: T, response: HttpResponse): Promise<P>;
  /** Pages that say themselves that they are not to be indexed, or send the reader elsewhere. */
  exclude(ticket: T, page: P): S | undefined;
  /** Document controller, asked before the detector. */
  compare(ticket: T, page: P): CopyRelation;
  copy(ticket: T, page: P, relation: Exclude<CopyRelation, 'new'>): S;
  /** Garbage detector; the result holds the verdict and, for a kept page, what store and index take. */
  judge(ticket: T, page: P): Promise<S>;
  /** Repository, link graph, index, page states, and new links through the validator to the frontier. */
  settle(batch: readonly S[]): Promise<void>;
}

export interface CrawlLimits {
  readonly concurrency: number;
  readonly commitBatch: number;
  readonly commitEveryMs: number;
  /** Asked before each URL is taken: how many more may be taken now, or why the crawl ends. */
  readonly allowance: (underWay: number) => number | StoppedReason;
}

/** One URL through the boxes. */
async function visit<T, P, S>(first: T, steps: CrawlSteps<T, P, S>): Promise<S> {
  const dismissed = await steps.recheck(first);
  if (dismissed !== undefined) return dismissed;
  const decision = await steps.robots(first);
  if (!decision.allowed) return await steps.refuse(first, decision);
  const { ticket, outcome } = await steps.fetch(first);
  if (outcome.kind !== 'page') return await steps.conclude(ticket, outcome);
  const page = await steps.read(ticket, outcome.response);
  const excluded = steps.exclude(ticket, page);
  if (excluded !== undefined) return excluded;
  const relation = steps.compare(ticket, page);
  if (relation !== 'new') return steps.copy(ticket, page, relation);
  return await steps.judge(ticket, page);
}

/**
 * The crawling module's loop: keeps `concurrency` URLs under way, commits finished ones in batches, and ends when the
 * frontier is empty or `allowance` says why. Everything finished is committed before it returns or throws.
 */
export async function crawl<T, P, S>(steps: CrawlSteps<T, P, S>, limits: CrawlLimits): Promise<StoppedReason> {
  const underWay = new Set<Promise<void>>();
  let finished: S[] = [];
  let lastCommit = Date.now();
  let failure: unknown;

  const start = (ticket: T): void => {
    const task: Promise<void> = visit(ticket, steps)
      .then((settled) => void finished.push(settled))
      .catch((error: unknown) => {
        failure ??= error ?? new Error('a crawl step failed');
      })
      .finally(() => underWay.delete(task));
    underWay.add(task);
  };
  const commit = async (): Promise<void> => {
    const batch = finished;
    finished = [];
    lastCommit = Date.now();
    if (batch.length > 0) await steps.settle(batch);
  };
  const commitDue = (): boolean =>
    finished.length >= limits.commitBatch || (finished.length > 0 && Date.now() - lastCommit >= limits.commitEveryMs);

  let stopped: StoppedReason | undefined;
  while (stopped === undefined && failure === undefined) {
    const allowance = limits.allowance(underWay.size + finished.length);
    if (typeof allowance === 'string') {
      stopped = allowance;
      break;
    }
    const room = Math.min(limits.concurrency - underWay.size, allowance);
    const tickets = room > 0 ? await steps.take(room) : [];
    for (const ticket of tickets) start(ticket);
    if (commitDue() || (tickets.length === 0 && underWay.size === 0)) await commit();
    if (tickets.length > 0 && underWay.size < limits.concurrency) continue;
    if (underWay.size === 0 && finished.length === 0 && tickets.length === 0) {
      const wait = steps.dueIn();
      if (wait === undefined && room > 0) stopped = 'frontier-empty';
      else await sleep(Math.min(wait ?? 0, 1_000));
      continue;
    }
    await Promise.race([
      ...underWay,
      sleep(Math.min(limits.commitEveryMs, Math.max(1, steps.dueIn() ?? limits.commitEveryMs))),
    ]);
  }
  await Promise.all(underWay);
  await commit();
  if (failure !== undefined) throw failure;
  return stopped ?? 'error';
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
