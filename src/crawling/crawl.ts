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
  compare(ticket: T, page: P): Promise<CopyRelation>;
  copy(ticket: T, page: P, relation: Exclude<CopyRelation, 'new'>): Promise<S>;
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

async function refusal<T, P, S>(ticket: T, steps: CrawlSteps<T, P, S>): Promise<S | undefined> {
  const decision = await steps.robots(ticket);
  return decision.allowed ? undefined : await steps.refuse(ticket, decision);
}

/** One URL through the boxes. `onFree` is called when its host is free for the next one. */
async function visit<T, P, S>(first: T, steps: CrawlSteps<T, P, S>, onFree: () => void): Promise<S> {
  const dismissed = (await steps.recheck(first)) ?? (await refusal(first, steps));
  if (dismissed !== undefined) {
    onFree();
    return dismissed;
  }
  const { ticket, outcome } = await steps.fetch(first);
  onFree();
  if (outcome.kind !== 'page') return await steps.conclude(ticket, outcome);
  const page = await steps.read(ticket, outcome.response);
  const excluded = steps.exclude(ticket, page);
  if (excluded !== undefined) return excluded;
  const relation = await steps.compare(ticket, page);
  if (relation !== 'new') return await steps.copy(ticket, page, relation);
  return await steps.judge(ticket, page);
}

/**
 * The crawling module's loop: keeps `concurrency` URLs under way, commits finished ones in batches, and ends when the
 * frontier is empty or `allowance` says why. Everything finished is committed before it returns or throws.
 */
export async function crawl<T, P, S>(steps: CrawlSteps<T, P, S>, limits: CrawlLimits): Promise<StoppedReason> {
  const visits = new Visits(steps);
  let stopped: StoppedReason | undefined;
  // Asking the frontier costs more than it saves unless something has changed since it had nothing to give.
  let askAgainAt = 0;
  while (stopped === undefined && visits.failure === undefined) {
    const allowance = limits.allowance(visits.underWay + visits.finished);
    if (typeof allowance === 'string') {
      stopped = allowance;
      break;
    }
    const room = Math.min(limits.concurrency - visits.underWay, allowance);
    const asks = room > 0 && (visits.takeNews() || Date.now() >= askAgainAt);
    const tickets = asks ? await steps.take(room) : [];
    for (const ticket of tickets) visits.start(ticket);
    if (visits.isDue(limits) || (tickets.length === 0 && visits.underWay === 0)) await visits.commit();
    if (tickets.length === room && room > 0) continue;
    const wait = asks ? steps.dueIn() : Math.max(0, askAgainAt - Date.now());
    if (asks) askAgainAt = Date.now() + (wait ?? limits.commitEveryMs);
    if (visits.isIdle && asks && wait === undefined) stopped = 'frontier-empty';
    else await visits.change(Math.max(LEAST_WAIT_MS, Math.min(wait ?? limits.commitEveryMs, limits.commitEveryMs)));
  }
  await visits.end();
  return stopped ?? 'error';
}

/** Milliseconds: a host that is due but was not handed out (its address is busy) is not asked for without end. */
const LEAST_WAIT_MS = 5;

/** The URLs under way and those finished but not committed. */
class Visits<T, P, S> {
  readonly #steps: CrawlSteps<T, P, S>;
  readonly #underWay = new Set<Promise<void>>();
  #finished: S[] = [];
  #lastCommit = Date.now();
  #changed = Promise.withResolvers<void>();
  /** A host has become free, or links have been entered, since the frontier was asked. */
  #news = true;
  failure: unknown;

  constructor(steps: CrawlSteps<T, P, S>) {
    this.#steps = steps;
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  get finished(): number {
    return this.#finished.length;
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0 && this.#finished.length === 0 && !this.#news;
  }

  takeNews(): boolean {
    const news = this.#news;
    this.#news = false;
    return news;
  }

  start(ticket: T): void {
    const wake = (): void => {
      this.#news = true;
      this.#changed.resolve();
    };
    const task: Promise<void> = visit(ticket, this.#steps, wake)
      .then((settled) => void this.#finished.push(settled))
      .catch((error: unknown) => {
        this.failure ??= error ?? new Error('a crawl step failed');
      })
      .finally(() => {
        this.#underWay.delete(task);
        this.#changed.resolve();
      });
    this.#underWay.add(task);
  }

  isDue({ commitBatch, commitEveryMs }: CrawlLimits): boolean {
    const { length } = this.#finished;
    return length >= commitBatch || (length > 0 && Date.now() - this.#lastCommit >= commitEveryMs);
  }

  async commit(): Promise<void> {
    const batch = this.#finished;
    this.#finished = [];
    this.#lastCommit = Date.now();
    if (batch.length === 0) return;
    await this.#steps.settle(batch);
    this.#news = true;
  }

  /** Until a host becomes free, a visit ends, or the time is over. */
  async change(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.#changed.resolve(), milliseconds);
    await this.#changed.promise;
    clearTimeout(timer);
    this.#changed = Promise.withResolvers();
  }

  /** Waits for what is under way and commits it; throws what failed. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
    await this.commit();
    if (this.failure !== undefined) throw this.failure;
  }
}
