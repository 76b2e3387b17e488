import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/config/defaults.ts';
import { type DemoWeb, startDemoWeb } from '../../src/demo/web.ts';
import type { CrawlReport, SearchResult } from '../../src/model/reports.ts';
import { startWinnow, winnow } from './winnow.ts';

export const NEWS = 'island-gazette.example';

/** A Winnow server and the demo's web, the newspaper crawled and registered: real processes, real HTTP. */
export interface BeaconStage {
  readonly web: DemoWeb;
  readonly dataDir: string;
  readonly server: {
    readonly url: string;
    readonly pid: number;
    kill(signal: NodeJS.Signals): Promise<void>;
  };
  /** 'http://island-gazette.example:port' + path. */
  page(path: string): string;
  update(...args: string[]): Promise<CrawlReport>;
  search(query: string): Promise<SearchResult>;
  startServer(...args: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** `settings` of the section beacon, over those that make a test quick. */
export async function startBeaconStage(settings: Partial<Config['beacon']> = {}): Promise<BeaconStage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-beacon-'));
  const config = join(dataDir, 'settings.json');
  // One visitor is believed, and one that confirms a page does so for the rest of the test; commits are quick.
  const beacon = { visitors: 1, newEnoughMs: 3_600_000, standingMs: 0, commitMs: 50, sitesMs: 50, ...settings };
  writeFileSync(config, JSON.stringify({ beacon }));
  const hosts = join(dataDir, 'hosts');
  const common = ['--data', dataDir, '--config', config];
  const fetching = [...common, '--hosts', hosts, '--allow-private', '--delay', '0', '--contact', 'test@localhost'];
  writeFileSync(hosts, `127.0.0.1 ${NEWS}\n`);
  let server = await serve(fetching);
  const web = await startDemoWeb({ port: 0, beaconOrigin: server.url });
  const page = (path: string): string => `http://${NEWS}:${web.port}${path}`;
  await run('crawl', page('/'), page('/latest'), ...fetching);
  await run('site', 'add', page('/'), ...common);
  return {
    web,
    dataDir,
    get server() {
      return server;
    },
    page,
    update: async (...args) => JSON.parse(await run('update', ...args, '--json', ...fetching)),
    search: async (query) => JSON.parse(await run('search', query, '--json', ...common)),
    startServer: async (...args) => {
      server = await serve([...args, ...fetching]);
    },
    stop: async () => {
      await server.kill('SIGTERM');
      await web.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** What a browser that ran the script would send; `text` stands for all that a visitor sees. */
export function reportOf(url: string, text: string): string {
  const same = md5('same');
  const others = { headings: same, links: same, images: same, metadata: same };
  return JSON.stringify({ url, title: same, text: md5(text), ...others });
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** Asks until the answer is one to be waited for; the test's own time-out ends it. */
export async function until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Standard output of a command that must not fail. */
async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await winnow(args);
  if (code !== 0) throw new Error(`winnow ${args[0]}: exit ${code}: ${stderr}`);
  return stdout;
}

/** `winnow serve` on any free port. */
export async function serve(args: readonly string[]): Promise<BeaconStage['server']> {
  const child = startWinnow(['serve', '--port', '0', ...args]);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await addressOf(child, ended);
  // The command waits for the server, which is a process of its own.
  const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
  return {
    url,
    pid,
    kill: async (signal) => {
      process.kill(pid, signal);
      await ended;
    },
  };
}

function addressOf(child: ChildProcess, ended: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const url = /Search page: (http:\/\/\S+?)\/\s/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
    void ended.then(() => reject(new Error(`the server ended: ${text}`)));
  });
}
