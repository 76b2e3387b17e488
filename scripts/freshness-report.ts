/**
 * Measures the refresh policies and writes docs/evaluation-freshness.md with its picture.
 *
 * node scripts/freshness-report.ts [TRACE.jsonl]
 *
 * Without a trace its table is left out. Takes about a quarter of an hour: learned rates are the slow part.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FreshnessEvaluation } from '../src/model/reports.ts';

const ROOT = join(import.meta.dirname, '..');
const SIGNALS = ['none', 'noisy', 'beacon'] as const;
const TITLES = { none: 'no signals', noisy: 'noisy signals', beacon: 'beacon' };
const SEEDS = 20;
/** Days and seeds of the runs with learned rates beside true ones. */
const LEARNING = [
  [25, 20],
  [100, 20],
  [300, 5],
] as const;

type Signals = (typeof SIGNALS)[number];
type Side = readonly FreshnessEvaluation[];

function main(trace: string | undefined): void {
  const short = SIGNALS.map((signals) => evaluate('--days', '25', '--seeds', `${SEEDS}`, '--signals', signals));
  const long = SIGNALS.map((signals) => evaluate('--seeds', `${SEEDS}`, '--signals', signals));
  const learned = SIGNALS.map((signals) => evaluate('--seeds', `${SEEDS}`, '--signals', signals, '--rates', 'learned'));
  const ratios = LEARNING.map(([days, seeds]) => [`${days}`, `${seeds}`, ...SIGNALS.map((s) => ratio(s, days, seeds))]);
  const traces = trace === undefined ? [] : [onTrace(trace, 'true'), onTrace(trace, 'learned')];
  writeFileSync(join(ROOT, 'docs/evaluation-freshness.md'), page({ short, long, learned, ratios, traces }));
  writeFileSync(join(ROOT, 'docs/images/freshness.svg'), picture(long));
}

function onTrace(trace: string, rates: 'true' | 'learned'): Side {
  return SIGNALS.map((signals) => evaluate('--trace', trace, '--seeds', '10', '--signals', signals, '--rates', rates));
}

function evaluate(...args: readonly string[]): FreshnessEvaluation {
  console.error(`evaluate freshness ${args.join(' ')}`);
  const command = [join(ROOT, 'bin/winnow.js'), 'evaluate', 'freshness', ...args, '--json', '--quiet'];
  return JSON.parse(execFileSync(process.execPath, command, { maxBuffer: 1 << 26 }).toString('utf8'));
}

/** Freshness with learned rates over that with true ones, of greedy-signals. */
function ratio(signals: Signals, days: number, seeds: number): string {
  const same = ['--days', `${days}`, '--seeds', `${seeds}`, '--signals', signals, '--policies', 'greedy-signals'];
  const [truly, learned] = [evaluate(...same), evaluate(...same, '--rates', 'learned')];
  return ((learned.policies[0]?.freshness ?? 0) / (truly.policies[0]?.freshness ?? 1)).toFixed(3);
}

interface Measured {
  readonly short: Side;
  readonly long: Side;
  readonly learned: Side;
  readonly ratios: readonly (readonly string[])[];
  readonly traces: readonly Side[];
}

function page({ short, long, learned, ratios, traces }: Measured): string {
  return `# Freshness, simulated

Written by \`node scripts/freshness-report.ts TRACE.jsonl\`. What is simulated, and where the formulas come from, is below.

${comparison('True rates, 100 days', long)}

![Freshness by policy and signals](images/freshness.svg)

What \`greedy-signals\` is ahead of each other policy, mean difference over the seeds ± two standard errors:

${table(['', ...SIGNALS.map((s) => TITLES[s])], leads(long))}

${comparison('True rates, 25 days', short)}

${table(['ahead by', ...SIGNALS.map((s) => TITLES[s])], leads(short))}

${comparison('Learned rates, 100 days', learned)}

Rates, recall and noise are learned from what the simulated crawls find and from the signals that come, beginning with
nothing but the pages' importance. \`greedy-signals\` with learned rates over the same with true ones:

${table(['days', 'seeds', ...SIGNALS.map((s) => TITLES[s])], ratios)}

What is lost is the price of finding out: with a fifth of a crawl a day for each page, a page that was found changed after days
may be slow or fast, and only a visit soon after could tell. Signals tell without a visit, so learning is quicker with them.
${traces.length === 0 ? '' : tracePart(traces)}
## What is simulated

- **Pages**: 300, importance by Pareto's law (exponent 1.2, least 1), ln Δ normal (mean 0, deviation 1), Δ a day within 0.01–20;
  60 crawls a day, one page at a time at a constant rate, so that all policies make the same number of crawls.
- **Signals**: each change is told with the page's recall λ, and false signals come at the rate ν. Noisy: λ uniform in 0–.95, ν in
  0–.1 a day; beacon: λ in .8–.95, ν in .005–.02.
- **Freshness**: share of time that the copy is the page, weighted by importance, exact between events; every copy is right on
  day 0, and the first quarter of the time is not counted. Missed changes were overwritten before a crawl saw them.
- **optimum**: mean freshness at the best fixed intervals when all rates are known (Cho and Garcia-Molina 2003). It hears no signals.
- **greedy-signals**: the page of greatest crawl value at each slot (Busa-Fekete and others 2025; \`src/updating/crawl-value.ts\`);
  **greedy**: the same, deaf. **binary-optimal** (Azar and others 2018), **lambda-crawl** (Kolobov and others 2019), **proportional**,
  **uniform**: rates by \`src/updating/policies.ts\`, at even distances, which is the best that can be done with rates.
- **Learned rates**: a posterior over a grid of (Δ, λ, ν) for each page, its prior fitted to all pages (\`src/updating/page-beliefs.ts\`);
  the value is the mean over what is possible, for the first two crawls of a page with two standard deviations more, so that each
  page is tried. Policies of rates take the mean of Δ.
- **Traces**: sites one by one, each over its window with its share of the budget by pages; importance 1; rates as
  (changes + ½) / (days + ½); signals drawn. Here \`optimum\` is what the best fixed intervals yield on the trace itself, from random
  moments on. Changes of real sites come in bursts over a whole site, which none of the models knows.

\`src/evaluation/freshness.test.ts\` holds the first two tables (20 seeds, 25 days) and a part of the third. Importance is so uneven that
freshness differs by tenths between seeds: policies are to be compared seed by seed, as the differences here are.

\`\`\`sh
winnow evaluate freshness --signals beacon --seeds 20
winnow evaluate freshness --signals beacon --seeds 20 --rates learned --policies greedy-signals,uniform
winnow evaluate freshness --trace changes.jsonl --signals beacon --seeds 10
\`\`\`
`;
}

