import type { FailedReason } from './lists.ts';

export interface FetchRequest {
  /** Absolute http or https URL without fragment. */
  readonly url: string;
  readonly method?: 'GET' | 'POST' | undefined;
  readonly body?: Uint8Array | undefined;
  /** Extra request headers, lower-case names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** What the answer is for: decides the media types worth a body and the byte cap. */
  readonly purpose: 'page' | 'robots' | 'sitemap' | 'probe' | 'search';
  /**
   * Asked before each redirect hop; a refusal ends the chain with a `redirect` outcome whose target was not requested.
   * Without it every hop allowed by the address guard is followed up to the limit.
   */
  readonly followRedirect?: ((from: string, target: string) => boolean | Promise<boolean>) | undefined;
}

/** One redirect answer met on the way. */
export interface RedirectHop {
  readonly url: string;
  readonly status: number;
  readonly target: string;
}

/** An HTTP answer as received. `rawHeaders` alternates name, value, verbatim (latin-1 decoded). */
export interface HttpResponse {
  /** The URL that gave this answer: the last of the chain. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
  /** Lower-case names, values joined by ', ' (set-cookie by '\n'). */
  readonly headers: Readonly<Record<string, string>>;
  /** After transfer-decoding, before content-decoding: what WARC stores. */
  readonly encodedBody: Uint8Array;
  /** After content-decoding, cut at the cap. */
  readonly body: Uint8Array;
  /** Why the body is not whole, if it is not. */
  readonly truncated?: 'length' | 'time' | 'disconnect' | 'encoding' | undefined;
  /** Address that answered, for politeness and WARC-IP-Address. */
  readonly address?: string | undefined;
  readonly hops: readonly RedirectHop[];
  readonly startedAt: number;
  /** Milliseconds from the first request byte to the last body byte, all hops. */
  readonly milliseconds: number;
  /** Bytes over the wire, bodies of all hops. */
  readonly wireBytes: number;
  /** HTTP requests sent, all hops. */
  readonly requests: number;
}

/**
 * What a request came to. Expected bad news is a value:
 * page = 2xx with a body of an accepted type; other-type = 2xx of a type not asked for (body not read);
 * gone = 404, 410; blocked = bot walls and access refusals (401, 403, 407, 418, 429, 451, 503 challenges, 999);
 * refused = the address guard or an unsupported scheme; failed = everything else.
 */
export type FetchOutcome =
  | { readonly kind: 'page'; readonly response: HttpResponse }
  | { readonly kind: 'other-type'; readonly response: HttpResponse; readonly mediaType: string }
  | { readonly kind: 'redirect'; readonly response: HttpResponse; readonly target: string }
  | { readonly kind: 'not-modified'; readonly response: HttpResponse }
  | { readonly kind: 'gone'; readonly response: HttpResponse }
  | {
      readonly kind: 'blocked';
      readonly response: HttpResponse;
      readonly why: 'rate-limited' | 'bot-wall' | 'forbidden';
      /** Milliseconds since 1970 from Retry-After, capped at 24 h. */
      readonly retryAt?: number | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly reason: 'address' | 'scheme' | 'robots' | 'scope';
      readonly url: string;
      readonly detail: string;
      readonly hops: readonly RedirectHop[];
      readonly requests: number;
    }
  | {
      readonly kind: 'failed';
      readonly reason: FailedReason;
      readonly detail: string;
      readonly response?: HttpResponse | undefined;
      readonly retryAt?: number | undefined;
      readonly hops: readonly RedirectHop[];
      readonly requests: number;
    };

/** Two implementations: plain HTTP and Chromium. Never rejects, except when `signal` aborts it. */
export interface Fetcher {
  fetch(request: FetchRequest, signal?: AbortSignal): Promise<FetchOutcome>;
  close(): Promise<void>;
}
