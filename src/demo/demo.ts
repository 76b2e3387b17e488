import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { UnableError } from '../config/errors.ts';
import { type RunEnvironment, runCrawl } from '../engine/crawl-run.ts';
import { lockHolder, SERVER_LOCK } from '../engine/server-lock.ts';
import { makeFolder } from '../kit/make-folder.ts';
import type { CrawlReport } from '../model/reports.ts';
import { type DemoWeb, startDemoWeb } from './web.ts';

/** Port of the demo's web when it is free: fixed, so that two runs give the same URLs. */
const WEB_PORT = 8090;

export interface Demo {
  readonly web: DemoWeb;
  readonly report: CrawlReport;
  /** The configuration the demo crawled with: its hosts file, private addresses allowed, no delay. */
  readonly config: Config;
}

/** Starts the local web and crawls it into `dataDir`, which is emptied first. The caller stops the web. */
export async function runDemo(environment: RunEnvironment, beaconOrigin: string): Promise<Demo> {
  const { dataDir, config } = environment;
  const server = lockHolder(join(dataDir, SERVER_LOCK));
  if (server !== undefined) {
    throw new UnableError(
      `process ${server} serves the demo in ${dataDir}; stop it first, or use another --data folder`,
    );
  }
  rmSync(dataDir, { recursive: true, force: true });
  makeFolder(dataDir);
  const web = await startWeb(beaconOrigin);
  const hostsFile = join(dataDir, 'demo-hosts');
  writeFileSync(hostsFile, web.hosts);
  const demoConfig: Config = {
    ...config,
    http: { ...config.http, hostsFile, allowPrivate: true },
    crawl: {
      ...config.crawl,
      delaySeconds: 0,
      contact: 'demo@localhost',
      connectionsPerAddress: config.crawl.concurrency,
    },
  };
  try {
    const report = await runCrawl(
      {
        seeds: web.seeds,
        scope: 'any',
        include: web.sites.map((site) => `*://${site.host}*/**`),
        exclude: [],
        maxPages: undefined,
        maxDepth: undefined,
        seconds: undefined,
        level: undefined,
        garbage: undefined,
      },
      { ...environment, config: demoConfig },
    );
    return { web, report, config: demoConfig };
  } catch (error) {
    await web.stop();
    throw error;
  }
}

async function startWeb(beaconOrigin: string): Promise<DemoWeb> {
  try {
    return await startDemoWeb({ port: WEB_PORT, beaconOrigin });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    // Any other port serves as well, only the URLs look different.
    return await startDemoWeb({ port: 0, beaconOrigin });
  }
}
