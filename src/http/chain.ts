import { getPublicSuffix } from 'tldts';
import type { FetchOutcome, FetchRequest, HttpResponse, RedirectHop } from '../model/fetch.ts';
import { classify } from './classify.ts';
import { CookieJar } from './cookies.ts';
import { decodeBody } from './decode-body.ts';
import type { Answer, BodyLimit, ResponseHead, WireRequest } from './exchange.ts';
import type { Failure } from './failure.ts';
import { redirectTarget } from './location.ts';
import { decideMediaType, mediaTypeOf } from './media-type.ts';
import type { HttpOptions } from './options.ts';
import { isConditional, requestHeaders } from './request-headers.ts';

/** One hop over the network, with address guard. */
export type SendHop = (
  url: URL,
  request: WireRequest,
  conditions: { readonly deadline: number; readonly bodyLimit: BodyLimit; readonly signal: AbortSignal | undefined },
) => Promise<HopResult>;

export type HopResult =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly address: string | undefined;
      readonly requests: number;
    }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly requests: number };

type HopAnswer = HopResult & { kind: 'answer' };

/** A request with the redirects it leads to. */
export class Chain {
  readonly #request: FetchRequest;
  readonly #options: HttpOptions;
  readonly #send: SendHop;
  readonly #hops: RedirectHop[] = [];
  readonly #seen = new Set<string>();
  readonly #jar = new CookieJar((domain) => getPublicSuffix(domain, { allowPrivateDomains: true }) === domain);
  readonly #startedAt: number;
  readonly #clockStart = performance.now();
  #method: 'GET' | 'POST';
  #body: Uint8Array | undefined;
  #requests = 0;
  /** Of the last answer, joined once. */
  #fields: Readonly<Record<string, string>> = {};
  #wireBytes = 0;

  constructor(request: FetchRequest, options: HttpOptions, send: SendHop) {
    this.#request = request;
    this.#options = options;
    this.#send = send;
    this.#method = request.method ?? 'GET';
    this.#body = request.method === 'POST' ? request.body : undefined;
    this.#startedAt = options.now();
  }

