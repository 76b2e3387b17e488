import type { Config } from '../config/config.ts';
import type { CrawlSteps } from '../crawling/crawl.ts';
import { Frontier, type Ticket } from '../crawling/frontier/frontier.ts';
import type { RobotsAnalyser } from '../crawling/robots-analyser/robots-analyser.ts';
import { UrlValidator } from '../crawling/url-validator/url-validator.ts';
import { type Candidate, type Stamp, VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import { DocumentController } from '../document-controller/document-controller.ts';
import { GarbageRepository } from '../garbage-detector/garbage-repository/garbage-repository.ts';
import { createHttpFetcher, type HttpFetcher, literalAddress, nonPublicKind, Resolver } from '../http/http.ts';
import { idsInIndex } from '../inverted-index/ids-in-index.ts';
import { InvertedIndex } from '../inverted-index/inverted-index.ts';
import type { Database } from '../kit/sqlite.ts';
import { LinkGraph } from '../link-graph/link-graph.ts';
import type { HttpResponse } from '../model/fetch.ts';
import type { RobotsDecision } from '../model/robots.ts';
import { Repository } from '../repository/repository.ts';
import { PageChecks } from '../updating/page-checks.ts';
import { ToldSources } from '../updating/told-sources.ts';
import type { CompiledKeyRules } from '../url/url.ts';
import { AnalysisPool } from './analysis-pool.ts';
import { asUnable, openForWriting, type WritableFolder } from './collection.ts';
import { conclude, type NoPage } from './conclude.ts';
import { ReportCounter } from './crawl-report.ts';
import type { CrawlRequest, RunEnvironment } from './crawl-run.ts';
import { ticketOf } from './crawl-ticket.ts';
import type { CrawlTicket, ReadPage, Settled } from './crawl-types.ts';
import { dismissed, networkFailure, putBack, refusedAddress, refusedByRobots, unreachable } from './dismissals.ts';
import { fetchStep } from './fetch-step.ts';
import { modelVersions } from './judging.ts';
import { JudgingLoad } from './judging-load.ts';
import { openRobots } from './open-robots.ts';
import * as options from './options.ts';
import { type PageRule, PageRules } from './page-rules.ts';
import { PageSteps } from './page-steps.ts';
import { leadsBack, redirectsBefore } from './redirect-chains.ts';
import { PendingMoves } from './regroup.ts';
import { Runs, type StoredSeed } from './runs.ts';
import { SEED_PRIORITY, seedCandidates } from './seed-candidates.ts';
import { newEntries, settleBatch } from './settle-step.ts';

/** All parts of a crawl on one data folder, and the steps that the loop calls. */
export class CrawlMachine {
  readonly config: Config;
  readonly runs: Runs;
  readonly counter = new ReportCounter();
  readonly database: Database;
  readonly visited: VisitedUrls;
  readonly frontier: Frontier;
  readonly repository: Repository;
  readonly graph: LinkGraph;
  readonly index: InvertedIndex;
  readonly garbage: GarbageRepository;
  /** What fetching pages again has told. */
  readonly checks: PageChecks;
  readonly told: ToldSources;
  readonly controller: DocumentController;
  readonly rules: PageRules;
  readonly robots: RobotsAnalyser;
  readonly fetcher: HttpFetcher;
  readonly keyRules: CompiledKeyRules;
  readonly pool: AnalysisPool;
  readonly #folder: WritableFolder;
  readonly #request: CrawlRequest;
  readonly #environment: RunEnvironment;
  readonly #resolver: Resolver;
  #validator: UrlValidator | undefined;
  #pages: PageSteps | undefined;
  #run = 0;
  #startedAt = 0;
  #judgedBy = '';
  #avoidedBefore = 0;
  #leastPriority = Number.NEGATIVE_INFINITY;
  readonly #answered = new Set<number>();
  readonly #hops: Settled[] = [];
  readonly #moves = new PendingMoves();

  constructor(folder: WritableFolder, request: CrawlRequest, environment: RunEnvironment) {
    const { config, now } = environment;
    const { database, dataDir } = folder;
    this.#folder = folder;
    this.#request = request;
    this.#environment = environment;
    this.config = config;
    this.database = database;
    this.runs = new Runs(database);
    this.visited = new VisitedUrls(database, options.visitedOptionsOf(config));
    this.frontier = new Frontier(database, options.frontierOptionsOf(config));
    this.repository = new Repository(database, options.repositoryOptionsOf(config, dataDir, now));
    this.graph = new LinkGraph(database, config.links);
    this.index = new InvertedIndex(database, options.indexOptionsOf(config));
    this.garbage = new GarbageRepository(database, config.garbage);
    this.checks = new PageChecks(database);
    this.told = new ToldSources(database);
    this.controller = new DocumentController(database, config.duplicates);
    this.rules = new PageRules(database);
    this.keyRules = options.keyRulesOf(config);
    this.#resolver = new Resolver(options.resolverOptionsOf(config, now));
    this.fetcher = createHttpFetcher(options.httpOptionsOf(config, now), this.#resolver);
    this.robots = openRobots(environment, { database, counter: this.counter, fetcher: this.fetcher });
    this.pool = new AnalysisPool(options.analysisSetupOf(config, dataDir), config.crawl.workers);
  }

  readonly stamp = (): Stamp => ({ now: this.#environment.now(), run: this.#run });

  get validator(): UrlValidator {
    if (this.#validator === undefined) throw new Error('begin() comes first');
    return this.#validator;
  }

  get now(): number {
    return this.#environment.now();
  }

  /** Takes up what an interrupted run left and enters the seeds. */
  async begin(seeds: readonly StoredSeed[], run: number): Promise<void> {
    this.#run = run;
    const { config } = this;
    const request = this.#request;
    this.#validator = new UrlValidator(options.validatorOptionsOf(config, request, seeds), {
      isCondemned: (host, _domain, path) => condemnedAs(this.garbage.isCondemned(host, path, this.now)?.sentence),
      ruleOf: (key) => this.rules.ruleOf(key),
      now: this.#environment.now,
    });
    this.#startedAt = this.now;
    const models = modelVersions(this.#folder.dataDir);
    this.#judgedBy = `${request.level ?? config.crawl.level} ${models.spam} ${models['soft-404']}`;
    this.#pages = new PageSteps({
      ...{
        config,
        controller: this.controller,
        moves: this.#moves,
        validator: this.validator,
        visited: this.visited,
        spamDomains: this.garbage,
        pool: this.pool,
        keyRules: this.keyRules,
      },
      level: request.level ?? config.crawl.level,
      load: new JudgingLoad(config.judging, this.#environment.now),
      garbage: request.garbage,
      listedHosts: new Set(seeds.map((seed) => seed.host)),
      judgedBy: this.#judgedBy,
      ruleOf: (key) => this.rules.ruleOf(key),
      now: this.#environment.now,
    });
    await this.garbage.protectMany(
      seeds.map((seed) => seed.host),
      'seed',
      this.now,
    );
    this.#avoidedBefore = await this.#avoided();
    await this.#resume();
    await this.#enterSeeds(seeds.filter((seed) => request.seeds.length === 0 || request.seeds.includes(seed.url)));
  }

  async #resume(): Promise<void> {
    await this.database.asyncTransaction(async () => {
      await this.frontier.resume();
      const left = await this.visited.resume(this.stamp());
      await this.frontier.putMany(
        left.map(({ id, hostId, priority, state }) => ({
          urlId: id,
          hostId,
          priority,
          deferred: state === 'deferred',
        })),
      );
    });
  }

  async #enterSeeds(seeds: readonly StoredSeed[]): Promise<void> {
    const candidates = seedCandidates(seeds, { keyRules: this.keyRules, validator: this.validator });
    await this.database.asyncTransaction(async () => {
      const seen = await this.visited.seeMany(candidates, this.stamp());
      const again = this.#request.seeds.length > 0;
      const entries = seen.filter(({ news }, i) => candidates[i]?.state === 'queued' && (news !== 'known' || again));
      await this.frontier.putMany(entries.map(({ id, hostId }) => ({ urlId: id, hostId, priority: SEED_PRIORITY })));
    });
  }

  /** From now on URLs of lower priority stay in the frontier. */
  takeOnly(leastPriority: number): void {
    this.#leastPriority = leastPriority;
  }

  steps(): CrawlSteps<CrawlTicket, ReadPage, Settled> {
    const pages = this.#pages;
    if (pages === undefined) throw new Error('begin() comes first');
    return {
      take: (limit) => this.#take(limit),
      dueIn: () => this.#dueIn(),
      recheck: (ticket) => this.#recheck(ticket),
      robots: (ticket) => this.#decide(ticket),
      refuse: (ticket, decision) => this.#refuse(ticket, decision),
      fetch: (ticket) => this.#fetch(ticket),
      conclude: (ticket, outcome) => this.#conclude(ticket, outcome, pages),
      read: (_ticket, response) => this.#read(response),
      exclude: (ticket, page) => pages.exclude(ticket, page),
      compare: (ticket, page) => pages.compare(ticket, page),
      copy: (ticket, page, relation) => pages.copy(ticket, page, relation),
      judge: (ticket, page) => pages.judge(ticket, page),
      settle: (batch) => this.#settle(batch),
    };
  }

  /** Milliseconds between two requests to a host whose robots.txt asks for `crawlDelay` seconds. */
  delayMs(crawlDelay: number | null): number {
    const { delaySeconds, maxCrawlDelaySeconds } = this.config.crawl;
    return Math.max(delaySeconds, Math.min(crawlDelay ?? 0, maxCrawlDelaySeconds)) * 1000;
  }

  /** URLs found elsewhere than on a page. */
  async enterFound(candidates: readonly Candidate[]): Promise<void> {
    await this.database.asyncTransaction(async () => {
      const seen = await this.visited.seeMany(candidates, this.stamp());
      await this.frontier.putMany(newEntries(candidates, seen));
    });
  }

  hasAnswered(hostId: number): boolean {
    return this.#answered.has(hostId) || (this.visited.hosts.get(hostId)?.fetches ?? 0) > 0;
  }

  progressLine(): string {
    const { queued, deferred, waiting, inFlight } = this.frontier.sizes();
    const { fetched, kept } = this.counter;
    return `${fetched} answers, ${kept} kept, ${queued + deferred + waiting} waiting, ${inFlight} under way`;
  }

  /** The run's figures are complete: distinct URLs that are avoided now and were not before. */
  async finishCounts(): Promise<void> {
    const avoided = (await this.#avoided()) - this.#avoidedBefore;
    this.counter.addLinks({ avoided: Math.max(0, avoided), deferred: 0, refused: {} });
  }

  async close(): Promise<void> {
    await this.fetcher.close();
    await this.pool.close();
    await this.repository.close();
    this.#folder.close();
  }

  async #avoided(): Promise<number> {
    const counts = await this.visited.counts();
    return counts.filter((count) => count.state === 'avoided').reduce((sum, { count }) => sum + count, 0);
  }

  async #take(limit: number): Promise<readonly CrawlTicket[]> {
    const tickets = await this.#handOut(limit);
    const urls = await this.visited.startMany(
      tickets.map((ticket) => ticket.urlId),
      this.stamp(),
    );
    const indexed = idsInIndex(
      this.database,
      urls.map((url) => url.id),
    );
    return urls.map((url, i) => {
      const { deferred = false, priority = url.priority } = tickets[i] ?? {};
      return { ...ticketOf(url, { deferred, isIndexed: indexed.has(url.id) }), priority };
    });
  }

  /** The frontier hands out the best first, so what is put back shows that nothing better may be asked for now. */
  async #handOut(limit: number): Promise<readonly Ticket[]> {
    const tickets = await this.frontier.takeMany({ limit, now: this.now });
    const others = tickets.filter((ticket) => ticket.priority < this.#leastPriority);
    if (others.length === 0) return tickets;
    await this.database.asyncTransaction(async () => {
      await this.frontier.releaseMany(
        others.map(({ hostId }) => ({ hostId, requests: 0 })),
        this.now,
      );
      await this.frontier.putMany(others);
    });
    return tickets.filter((ticket) => ticket.priority >= this.#leastPriority);
  }

  #dueIn(): number | undefined {
    const due = this.frontier.nextDueAt(this.now);
    if (due === undefined) return undefined;
    const wait = Math.max(0, due - this.now);
    return wait > this.config.crawl.maxIdleSeconds * 1000 ? undefined : wait;
  }

  async #recheck(ticket: CrawlTicket): Promise<Settled | undefined> {
    if (!this.#answered.has(ticket.hostId)) {
      const address = await this.#addressOf(ticket.host);
      if (address !== undefined && !this.config.http.allowPrivate && nonPublicKind(address) !== undefined) {
        await this.#freeHost(ticket);
        return refusedAddress(ticket, address);
      }
      if (address !== undefined && (await this.frontier.setAddress(ticket.hostId, address, this.now)) === 'put-back') {
        return putBack(ticket);
      }
    }
    const checked = ticket.depth === 0 ? undefined : this.validator.recheck(ticket.key);
    if (checked === undefined || checked.kind === 'accept') return undefined;
    if (checked.kind === 'deferred' && ticket.deferred) return undefined;
    await this.#freeHost(ticket);
    return dismissed(ticket, checked);
  }

  /** The literal address, or the first one that the name resolves to. */
  async #addressOf(host: string): Promise<string | undefined> {
    return literalAddress(host) ?? (await this.#resolver.lookup(host)).addresses[0];
  }

  /** The URL was not requested, so its host may be asked for another one at once. */
  async #freeHost(ticket: CrawlTicket): Promise<void> {
    await this.frontier.releaseMany([{ hostId: ticket.hostId, requests: 0 }], this.now);
  }

  async #decide(ticket: CrawlTicket): Promise<RobotsDecision> {
    const decision = await this.robots.decide(ticket.url);
    if (decision.crawlDelay !== null) {
      const seconds = Math.min(decision.crawlDelay, this.config.crawl.maxCrawlDelaySeconds);
      await this.frontier.setDelay(ticket.hostId, seconds * 1000);
    }
    return decision;
  }

  async #refuse(ticket: CrawlTicket, decision: RobotsDecision): Promise<Settled> {
    await this.#freeHost(ticket);
    const passing = decision.retryAt !== undefined && !this.hasAnswered(ticket.hostId);
    const failure = passing ? networkFailure(decision.because) : undefined;
    return failure === undefined ? refusedByRobots(ticket, decision) : unreachable(ticket, failure);
  }

  async #fetch(ticket: CrawlTicket): ReturnType<CrawlSteps<CrawlTicket, ReadPage, Settled>['fetch']> {
    const { visited, validator, robots, keyRules, fetcher } = this;
    const fetched = await fetchStep(ticket, { fetcher, visited, validator, robots, keyRules, stamp: this.stamp });
    const { outcome } = fetched;
    const response = 'response' in outcome ? outcome.response : undefined;
    const isBusy =
      outcome.kind === 'blocked'
        ? outcome.why === 'rate-limited'
        : outcome.kind === 'failed' && response?.status === 503;
    const backOff = isBusy && 'retryAt' in outcome ? { retryAt: outcome.retryAt } : isBusy ? {} : undefined;
    const requests = response?.requests ?? ('requests' in outcome ? outcome.requests : 0);
    await this.frontier.releaseMany([{ hostId: ticket.hostId, requests, backOff }], this.now);
    if (response !== undefined) {
      this.#answered.add(ticket.hostId);
      if (response.address !== undefined) await this.frontier.setAddress(ticket.hostId, response.address, this.now);
    }
    this.#hops.push(...fetched.hops);
    return fetched;
  }

  async #read(response: HttpResponse): Promise<ReadPage> {
    const { handle, reading } = await this.pool.read(response);
    return {
      handle,
      reading,
      status: response.status,
      fetchedAt: response.startedAt,
      bytes: response.wireBytes,
      etag: response.headers['etag'],
      lastModified: response.headers['last-modified'],
    };
  }

  async #settle(batch: readonly Settled[]): Promise<void> {
    const { database, visited, frontier, repository, graph, index, garbage, checks, told, controller, counter, stamp } =
      this;
    const ruleOf = (key: string): PageRule | undefined => this.rules.ruleOf(key);
    this.rules.refresh();
    const run = { judgedBy: this.#judgedBy, startedAt: this.#startedAt, stamp, ruleOf };
    const stores = {
      database,
      visited,
      frontier,
      repository,
      graph,
      index,
      garbage,
      checks,
      told,
      controller,
      counter,
    };
    await settleBatch([...this.#hops.splice(0), ...batch], { ...stores, ...run, moves: this.#moves });
  }

  async #conclude(ticket: CrawlTicket, outcome: NoPage, pages: PageSteps): Promise<Settled> {
    const { retries, retryMs } = this.config.crawl;
    const { maxRedirects } = this.config.http;
    const chains = { visited: this.visited, keyRules: this.keyRules, maxRedirects };
    return conclude(ticket, outcome, {
      retries,
      retryMs,
      now: this.#environment.now,
      hasAnswered: (hostId) => this.hasAnswered(hostId),
      linkTo: (from, target) => pages.redirectLink(from, target),
      leadsBack: outcome.kind === 'redirect' && (await leadsBack(ticket, outcome.target, chains)),
      isTooLong: outcome.kind === 'redirect' && (await redirectsBefore(ticket, chains)) >= maxRedirects,
    });
  }
}

/** Above every priority that a link or a seed gets: pages to be crawled again. */
export const RECRAWL_PRIORITY = 1_000_000;

function condemnedAs(sentence: 'spam' | 'possible-soft-404' | undefined): 'spam' | 'soft-404' | undefined {
  return sentence === 'possible-soft-404' ? 'soft-404' : sentence;
}

export async function openMachine(request: CrawlRequest, environment: RunEnvironment): Promise<CrawlMachine> {
  const folder = openForWriting(environment.dataDir, environment.config);
  try {
    return new CrawlMachine(folder, request, environment);
  } catch (error) {
    folder.close();
    throw asUnable(error, environment.dataDir);
  }
}
