import type { FetchOutcome } from '../model/fetch.ts';
import type { FailedReason, RefusedReason, UrlState } from '../model/lists.ts';
import type { CrawlTicket, LinkToEnter, Settled } from './crawl-types.ts';
import { redirected } from './fetch-step.ts';

export type NoPage = Exclude<FetchOutcome, { kind: 'page' }>;

export interface ConcludeRules {
  readonly now: () => number;
  /** Tries after the first before a passing failure counts as an end. */
  readonly retries: number;
  /** Milliseconds until the first new try; six times as long until each further one. */
  readonly retryMs: number;
  /** Whether this host has ever answered: a host that never did is not asked again in this run. */
  readonly hasAnswered: (hostId: number) => boolean;
  /** The redirect's target as a link to enter; undefined when it is no URL. */
  readonly linkTo: (ticket: CrawlTicket, target: string) => LinkToEnter | undefined;
  /** Whether following stored redirects from the target leads back to the URL. */
  readonly leadsBack: boolean;
  /** As many redirects as are allowed have led to the URL already. */
  readonly isTooLong: boolean;
}

/** What becomes of a URL whose answer is not a page. Bot walls and limits are never "gone". */
export function conclude(ticket: CrawlTicket, outcome: NoPage, rules: ConcludeRules): Settled {
  switch (outcome.kind) {
    case 'other-type':
      return ended(ticket, outcome, { state: 'not-html', reason: outcome.mediaType });
    case 'gone':
      return ended(ticket, outcome, { state: 'gone', reason: String(outcome.response.status) });
    case 'redirect':
      return redirect(ticket, outcome, rules);
    case 'not-modified':
      return unchanged(ticket, outcome);
    case 'refused':
      return {
        ticket,
        settlement: { id: ticket.id, state: 'refused', reason: outcome.reason },
        counted: { state: 'refused', reason: outcome.reason, bytes: 0, host: ticket.host, detail: outcome.detail },
        unindex: ticket.known.wasKept && isLasting(outcome.reason),
      };
    case 'blocked':
      return blocked(ticket, outcome, rules);
    case 'failed':
      return failed(ticket, outcome, rules);
  }
}

function isLasting(reason: RefusedReason): boolean {
  return reason === 'robots' || reason === 'scope';
}

interface End {
  readonly state: UrlState;
  readonly reason?: string;
}

function ended(ticket: CrawlTicket, outcome: Extract<NoPage, { response: unknown }>, end: End): Settled {
  const bytes = outcome.response?.wireBytes ?? 0;
  return {
    ticket,
    settlement: { id: ticket.id, ...end, fetched: { status: outcome.response?.status, bytes } },
    counted: { ...end, bytes, host: ticket.host },
    unindex: ticket.known.wasKept,
  };
}

function unchanged(ticket: CrawlTicket, outcome: Extract<NoPage, { kind: 'not-modified' }>): Settled {
  const { status, wireBytes } = outcome.response;
  return {
    ticket,
    settlement: { id: ticket.id, state: 'kept', fetched: { status, bytes: wireBytes } },
    counted: { state: 'kept', unchanged: true, bytes: wireBytes, host: ticket.host },
    touched: outcome.response.startedAt,
  };
}

function redirect(ticket: CrawlTicket, outcome: Extract<NoPage, { kind: 'redirect' }>, rules: ConcludeRules): Settled {
  const bytes = outcome.response.wireBytes;
  const reason = rules.leadsBack ? 'redirect-loop' : rules.isTooLong ? 'redirect-limit' : undefined;
  if (reason !== undefined) {
    const detail = `${ticket.url} redirects ${reason === 'redirect-loop' ? 'in a circle' : 'without end'}`;
    return {
      ticket,
      settlement: { id: ticket.id, state: 'failed', reason, fetched: { status: outcome.response.status, bytes } },
      counted: { state: 'failed', reason, bytes, host: ticket.host, detail },
      unindex: ticket.known.wasKept,
    };
  }
  const settled = redirected(ticket, outcome.target, {
    url: ticket.url,
    status: outcome.response.status,
    target: outcome.target,
  });
  const link = rules.linkTo(ticket, outcome.target);
  return { ...settled, counted: { ...settled.counted, bytes }, links: link === undefined ? [] : [link] };
}

function blocked(ticket: CrawlTicket, outcome: Extract<NoPage, { kind: 'blocked' }>, rules: ConcludeRules): Settled {
  const { status, wireBytes } = outcome.response;
  const again = outcome.why === 'rate-limited' && ticket.known.failures < rules.retries;
  const detail = `${ticket.host} answers ${status} (${outcome.why})`;
  const fetched = { status, bytes: wireBytes };
  if (again) return tryAgain(ticket, { reason: 'rate-limited', fetched, notBefore: outcome.retryAt });
  return {
    ticket,
    settlement: { id: ticket.id, state: 'blocked', reason: outcome.why, fetched },
    counted: { state: 'blocked', reason: outcome.why, bytes: wireBytes, host: ticket.host, detail },
  };
}

const PASSING: ReadonlySet<FailedReason> = new Set(['connect', 'timeout', 'protocol', 'http-5xx', 'rate-limited']);

function failed(ticket: CrawlTicket, outcome: Extract<NoPage, { kind: 'failed' }>, rules: ConcludeRules): Settled {
  const fetched = { status: outcome.response?.status, bytes: outcome.response?.wireBytes ?? 0 };
  const { failures } = ticket.known;
  if (PASSING.has(outcome.reason) && failures < rules.retries && rules.hasAnswered(ticket.hostId)) {
    const notBefore = outcome.retryAt ?? rules.now() + rules.retryMs * 6 ** failures;
    return tryAgain(ticket, { reason: outcome.reason, fetched, notBefore });
  }
  return {
    ticket,
    settlement: { id: ticket.id, state: 'failed', reason: outcome.reason, fetched },
    counted: {
      state: 'failed',
      reason: outcome.reason,
      bytes: fetched.bytes,
      host: ticket.host,
      detail: `${ticket.host}: ${outcome.detail}`,
    },
    unindex: ticket.known.wasKept && outcome.reason === 'http-4xx',
  };
}

interface NewTry {
  readonly reason: FailedReason;
  readonly fetched: { readonly status: number | undefined; readonly bytes: number };
  readonly notBefore: number | undefined;
}

/** Queued again with its reason; counts as nothing in the report until it has an end. */
function tryAgain(ticket: CrawlTicket, next: NewTry): Settled {
  const state = ticket.deferred ? 'deferred' : 'queued';
  return {
    ticket,
    settlement: { id: ticket.id, state, reason: next.reason, fetched: next.fetched },
    counted: { state, bytes: next.fetched.bytes, host: ticket.host },
    again: { notBefore: next.notBefore, deferred: ticket.deferred },
  };
}
