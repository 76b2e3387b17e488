import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { UsageError } from '../config/errors.ts';
import { runFocus } from '../engine/focus-run.ts';
import { listFocusSeeds } from '../engine/focus-seeds.ts';
import { BUILT_STRATEGIES, FITNESS_CHOICES, type FocusRequest, LEARNING_CHOICES } from '../engine/focus-types.ts';
import { type Category, parseKeywords } from '../focused-crawling/keywords/keywords.ts';
import type { FocusReport } from '../model/reports.ts';
import type { Command, CommandContext, CommandInput } from './command.ts';
import { seedArgument } from './seed-argument.ts';
import { readTextList } from './text-list.ts';
import { listOf, numberOf, textOf, wordOf } from './values.ts';

const STRATEGIES = ['query', 'bandit', 'best-first', 'breadth-first', 'depth-first'] as const;
const LEARNERS = ['frequency', 'log-odds', 'off'] as const;

export const focusCommand: Command = {
  name: 'focus',
  summary: 'find the pages of a topic through the search of the sites themselves',
  details: `Examples:
  winnow focus https://www.example.edu/ --keywords surnames.txt --keywords cities.txt:0.5 --contact me@example.org
  winnow focus --keywords topic.txt          (every site of the seed database: winnow seeds add URL)`,
  args: [{ name: 'URL', help: 'seed pages; none: --seeds, else the seed database', many: true }],
  options: [
    { name: 'seeds', value: 'FILE', help: 'more seeds, one URL a line' },
    { name: 'pick', value: 'URL', help: 'only this one of the seeds' },
    {
      name: 'keywords',
      value: 'FILE[:WEIGHT]',
      repeatable: true,
      help: 'keywords of one category, one a line (required)',
    },
    { name: 'strategy', value: 'NAME', choices: STRATEGIES, help: 'query (default) or breadth-first' },
    { name: 'fitness', value: 'NAME', choices: FITNESS_CHOICES, help: 'auto (default), k-level or max-ancestor' },
    { name: 'tag-weights', value: 'FILE', help: 'lines "tag weight" that replace those of the table' },
    {
      name: 'learn',
      value: 'HOW',
      choices: LEARNERS,
      help: 'learn words from the best pages: frequency (default) or off',
    },
    { name: 'top', value: 'N', type: 'integer', min: 1, help: 'results taken from one answer (default 20)' },
    { name: 'max-requests', value: 'N', type: 'integer', min: 1, help: 'end after N requests, robots.txt not counted' },
    { name: 'max-pages', value: 'N', type: 'integer', min: 1, help: 'end after N answers of pages' },
    {
      name: 'max-depth',
      value: 'N',
      type: 'integer',
      min: 0,
      help: 'links from a seed, for breadth-first (default 50)',
    },
    { name: 'provider', value: 'NAME', help: 'web search to ask as well: none' },
  ],
  fetches: true,
  async run(input, context) {
    const report = await runFocus(await requestOf(input, context), context);
    return { kind: 'report', json: report, text: renderFocusReport(report), exit: exitOf(report) };
  },
};

async function requestOf(input: CommandInput, context: CommandContext): Promise<FocusRequest> {
  const { options } = input;
  const strategy = built('strategy', wordOf(options, 'strategy', STRATEGIES) ?? 'query', BUILT_STRATEGIES);
  const learn = built('learn', wordOf(options, 'learn', LEARNERS) ?? 'frequency', LEARNING_CHOICES);
  built('provider', textOf(options, 'provider') ?? 'none', ['none'] as const);
  if (context.config.crawl.render !== 'never') {
    throw new UsageError(`--render ${context.config.crawl.render}: focus does not use a browser yet; leave it out`);
  }
  const maxDepth = numberOf(options, 'max-depth');
  if (strategy === 'query' && maxDepth !== undefined) {
    throw new UsageError('--max-depth: strategy query reads results and follows no links; use it with breadth-first');
  }
  const weights = textOf(options, 'tag-weights');
  return {
    categories: categoriesOf(listOf(options, 'keywords')),
    tagWeights: weights === undefined ? {} : readTagWeights(weights),
    seeds: await seedsOf(input, context),
    strategy,
    learn,
    fitness: wordOf(options, 'fitness', FITNESS_CHOICES) ?? 'auto',
    top: numberOf(options, 'top'),
    maxRequests: numberOf(options, 'max-requests'),
    maxPages: numberOf(options, 'max-pages'),
    maxDepth,
  };
}

