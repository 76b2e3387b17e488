import { join } from 'node:path';
import { runDemo } from '../demo/demo.ts';
import { addSite } from '../engine/beacon-sites.ts';
import { startServer } from '../engine/server-process.ts';
import type { Command, CommandContext } from './command.ts';
import { exitOfCrawl, renderCrawlReport } from './crawl-text.ts';
import { announce } from './serve.ts';
import { isOn, numberOf } from './values.ts';

export const demoCommand: Command = {
  name: 'demo',
  summary: 'a local web with garbage in it, crawled and served',
  details: `Starts twelve small sites on this machine, among them a spam farm, a parked domain, a host of soft-404 pages and a
mirror, crawls them into DATA/demo (emptied first) and serves the search page. Nothing leaves the machine.`,
  options: [
    { name: 'once', help: 'crawl, report, and exit' },
    { name: 'port', value: 'N', type: 'integer', min: 0, help: 'port of the search page (default 8080)' },
  ],
  async run({ options }, context) {
    const dataDir = join(context.dataDir, 'demo');
    const port = numberOf(options, 'port') ?? context.config.server.port;
    const beaconOrigin = `http://${context.config.server.host}:${port}`;
    context.note('Starting the demo web and crawling it.');
    const demo = await runDemo({ ...context, dataDir }, beaconOrigin);
    try {
      const text = renderCrawlReport(demo.report);
      if (!isOn(options, 'once') && !context.signal.aborted) {
        context.note(text);
        const here = { ...context, config: demo.config };
        await addSite(`http://${BEACON_HOST}:${demo.web.port}/`, { ...here, dataDir });
        await serve({ dataDir, port }, here);
      }
      return { kind: 'report', json: demo.report, text, exit: exitOfCrawl(demo.report) };
    } finally {
      await demo.web.stop();
    }
  },
};

/** The demo's site that carries the beacon. */
const BEACON_HOST = 'island-gazette.example';

async function serve(at: { readonly dataDir: string; readonly port: number }, context: CommandContext): Promise<void> {
  // The demo has one visitor: whoever looks at it.
  const config = { ...context.config, beacon: { ...context.config.beacon, visitors: 1 } };
  const writerOptions = [
    '--data',
    at.dataDir,
    '--hosts',
    config.http.hostsFile,
    '--allow-private',
    '--delay',
    '0',
    '--contact',
    config.crawl.contact,
  ];
  const server = await startServer({
    ...at,
    config,
    host: config.server.host,
    trustProxy: [],
    update: true,
    writerOptions,
  });
  announce(server.url, server.freshToken, context);
  context.note(
    'Try: tide gauge, calibration, "lowest astronomical tide", 島のフェリー, casino (kept out). Ctrl-C ends the demo.',
  );
  context.signal.addEventListener('abort', () => void server.stop());
  await server.ended;
}
