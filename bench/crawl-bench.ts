import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCS_PACKAGES, type DocsWeb, docsAreInstalled, startDocsWeb } from '../test/support/docs-web.ts';
import { type MeasuredRun, measuredRun } from './measured-run.ts';
import { installPeers, type Peer } from './peers.ts';
import { crawlArgs, WINNOW_FOLDER, type WinnowCrawl } from './winnow-crawl.ts';

interface CrawlFigures {
  readonly name: string;
  /** HTML pages read. */
  readonly pages: number;
  /** Of the fastest run. */
  readonly seconds: number;
  readonly pagesPerSecond: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  /** Elapsed seconds of every run. */
  readonly runs: readonly number[];
}

export interface CrawlBenchResult {
  readonly figures: readonly CrawlFigures[];
  /** Pages a second of Winnow, as a multiple of each peer's. */
  readonly ratios: readonly CrawlRatio[];
}

interface CrawlRatio {
  readonly winnow: string;
  readonly peer: string;
  readonly pagesPerSecond: number;
  readonly cpuSecondsPerPage: number;
}

export interface CrawlBenchOptions {
  readonly rounds: number;
  readonly note: (line: string) => void;
}

const SITES = ['python.docs.example', 'postgresql.docs.example'];

interface Entrant {
  readonly name: string;
  run(web: DocsWeb): Promise<MeasuredRun & { readonly pages: number }>;
}

/**
 * Two documentation sites of Debian packages on loopback, crawled by Winnow with all it does and by the peers, which
 * fetch and extract only. Runs alternate, so that a busy machine disturbs all alike.
 */
export async function benchCrawl(options: CrawlBenchOptions): Promise<CrawlBenchResult> {
  if (!docsAreInstalled()) throw new Error(`install the packages ${DOCS_PACKAGES.join(', ')}`);
  const entrants = [winnow('auto'), winnow('fast'), ...installPeers(options.note).map(ofPeer)];
  const runs = new Map<string, (MeasuredRun & { readonly pages: number })[]>();
  const web = await startDocsWeb(SITES);
  try {
    for (let round = 1; round <= options.rounds; round++) {
      for (const { name, run } of entrants) {
        const result = await run(web);
        const { pages, seconds, cpuSeconds } = result;
        options.note(
          `round ${round}, ${name}: ${pages} pages in ${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s`,
        );
        runs.set(name, [...(runs.get(name) ?? []), result]);
      }
    }
  } finally {
    await web.stop();
  }
  const figures = [...runs].map(([name, all]) => figuresOf(name, all));
  return { figures, ratios: ratiosOf(figures) };
}

export function crawlTable({ figures, ratios }: CrawlBenchResult): string {
  const lines = figures.map(
    (f) =>
      `${f.name.padEnd(32)}${String(f.pages).padStart(7)}${f.pagesPerSecond.toFixed(1).padStart(10)}` +
      `${f.cpuSeconds.toFixed(1).padStart(8)}${f.peakMegabytes.toFixed(0).padStart(9)}   ` +
      f.runs.map((seconds) => seconds.toFixed(1)).join(' '),
  );
  const comparisons = ratios.map(
    (r) =>
      `${r.winnow} : ${r.peer}  ${r.pagesPerSecond.toFixed(2)} × the pages a second, ` +
      `${r.cpuSecondsPerPage.toFixed(2)} × the processor time a page`,
  );
  const header = `${'crawl'.padEnd(32)}  pages   pages/s   CPU s  peak MB   seconds of each run`;
  return [header, ...lines, '', ...comparisons].join('\n');
}

function winnow(level: 'auto' | 'fast'): Entrant {
  return {
    name: `Winnow --level ${level}`,
    run: async (web) => {
      const data = mkdtempSync(join(tmpdir(), 'winnow-bench-'));
      try {
        const args = [...crawlArgs({ seeds: web.seeds, hostsFile: web.hostsFile, data }), '--level', level];
        const run = await measuredRun({ command: process.execPath, args, cwd: WINNOW_FOLDER });
        const report = JSON.parse(run.stdout) as WinnowCrawl;
        return { ...run, pages: report.kept + report.duplicates.exact + report.duplicates.near };
      } finally {
        rmSync(data, { recursive: true });
      }
    },
  };
}

function ofPeer(peer: Peer): Entrant {
  return {
    name: peer.name,
    run: async (web) => {
      const folder = mkdtempSync(join(tmpdir(), 'winnow-bench-'));
      try {
        const run = await measuredRun(peer.order(join(folder, 'pages.jsonl'), addressesOf(web)));
        const { pages } = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as { readonly pages: number };
        return { ...run, pages };
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

/** The seeds with addresses in place of names: the peers have no hosts map. */
function addressesOf(web: DocsWeb): string[] {
  return web.seeds.map((seed) => {
    const url = new URL(seed);
    url.hostname = web.sites.find((site) => site.name === url.hostname)?.address ?? url.hostname;
    return url.href;
  });
}

function figuresOf(name: string, all: readonly (MeasuredRun & { readonly pages: number })[]): CrawlFigures {
  const best = all.reduce((a, b) => (b.seconds < a.seconds ? b : a));
  const { pages, seconds, cpuSeconds, peakMegabytes } = best;
  return {
    ...{ name, pages, seconds, cpuSeconds, peakMegabytes },
    pagesPerSecond: pages / seconds,
    runs: all.map((run) => run.seconds),
  };
}

function ratiosOf(figures: readonly CrawlFigures[]): CrawlRatio[] {
  const ours = figures.filter(({ name }) => name.startsWith('Winnow'));
  const peers = figures.filter(({ name }) => !name.startsWith('Winnow'));
  return ours.flatMap((our) =>
    peers.map((peer) => ({
      winnow: our.name,
      peer: peer.name,
      pagesPerSecond: our.pagesPerSecond / peer.pagesPerSecond,
      cpuSecondsPerPage: our.cpuSeconds / our.pages / (peer.cpuSeconds / peer.pages),
    })),
  );
}