function comparison(title: string, side: Side): string {
  const rows = (side[0]?.policies ?? []).map(({ policy }, at) => [
    `\`${policy}\``,
    ...side.flatMap(({ policies }) => {
      const { freshness = 0, meanAgeDays = 0, changesMissed = 0 } = policies[at] ?? {};
      return [freshness.toFixed(4), meanAgeDays.toFixed(2), changesMissed.toFixed(0)];
    }),
  ]);
  const optimum = side.flatMap(({ optimum: best = 0 }) => [best.toFixed(4), '', '']);
  const head = ['', ...SIGNALS.flatMap((s) => [TITLES[s], 'age, days', 'missed'])];
  return `## ${title}

Mean of ${side[0]?.seeds} seeds, ${Number(side[0]?.budget.toFixed(1))} crawls a day of ${side[0]?.pages} pages.

${table(head, [...rows, ['optimum', ...optimum]])}`;
}

function leads(side: Side): string[][] {
  return (side[0]?.policies ?? []).slice(1).map(({ policy }, at) => [
    `\`${policy}\``,
    ...side.map(({ policies }) => {
      const { mean, error } = difference(policies[0]?.bySeed ?? [], policies[at + 1]?.bySeed ?? []);
      return `${mean.toFixed(4)} ± ${(2 * error).toFixed(4)}`;
    }),
  ]);
}

function difference(ours: readonly number[], theirs: readonly number[]): { mean: number; error: number } {
  const differences = ours.map((value, at) => value - (theirs[at] ?? 0));
  const mean = differences.reduce((a, b) => a + b, 0) / differences.length;
  const square = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (differences.length - 1);
  return { mean, error: Math.sqrt(square / differences.length) };
}

function tracePart([truly = [], learned = []]: readonly Side[]): string {
  return `
${comparison('Traces of real pages, true rates', truly)}

${comparison('Traces of real pages, learned rates', learned)}
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const COLOURS = ['#7f7f7f', '#1f77b4', '#2ca02c'];
const LEFT = 60;
const TOP = 40;
const HEIGHT = 300;
const GROUP = 110;
const BAR = 28;

/** Bars by policy, one for each kind of signals, with the optimum as a line. */
function picture(side: Side): string {
  const policies = side[0]?.policies ?? [];
  const width = policies.length * GROUP;
  const y = (value: number): number => TOP + (1 - value) * HEIGHT;
  const bars = policies.map(({ policy }, at) => {
    const left = LEFT + at * GROUP + (GROUP - SIGNALS.length * BAR) / 2;
    const each = side.map(({ policies: measured }, i) => {
      const freshness = measured[at]?.freshness ?? 0;
      const x = left + i * BAR;
      return `<rect x="${x}" y="${y(freshness).toFixed(1)}" width="${BAR - 3}" height="${(freshness * HEIGHT).toFixed(1)}" fill="${COLOURS[i]}"/>${label(x + BAR / 2 - 1, y(freshness) - 4, freshness.toFixed(2).slice(1))}`;
    });
    return `${each.join('')}${label(LEFT + (at + 0.5) * GROUP, TOP + HEIGHT + 20, policy)}`;
  });
  const levels = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<path d="M${LEFT},${y(value)}h${width}" stroke="#777" opacity="0.25"/>${label(LEFT - 20, y(value) + 4, `${value}`)}`,
  );
  const best = y(side[0]?.optimum ?? 0).toFixed(1);
  const legend = SIGNALS.map(
    (signals, i) =>
      `<rect x="${LEFT + 20 + i * 150}" y="${TOP + HEIGHT + 36}" width="12" height="12" fill="${COLOURS[i]}"/><text x="${LEFT + 38 + i * 150}" y="${TOP + HEIGHT + 46}">${TITLES[signals]}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + width + 40} ${TOP + HEIGHT + 60}" font-family="sans-serif" font-size="12" fill="#777">
<title>Freshness by policy and signals</title>
${label(LEFT + width / 2, 22, 'Freshness by policy and signals')}
${levels.join('\n')}
${bars.join('\n')}
<path d="M${LEFT},${best}h${width}" stroke="#d62728" stroke-dasharray="6 4"/>
<text x="${LEFT + width}" y="${Number(best) - 5}" text-anchor="end" fill="#d62728">optimum of fixed intervals</text>
${legend.join('\n')}
</svg>
`;
}

function label(x: number, y: number, text: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="middle">${text}</text>`;
}

main(process.argv[2]);
