import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { messageOf } from '../config/errors.ts';
import { BeaconService } from '../engine/beacon-service.ts';
import { prepareFolder } from '../engine/collection.ts';
import { ReaderPool } from '../engine/reader-pool.ts';
import { parseSeed } from '../engine/seeds.ts';
import { acquireLock, SERVER_LOCK } from '../engine/server-lock.ts';
import type { ServerMessage, ServerRequest } from '../engine/server-process.ts';
import { UpdateStarter } from '../engine/update-starter.ts';
import { WriterProcess } from '../engine/writer-process.ts';
import { createApp } from './app.ts';
import type { LiveEvent, Services } from './services.ts';
import { adminToken } from './token.ts';

// Collect when the heap has grown by a fifth, not by a multiple: a server stays small under a flood of requests.
setFlagsFromString('--heap-growing-percent=20');
// Meant for this process, not for the crawls that it starts.
delete process.env['MALLOC_ARENA_MAX'];

/** Process entry: gets its request from the command that started it, answers when it listens. */
process.once('message', (request: ServerRequest) => {
  void start(request).catch((error: unknown) => {
    tell({ kind: 'failed', message: messageOf(error) });
    process.exit(1);
  });
});

/** Readers: searches run on them, so a slow one must not hold up the next. */
const READERS = 2;

async function start(request: ServerRequest): Promise<void> {
  prepareFolder(request.dataDir);
  const token = adminToken(request.dataDir);
  const services = createServices(request);
  const app = await createApp({ services, token: token.hash, trustProxy: request.trustProxy });
  const url = await listen(app, request);
  const lock = acquireLock(join(request.dataDir, SERVER_LOCK));
  tell({ kind: 'listening', url, freshToken: token.fresh });
  token.keep();
  if (lock.kind === 'locked') process.once('exit', () => lock.lock.release());
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
    process.once(signal, () => void close(app, services));
  }
}

async function close(app: FastifyInstance, services: Services): Promise<void> {
  app.server.closeAllConnections();
  await app.close();
  await services.close();
  process.exit(0);
}

async function listen(app: FastifyInstance, { host, port }: ServerRequest): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new Error(`port ${port} on ${host} is in use by another program; choose another with --port`);
    if (code === 'EACCES')
      throw new Error(`port ${port} needs more rights than this process has; choose one above 1023 with --port`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`${host} is not an address of this machine; see --host`);
    throw error;
  }
}

function createServices(request: ServerRequest): Services {
  const { config, dataDir } = request;
  const readers = new ReaderPool(dataDir, config, READERS);
  const listeners = new Set<(event: LiveEvent) => void>();
  const writer = new WriterProcess(request.writerOptions, (event) => {
    for (const listener of listeners) listener(event);
  });
  const { serveEveryMs: everyMs, serveRetryMs: retryMs } = config.updating;
  const updates = request.update ? new UpdateStarter(writer, { everyMs, retryMs }) : undefined;
  if (updates !== undefined) listeners.add((event) => updates.onEvent(event));
  const beacon = new BeaconService(dataDir, config, () => updates?.want());
  return {
    config,
    beacon,
    search: (ask) => readers.search(ask),
    status: () => readers.status(),
    explain: (url) => readers.explain(url),
    garbage: () => readers.garbage(),
    startCrawl: async (urls) => startCrawl(writer, urls, config.crawl.maxUrlLength),
    stopCrawl: async () => writer.stop(),
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    now: Date.now,
    close: async () => {
      updates?.close();
      await beacon.close();
      await writer.close();
      await readers.close();
    },
  };
}

function startCrawl(
  writer: WriterProcess,
  urls: readonly string[],
  maxLength: number,
): { started: boolean; message: string } {
  const seeds: string[] = [];
  for (const text of urls) {
    const parsed = parseSeed(text, maxLength);
    if ('problem' in parsed) return { started: false, message: `"${text}" is not a URL to crawl: ${parsed.problem}` };
    seeds.push(parsed.url);
  }
  if (!writer.start(['crawl', ...seeds]))
    return { started: false, message: 'A crawl is under way already; stop it first.' };
  return { started: true, message: 'The crawl has started.' };
}

function tell(message: ServerMessage): void {
  process.send?.(message);
}
