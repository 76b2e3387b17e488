import { UnableError } from '../config/errors.ts';
import { type FocusSteps, focusedCrawl } from '../focused-crawling/focused-crawl.ts';
import { type LearnedWord, learnFrequentWords } from '../focused-crawling/keywords/keywords.ts';
import { type FoundInterface, findInterfaces } from '../focused-crawling/search-interface/search-interface.ts';
import { SeedStore } from '../focused-crawling/seeds/seeds.ts';
import { isDiskFull } from '../kit/sqlite.ts';
import type { StoppedReason } from '../model/lists.ts';
import type { FocusReport, SearchInterface } from '../model/reports.ts';
import { hostName, resolveUrl } from '../url/url.ts';
import { asUnable } from './collection.ts';
import { openMachine } from './crawl-machine.ts';
import type { CrawlRequest, RunEnvironment } from './crawl-run.ts';
import { requireContact } from './fetch-once.ts';
import { QueryFiring } from './focus-query.ts';
import { FocusSession } from './focus-session.ts';
import type { FocusRequest, FocusSite, TriedInterface } from './focus-types.ts';
import { refreshIndex } from './index-refresh.ts';

/**
 * Finds the topic's pages on the seeds' sites; they are judged, stored and indexed like any crawled page. Everything
 * settled is committed when it returns. Throws {@link UnableError} when the folder cannot be written or the disk is full.
 */
export async function runFocus(request: FocusRequest, environment: RunEnvironment): Promise<FocusReport> {
  requireContact(environment.config);
  const startedAt = environment.now();
  const machine = await openMachine(crawlRequestOf(request), environment);
  try {
    const run = machine.runs.begin('focus', startedAt);
    const seeds = request.seeds.map((url) => ({ url, host: hostName(url), scope: 'host' as const }));
    await machine.begin(seeds, run);
    const session = new FocusSession(machine, request, environment);
    const query = new FocusedQuery(session);
    const stopped = request.strategy === 'query' ? await query.run() : await walk(session, query);
    await refreshIndex(machine, environment);
    await machine.finishCounts();
    await new SeedStore(machine.database).markRun(request.seeds, startedAt);
    const seconds = (environment.now() - startedAt) / 1000;
    machine.runs.end(run, machine.counter.report(stopped, seconds), environment.now());
    return reportOf(session, query, { stopped, seconds });
  } catch (error) {
    if (isDiskFull(error)) throw new UnableError('the disk is full: what was committed is safe; free some space');
    throw asUnable(error, environment.dataDir);
  } finally {
    await machine.close();
  }
}

/** Strategy `query` goes as far as the results, one step from the seed. */
function crawlRequestOf(request: FocusRequest): CrawlRequest {
  return {
    seeds: request.seeds,
    scope: 'host',
    include: [],
    exclude: [],
    maxPages: request.maxPages,
    maxDepth: request.strategy === 'query' ? 1 : request.maxDepth,
    seconds: undefined,
    level: undefined,
    garbage: undefined,
  };
}

/** The baseline: every page of the sites, those nearest to the seeds first. */
async function walk(session: FocusSession, query: FocusedQuery): Promise<StoppedReason> {
  await session.crawl('frontier-empty');
  for (const site of session.sites) await query.learn(site);
  return session.stopped ?? 'frontier-empty';
}

/** The paper's steps on the machine. */
class FocusedQuery implements FocusSteps<FocusSite, TriedInterface> {
  readonly tried: TriedInterface[] = [];
  readonly learned = new Map<string, LearnedWord>();
  readonly #session: FocusSession;
  readonly #firing: QueryFiring;

  constructor(session: FocusSession) {
    this.#session = session;
    this.#firing = new QueryFiring(session);
  }

