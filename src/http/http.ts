import type { Fetcher, FetchOutcome, FetchRequest } from '../model/fetch.ts';
import { literalAddress, nonPublicKind } from './address-guard.ts';
import { Chain, type HopResult, type SendHop } from './chain.ts';
import { Connector, type Endpoint } from './connect.ts';
import { type Connection, Connections, connectionKey, STALE_CONNECTION } from './connections.ts';
import {
  type Answer,
  type BodyLimit,
  type ExchangeLimits,
  type ExchangeResult,
  exchange,
  type WireRequest,
} from './exchange.ts';
import { codeOf, connectFailure, exchangeFailure, isFramingError } from './failure.ts';
import { exchangeLeniently } from './lenient.ts';
import type { HttpOptions } from './options.ts';
import { proxyAuthorization, proxyFor } from './proxy.ts';
import type { Resolver } from './resolver.ts';
import { Slots } from './slots.ts';

export { literalAddress, nonPublicKind } from './address-guard.ts';
export { type HostsFile, type HostsMap, parseHostsFile } from './hosts-file.ts';
export type { HttpOptions } from './options.ts';
export { type ProxySettings, proxyFromEnvironment } from './proxy.ts';
export { type Lookup, Resolver, type ResolverOptions } from './resolver.ts';

/** Since the fetcher was made. */
export interface HttpCounters {
  /** Requests sent, every redirect hop and retry. */
  readonly requests: number;
  /** Bytes of bodies received, before decompression. */
  readonly wireBytes: number;
  /** Connections opened. */
  readonly connections: number;
}

export interface HttpFetcher extends Fetcher {
  counters(): HttpCounters;
}

/** Plain HTTP/1.1 over connections of its own. The resolver is shared, so that politeness can know a host's address. */
export function createHttpFetcher(options: HttpOptions, resolver: Resolver): HttpFetcher {
  return new PlainFetcher(options, resolver);
}

interface HopConditions {
  readonly deadline: number;
  readonly bodyLimit: BodyLimit;
  readonly signal: AbortSignal | undefined;
}

class PlainFetcher implements HttpFetcher {
  readonly #options: HttpOptions;
  readonly #resolver: Resolver;
  readonly #connector: Connector;
  readonly #connections: Connections;
  readonly #slots: Slots;
  #closed = false;
  #requests = 0;
  #wireBytes = 0;
  #opened = 0;

  constructor(options: HttpOptions, resolver: Resolver) {
    this.#options = options;
    this.#resolver = resolver;
    this.#connector = new Connector(options);
    this.#connections = new Connections(options, this.#connector);
    this.#slots = new Slots(options.maxInFlight);
  }

  async fetch(request: FetchRequest, signal?: AbortSignal): Promise<FetchOutcome> {
    signal?.throwIfAborted();
    const free = await this.#slots.take();
    try {
      signal?.throwIfAborted();
      return await new Chain(request, this.#options, this.#sendHop).run(signal);
    } finally {
      free();
    }
  }

  counters(): HttpCounters {
    return { requests: this.#requests, wireBytes: this.#wireBytes, connections: this.#opened };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#connections.close();
  }

  readonly #sendHop: SendHop = async (url, request, conditions) => {
    const guarded = await this.#guard(url, conditions);
    if ('kind' in guarded) return guarded;
    const key = connectionKey(url, guarded.proxy);
    const leave = await this.#connections.enter(key);
    try {
      return await this.#sendOn({ ...guarded, key }, throughProxy(request, guarded), conditions);
    } finally {
      leave();
    }
  };

  /**
   * The addresses a hop may go to, or why it may not. Through a proxy the target is checked in the same way. Targets that
   * only this machine can reach (the hosts map, private addresses) are asked without proxy.
   */
  async #guard(url: URL, conditions: HopConditions): Promise<Endpoint | HopResult> {
    const { allowPrivate } = this.#options;
    const name = url.hostname;
    const literal = literalAddress(name);
    const proxy = this.#resolver.isFixed(name) ? undefined : proxyFor(this.#options.proxy, url);
    // With private addresses allowed there is nothing to check, and often only the proxy can look names up.
    if (literal === undefined && proxy !== undefined && allowPrivate) return { url, addresses: [], proxy };
    const addresses = literal === undefined ? await this.#lookup(name, conditions) : [literal];
    if ('kind' in addresses) return addresses;
    if (allowPrivate && proxy === undefined) return { url, addresses, proxy };
    const closed = addresses.find((address) => nonPublicKind(address) !== undefined);
    if (closed === undefined) return { url, addresses, proxy };
    if (allowPrivate) return { url, addresses, proxy: undefined };
    return { kind: 'refused', detail: `${name} is ${closed}, a ${nonPublicKind(closed)} address` };
  }

