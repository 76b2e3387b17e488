import { createServer, type Socket } from 'node:net';
import type { FetchOutcome, FetchRequest } from '../model/fetch.ts';
import { createHttpFetcher, type HostsMap, type HttpFetcher, Resolver } from './http.ts';
import type { HttpOptions } from './options.ts';
import type { ResolverOptions } from './resolver.ts';

/** Options for tests against servers on this machine: small limits, private addresses allowed. */
function testOptions(changes: Partial<HttpOptions>): HttpOptions {
  return {
    userAgent: 'winnow-test/1.0',
    acceptLanguage: '*',
    connectTimeoutMs: 2000,
    extraCa: '',
    acceptIncompleteChains: false,
    connectionsPerOrigin: 4,
    maxIdleConnections: 16,
    keepAliveMs: 4000,
    maxHeaderBytes: 128 * 1024,
    allowPrivate: true,
    proxy: { http: undefined, https: undefined, except: [] },
    headersTimeoutMs: 2000,
    totalTimeoutMs: 5000,
    minBytesPerSecond: 100,
    graceMs: 1000,
    maxEncodedBytes: 1024 * 1024,
    maxBodyBytes: 1024 * 1024,
    maxSitemapBytes: 2 * 1024 * 1024,
    maxRobotsBytes: 512 * 1024,
    maxAnnouncedBytes: 8 * 1024 * 1024,
    maxRedirects: 20,
    maxRobotsRedirects: 5,
    maxInFlight: 64,
    maxRetryAfterMs: 24 * 3600 * 1000,
    now: Date.now,
    ...changes,
  };
}

/** No DNS server is asked: names come from `hosts` or the operating system. */
export function testResolverOptions(changes: Partial<ResolverOptions>): ResolverOptions {
  return {
    hosts: new Map(),
    servers: ['127.0.0.1:9'],
    minTtlSeconds: 60,
    maxTtlSeconds: 3600,
    negativeTtlSeconds: 60,
    cacheSize: 1000,
    concurrency: 8,
    timeoutMs: 300,
    tries: 1,
    now: Date.now,
    ...changes,
  };
}

export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** The next request finds its connection closed without an answer. */
  closeAfterNextRequest(): void;
  close(): Promise<void>;
}

/** Bytes to send, 'close', 'hang', 'drip <ms>' (a dot each time for ever), 'pause <ms>'. */
type Step = string | Buffer;

/**
 * A server that sends exactly the bytes it is told. `answer` gets path, request head and how often the path was asked.
 */
export async function startRawServer(
  answer: (path: string, head: string, times: number) => Step | readonly Step[],
  address = '127.0.0.1',
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const counts = new Map<string, number>();
  let hangUp = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let pending = '';
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      const end = pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = pending.slice(0, end + 4);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (pending.length < end + 4 + length) return;
      pending = '';
      if (hangUp) {
        hangUp = false;
        socket.destroy();
        return;
      }
      const path = head.split(' ')[1] ?? '';
      const times = (counts.get(path) ?? 0) + 1;
      counts.set(path, times);
      const steps = answer(path, head, times);
      void play(socket, Array.isArray(steps) ? steps : [steps]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    url: `http://${address}:${port}`,
    port,
    closeAfterNextRequest: () => {
      hangUp = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function play(socket: Socket, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const drip = typeof step === 'string' ? /^drip (\d+)$/.exec(step) : null;
    const pause = typeof step === 'string' ? /^pause (\d+)$/.exec(step) : null;
    if (step === 'hang') return;
    if (step === 'close') socket.end();
    else if (pause !== null) await new Promise((resolve) => setTimeout(resolve, Number(pause[1])));
    else if (drip !== null) {
      const timer = setInterval(() => socket.write('.'), Number(drip[1]));
      socket.on('close', () => clearInterval(timer));
    } else socket.write(step);
  }
}

/** A fetcher for servers on this machine. */
export function testFetcher(options: Partial<HttpOptions>, hosts: HostsMap = new Map()): HttpFetcher {
  return createHttpFetcher(testOptions(options), new Resolver(testResolverOptions({ hosts })));
}

export function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8');
}

/** Answers by path; the request's head and how often the path was asked are passed on. */
export type Answer = (head: string, times: number) => Step | readonly Step[];

/** A raw server whose answers a test sets by path, with a fetcher made for each request. */
export class Site {
  readonly answers: Record<string, Answer>;
  readonly server: RawServer;

  constructor(server: RawServer, answers: Record<string, Answer>) {
    this.server = server;
    this.answers = answers;
  }

  static async start(): Promise<Site> {
    const answers: Record<string, Answer> = {};
    const server = await startRawServer(
      (path, head, times) => answers[path]?.(head, times) ?? status('404 Not Found', '', 'no'),
    );
    return new Site(server, answers);
  }

  async get(
    path: string,
    options: Partial<HttpOptions> = {},
    request: Partial<FetchRequest> = {},
  ): Promise<FetchOutcome> {
    const fetcher = testFetcher(options);
    try {
      return await fetcher.fetch({ url: this.server.url + path, purpose: 'page', ...request });
    } finally {
      await fetcher.close();
    }
  }
}

export const HTML = 'Content-Type: text/html\r\n';

export function ok(body: string | Buffer, headers = ''): Buffer {
  const head = `HTTP/1.1 200 OK\r\n${HTML}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

export function status(line: string, headers = '', body = ''): string {
  return `HTTP/1.1 ${line}\r\n${HTML}${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

export function redirect(location: string, headers = ''): string {
  return status('302 Found', `Location: ${location}\r\n${headers}`);
}

/** What tests look at in a page; throws for any other outcome. */
export function page(outcome: FetchOutcome): { text: string; truncated: string | undefined; requests: number } {
  if (outcome.kind !== 'page') throw new Error(`${outcome.kind}: ${JSON.stringify(outcome)}`);
  const { body, truncated, requests } = outcome.response;
  return { text: textOf(body), truncated, requests };
}