  /** Rejects only with the reason of an aborted `signal`. */
  async run(signal: AbortSignal | undefined): Promise<FetchOutcome> {
    const { purpose } = this.#request;
    const limit = purpose === 'robots' ? this.#options.maxRobotsRedirects : this.#options.maxRedirects;
    let href = this.#request.url;
    for (;;) {
      const url = URL.parse(href);
      if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
        return this.#refused('scheme', href, 'only http and https are fetched');
      const cookie = this.#jar.header(url);
      const state = `${this.#method} ${href}\n${cookie}`;
      if (this.#seen.has(state)) return this.#failed({ reason: 'redirect-loop', detail: `${href} led back to itself` });
      if (this.#hops.length > limit)
        return this.#failed({ reason: 'redirect-limit', detail: `more than ${limit} redirects` });
      this.#seen.add(state);
      const next = await this.#hop(url, cookie, signal);
      if (typeof next !== 'string') return next;
      href = next;
    }
  }

  /** One hop: an outcome, or the URL to go on with. */
  async #hop(url: URL, cookie: string, signal: AbortSignal | undefined): Promise<FetchOutcome | string> {
    const isFirst = this.#hops.length === 0;
    const headers = requestHeaders(this.#request, this.#options, { isFirst, method: this.#method, cookie });
    const wire: WireRequest = { path: url.pathname + url.search, method: this.#method, headers, body: this.#body };
    const deadline = this.#clockStart + this.#options.totalTimeoutMs;
    const result = await this.#send(url, wire, { deadline, bodyLimit: (head) => this.#bodyLimit(head), signal });
    signal?.throwIfAborted();
    if (result.kind === 'refused') return this.#refused('address', withoutFragment(url), result.detail);
    this.#requests += result.requests;
    if (result.kind === 'failed') return this.#failed(result.failure);
    this.#wireBytes += result.answer.body.length;
    for (const line of this.#fields['set-cookie']?.split('\n') ?? []) this.#jar.store(line, url, this.#options.now());
    const location = FOLLOWED.has(result.answer.head.status) ? firstValue(result.answer.head, 'location') : undefined;
    const target = redirectTarget(location, url.href);
    if (target !== undefined) return this.#follow(url, target, result);
    return this.#conclude(withoutFragment(url), result, isConditional(headers));
  }

  async #follow(url: URL, target: string, result: HopAnswer): Promise<FetchOutcome | string> {
    const from = withoutFragment(url);
    const { status } = result.answer.head;
    if (!/^https?:/.test(target)) return this.#refused('scheme', target, 'redirected to a scheme that is not fetched');
    const { followRedirect } = this.#request;
    if (followRedirect !== undefined && !(await followRedirect(from, target))) {
      const { response } = await this.#response(from, result);
      return { kind: 'redirect', response, target };
    }
    this.#hops.push({ url: from, status, target });
    // RFC 9110 §15.4: 307 and 308 keep the method; after the others browsers ask with GET and without the body.
    if (status !== 307 && status !== 308) {
      this.#method = 'GET';
      this.#body = undefined;
    }
    return target;
  }

  async #conclude(url: string, result: HopAnswer, conditional: boolean): Promise<FetchOutcome> {
    const { response, undecodable } = await this.#response(url, result);
    const { end } = result.answer;
    const { minBytesPerSecond, graceMs, now, maxRetryAfterMs, maxAnnouncedBytes } = this.#options;
    return classify({
      response,
      purpose: this.#request.purpose,
      conditional,
      undecodable,
      unfinished: unfinished(response, end, (minBytesPerSecond * graceMs) / 1000),
      tooLarge: Number(response.headers['content-length'] ?? 0) > maxAnnouncedBytes,
      now: now(),
      maxRetryAfterMs,
    });
  }

  async #response(url: string, result: HopAnswer): Promise<{ response: HttpResponse; undecodable: boolean }> {
    const { head, body, end } = result.answer;
    const headers = this.#fields;
    const decoded = await decodeBody(body, headers['content-encoding'] ?? '', this.#maxBody());
    const response: HttpResponse = {
      url,
      ...head,
      headers,
      encodedBody: body,
      body: decoded.body,
      truncated: TRUNCATED[end] ?? (head.status === PARTIAL_CONTENT ? 'length' : decoded.truncated),
      address: result.address,
      hops: this.#hops,
      startedAt: this.#startedAt,
      milliseconds: performance.now() - this.#clockStart,
      wireBytes: this.#wireBytes,
      requests: this.#requests,
    };
    return { response, undecodable: decoded.undecodable };
  }

  /** Decides from the headers how much of the body is read. */
  #bodyLimit(head: ResponseHead): number {
    const { status } = head;
    const fields = joinHeaders(head.rawHeaders);
    this.#fields = fields;
    if (FOLLOWED.has(status)) return REDIRECT_BODY_BYTES;
    const { purpose } = this.#request;
    // What an error page says is small, and reading it to its end keeps the connection.
    const decision = decideMediaType(mediaTypeOf(fields['content-type']), isSuccess(status) ? purpose : 'search');
    if (decision === 'refuse' || Number(fields['content-length'] ?? 0) > this.#options.maxAnnouncedBytes) return 0;
    return purpose === 'robots' || purpose === 'sitemap' ? this.#maxBody() : this.#options.maxEncodedBytes;
  }

  #maxBody(): number {
    const { purpose } = this.#request;
    if (purpose === 'robots') return this.#options.maxRobotsBytes;
    return purpose === 'sitemap' ? this.#options.maxSitemapBytes : this.#options.maxBodyBytes;
  }

  #refused(reason: 'address' | 'scheme', url: string, detail: string): FetchOutcome {
    return { kind: 'refused', reason, url, detail, hops: this.#hops, requests: this.#requests };
  }

  #failed(failure: Failure): FetchOutcome {
    return { kind: 'failed', ...failure, hops: this.#hops, requests: this.#requests };
  }
}

/** Statuses whose Location is followed; 304 has no target, 305 and 306 are obsolete for safety (RFC 9110 §15.4.6). */
const FOLLOWED = new Set([300, 301, 302, 303, 307, 308]);
/** No part was asked for; what a server sends as one is not the whole. */
const PARTIAL_CONTENT = 206;
/** A redirect's body is a sentence for people. */
const REDIRECT_BODY_BYTES = 64 * 1024;

const TRUNCATED = { complete: undefined, limit: 'length', rate: 'time', time: 'time', cut: 'disconnect' } as const;

/**
 * Lower-case names; values of one name joined by ', ', those of fields whose values hold commas of their own by a line
 * feed: Set-Cookie, and X-Robots-Tag, where a line's agent holds for that line only.
 */
function joinHeaders(rawHeaders: readonly string[]): Readonly<Record<string, string>> {
  const joined: Record<string, string> = Object.create(null);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const known = joined[name];
    joined[name] = known === undefined ? value : `${known}${LINE_FIELDS.has(name) ? '\n' : ', '}${value}`;
  }
  return joined;
}

/** Of several Location fields the first counts. */
function firstValue(head: ResponseHead, name: string): string | undefined {
  const index = head.rawHeaders.findIndex((field, at) => at % 2 === 0 && field.toLowerCase() === name);
  return index < 0 ? undefined : head.rawHeaders[index + 1];
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Why what came of a body is too little to be a page: nothing at all, or a drip that did not reach `quota` bytes. A page
 * that came at a fair rate and then stopped is kept and flagged.
 */
function unfinished(response: HttpResponse, end: Answer['end'], quota: number): Failure | undefined {
  const bytes = response.encodedBody.length;
  if (end === 'rate' && bytes < quota) return { reason: 'timeout', detail: `${bytes} bytes came, too slowly` };
  if (bytes > 0 || end === 'complete' || end === 'limit') return undefined;
  if (end === 'cut') return { reason: 'protocol', detail: 'the connection was closed before the body' };
  return { reason: 'timeout', detail: 'no body in time' };
}

function withoutFragment(url: URL): string {
  const hash = url.href.indexOf('#');
  return hash < 0 ? url.href : url.href.slice(0, hash);
}

const LINE_FIELDS: ReadonlySet<string> = new Set(['set-cookie', 'x-robots-tag']);
