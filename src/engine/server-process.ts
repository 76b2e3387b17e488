import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { UnableError } from '../config/errors.ts';

export interface ServerRequest {
  readonly dataDir: string;
  readonly config: Config;
  readonly host: string;
  readonly port: number;
  readonly trustProxy: readonly string[];
  /** Start the writer's update when changes are signalled. */
  readonly update: boolean;
  /** Options that commands started by the server get: --data, --hosts and the like. */
  readonly writerOptions: readonly string[];
}

/** What the server process says to the one that started it. */
export type ServerMessage =
  | { readonly kind: 'listening'; readonly url: string; readonly freshToken?: string | undefined }
  | { readonly kind: 'failed'; readonly message: string };

export interface RunningServer {
  readonly url: string;
  /** The admin token, when the folder got one just now. */
  readonly freshToken: string | undefined;
  /** Resolves when the process has ended, with its exit status. */
  readonly ended: Promise<number>;
  stop(): Promise<void>;
}

/**
 * Of each thread. By default the young generation of a busy one takes 48 MB, and each thread an allocation arena of its
 * own: under a flood of visits the process grew to twice the size, and was no faster.
 */
const SEMI_SPACE_MB = 2;
const ARENAS = '2';

/** Starts the server as a process of its own and waits until it listens. Throws {@link UnableError} when it cannot. */
export async function startServer(request: ServerRequest): Promise<RunningServer> {
  const source = fileURLToPath(new URL('../server/server.ts', import.meta.url));
  const entry = existsSync(source) ? source : source.replace(/\.ts$/, '.js');
  const child = fork(entry, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, `--max-semi-space-size=${SEMI_SPACE_MB}`],
    env: { ...process.env, MALLOC_ARENA_MAX: ARENAS },
  });
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  child.send(request);
  const message = await firstMessage(child, ended);
  if (message.kind === 'failed') {
    await ended;
    throw new UnableError(message.message);
  }
  return { url: message.url, freshToken: message.freshToken, ended, stop: () => stop(child, ended) };
}

function firstMessage(child: ChildProcess, ended: Promise<number>): Promise<ServerMessage> {
  return new Promise((resolve) => {
    child.once('message', (message: ServerMessage) => resolve(message));
    void ended.then((code) => resolve({ kind: 'failed', message: `the server ended at once, with status ${code}` }));
  });
}

async function stop(child: ChildProcess, ended: Promise<number>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
}
