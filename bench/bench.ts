import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchCrawl, crawlTable } from './crawl-bench.ts';
import { run as runFrontier } from './frontier.ts';
import { benchMemory, memoryTable } from './memory-bench.ts';
import { benchSearch, searchTable } from './search-bench.ts';

const HELP = `npm run bench -- [all|crawl|memory|frontier|search] [options]

  crawl      Winnow beside Crawlee, Scrapy and Colly on two documentation sites (installs the peers into .bench/)
  memory     memory of a crawl at 2,000 and at 20,000 pages of a generated site
  frontier   10 million URLs of 100,000 hosts through the frontier: bytes and time a URL
  search     time of 200 two-word queries over the crawled documentation
  all        each of them (default)

  --rounds N   crawl: runs of each crawler, the fastest counts (default 2)
  --pages N    memory: pages of the generated site (default 20000)
  --json       one JSON document on standard output in place of tables (not frontier)
  --help       this text`;

const NAMES = ['crawl', 'memory', 'frontier', 'search'] as const;
type Name = (typeof NAMES)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '2' },
    pages: { type: 'string', default: '20000' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(HELP);
else await main(namesOf(positionals));

async function main(names: readonly Name[] | undefined): Promise<void> {
  if (names === undefined) {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  const results: Record<string, unknown> = { machine: machine() };
  if (!values.json)
    console.log(
      `${cpus().length} cores, load ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
    );
  for (const name of names) {
    const { result, table } = await carryOut(name);
    results[name] = result;
    if (!values.json) console.log(`\n${table}`);
  }
  if (values.json) console.log(JSON.stringify({ ...results, after: machine() }, null, 2));
}

async function carryOut(name: Name): Promise<{ readonly result: unknown; readonly table: string }> {
  switch (name) {
    case 'crawl': {
      const result = await benchCrawl({ rounds: numberOf('rounds'), note });
      return { result, table: crawlTable(result) };
    }
    case 'memory': {
      const result = await benchMemory({ pages: numberOf('pages'), firstMark: numberOf('pages') / 10, note });
      return { result, table: memoryTable(result) };
    }
    case 'search': {
      const result = await benchSearch({ queries: 200, seed: 'bench', note });
      return { result, table: searchTable(result) };
    }
    case 'frontier':
      await runFrontier();
      return { result: undefined, table: '' };
  }
}

function namesOf(words: readonly string[]): readonly Name[] | undefined {
  if (words.length === 0 || words[0] === 'all') return NAMES;
  const names = words.flatMap((word) => NAMES.filter((name) => name === word));
  return names.length === words.length ? names : undefined;
}

function numberOf(option: 'rounds' | 'pages'): number {
  const value = Number(values[option]);
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`--${option} takes a whole number from 1`);
  return value;
}

function machine(): { readonly cores: number; readonly load: readonly number[] } {
  return { cores: cpus().length, load: loadavg() };
}

function note(line: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
}