/** A word of the contract that works; one that is not built yet is refused. */
function built<W extends string>(option: string, word: string, words: readonly W[]): W {
  const found = words.find((one) => one === word);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} ${word} is not built yet; this version has: ${words.join(', ')}`);
}

function categoriesOf(given: readonly string[]): readonly Category[] {
  if (given.length === 0) throw new UsageError('focus: name the keywords of the topic with --keywords FILE');
  return given.map((text) => {
    const { file, weight } = fileAndWeight(text);
    const { keywords, problems } = parseKeywords(readTextList(file, '--keywords'));
    const [problem] = problems;
    if (problem !== undefined) throw new UsageError(`${file}:${problem.line}: not a keyword: ${problem.detail}`);
    if (keywords.length === 0) throw new UsageError(`--keywords: ${file} names no keyword`);
    return { name: basename(file), weight, keywords };
  });
}

/** A file whose own name ends in ':1' is taken as it stands. */
function fileAndWeight(text: string): { readonly file: string; readonly weight: number } {
  const colon = text.lastIndexOf(':');
  if (colon < 1 || existsSync(text)) return { file: text, weight: 1 };
  const weight = Number(text.slice(colon + 1));
  if (text.slice(colon + 1).trim() === '' || !Number.isFinite(weight) || weight <= 0) {
    throw new UsageError(`--keywords ${text}: the weight after ":" must be a number above 0`);
  }
  return { file: text.slice(0, colon), weight };
}

function readTagWeights(file: string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    readTextList(file, '--tag-weights').map(({ text, line }) => {
      const [tag = '', number = '', ...more] = text.split(/\s+/);
      const weight = Number(number);
      if (
        !/^[a-z][a-z0-9-]*$/i.test(tag) ||
        number === '' ||
        more.length > 0 ||
        !(weight >= 0) ||
        weight === Infinity
      ) {
        throw new UsageError(`${file}:${line}: a line is a tag and its weight, 0 or more, such as "h1 0.9"`);
      }
      return [tag.toLowerCase(), weight];
    }),
  );
}

async function seedsOf(input: CommandInput, context: CommandContext): Promise<readonly string[]> {
  const { maxUrlLength } = context.config.crawl;
  const named = input.args.map((text) => seedArgument(text, 'the URL argument', maxUrlLength));
  const file = textOf(input.options, 'seeds');
  const listed =
    file === undefined
      ? []
      : readTextList(file, '--seeds').map(({ text, line }) => seedArgument(text, `${file}:${line}:`, maxUrlLength));
  if (file !== undefined && listed.length === 0) throw new UsageError(`--seeds: ${file} names no URL`);
  const given = [...named, ...listed];
  const seeds =
    given.length > 0 ? given : (await listFocusSeeds(context.dataDir, context.config)).map(({ url }) => url);
  if (seeds.length === 0)
    throw new UsageError('focus: no seed was named and the seed database is empty; see winnow seeds add');
  const pick = textOf(input.options, 'pick');
  if (pick === undefined) return [...new Set(seeds)];
  const picked = seedArgument(pick, '--pick', maxUrlLength);
  if (!seeds.includes(picked)) throw new UsageError(`--pick ${picked} is none of the seeds`);
  return [picked];
}

function exitOf(report: FocusReport): 0 | 1 | 130 {
  if (report.stopped === 'interrupted') return 130;
  return report.fetched === 0 && report.relevant.length === 0 ? 1 : 0;
}

function renderFocusReport(report: FocusReport): string {
  const { relevant, requests, interfaces, learnedKeywords } = report;
  const faces = interfaces.map(
    ({ site, kind, method, action, field, state, reason }) =>
      `  ${site}: ${kind} ${method} ${action} (${field}): ${state}${reason === undefined ? '' : `: ${reason}`}`,
  );
  const pages = relevant.map(
    ({ url, title, keywords, fitness }) =>
      `  ${fitness.kLevel.toFixed(2).padStart(7)} ${fitness.maxAncestor.toFixed(2).padStart(7)}  ${url}  ${title}  [${keywords.join(', ')}]`,
  );
  return [
    `Found ${relevant.length} relevant pages with ${requests} requests in ${report.seconds.toFixed(0)} s (${report.stopped}).`,
    ...(faces.length === 0 ? [] : ['', 'Search interfaces:', ...faces]),
    ...(pages.length === 0 ? [] : ['', 'Relevant pages (K-level, max-ancestor):', ...pages]),
    ...(learnedKeywords.length === 0 ? [] : ['', `Learned: ${learnedKeywords.map(({ word }) => word).join(', ')}`]),
  ].join('\n');
}
