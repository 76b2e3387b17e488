import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { messageOf, UsageError } from '../config/errors.ts';
import type { FrontierOptions } from '../crawling/frontier/frontier.ts';
import type { RobotsOptions } from '../crawling/robots-analyser/robots-analyser.ts';
import type { ValidatorOptions } from '../crawling/url-validator/url-validator.ts';
import type { VisitedUrlsOptions } from '../crawling/visited-urls/visited-urls.ts';
import {
  type HostsMap,
  type HttpOptions,
  parseHostsFile,
  proxyFromEnvironment,
  type ResolverOptions,
} from '../http/http.ts';
import type { IndexOptions } from '../inverted-index/inverted-index.ts';
import type { QueueLimits } from '../modification-detection/queue/report-buffer.ts';
import type { RequestProcessorOptions } from '../modification-detection/request-processor/request-processor.ts';
import { PAGE_OPTIONS, type PageOptions } from '../page/page-options.ts';
import type { RepositoryOptions } from '../repository/repository.ts';
import type { SearchOptions } from '../searching/search.ts';
import { type CompiledKeyRules, compileKeyRules, resolveUrl } from '../url/url.ts';
import type { AnalysisSetup } from './analysis.ts';
import type { CrawlRequest } from './crawl-run.ts';
import type { StoredSeed } from './runs.ts';
import { VERSION } from './version.ts';

/** The configuration as each box takes it: the one place where settings meet parts. */

/** 'winnow/1.2.3 (+contact)'. */
export function userAgentOf(config: Config): string {
  const { userAgent, userAgentProduct, contact } = config.crawl;
  if (userAgent !== '') return userAgent;
  const where = contact === '' ? '' : ` (+${/^\S+@\S+$/.test(contact) ? `mailto:${contact}` : contact})`;
  return `${userAgentProduct}/${VERSION}${where}`;
}

export function keyRulesOf(config: Config): CompiledKeyRules {
  return compileKeyRules(config.keys);
}

function keyOf(url: string, config: Config): string {
  const resolved = resolveUrl(url, undefined, keyRulesOf(config));
  return 'reason' in resolved ? url : resolved.key;
}

export function httpOptionsOf(config: Config, now: () => number): HttpOptions {
  const { http, crawl } = config;
  return {
    userAgent: userAgentOf(config),
    acceptLanguage: http.acceptLanguage,
    connectTimeoutMs: http.connectTimeoutMs,
    extraCa: http.caFile === '' ? '' : readSetting(http.caFile, 'http.caFile'),
    acceptIncompleteChains: http.acceptIncompleteChains,
    connectionsPerOrigin: http.connectionsPerOrigin,
    maxIdleConnections: http.maxIdleConnections,
    keepAliveMs: http.keepAliveMs,
    maxHeaderBytes: http.maxHeaderBytes,
    allowPrivate: http.allowPrivate,
    proxy: proxyFromEnvironment(process.env),
    headersTimeoutMs: http.headersTimeoutMs,
    totalTimeoutMs: http.totalTimeoutMs,
    minBytesPerSecond: http.minBytesPerSecond,
    graceMs: http.graceMs,
    maxEncodedBytes: http.maxEncodedBytes,
    maxBodyBytes: http.maxBodyBytes,
    maxSitemapBytes: http.maxSitemapBytes,
    maxRobotsBytes: http.maxRobotsBytes,
    maxAnnouncedBytes: http.maxAnnouncedBytes,
    maxRedirects: http.maxRedirects,
    maxRobotsRedirects: http.maxRobotsRedirects,
    maxInFlight: crawl.concurrency * 2,
    maxRetryAfterMs: http.maxRetryAfterMs,
    now,
  };
}

export function resolverOptionsOf(config: Config, now: () => number): ResolverOptions {
  return { ...config.dns, hosts: hostsMapOf(config), now };
}

