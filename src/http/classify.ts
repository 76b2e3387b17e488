import type { FetchOutcome, FetchRequest, HttpResponse } from '../model/fetch.ts';
import type { FailedReason } from '../model/lists.ts';
import { findBotWall } from './bot-wall.ts';
import type { Failure } from './failure.ts';
import { decideMediaType, mediaTypeOf, sniffMediaType } from './media-type.ts';
import { retryAfter } from './retry-after.ts';

export interface AnswerFacts {
  readonly response: HttpResponse;
  readonly purpose: FetchRequest['purpose'];
  /** Validators were sent with the request. */
  readonly conditional: boolean;
  /** Nothing of the body could be decoded. */
  readonly undecodable: boolean;
  /** Why too little of the body came to be a page. */
  readonly unfinished: Failure | undefined;
  /** Content-Length above what is worth asking for. */
  readonly tooLarge: boolean;
  readonly now: number;
  readonly maxRetryAfterMs: number;
}

/** What the last answer of a chain comes to; redirects that were to be followed do not get here. */
export function classify(facts: AnswerFacts): FetchOutcome {
  const { response } = facts;
  const { status } = response;
  const wall = findBotWall({ status, headers: response.headers, body: response.body });
  const retryAt = retryAfter(response.headers['retry-after'], facts.now, facts.maxRetryAfterMs);
  if (status === 429) return { kind: 'blocked', response, why: 'rate-limited', retryAt };
  if (wall !== undefined) return { kind: 'blocked', response, why: 'bot-wall', retryAt };
  if (status >= 200 && status < 300) return success(facts);
  if (status === 304 && facts.conditional) return { kind: 'not-modified', response };
  if (status === 404 || status === 410) return { kind: 'gone', response };
  if (status === 418 || status === 999) return { kind: 'blocked', response, why: 'bot-wall', retryAt };
  if (FORBIDDEN.has(status)) return { kind: 'blocked', response, why: 'forbidden', retryAt };
  if (status === 503 && retryAt !== undefined) return { kind: 'blocked', response, why: 'rate-limited', retryAt };
  if (status >= 400 && status < 500) return failed(response, 'http-4xx', `status ${status}`);
  if (status >= 500 && status < 600) return { ...failed(response, 'http-5xx', `status ${status}`), retryAt };
  return failed(response, 'protocol', unusable(status));
}

const FORBIDDEN = new Set([401, 403, 407, 451]);

function success(facts: AnswerFacts): FetchOutcome {
  const { response, purpose } = facts;
  const declared = mediaTypeOf(response.headers['content-type']);
  const decision = decideMediaType(declared, purpose);
  if (decision === 'refuse') return { kind: 'other-type', response, mediaType: declared };
  if (facts.tooLarge) {
    const length = response.headers['content-length'] ?? '';
    return failed(response, 'too-large', `Content-Length ${length} is above the limit`);
  }
  if (facts.unfinished !== undefined) return failed(response, facts.unfinished.reason, facts.unfinished.detail);
  if (facts.undecodable) {
    return failed(response, 'decode', `the body is no ${response.headers['content-encoding'] ?? ''}`);
  }
  if (decision === 'accept' || response.body.length === 0) return { kind: 'page', response };
  const mediaType = sniffMediaType(response.body, declared);
  return mediaType === 'text/html' ? { kind: 'page', response } : { kind: 'other-type', response, mediaType };
}

function failed(response: HttpResponse, reason: FailedReason, detail: string): FetchOutcome & { kind: 'failed' } {
  const { hops, requests } = response;
  return { kind: 'failed', reason, detail, response, hops, requests };
}

function unusable(status: number): string {
  if (status === 304) return 'status 304 to a request without validators';
  return status >= 300 && status < 400
    ? `status ${status} without a usable Location`
    : `status ${status} has no meaning`;
}
