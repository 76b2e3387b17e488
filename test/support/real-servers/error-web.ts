import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APPLICATION_SERVERS } from './application-servers.ts';
import { FRAMEWORKS } from './frameworks.ts';
import { GATEWAYS } from './gateways.ts';
import { writeHonestPages } from './honest-pages.ts';
import { type Answer, isInstalled, type RealServer, type RunningServer, startServer } from './real-server.ts';
import { type ReverseProxy, startReverseProxy } from './reverse-proxy.ts';
import { STATIC_SERVERS } from './static-servers.ts';
import { WIKIS } from './wikis.ts';

export const REAL_SERVERS: readonly RealServer[] = [
  ...STATIC_SERVERS,
  ...GATEWAYS,
  ...APPLICATION_SERVERS,
  ...WIKIS,
  ...FRAMEWORKS,
];

export interface ErrorWeb {
  readonly servers: readonly RealServer[];
  readonly proxy: ReverseProxy;
  readonly hostsFile: string;
  urlOf(server: RealServer, path: string): string;
  stop(): Promise<void>;
}

/** The installed ones of the servers, each behind a host name of its own. */
export async function startErrorWeb(wanted: readonly RealServer[] = REAL_SERVERS): Promise<ErrorWeb> {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-servers-'));
  chmodSync(folder, 0o755);
  const pages = join(folder, 'pages');
  writeHonestPages(pages);
  const running: RunningServer[] = [];
  for (const server of wanted.filter(isInstalled))
    running.push(await startServer(server, join(folder, server.name), pages));
  const proxy = await startReverseProxy(
    new Map(running.map(({ server, port }) => [hostOf(server), { port, languages: languagesOf(server.answers) }])),
  );
  const hostsFile = join(folder, 'hosts');
  writeFileSync(hostsFile, running.map(({ server }) => `127.0.0.1 ${hostOf(server)}\n`).join(''));
  return {
    servers: running.map(({ server }) => server),
    proxy,
    hostsFile,
    urlOf: (server, path) => `http://${hostOf(server)}:${proxy.port}${path}`,
    async stop() {
      await Promise.all([proxy.stop(), ...running.map((server) => server.stop())]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** All that is asked of a server. */
export function pathsOf(server: RealServer): string[] {
  return [...server.answers.map(({ path }) => path), ...server.honest];
}

export function hostOf(server: RealServer): string {
  return `${server.name}.example`;
}

function languagesOf(answers: readonly Answer[]): Map<string, string> {
  return new Map(
    answers.flatMap(({ path, language }): [string, string][] => (language === undefined ? [] : [[path, language]])),
  );
}