  async #lookup(name: string, conditions: HopConditions): Promise<readonly string[] | HopResult> {
    const { signal, deadline } = conditions;
    const until = Math.min(deadline, performance.now() + this.#options.connectTimeoutMs);
    const lookup = await inTime(this.#resolver.lookup(name), until, signal);
    if (lookup === undefined) {
      return { kind: 'failed', failure: { reason: 'timeout', detail: `no address of ${name} in time` }, requests: 0 };
    }
    if (!('error' in lookup)) return lookup.addresses;
    return { kind: 'failed', failure: { reason: 'dns', detail: `${name}: ${lookup.error}` }, requests: 0 };
  }

  async #sendOn(
    endpoint: Endpoint & { key: string },
    request: WireRequest,
    conditions: HopConditions,
  ): Promise<HopResult> {
    const { key } = endpoint;
    // A connection that breaks says nothing about whether the request was taken: what is not repeatable gets a fresh one.
    const isRepeatable = request.method === 'GET';
    const idle = isRepeatable ? this.#connections.takeIdle(key) : undefined;
    if (idle !== undefined) {
      const result = await this.#exchange(idle, key, request, conditions);
      if ('kind' in result) return result;
      // An idle connection that the server closed at the same moment says nothing about the server: ask once more.
      if (!isStale(result) || conditions.signal?.aborted === true || this.#closed) return brokenExchange(result);
    }
    const fresh = await this.#open(endpoint, conditions);
    if ('kind' in fresh) return fresh;
    const result = await this.#exchange(fresh, key, request, conditions);
    if ('kind' in result) return result;
    if (!isRepeatable || !isFramingError(result.error)) return brokenExchange(result);
    return this.#sendLeniently(endpoint, request, conditions);
  }

  async #open(endpoint: Endpoint, conditions: HopConditions): Promise<Connection | HopResult> {
    const remaining = conditions.deadline - performance.now();
    if (this.#closed || remaining <= 0) {
      const failure = this.#closed
        ? ({ reason: 'connect', detail: 'the fetcher was closed' } as const)
        : ({ reason: 'timeout', detail: 'the total time was used up' } as const);
      return { kind: 'failed', failure, requests: 0 };
    }
    try {
      const connection = await this.#connections.open(endpoint, remaining, conditions.signal);
      this.#opened++;
      return connection;
    } catch (error) {
      return { kind: 'failed', failure: connectFailure(error), requests: 0 };
    }
  }

  async #exchange(
    connection: Connection,
    key: string,
    request: WireRequest,
    conditions: HopConditions,
  ): Promise<HopResult | BrokenExchange> {
    this.#requests++;
    const result = await exchange(connection, request, {
      limits: this.#limits(conditions.deadline),
      bodyLimit: conditions.bodyLimit,
      signal: conditions.signal,
    });
    if (result.answer?.end === 'complete') this.#connections.keep(key, connection);
    else this.#connections.drop(connection);
    if (result.answer === undefined) return result;
    return this.#answered(result.answer, connection.address, 1);
  }

  /** A second try with a parser of ours, for framing that the strict parser refuses. */
  async #sendLeniently(endpoint: Endpoint, request: WireRequest, conditions: HopConditions): Promise<HopResult> {
    const remaining = conditions.deadline - performance.now();
    const socket = await this.#connector.open(endpoint, remaining, conditions.signal).catch(connectFailure);
    if ('reason' in socket) return { kind: 'failed', failure: socket, requests: 1 };
    this.#requests++;
    const address = endpoint.proxy === undefined ? socket.remoteAddress : undefined;
    const result = await exchangeLeniently(
      socket,
      { ...request, host: endpoint.url.host },
      {
        limits: this.#limits(conditions.deadline),
        bodyLimit: conditions.bodyLimit,
        maxHeaderBytes: this.#options.maxHeaderBytes,
        signal: conditions.signal,
      },
    );
    if (result.answer === undefined)
      return { kind: 'failed', failure: exchangeFailure(result.error, true), requests: 2 };
    return this.#answered(result.answer, address, 2);
  }

  #answered(answer: Answer, address: string | undefined, requests: number): HopResult {
    this.#wireBytes += answer.body.length;
    return { kind: 'answer', answer, address, requests };
  }

  #limits(deadline: number): ExchangeLimits {
    const { headersTimeoutMs, minBytesPerSecond, graceMs } = this.#options;
    return { deadline, headersTimeoutMs, minBytesPerSecond, graceMs };
  }
}

type BrokenExchange = ExchangeResult & { answer: undefined };

function brokenExchange({ error, begun }: BrokenExchange): HopResult {
  return { kind: 'failed', failure: exchangeFailure(error, begun), requests: 1 };
}

/** The connection ended before a byte of the answer came. */
function isStale({ error, begun }: BrokenExchange): boolean {
  const code = codeOf(error);
  return (
    !begun && (code === STALE_CONNECTION || code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE')
  );
}

/** A proxy for plain http is asked with the absolute URL. */
function throughProxy(request: WireRequest, { url, proxy }: Endpoint): WireRequest {
  if (proxy === undefined || url.protocol === 'https:') return request;
  const authorization = proxyAuthorization(proxy);
  const headers = authorization === '' ? request.headers : [...request.headers, 'Proxy-Authorization', authorization];
  return { ...request, path: `http://${url.host}${request.path}`, headers };
}

/** The value, undefined at the deadline or when the signal aborts. */
async function inTime<T>(
  promise: Promise<T>,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  let stop = (): void => {};
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  const timer = setTimeout(stop, Math.max(0, deadline - performance.now()));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
