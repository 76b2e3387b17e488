import type { Config } from '../config/config.ts';
import { Frontier } from '../crawling/frontier/frontier.ts';
import { type VisitedUrl, VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import { DocumentController } from '../document-controller/document-controller.ts';
import { InvertedIndex } from '../inverted-index/inverted-index.ts';
import type { Database } from '../kit/sqlite.ts';
import { LinkGraph } from '../link-graph/link-graph.ts';
import type { UrlState } from '../model/lists.ts';
import { Repository } from '../repository/repository.ts';
import { hostName, resolveUrl } from '../url/url.ts';
import { asUnable, openForReading, openForShortWrites, openForWriting } from './collection.ts';
import { ReportCounter } from './crawl-report.ts';
import * as options from './options.ts';
import { type PageRule, PageRules, type RulePattern, readRules } from './page-rules.ts';
import { commitMoves, PendingMoves, type RegroupingParts } from './regroup.ts';
import { Runs } from './runs.ts';

/** A rule for people. */
export interface RuleRow {
  readonly rule: PageRule;
  /** A URL's key, or a prefix followed by '*'. */
  readonly pattern: string;
  readonly since: string;
}

export interface RuleRequest {
  readonly rule: PageRule;
  readonly patterns: readonly RulePattern[];
  readonly dataDir: string;
  readonly config: Config;
  readonly now: number;
}

export interface RuleOutcome {
  /** Known URLs that the patterns match. */
  readonly matched: number;
  /** Those whose state changed with the command. */
  readonly changed: number;
}

/**
 * What an operator wrote, as patterns on keys. A trailing '/' or '*' means everything below; without a scheme both
 * http and https are meant. undefined when it is no URL.
 */
export function rulePatterns(text: string, config: Config, how: 'as-written' | 'exact'): RulePattern[] | undefined {
  const isPrefix = /\*$/.test(text);
  const bare = text.replace(/\*$/, '');
  const spellings = /^https?:\/\//i.test(bare) ? [bare] : [`http://${bare}`, `https://${bare}`];
  const patterns: RulePattern[] = [];
  for (const spelling of spellings) {
    const resolved = resolveUrl(spelling, undefined, options.keyRulesOf(config));
    if ('reason' in resolved || resolved.host === '' || /\s/.test(bare)) return undefined;
    const below = how === 'as-written' && (isPrefix || resolved.key.endsWith('/'));
    patterns.push({ pattern: resolved.key, below });
  }
  return patterns;
}

export function listRules(dataDir: string, config: Config): RuleRow[] {
  const database = openForReading(dataDir, config);
  try {
    return readRules(database).map(({ rule, pattern, below, since }) => ({
      rule,
      pattern: below ? `${pattern}*` : pattern,
      since: new Date(since).toISOString(),
    }));
  } finally {
    database.close();
  }
}

/** Hides at once, also beside a writer at work: it takes the rule up with its next commit. */
export async function hidePages(request: RuleRequest): Promise<RuleOutcome> {
  const { dataDir, config, patterns, now } = request;
  const database = openForShortWrites(dataDir, config);
  try {
    const visited = new VisitedUrls(database, options.visitedOptionsOf(config));
    const index = new InvertedIndex(database, options.indexOptionsOf(config));
    const rules = new PageRules(database);
    const run = lastRun(database);
    for (const pattern of patterns) rules.put(pattern, 'hide', now);
    return await overMatches(patterns, visited, async (urls) => {
      const shown = urls.filter(({ key, state }) => state === 'kept' && rules.ruleOf(key) === 'hide');
      const ids = shown.map(({ id }) => id);
      await database.asyncTransaction(async () => {
        await index.removeMany(ids);
        await visited.settleMany(
          ids.map((id) => ({ id, state: 'hidden', reason: 'hide' })),
          { now, run },
        );
      });
      return ids.length;
    });
  } catch (error) {
    throw asUnable(error, dataDir);
  } finally {
    database.close();
  }
}

/** Drops what is stored of the pages and keeps them from being requested again. Needs the writer's lock. */
export async function forgetPages(request: RuleRequest): Promise<RuleOutcome> {
  return await withStores(request, async (stores) => {
    const { rules, visited, database } = stores;
    for (const pattern of request.patterns) rules.put(pattern, 'forget', request.now);
    return await overMatches(request.patterns, visited, async (urls) => {
      const ids = urls.filter(({ key }) => rules.ruleOf(key) === 'forget').map(({ id }) => id);
      await database.asyncTransaction(() => forget(ids, stores));
      return ids.length;
    });
  });
}

/** Keeps the pages whatever the detector says; those that were judged garbage are fetched anew. */
export async function pinPages(request: RuleRequest): Promise<RuleOutcome> {
  return await withStores(request, async (stores) => {
    for (const pattern of request.patterns) stores.rules.put(pattern, 'pin', request.now);
    return await requeue(request.patterns, stores, ({ key, state }) => {
      return (state === 'garbage' || state === 'avoided') && stores.rules.ruleOf(key) === 'pin';
    });
  });
}

/** Takes rules back; undefined when there was none. What they kept out is fetched anew by the next crawl. */
export async function undoRule(request: RuleRequest): Promise<RuleOutcome | undefined> {
  return await withStores(request, async (stores) => {
    const { rules } = stores;
    const removed = request.patterns.filter((pattern) => rules.remove(pattern, request.rule));
    if (removed.length === 0) return undefined;
    if (request.rule === 'pin') return { matched: 0, changed: 0 };
    return await requeue(request.patterns, stores, ({ key, state }) => {
      const rule = rules.ruleOf(key);
      return state === 'hidden' && rule !== 'hide' && rule !== 'forget';
    });
  });
}

interface RuleStores extends RegroupingParts {
  readonly database: Database;
  readonly rules: PageRules;
  readonly graph: LinkGraph;
}

async function withStores<T>(request: RuleRequest, work: (stores: RuleStores) => Promise<T>): Promise<T> {
  const { dataDir, config, now } = request;
  const folder = openForWriting(dataDir, config);
  try {
    const { database } = folder;
    const repository = new Repository(
      database,
      options.repositoryOptionsOf(config, dataDir, () => now),
    );
    const stamp = { now, run: lastRun(database) };
    const stores: RuleStores = {
      database,
      repository,
      rules: new PageRules(database),
      visited: new VisitedUrls(database, options.visitedOptionsOf(config)),
      frontier: new Frontier(database, options.frontierOptionsOf(config)),
      graph: new LinkGraph(database, config.links),
      index: new InvertedIndex(database, options.indexOptionsOf(config)),
      controller: new DocumentController(database, config.duplicates),
      counter: new ReportCounter(),
      startedAt: Number.POSITIVE_INFINITY,
      stamp: () => stamp,
    };
    try {
      return await work(stores);
    } finally {
      await repository.close();
    }
  } catch (error) {
    throw asUnable(error, dataDir);
  } finally {
    folder.close();
  }
}

async function forget(ids: readonly number[], stores: RuleStores): Promise<void> {
  const { visited, frontier, graph, index, repository, controller, stamp } = stores;
  await frontier.removeMany(ids);
  await index.removeMany(ids);
  await repository.removeMany(ids);
  await graph.removeMany(ids);
  await visited.settleMany(
    ids.map((id) => ({ id, state: 'hidden', reason: 'forget' })),
    stamp(),
  );
  const moves = new PendingMoves();
  moves.note(controller.remove(ids));
  await commitMoves(moves, stores);
}

/** Matching URLs that `wants` picks go back into the frontier. */
async function requeue(
  patterns: readonly RulePattern[],
  { visited, frontier, database, stamp }: RuleStores,
  wants: (url: { readonly key: string; readonly state: UrlState }) => boolean,
): Promise<RuleOutcome> {
  return await overMatches(patterns, visited, async (urls) => {
    const wanted = urls.filter(wants);
    await database.asyncTransaction(async () => {
      await visited.settleMany(
        wanted.map(({ id }) => ({ id, state: 'queued' })),
        stamp(),
      );
      await frontier.putMany(wanted.map(({ id, hostId, priority }) => ({ urlId: id, hostId, priority })));
    });
    return wanted.length;
  });
}

/** Runs `change` over the known URLs that the patterns match, some hundred at a time; it says how many it changed. */
async function overMatches(
  patterns: readonly RulePattern[],
  visited: VisitedUrls,
  change: (urls: readonly VisitedUrl[]) => Promise<number>,
): Promise<RuleOutcome> {
  let matched = 0;
  let changed = 0;
  for (const pattern of patterns) {
    for await (const urls of matchesOf(pattern, visited)) {
      matched += urls.length;
      changed += await change(urls);
    }
  }
  return { matched, changed };
}

const BATCH = 500;

async function* matchesOf({ pattern, below }: RulePattern, visited: VisitedUrls): AsyncGenerator<VisitedUrl[]> {
  const host = hostName(pattern);
  if (!below) {
    const url = await visited.find(pattern, host);
    if (url !== undefined) yield [url];
    return;
  }
  const hostId = visited.hosts.find(host);
  if (hostId === undefined) return;
  for (let after: string | undefined; ; ) {
    const urls = await visited.listHost(hostId, after, BATCH);
    const last = urls.at(-1);
    if (last === undefined) return;
    after = last.key;
    const matching = urls.filter(({ key }) => key.startsWith(pattern));
    if (matching.length > 0) yield matching;
  }
}

function lastRun(database: Database): number {
  return new Runs(database).last()?.id ?? 0;
}
