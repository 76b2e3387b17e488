import type { Dispatcher } from 'undici';
import { BodySink } from './body-sink.ts';
import type { Connection } from './connections.ts';

/** What is sent. */
export interface WireRequest {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** Names and values alternate. */
  readonly headers: string[];
  readonly body: Uint8Array | undefined;
}

export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  /** Names and values alternate, latin-1. */
  readonly rawHeaders: string[];
}

/** Bytes of the body worth reading; 0 = none, the connection is cut after the headers. */
export type BodyLimit = (head: ResponseHead) => number;

export interface ExchangeLimits {
  /** Milliseconds on the clock of performance.now() at which everything ends. */
  readonly deadline: number;
  readonly headersTimeoutMs: number;
  readonly minBytesPerSecond: number;
  /** Milliseconds over which the rate is taken; the first such span is free. */
  readonly graceMs: number;
}

/** complete; limit: the body limit was reached; rate: slower than the minimum; time: the deadline; cut: closed too early. */
export type BodyEnd = 'complete' | 'limit' | 'rate' | 'time' | 'cut';

export interface Answer {
  readonly head: ResponseHead;
  /** After transfer-decoding. */
  readonly body: Buffer;
  readonly end: BodyEnd;
  readonly detail: string;
}

/** Either an answer, or the error that came before the headers were whole; `begun`: bytes of an answer had come. */
export type ExchangeResult =
  | { readonly answer: Answer }
  | { readonly answer: undefined; readonly error: Error; readonly begun: boolean };

/** One request on one connection. Never rejects; an aborted signal gives an error result. */
export function exchange(
  connection: Connection,
  request: WireRequest,
  conditions: {
    readonly limits: ExchangeLimits;
    readonly bodyLimit: BodyLimit;
    readonly signal: AbortSignal | undefined;
  },
): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    const receiver = new Receiver(connection, conditions.limits, conditions.bodyLimit);
    const onAbort = (): void => receiver.stop('cut', new Error('aborted'));
    receiver.onDone = (result) => {
      conditions.signal?.removeEventListener('abort', onAbort);
      resolve(result);
    };
    conditions.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      connection.client.dispatch({ ...request, body: request.body ?? null }, receiver);
    } catch (error) {
      receiver.refuse(error);
    }
  });
}

/** Milliseconds between two looks at the clock; finer than any limit worth setting. */
const WATCH_MS = 100;

class Receiver implements Dispatcher.DispatchHandler {
  onDone: (result: ExchangeResult) => void = () => {};
  readonly #connection: Connection;
  readonly #limits: ExchangeLimits;
  readonly #bodyLimit: BodyLimit;
  readonly #watch: NodeJS.Timeout;
  readonly #startedAt = performance.now();
  #controller: Dispatcher.DispatchController | undefined;
  #head: ResponseHead | undefined;
  #body = new BodySink(0);
  #spanStart = 0;
  #spanBytes = 0;
  #begun = false;
  #done = false;

  constructor(connection: Connection, limits: ExchangeLimits, bodyLimit: BodyLimit) {
    this.#connection = connection;
    this.#limits = limits;
    this.#bodyLimit = bodyLimit;
    this.#watch = setInterval(() => this.#checkClock(), WATCH_MS);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#done) controller.abort(new Error('stopped'));
  }

  onResponseStarted(): void {
    this.#begun = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    statusText?: string,
  ): void {
    if (status < 200 || this.#done) return;
    const rawHeaders = latin1(controller.rawHeaders);
    this.#head = { status, statusText: statusText ?? '', httpVersion: '1.1', rawHeaders };
    this.#spanStart = performance.now();
    const limit = this.#bodyLimit(this.#head);
    this.#body = new BodySink(limit);
    if (limit === 0) this.stop('limit', new Error('the body is not wanted'));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#done) return;
    this.#spanBytes += chunk.length;
    if (!this.#body.push(chunk)) this.stop('limit', new Error('the body is longer than the limit'));
  }

  onResponseEnd(): void {
    this.#finish('complete', '');
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail('cut', error);
  }

  /** The client would not send the request: it holds what HTTP cannot. */
  refuse(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#settle({
      answer: undefined,
      error: Object.assign(new Error(message), { code: 'UND_ERR_INVALID_ARG' }),
      begun: false,
    });
  }

  /** Ends the exchange from our side; the connection is of no further use. */
  stop(end: BodyEnd, error: Error): void {
    if (this.#done) return;
    this.#fail(end, error);
    if (this.#controller === undefined) void this.#connection.client.destroy(error);
    else this.#controller.abort(error);
  }

  #checkClock(): void {
    const now = performance.now();
    const { deadline, headersTimeoutMs, minBytesPerSecond, graceMs } = this.#limits;
    if (now >= deadline) {
      this.stop('time', timeout('the total time was used up'));
      return;
    }
    if (this.#head === undefined) {
      if (now - this.#startedAt >= headersTimeoutMs) this.stop('time', timeout('no headers in time'));
      return;
    }
    if (now - this.#spanStart < graceMs) return;
    if (this.#spanBytes < (minBytesPerSecond * (now - this.#spanStart)) / 1000) {
      this.stop('rate', timeout(`fewer than ${minBytesPerSecond} bytes per second`));
      return;
    }
    this.#spanStart = now;
    this.#spanBytes = 0;
  }

  #fail(end: BodyEnd, error: Error): void {
    if (this.#head === undefined) this.#settle({ answer: undefined, error, begun: this.#begun });
    else this.#finish(end, error.message);
  }

  #finish(end: BodyEnd, detail: string): void {
    if (this.#head === undefined) {
      this.#settle({ answer: undefined, error: new Error('an end without a head'), begun: true });
      return;
    }
    const body = this.#body.take();
    this.#settle({ answer: { head: this.#head, body, end, detail } });
  }

  #settle(result: ExchangeResult): void {
    if (this.#done) return;
    this.#done = true;
    clearInterval(this.#watch);
    this.onDone(result);
  }
}

function timeout(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

function latin1(raw: unknown): string[] {
  if (!Array.isArray(raw)) return [];
  return raw.map((part: unknown) => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part)));
}
