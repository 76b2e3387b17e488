import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Services } from './services.ts';

/** Milliseconds for a whole request to arrive: slow clients must not hold connections. */
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 72_000;
/** Connections open at once; further ones are closed. A browser keeps six at most. */
const MAX_CONNECTIONS = 4_096;
/** Visits and reports answered in one turn of the event loop: what comes for the search page waits no longer than that. */
const PER_TURN = 32;

/** The answer to a visit of which nothing is asked. One page's answer must never silence another. */
export const EMPTY_ANSWER = {
  vary: 'Referer',
  'cache-control': 'private, max-age=60',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  // Without a script's media type browsers refuse even an empty answer, because of nosniff.
  'content-type': 'text/javascript; charset=utf-8',
} as const;

/**
 * The HTTP server around the application. Most requests are visits that get the empty answer: those are answered here,
 * at a tenth of the cost, and however many come they do not hold up the others.
 */
export function createListener(beacon: Services['beacon'], handler: RequestListener): Server {
  const turnstile = new Turnstile();
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS, connectionsCheckingInterval: 5_000 },
    (request, response) => {
      if (request.url?.startsWith('/beacon') !== true) return handler(request, response);
      turnstile.pass(() => {
        const isVisit = request.method === 'GET' && request.url === '/beacon.js';
        if (response.destroyed) return;
        if (isVisit && beacon.isPlainlyEmpty(request.headers.referer)) answerEmptily(response);
        else handler(request, response);
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

function answerEmptily(response: ServerResponse): void {
  response.writeHead(204, EMPTY_ANSWER).end();
}

/** Lets a few through in each turn of the event loop, in the order they came. */
class Turnstile {
  #waiting: (() => void)[] = [];
  #isTurning = false;

  pass(work: () => void): void {
    this.#waiting.push(work);
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    const now = this.#waiting.splice(0, PER_TURN);
    this.#isTurning = this.#waiting.length > 0;
    if (this.#isTurning) setImmediate(() => this.#turn());
    for (const work of now) work();
  }
}
