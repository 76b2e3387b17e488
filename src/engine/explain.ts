import type { Config } from '../config/config.ts';
import { parseRobots } from '../crawling/robots-analyser/robots-analyser.ts';
import { type VisitedUrl, VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import { GarbageRepository } from '../garbage-detector/garbage-repository/garbage-repository.ts';
import type { Database } from '../kit/sqlite.ts';
import type { UrlHistory } from '../model/reports.ts';
import { StoredPages } from '../repository/stored-pages.ts';
import { type PageCheck, readChecks } from '../updating/page-checks.ts';
import { resolveUrl } from '../url/url.ts';
import { asUnable, openForReading } from './collection.ts';
import { keyRulesOf, repositoryOptionsOf, visitedOptionsOf } from './options.ts';
import { RobotsStore } from './robots-store.ts';

/** The life of a URL; undefined when it was never seen. Throws {@link UnableError} when there is no collection. */
export async function explainUrl(url: string, dataDir: string, config: Config): Promise<UrlHistory | undefined> {
  const resolved = resolveUrl(/^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`, undefined, keyRulesOf(config));
  if ('reason' in resolved) return undefined;
  const database = openForReading(dataDir, config);
  try {
    const visited = new VisitedUrls(database, visitedOptionsOf(config));
    const row = await visited.find(resolved.key, resolved.host);
    return row === undefined ? undefined : await historyOf(row, { visited, database, dataDir, config });
  } catch (error) {
    throw asUnable(error, dataDir);
  } finally {
    database.close();
  }
}

interface Sources {
  readonly visited: VisitedUrls;
  readonly database: Database;
  readonly dataDir: string;
  readonly config: Config;
}

async function historyOf(row: VisitedUrl, sources: Sources): Promise<UrlHistory> {
  const { visited } = sources;
  const parent = row.foundFrom === undefined ? undefined : await visited.get(row.foundFrom);
  const copyOf = row.answer?.duplicateOf === undefined ? undefined : await visited.get(row.answer.duplicateOf);
  const transitions = await visited.history(row.id);
  const reasons = await reasonsOf(row, sources);
  return {
    url: row.url,
    key: row.key,
    state: row.state,
    ...(row.reason === undefined ? {} : { reason: row.reason }),
    ...(row.answer?.verdict === undefined ? {} : { verdict: row.answer.verdict }),
    ...(copyOf === undefined ? {} : { duplicateOf: copyOf.url }),
    ...(reasons === undefined ? {} : { reasons }),
    depth: row.depth,
    foundFrom: parent === undefined ? [] : [parent.url],
    robots: await robotsLine(row, sources),
    domain: domainOf(row, sources),
    transitions: transitions.map(({ at, from, to, reason, run }) => ({
      at: new Date(at).toISOString(),
      from: from ?? null,
      to,
      ...(reason === undefined ? {} : { reason }),
      run,
    })),
    changes: changesOf(readChecks(sources.database, row.id)),
  };
}

/** When each change must have happened, and who told of it before the fetch that found it. */
function changesOf(checks: readonly PageCheck[]): UrlHistory['changes'] {
  return checks
    .filter(({ changed }) => changed)
    .map(({ since, at, parts, signals }) => ({
      notBefore: new Date(since).toISOString(),
      notAfter: new Date(at).toISOString(),
      parts,
      signal: Object.keys(signals).join(', ') || 'none',
    }));
}

/** Why the page was judged as it was. */
async function reasonsOf(
  row: VisitedUrl,
  { database, dataDir, config }: Sources,
): Promise<readonly string[] | undefined> {
  const pages = new StoredPages(database, repositoryOptionsOf(config, dataDir, Date.now));
  const [page] = await pages.detailsOf([row.id]);
  return page?.judgement?.reasons;
}

async function robotsLine(row: VisitedUrl, { database, config }: Sources): Promise<string> {
  const record = await new RobotsStore(database).load(new URL(row.url).origin);
  if (record === undefined) return 'robots.txt was not asked for yet';
  if (record.failingSince !== undefined) return record.because;
  const decision = parseRobots(record.body).decide(config.crawl.userAgentProduct, row.url);
  return `${decision.allowed ? 'allowed' : 'disallowed'}: ${decision.because}`;
}

function domainOf(row: VisitedUrl, { database, config }: Sources): UrlHistory['domain'] {
  const path = row.key.slice(row.key.indexOf('/', row.key.indexOf('://') + 3));
  const found = new GarbageRepository(database, config.garbage).isCondemned(row.host, path, Date.now());
  if (found === undefined) return {};
  return {
    listed: `${found.sentence}: ${found.why}`,
    ...(found.until === null ? {} : { until: new Date(found.until).toISOString() }),
  };
}
