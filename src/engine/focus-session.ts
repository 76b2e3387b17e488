import { crawl } from '../crawling/crawl.ts';
import type { FetchOutcome } from '../model/fetch.ts';
import type { StoppedReason } from '../model/lists.ts';
import type { FocusReport } from '../model/reports.ts';
import { resolveUrl } from '../url/url.ts';
import type { CrawlMachine } from './crawl-machine.ts';
import type { RunEnvironment } from './crawl-run.ts';
import type { CrawlTicket, Settled } from './crawl-types.ts';
import { FocusPages } from './focus-pages.ts';
import { compareRelevant, isRelevant } from './focus-relevance.ts';
import type { FocusRequest, FocusSite, RelevantPage, ScoredPage } from './focus-types.ts';
import { newEntries } from './settle-step.ts';

/** Milliseconds for which URLs of an earlier run that are none of this one's are put back. */
const PUT_BACK_MS = 600_000;

/**
 * A focused crawl's use of the ordinary machine: the same steps, watched. What it asks for it waits for; what earlier
 * runs left in the frontier stays there.
 */
export class FocusSession {
  readonly machine: CrawlMachine;
  readonly request: FocusRequest;
  readonly pages: FocusPages;
  readonly sites: FocusSite[] = [];
  readonly harvest: (readonly [number, number])[] = [];
  /** How results were found, by id of the URL. */
  readonly foundBy = new Map<number, Set<FocusReport['relevant'][number]['foundBy'][number]>>();
  stopped: StoppedReason | undefined;
  readonly #environment: RunEnvironment;
  readonly #seedHosts: ReadonlySet<string>;
  readonly #waiting = new Set<number>();
  readonly #scored = new Map<number, ScoredPage>();
  readonly #relevant = new Map<number, RelevantPage>();
  #requests = 0;

  constructor(machine: CrawlMachine, request: FocusRequest, environment: RunEnvironment) {
    this.machine = machine;
    this.request = request;
    this.pages = new FocusPages(machine, request, environment.dataDir);
    this.#environment = environment;
    this.#seedHosts = new Set(request.seeds.map((url) => URL.parse(url)?.hostname ?? ''));
  }

  get requests(): number {
    return this.#requests;
  }

  get signal(): AbortSignal {
    return this.#environment.signal;
  }

  /** Requests that may still be made. */
  get requestsLeft(): number {
    return (this.request.maxRequests ?? Number.POSITIVE_INFINITY) - this.#requests;
  }

  countRequests(outcome: FetchOutcome): void {
    this.#requests += 'requests' in outcome ? outcome.requests : outcome.response.requests;
  }

