import type { RobotsAnalyser } from '../crawling/robots-analyser/robots-analyser.ts';
import type { UrlValidator } from '../crawling/url-validator/url-validator.ts';
import type { Stamp, VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import type { HttpFetcher } from '../http/http.ts';
import type { FetchOutcome, HttpResponse, RedirectHop } from '../model/fetch.ts';
import { type CompiledKeyRules, resolveUrl } from '../url/url.ts';
import type { CrawlTicket, Settled } from './crawl-types.ts';

export interface FetchStepParts {
  readonly fetcher: HttpFetcher;
  readonly visited: VisitedUrls;
  readonly validator: UrlValidator;
  readonly robots: RobotsAnalyser;
  readonly keyRules: CompiledKeyRules;
  readonly stamp: () => Stamp;
}

export interface Fetched {
  /** The URL that answered: the one asked for, or the last redirect target that was followed. */
  readonly ticket: CrawlTicket;
  readonly outcome: FetchOutcome;
  /** The redirecting URLs before it. */
  readonly hops: readonly Settled[];
}

/**
 * One fetch. Redirects are followed at once only within the host (the politeness slot is that host's) and only to URLs
 * that were never seen, or back to the same document (a cookie was set); every other target is left to the frontier.
 */
export async function fetchStep(ticket: CrawlTicket, parts: FetchStepParts): Promise<Fetched> {
  const claimed: CrawlTicket[] = [ticket];
  const outcome = await parts.fetcher.fetch({
    url: ticket.url,
    purpose: 'page',
    etag: ticket.known.wasKept ? ticket.known.etag : undefined,
    lastModified: ticket.known.wasKept ? ticket.known.lastModified : undefined,
    followRedirect: async (_from, target) => {
      const last = claimed.at(-1) ?? ticket;
      const next = await claim(last, target, parts);
      if (next !== undefined && next !== last) claimed.push(next);
      return next !== undefined;
    },
  });
  return landing(claimed, outcome.kind === 'page' ? pageOrEmpty(outcome.response) : outcome);
}

/**
 * The page, or, of an answer without a single byte of body, that it is none (HTTP 204 among them). One with a Refresh
 * header leads somewhere and is read.
 */
export function pageOrEmpty(response: HttpResponse): Extract<FetchOutcome, { kind: 'page' | 'other-type' }> {
  const isEmpty = response.body.length === 0 && response.headers['refresh'] === undefined;
  return isEmpty ? { kind: 'other-type', response, mediaType: 'empty' } : { kind: 'page', response };
}

/** The ticket of the target when it may be followed now; the same ticket when it is the same document. */
async function claim(last: CrawlTicket, target: string, parts: FetchStepParts): Promise<CrawlTicket | undefined> {
  const resolved = resolveUrl(target, last.url, parts.keyRules);
  if ('reason' in resolved || resolved.host !== last.host) return undefined;
  if (resolved.key === last.key) return last;
  if (parts.validator.validateRedirect({ url: resolved.url, key: resolved.key, depth: last.depth }).kind !== 'accept')
    return undefined;
  const decision = await parts.robots.decide(resolved.url);
  if (!decision.allowed) return undefined;
  const [seen] = await parts.visited.seeMany(
    [
      {
        url: resolved.url,
        key: resolved.key,
        host: resolved.host,
        depth: last.depth,
        priority: last.priority,
        foundFrom: last.id,
        state: 'queued',
      },
    ],
    parts.stamp(),
  );
  if (seen?.news !== 'new') return undefined;
  await parts.visited.startMany([seen.id], parts.stamp());
  return {
    ...last,
    id: seen.id,
    hostId: seen.hostId,
    url: resolved.url,
    key: resolved.key,
    known: { failures: 0, wasKept: false },
  };
}

function landing(claimed: readonly CrawlTicket[], outcome: FetchOutcome): Fetched {
  const ticket = claimed.at(-1);
  if (ticket === undefined) throw new RangeError('a fetch without a ticket');
  const hops = claimed
    .slice(0, -1)
    .map((hop, i) => redirected(hop, claimed[i + 1]?.url ?? '', hopOf(outcome, hop.url)));
  return { ticket, outcome, hops };
}

function hopOf(outcome: FetchOutcome, url: string): RedirectHop | undefined {
  const hops = 'hops' in outcome ? outcome.hops : outcome.response.hops;
  return hops.find((hop) => hop.url === url);
}

/** A URL that led elsewhere. */
export function redirected(ticket: CrawlTicket, target: string, hop: RedirectHop | undefined): Settled {
  return {
    ticket,
    settlement: { id: ticket.id, state: 'redirect', reason: target, fetched: { status: hop?.status, bytes: 0 } },
    counted: { state: 'redirect', bytes: 0, host: ticket.host },
    unindex: ticket.known.wasKept,
  };
}
