import { UsageError } from '../config/errors.ts';
import { evaluateFreshness, type FreshnessOptions } from '../evaluation/freshness.ts';
import { parseTrace, type SiteTrace, sitesOfTrace, TraceError } from '../evaluation/freshness-trace.ts';
import { REFRESH_POLICIES, type RefreshPolicy } from '../model/lists.ts';
import type { FreshnessEvaluation } from '../model/reports.ts';
import type { Command, OptionValues } from './command.ts';
import { readFileFor } from './text-list.ts';
import { numberOf, textOf, wordOf } from './values.ts';

const SIGNALS = ['none', 'noisy', 'beacon'] as const;
const RATES = ['true', 'learned'] as const;
const PAGES = 300;
const DAYS = 100;

export const evaluateFreshnessCommand: Command = {
  name: 'freshness',
  summary: 'refresh policies side by side, simulated',
  details: `Pages are drawn at random (importance by Pareto's law, logarithms of changes a day normal) or read from a trace, and
crawled one by one at a constant rate. Freshness is the share of time that copies are right, weighted by importance; the
first quarter of the time is not counted. "optimum" is the best that fixed intervals can reach when all rates are known
(Cho and Garcia-Molina 2003). A trace has lines {"site", "page", "changes": [Unix seconds]}; a site's window is from its
first change to its last, and sites share the budget by their pages.`,
  options: [
    { name: 'pages', value: 'N', type: 'integer', min: 1, max: 1_000_000, help: `pages to draw (default ${PAGES})` },
    { name: 'budget', value: 'N', type: 'number', min: 0.001, help: 'crawls a day (default: a fifth of the pages)' },
    { name: 'days', value: 'N', type: 'number', min: 1, max: 100_000, help: `days to simulate (default ${DAYS})` },
    { name: 'signals', value: 'S', choices: SIGNALS, help: 'word of changes: none (default), noisy or beacon' },
    { name: 'seed', value: 'N', type: 'integer', min: 0, help: 'of the first run (default 1)' },
    { name: 'seeds', value: 'N', type: 'integer', min: 1, max: 10_000, help: 'runs to take the mean of (default 1)' },
    { name: 'trace', value: 'F.jsonl', help: 'changes of real pages instead of drawn ones' },
    { name: 'policies', value: 'A,B,…', help: `some of ${REFRESH_POLICIES.join(', ')} (default: all)` },
    { name: 'rates', value: 'R', choices: RATES, help: 'true (default), or learned from what the crawls find' },
  ],
  async run({ options }, { progress }) {
    const seeds = numberOf(options, 'seeds') ?? 1;
    const report = await evaluateFreshness({
      source: sourceOf(options),
      budget: numberOf(options, 'budget'),
      signals: wordOf(options, 'signals', SIGNALS) ?? 'none',
      policies: policiesOf(textOf(options, 'policies')),
      rates: wordOf(options, 'rates', RATES) ?? 'true',
      seed: numberOf(options, 'seed') ?? 1,
      seeds,
      onSeed: (done) => progress(`seed ${done} of ${seeds}`),
    });
    return { kind: 'report', json: report, text: render(report) };
  },
};

function sourceOf(options: OptionValues): FreshnessOptions['source'] {
  const file = textOf(options, 'trace');
  if (file === undefined)
    return { pages: numberOf(options, 'pages') ?? PAGES, days: numberOf(options, 'days') ?? DAYS };
  for (const name of ['pages', 'days'])
    if (options[name] !== undefined) throw new UsageError(`--${name}: a trace has its own; leave it out`);
  const sites = readTrace(file);
  if (sites.length === 0) throw new UsageError(`--trace: ${file}: no site changes at two moments`);
  return sites;
}

function readTrace(file: string): SiteTrace[] {
  const text = readFileFor(file, '--trace');
  try {
    return sitesOfTrace(parseTrace(text));
  } catch (error) {
    if (error instanceof TraceError) throw new UsageError(`--trace: ${file}, ${error.message}`);
    throw error;
  }
}

function policiesOf(list: string | undefined): readonly RefreshPolicy[] {
  if (list === undefined) return REFRESH_POLICIES;
  const words = list.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !REFRESH_POLICIES.some((policy) => policy === word));
  if (unknown !== undefined) throw new UsageError(`--policies: "${unknown}" is none of ${REFRESH_POLICIES.join(', ')}`);
  return REFRESH_POLICIES.filter((policy) => words.includes(policy));
}

function render({ optimum, policies, pages, budget, signals, rates, seeds }: FreshnessEvaluation): string {
  const head = `${pages} pages, ${Number(budget.toFixed(3))} crawls a day, signals ${signals}, ${rates} rates, ${seeds} ${seeds === 1 ? 'run' : 'runs'}`;
  const rows = policies.map(({ policy, freshness, meanAgeDays, crawls, changesMissed, spread }) =>
    [
      policy.padEnd(15),
      freshness.toFixed(4).padStart(9),
      `${meanAgeDays.toFixed(3)} d`.padStart(11),
      Math.round(crawls).toString().padStart(8),
      Math.round(changesMissed).toString().padStart(9),
      ...(spread === undefined ? [] : [`  ${spread.map((value) => value.toFixed(3)).join(' ')}`]),
    ].join(''),
  );
  const titles = `${'policy'.padEnd(15)}freshness   mean age  crawls   missed${seeds === 1 ? '' : '  least, middle, greatest'}`;
  return [head, ...(optimum === undefined ? [] : [`optimum ${optimum.toFixed(4)}`]), titles, ...rows].join('\n');
}