  /** The relevant pages so far, the best first. */
  relevant(): readonly RelevantPage[] {
    return [...this.#relevant.values()].sort(compareRelevant(this.request.fitness, [...this.#relevant.values()]));
  }

  note(line: string): void {
    this.#environment.note(line);
  }

  /** Why the run must end now; remembered. */
  look(): StoppedReason | undefined {
    const { counter } = this.machine;
    if (this.signal.aborted) this.stopped ??= 'interrupted';
    if (this.requestsLeft <= 0) this.stopped ??= 'max-requests';
    if (counter.fetched >= (this.request.maxPages ?? Number.POSITIVE_INFINITY)) this.stopped ??= 'max-pages';
    return this.stopped;
  }

  /** Waits for the answer of URLs that are in the frontier. */
  expect(ids: readonly number[]): void {
    for (const id of ids) this.#waiting.add(id);
  }

  /** Crawls until every expected URL has its answer, or, walking, until the frontier is empty. */
  async crawl(until: 'expected' | 'frontier-empty'): Promise<void> {
    const { concurrency, commitBatch, commitEveryMs } = this.machine.config.crawl;
    const steps = this.machine.steps();
    const isOurs = (ticket: CrawlTicket): boolean =>
      until === 'expected' ? this.#waiting.has(ticket.id) : this.#seedHosts.has(ticket.host);
    const stopped = await crawl(
      {
        ...steps,
        recheck: async (ticket) => (isOurs(ticket) ? await steps.recheck(ticket) : await this.#putBack(ticket)),
        fetch: async (ticket) => {
          const fetched = await steps.fetch(ticket);
          this.countRequests(fetched.outcome);
          if (fetched.ticket.id !== ticket.id && this.#waiting.delete(ticket.id)) this.#waiting.add(fetched.ticket.id);
          return fetched;
        },
        read: async (ticket, response) => {
          const page = await steps.read(ticket, response);
          this.#scored.set(ticket.id, this.pages.score(response, page.reading.title));
          if (ticket.depth === 0) this.#addSite(ticket, response);
          return page;
        },
        settle: async (batch) => {
          await steps.settle(until === 'expected' ? batch.map(withoutLinks) : batch);
          for (const settled of batch) await this.#settled(settled);
        },
      },
      { concurrency, commitBatch, commitEveryMs, allowance: (underWay) => this.#allowance(underWay, until) },
    );
    if (stopped !== 'frontier-empty') this.stopped ??= stopped;
  }

  /** Enters results, the score being their priority; what is held already is scored from the repository. */
  async enter(
    results: readonly { readonly url: string; readonly score: number }[],
    by: 'form' | 'provider',
  ): Promise<void> {
    const { machine } = this;
    const candidates = results.flatMap(({ url, score }) => {
      const resolved = resolveUrl(url, undefined, machine.keyRules);
      if ('reason' in resolved) return [];
      // Asked about like a redirect's target: the search led there, no page links to it.
      const checked = machine.validator.validateRedirect({ url: resolved.url, key: resolved.key, depth: 1 });
      if (checked.kind !== 'accept' && checked.kind !== 'deferred') return [];
      const state = checked.kind === 'accept' ? ('queued' as const) : ('deferred' as const);
      return [{ url: resolved.url, key: resolved.key, host: resolved.host, depth: 1, priority: score, state }];
    });
    const ids = await machine.database.asyncTransaction(async () => {
      const seen = await machine.visited.seeMany(candidates, machine.stamp());
      await machine.frontier.putMany(newEntries(candidates, seen));
      return seen.map(({ id }) => id);
    });
    for (const id of ids) this.foundBy.set(id, (this.foundBy.get(id) ?? new Set()).add(by));
    for (const url of await machine.visited.getMany([...new Set(ids)])) {
      if (url.state === 'queued' || url.state === 'deferred') this.expect([url.id]);
      else if (url.state === 'kept') await this.#scoreHeld(url);
    }
  }

  #allowance(underWay: number, until: 'expected' | 'frontier-empty'): number | StoppedReason {
    const stopped = this.look();
    if (stopped !== undefined) return stopped;
    if (until === 'expected' && this.#waiting.size === 0) return 'frontier-empty';
    this.#environment.progress(`${this.#requests} requests, ${this.#relevant.size} relevant pages`);
    const pagesLeft = (this.request.maxPages ?? Number.POSITIVE_INFINITY) - this.machine.counter.fetched;
    const expected = until === 'expected' ? this.#waiting.size : Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(this.requestsLeft, pagesLeft, expected) - underWay);
  }

  #addSite(ticket: CrawlTicket, bytes: Parameters<FocusPages['read']>[0]): void {
    const page = this.pages.read(bytes);
    this.sites.push({
      id: ticket.id,
      host: ticket.host,
      page,
      links: this.pages.linksOf(page, { url: ticket.url, hops: [] }),
    });
  }

  /** What became of a URL: kept pages with a keyword are relevant, redirects lead to what is expected instead. */
  async #settled(settled: Settled): Promise<void> {
    const { ticket, settlement } = settled;
    if (settlement.state === 'queued' || settlement.state === 'deferred') return;
    const expected = this.#waiting.delete(ticket.id);
    if (settlement.state === 'kept') await this.#kept(ticket);
    if (settlement.state === 'redirect' && expected) await this.#follow(settled);
    this.#scored.delete(ticket.id);
  }

  async #kept(ticket: CrawlTicket): Promise<void> {
    const scored = this.#scored.get(ticket.id);
    if (scored === undefined) {
      const isSite = ticket.depth === 0 ? await this.pages.held(ticket.id) : undefined;
      if (isSite !== undefined) this.#addSite(ticket, isSite.bytes);
      await this.#scoreHeld(ticket);
    } else this.#consider(ticket, scored);
  }

  async #follow({ ticket, links }: Settled): Promise<void> {
    for (const link of links ?? []) {
      const target = link.depth === ticket.depth ? await this.machine.visited.find(link.key, link.host) : undefined;
      if (target === undefined) continue;
      for (const by of this.foundBy.get(ticket.id) ?? []) {
        this.foundBy.set(target.id, (this.foundBy.get(target.id) ?? new Set()).add(by));
      }
      if (target.state === 'queued') this.expect([target.id]);
    }
  }

  async #scoreHeld(url: Pick<CrawlTicket, 'id' | 'url' | 'host' | 'depth'>): Promise<void> {
    if (this.#relevant.has(url.id)) return;
    const held = await this.pages.held(url.id);
    if (held !== undefined) this.#consider(url, this.pages.score(held.bytes, held.title));
  }

  #consider({ id, url, host, depth }: Pick<CrawlTicket, 'id' | 'url' | 'host' | 'depth'>, scored: ScoredPage): void {
    if (isRelevant(scored, this.request.fitness, this.machine.config.focus.minFitness)) {
      this.#relevant.set(id, { id, url, host, depth, ...scored });
      this.harvest.push([this.#requests, this.#relevant.size]);
    }
  }

  /** Back into the frontier, for a later run. */
  async #putBack(ticket: CrawlTicket): Promise<Settled> {
    await this.machine.frontier.releaseMany([{ hostId: ticket.hostId, requests: 0 }], this.machine.now);
    const state = ticket.deferred ? 'deferred' : 'queued';
    return {
      ticket,
      settlement: { id: ticket.id, state },
      counted: { state, bytes: 0, host: ticket.host },
      again: { notBefore: this.machine.now + PUT_BACK_MS, deferred: ticket.deferred },
    };
  }
}

/** Results are all that is followed: a page's own links enter the link graph and wait for a crawl that goes deeper. */
function withoutLinks(settled: Settled): Settled {
  const links = settled.links?.map((link) =>
    link.depth > settled.ticket.depth && link.state !== 'avoided'
      ? { ...link, state: 'refused' as const, reason: link.reason ?? ('depth' as const) }
      : link,
  );
  return links === undefined ? settled : { ...settled, links };
}
