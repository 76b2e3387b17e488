import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeConfig } from '../../src/config/config.ts';
import { runCrawl } from '../../src/engine/crawl-run.ts';
import type { CrawlReport } from '../../src/model/reports.ts';

export interface ManyHosts {
  readonly dataDir: string;
  readonly config: ReturnType<typeof mergeConfig>;
  /** Requests as 'host/path', robots.txt left out; emptied by the test. */
  readonly requests: string[];
  /** 'http://host:port' + path. */
  url(host: string, path: string): string;
  /** Milliseconds that the crawler's clock is ahead of the real one. */
  ahead: number;
  crawl(...seeds: readonly string[]): Promise<CrawlReport>;
  stop(): Promise<void>;
}

/** HTML by host and path; undefined = 404. */
export type Pages = (host: string, path: string, url: ManyHosts['url']) => string | undefined;

/** A real server that answers for all of `hosts`, and crawls of it in this process, with a clock that can be put forward. */
export async function startManyHosts(hosts: readonly string[], pages: Pages): Promise<ManyHosts> {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-hosts-'));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').split(':')[0] ?? '';
    const path = request.url ?? '/';
    if (path !== '/robots.txt') requests.push(`${host}${path}`);
    const html = path === '/robots.txt' ? undefined : pages(host, path, stage.url);
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html ?? 'no such page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const hostsFile = join(folder, 'hosts');
  writeFileSync(hostsFile, hosts.map((host) => `127.0.0.1 ${host}\n`).join(''));
  const crawl = { delaySeconds: 0, contact: 'test@localhost', scope: 'any', workers: 1 };
  const config = mergeConfig({ crawl, http: { hostsFile, allowPrivate: true } }, 'test');
  const dataDir = join(folder, 'data');
  const stage: ManyHosts = {
    ...{ dataDir, config, requests, ahead: 0 },
    url: (host, path) => `http://${host}:${port}${path}`,
    crawl: (...seeds) => {
      const nothing = { include: [], exclude: [], maxPages: undefined, maxDepth: undefined, seconds: undefined };
      const request = { seeds, ...nothing, scope: undefined, level: undefined, garbage: undefined };
      const now = () => Date.now() + stage.ahead;
      const { signal } = new AbortController();
      return runCrawl(request, { config, dataDir, signal, now, progress: () => {}, note: () => {} });
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return stage;
}
