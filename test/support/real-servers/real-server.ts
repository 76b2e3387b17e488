import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { GarbageKind } from '../../../src/model/lists.ts';
import { freePort, stopProcess, untilAnswering } from '../docs-web.ts';

/** A page without content that a server gives of its own accord. */
export interface Answer {
  readonly path: string;
  readonly kind: GarbageKind;
  /** Asked of the server as Accept-Language in place of the crawler's own. */
  readonly language?: string;
}

/** Where one server of the stage lives. */
export interface Place {
  /** For its configuration and files; empty at first, readable to every user. */
  readonly folder: string;
  readonly port: number;
  /** Pages of {@link ./honest-pages.ts}. */
  readonly pages: string;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server as its Debian package has it, with a configuration of its own. */
export interface RealServer {
  /** Also the first label of its host name. */
  readonly name: string;
  readonly packages: readonly string[];
  /** Files without which it cannot be started. */
  readonly needs: readonly string[];
  readonly answers: readonly Answer[];
  /** Paths of pages that are to be kept. */
  readonly honest: readonly string[];
  /** Writes the configuration and says what is to be run. */
  prepare(place: Place): Command;
}

/** A port of loopback on which nothing listens: an upstream that cannot be reached. */
export const DEAD_PORT = 9;

export function isInstalled(server: RealServer): boolean {
  return server.needs.every((file) => existsSync(file));
}

export function softErrors(paths: readonly string[]): Answer[] {
  return paths.map((path) => ({ path, kind: 'soft-404' }));
}

export function defaultPage(path: string): Answer {
  return { path, kind: 'default-page' };
}

/** The same answer in several languages; `{}` in the pattern stands for the language. */
export function inLanguages(pattern: string, languages: readonly string[]): Answer[] {
  return languages.map((language) => ({ path: pattern.replace('{}', language), kind: 'soft-404', language }));
}

export interface RunningServer {
  readonly server: RealServer;
  readonly port: number;
  stop(): Promise<void>;
}

const SECONDS_TO_START = 60;

/** `pages`: folder of honest pages. Throws when the server does not answer. */
export async function startServer(server: RealServer, folder: string, pages: string): Promise<RunningServer> {
  const port = await freePort();
  mkdirSync(folder);
  const { program, args, env, cwd } = server.prepare({ folder, port, pages });
  const log = openSync(join(folder, 'output.log'), 'a');
  const child: ChildProcess = spawn(program, args, {
    stdio: ['ignore', log, log],
    cwd: cwd ?? folder,
    env: { ...process.env, HOME: folder, ...env },
  });
  // Also when the server never answers or the test ends early.
  process.once('exit', () => child.kill());
  child.once('error', (error) => console.log(`${server.name}: ${error.message}`));
  await untilAnswering(`http://127.0.0.1:${port}/`, child, SECONDS_TO_START);
  return { server, port, stop: () => stopProcess(child) };
}
