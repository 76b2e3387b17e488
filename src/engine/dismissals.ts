import type { Validation } from '../crawling/url-validator/url-validator.ts';
import { FAILED_REASONS, type FailedReason } from '../model/lists.ts';
import type { RobotsDecision } from '../model/robots.ts';
import type { CrawlTicket, Settled } from './crawl-types.ts';

/** Ends of a URL that was handed out and is not requested. */

/** Back in the frontier as it was. */
export function putBack(ticket: CrawlTicket): Settled {
  const state = ticket.deferred ? 'deferred' : 'queued';
  return { ticket, settlement: { id: ticket.id, state }, counted: { state, bytes: 0, host: ticket.host } };
}

/** What was learnt since it was queued: a trap, or a condemned domain. */
export function dismissed(ticket: CrawlTicket, checked: Exclude<Validation, { kind: 'accept' }>): Settled {
  const counted = { state: checked.kind, bytes: 0, host: ticket.host } as const;
  switch (checked.kind) {
    case 'deferred':
      return {
        ticket,
        counted,
        settlement: { id: ticket.id, state: 'deferred' },
        again: { notBefore: undefined, deferred: true },
      };
    case 'avoided':
      return { ticket, counted, settlement: { id: ticket.id, state: 'avoided' } };
    case 'refused':
      return {
        ticket,
        counted: { ...counted, reason: checked.reason },
        settlement: { id: ticket.id, state: 'refused', reason: checked.reason },
      };
  }
}

/** Its host has an address that the guard lets nobody request. */
export function refusedAddress(ticket: CrawlTicket, address: string): Settled {
  const detail = `${ticket.host} is at the private address ${address}`;
  return {
    ticket,
    settlement: { id: ticket.id, state: 'refused', reason: 'address' },
    counted: { state: 'refused', reason: 'address', bytes: 0, host: ticket.host, detail },
  };
}

/** robots.txt forbids it, or cannot be read now: then it is asked for again later. */
export function refusedByRobots(ticket: CrawlTicket, decision: RobotsDecision): Settled {
  const { retryAt, because } = decision;
  return {
    ticket,
    settlement: { id: ticket.id, state: 'refused', reason: 'robots' },
    counted: { state: 'refused', reason: 'robots', bytes: 0, host: ticket.host, detail: `${ticket.host}: ${because}` },
    again: retryAt === undefined ? undefined : { notBefore: retryAt, deferred: ticket.deferred },
    unindex: ticket.known.wasKept && retryAt === undefined,
  };
}

/** 'robots.txt: connect' and the like: the host was not reached at all. */
export function networkFailure(because: string): FailedReason | undefined {
  return FAILED_REASONS.find((reason) => because === `robots.txt: ${reason}`);
}

/** A host that never answered has not forbidden anything: its URLs failed, and are not tried again in this run. */
export function unreachable(ticket: CrawlTicket, reason: FailedReason): Settled {
  return {
    ticket,
    settlement: { id: ticket.id, state: 'failed', reason },
    counted: { state: 'failed', reason, bytes: 0, host: ticket.host, detail: `${ticket.host}: ${reason}` },
  };
}