function hostsMapOf(config: Config): HostsMap {
  const file = config.http.hostsFile;
  if (file === '') return new Map();
  const parsed = parseHostsFile(readSetting(file, '--hosts'), file);
  const [problem] = parsed.problems;
  if (problem !== undefined) throw new UsageError(`--hosts: ${problem}`);
  return parsed.hosts;
}

function readSetting(file: string, setting: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${setting}: cannot read ${file}: ${messageOf(error)}`);
  }
}

export function robotsOptionsOf(config: Config): RobotsOptions {
  const { overrideHosts: _, ...times } = config.robots;
  return { ...times, agent: config.crawl.userAgentProduct, maxRedirects: config.http.maxRobotsRedirects };
}

export function frontierOptionsOf(config: Config): FrontierOptions {
  return {
    ...config.frontier,
    delayMs: config.crawl.delaySeconds * 1000,
    connectionsPerAddress: config.crawl.connectionsPerAddress,
  };
}

export function visitedOptionsOf(config: Config): VisitedUrlsOptions {
  return config.visited;
}

export function requestProcessorOptionsOf({ beacon, crawl }: Config): RequestProcessorOptions {
  const { maxVisitors, maxSites } = beacon;
  return {
    ...beacon,
    maxUrlLength: crawl.maxUrlLength,
    visitorLimit: { burst: beacon.visitorBurst, perSecond: beacon.visitorPerSecond, maxKeys: maxVisitors },
    siteLimit: { burst: beacon.siteBurst, perSecond: beacon.sitePerSecond, maxKeys: maxSites },
  };
}

/** The same before and after the commit. */
export function queueLimitsOf(config: Config): QueueLimits {
  return { perSite: config.beacon.maxQueuedPerSite, total: config.beacon.maxQueued };
}

export function indexOptionsOf(config: Config): IndexOptions {
  return config.index;
}

export function repositoryOptionsOf(config: Config, dataDir: string, now: () => number): RepositoryOptions {
  return {
    folder: join(dataDir, 'warc'),
    rollBytes: config.repository.warcRollBytes,
    software: `winnow/${VERSION}`,
    newId: randomUUID,
    now,
    maxBodyBytes: config.http.maxBodyBytes,
    quarantinePerDomainAndKind: config.repository.quarantinePerDomainAndKind,
  };
}

export function validatorOptionsOf(
  config: Config,
  request: Pick<CrawlRequest, 'scope' | 'include' | 'exclude' | 'maxDepth'>,
  seeds: readonly StoredSeed[],
): ValidatorOptions {
  return {
    scope: request.scope ?? seeds[0]?.scope ?? config.crawl.scope,
    seeds: seeds.map((seed) => keyOf(seed.url, config)),
    include: request.include,
    exclude: request.exclude,
    maxDepth: request.maxDepth ?? config.crawl.maxDepth,
    maxUrlLength: config.crawl.maxUrlLength,
    traps: config.traps,
  };
}

export function pageOptionsOf(config: Config): PageOptions {
  return { ...PAGE_OPTIONS, robotsToken: config.crawl.userAgentProduct };
}

export function analysisSetupOf(config: Config, dataDir: string): AnalysisSetup {
  return {
    pageOptions: pageOptionsOf(config),
    extractOptions: {
      keyRules: keyRulesOf(config),
      nofollow: config.crawl.nofollow,
      maxLinks: config.crawl.maxLinksPerPage,
      maxTextLength: config.crawl.maxAnchorLength,
    },
    detector: { modelFolder: join(dataDir, 'models'), ...config.detector },
    requestHeaders: [['User-Agent', userAgentOf(config)]],
    maxStoredText: config.crawl.maxStoredText,
  };
}

export function searchOptionsOf(config: Config): SearchOptions {
  const { relaxBelow, languageShare, snippetLength, facetValues } = config.search;
  return { ranking: config.ranking, relaxBelow, languageShare, snippetLength, facetValues };
}
