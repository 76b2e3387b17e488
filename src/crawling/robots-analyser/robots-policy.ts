import type { FetchOutcome, HttpResponse } from '../../model/fetch.ts';

/** What one attempt to fetch robots.txt says, after RFC 9309 §2.3.1. */
export type RobotsAnswer =
  /** 2xx: these bytes are the file, or an HTML page in its place. */
  | { readonly kind: 'file'; readonly body: Uint8Array }
  /** 2xx of a type that no robots.txt has: no rules, but no evidence that there are none. */
  | { readonly kind: 'not-robots'; readonly because: string }
  /** The copy held is still right. */
  | { readonly kind: 'unchanged' }
  /** §2.3.1.3 unavailable: there is no file, everything is allowed. */
  | { readonly kind: 'none'; readonly because: string }
  /** §2.3.1.4 unreachable: everything is forbidden for now. */
  | { readonly kind: 'unreachable'; readonly because: string; readonly retryAt: number | undefined };

/**
 * Client errors but 429 mean that there is no file; 429, server errors, time-outs, failed connections and refused
 * addresses or redirects mean that it is not known. More than the allowed redirects, or a loop of them: no file.
 */
export function classifyRobotsAnswer(outcome: FetchOutcome): RobotsAnswer {
  switch (outcome.kind) {
    case 'page':
      return { kind: 'file', body: outcome.response.body };
    case 'not-modified':
      return { kind: 'unchanged' };
    case 'other-type':
      return { kind: 'not-robots', because: `robots.txt is ${outcome.mediaType}` };
    case 'gone':
      return byStatus(outcome.response, undefined);
    case 'blocked':
      // A bot wall that answers 200: the same as its HTML.
      if (isSuccess(outcome.response)) return { kind: 'not-robots', because: 'robots.txt is a bot wall' };
      return outcome.why === 'rate-limited'
        ? unreachable(`robots.txt answered ${outcome.response.status}`, outcome.retryAt)
        : byStatus(outcome.response, outcome.retryAt);
    case 'redirect':
      return { kind: 'none', because: 'robots.txt redirects too often' };
    case 'refused':
      return unreachable(`robots.txt leads to a refused address (${outcome.reason})`, undefined);
    case 'failed':
      return failed(outcome);
  }
}

function failed(outcome: Extract<FetchOutcome, { kind: 'failed' }>): RobotsAnswer {
  const { reason, response, retryAt } = outcome;
  if (reason === 'redirect-loop' || reason === 'redirect-limit')
    return { kind: 'none', because: `robots.txt: ${reason}` };
  if (reason === 'too-large' && response !== undefined && isSuccess(response))
    return { kind: 'file', body: response.body };
  if (response !== undefined && (reason === 'http-4xx' || reason === 'http-5xx')) return byStatus(response, retryAt);
  if (reason === 'http-4xx') return { kind: 'none', because: 'robots.txt answered 4xx' };
  return unreachable(`robots.txt: ${reason}`, retryAt);
}

function byStatus(response: HttpResponse, retryAt: number | undefined): RobotsAnswer {
  const because = `robots.txt answered ${response.status}`;
  const isMissing = response.status >= 400 && response.status < 500 && response.status !== 429;
  return isMissing ? { kind: 'none', because } : unreachable(because, retryAt);
}

function unreachable(because: string, retryAt: number | undefined): RobotsAnswer {
  return { kind: 'unreachable', because, retryAt };
}

function isSuccess(response: HttpResponse): boolean {
  return response.status >= 200 && response.status < 300;
}
