import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, DEFAULTS } from '../src/config/defaults.ts';
import { VisitedUrls } from '../src/crawling/visited-urls/visited-urls.ts';
import { openForReading } from '../src/engine/collection.ts';
import { repositoryOptionsOf, visitedOptionsOf } from '../src/engine/options.ts';
import { SearchService } from '../src/engine/search-service.ts';
import { type Random, seededRandom } from '../src/kit/random.ts';
import { StoredPages } from '../src/repository/stored-pages.ts';
import { DOCS_PACKAGES, docsAreInstalled, startDocsWeb } from '../test/support/docs-web.ts';
import { measuredRun } from './measured-run.ts';
import { crawlArgs, WINNOW_FOLDER } from './winnow-crawl.ts';

export interface SearchBenchResult {
  readonly documents: number;
  readonly queries: number;
  /** Milliseconds a query, the ten best with snippets and facets. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface SearchBenchOptions {
  readonly queries: number;
  readonly seed: string;
  readonly note: (line: string) => void;
}

const MAX_DOCUMENTS = 100_000;

/** Two-word queries over all the documentation web, in process: each takes its words from one document's text. */
export async function benchSearch(options: SearchBenchOptions): Promise<SearchBenchResult> {
  if (!docsAreInstalled()) throw new Error(`install the packages ${DOCS_PACKAGES.join(', ')}`);
  const data = mkdtempSync(join(tmpdir(), 'winnow-bench-'));
  try {
    options.note('crawling the documentation');
    const web = await startDocsWeb();
    const args = [...crawlArgs({ seeds: web.seeds, hostsFile: web.hostsFile, data }), '--level', 'fast'];
    await measuredRun({ command: process.execPath, args, cwd: WINNOW_FOLDER }).finally(() => web.stop());
    const texts = await textsOf(data, DEFAULTS);
    const queries = queriesFrom(texts, options.queries, seededRandom(options.seed));
    return { documents: texts.length, ...(await timesOf(queries, data)) };
  } finally {
    rmSync(data, { recursive: true });
  }
}

export function searchTable({ documents, queries, p50, p95, p99 }: SearchBenchResult): string {
  const times = `p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
  return `search\n${queries} two-word queries over ${documents} documents: ${times}`;
}

async function textsOf(data: string, config: Config): Promise<readonly string[]> {
  const database = openForReading(data, config);
  try {
    const visited = new VisitedUrls(database, visitedOptionsOf(config));
    const urls = await visited.list({ state: 'kept', after: 0, limit: MAX_DOCUMENTS });
    const pages = new StoredPages(database, repositoryOptionsOf(config, data, Date.now));
    const details = await pages.detailsOf(urls.map(({ id }) => id));
    return details.map((page) => page.mainText);
  } finally {
    database.close();
  }
}

function queriesFrom(texts: readonly string[], count: number, random: Random): string[] {
  const words = texts.map((text) => text.match(/\p{L}{3,}/gu) ?? []).filter((found) => found.length >= 2);
  return Array.from({ length: count }, () => {
    const document = words[random.below(words.length)] ?? [];
    return [0, 1].map(() => document[random.below(document.length)] ?? '').join(' ');
  });
}

/** Every query is asked twice and timed the second time: a service that has just started is not what is measured. */
async function timesOf(queries: readonly string[], data: string): Promise<Omit<SearchBenchResult, 'documents'>> {
  const service = new SearchService(data, DEFAULTS);
  const ask = (query: string): Promise<unknown> => service.search({ query, limit: 10, offset: 0, explain: false });
  try {
    for (const query of queries) await ask(query);
    const times: number[] = [];
    for (const query of queries) {
      const started = performance.now();
      await ask(query);
      times.push(performance.now() - started);
    }
    const sorted = times.sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
    return { queries: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  } finally {
    service.close();
  }
}
