import type { Config } from '../config/config.ts';
import { UnableError } from '../config/errors.ts';
import { RobotsAnalyser } from '../crawling/robots-analyser/robots-analyser.ts';
import { createHttpFetcher, type HttpFetcher, Resolver } from '../http/http.ts';
import type { FetchOutcome } from '../model/fetch.ts';
import { httpOptionsOf, resolverOptionsOf, robotsOptionsOf } from './options.ts';

/** A fetcher for a few requests of a command. The caller closes it. */
export function openFetcher(config: Config, now: () => number): HttpFetcher {
  requireContact(config);
  return createHttpFetcher(httpOptionsOf(config, now), new Resolver(resolverOptionsOf(config, now)));
}

/** Outside private addresses the crawler must say whose it is. Throws {@link UnableError}. */
export function requireContact(config: Config): void {
  if (config.crawl.contact !== '' || config.http.allowPrivate) return;
  throw new UnableError(
    'no contact: site owners must be able to reach whoever crawls them. Add --contact with a mail address or URL, or set crawl.contact in the configuration file.',
  );
}

/** A robots analyser that remembers nothing after the command. */
export function analyserFor(fetcher: HttpFetcher, config: Config, now: () => number): RobotsAnalyser {
  return new RobotsAnalyser(robotsOptionsOf(config), {
    fetchRobots: (request) => fetcher.fetch(request),
    now,
    load: async () => undefined,
    save: async () => undefined,
    isOverridden: (host) => config.robots.overrideHosts.includes(host),
  });
}

/** Why an outcome has no page, in a few words for people. */
export function describeOutcome(outcome: Exclude<FetchOutcome, { kind: 'page' }>): string {
  switch (outcome.kind) {
    case 'failed':
      return `${outcome.reason}: ${outcome.detail}`;
    case 'refused':
      return `refused (${outcome.reason}): ${outcome.detail}`;
    case 'blocked':
      return `blocked (${outcome.why}), status ${outcome.response.status}`;
    case 'redirect':
      return `redirects to ${outcome.target}`;
    case 'gone':
      return `gone, status ${outcome.response.status}`;
    case 'not-modified':
      return 'not modified';
    case 'other-type':
      return `not a page (${outcome.mediaType})`;
  }
}