  async run(): Promise<StoppedReason> {
    const { top, learnRounds } = this.#session.machine.config.focus;
    return await focusedCrawl(this, {
      keywords: keywordsOf(this.#session.request),
      top: this.#session.request.top ?? top,
      rounds: this.#session.request.learn === 'off' ? 0 : learnRounds,
    });
  }

  async visitSeeds(): Promise<readonly FocusSite[]> {
    const { machine, request } = this.#session;
    for (const seed of request.seeds) {
      const resolved = resolveUrl(seed, undefined, machine.keyRules);
      const row = 'reason' in resolved ? undefined : await machine.visited.find(resolved.key, resolved.host);
      if (row?.state === 'refused') this.#session.note(`${seed} is not fetched: ${row.reason ?? 'refused'}`);
      else if (row !== undefined) this.#session.expect([row.id]);
    }
    await this.#session.crawl('expected');
    return this.#session.sites;
  }

  async findInterfaces(site: FocusSite): Promise<readonly TriedInterface[]> {
    const faces = distinct(findInterfaces(site.page).map((found) => describe(site, found)));
    if (faces.length === 0) this.#session.note(`${site.host}: no search interface on the seed page`);
    this.tried.push(...faces);
    return faces.filter((face) => face.found.kind !== 'browser');
  }

  fire(...asked: Parameters<QueryFiring['fire']>): ReturnType<QueryFiring['fire']> {
    return this.#firing.fire(...asked);
  }

  async crawl(_site: FocusSite, results: Parameters<FocusSteps<FocusSite, TriedInterface>['crawl']>[1]): Promise<void> {
    await this.#session.enter(results, 'form');
    await this.#session.crawl('expected');
  }

  async learn(site: FocusSite): Promise<readonly string[]> {
    const { machine, request } = this.#session;
    if (request.learn === 'off') return [];
    const { learnPages, learnWords } = machine.config.focus;
    const best = this.#session.relevant().filter((page) => page.host === site.host);
    const ids = best.slice(0, learnPages).map((page) => page.id);
    const texts = await machine.repository.pages.textOf(ids);
    const languages = new Map((await machine.repository.pages.getMany(ids)).map((page) => [page.id, page.language]));
    const learned = learnFrequentWords(
      [...texts].map(([id, text]) => ({ text, language: languages.get(id) ?? 'und' })),
      { known: [...keywordsOf(request), ...this.learned.keys()], count: learnWords },
    );
    for (const word of learned) this.learned.set(word.word, word);
    return learned.map(({ word }) => word);
  }

  stopped(): StoppedReason | undefined {
    return this.#session.look();
  }
}

function keywordsOf(request: FocusRequest): readonly string[] {
  return [...new Set(request.categories.flatMap((category) => category.keywords))];
}

function describe(site: FocusSite, found: FoundInterface): TriedInterface {
  const base = { site: site.host, method: 'GET', state: 'found' };
  const report = ((): SearchInterface => {
    switch (found.kind) {
      case 'form': {
        const { form, field } = found;
        const action = URL.parse(form.action ?? '', site.page.baseUrl ?? site.page.url)?.href ?? '';
        return { ...base, kind: 'form', method: form.method.toUpperCase(), action, field };
      }
      case 'opensearch':
        return { ...base, kind: 'opensearch', action: found.description, field: 'searchTerms' };
      case 'search-action':
        return { ...base, kind: 'search-action', action: found.template, field: found.parameter };
      case 'browser':
        return {
          ...base,
          ...{ kind: 'browser', action: '', field: found.field, state: 'not-tried' },
          reason: 'it works through JavaScript, and queries through a browser are not built',
        };
    }
  })();
  return { found, nonsense: undefined, report };
}

/** One of each kind, action and field: sites repeat their form above and below. */
function distinct(faces: readonly TriedInterface[]): readonly TriedInterface[] {
  const keyOf = ({ report }: TriedInterface): string => JSON.stringify([report.kind, report.action, report.field]);
  return [...new Map(faces.toReversed().map((face) => [keyOf(face), face])).values()].toReversed();
}

function reportOf(
  session: FocusSession,
  query: FocusedQuery,
  end: { readonly stopped: StoppedReason; readonly seconds: number },
): FocusReport {
  return {
    requests: session.requests,
    fetched: session.machine.counter.fetched,
    seconds: end.seconds,
    interfaces: query.tried.map(({ report }) =>
      report.state === 'found'
        ? { ...report, state: 'not-tried', reason: 'another interface of the site was used' }
        : report,
    ),
    relevant: session.relevant().map(({ id, url, title, depth, fitness }) => ({
      url,
      title,
      depth,
      foundBy: [...(session.foundBy.get(id) ?? (depth === 0 ? [] : (['link'] as const)))],
      keywords: fitness.keywords,
      fitness: { maxAncestor: fitness.maxAncestor, kLevel: fitness.kLevel },
    })),
    harvest: [...session.harvest, [session.requests, session.relevant().length]],
    learnedKeywords: [...query.learned.values()],
    stopped: end.stopped,
  };
}
