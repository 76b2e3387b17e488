import { setImmediate } from 'node:timers/promises';
import { type Random, seededRandom } from '../kit/random.ts';
import type { RefreshPolicy } from '../model/lists.ts';
import type { FreshnessEvaluation } from '../model/reports.ts';
import { fixedIntervalRates, intervalFreshness } from '../updating/policies.ts';
import { type Beliefs, learnedBeliefs, trueBeliefs } from './freshness-beliefs.ts';
import type { FreshnessFigures } from './freshness-ledger.ts';
import { simulate } from './freshness-simulation.ts';
import { intervalFreshnessOn, type SiteTrace } from './freshness-trace.ts';
import { drawPopulation, drawQuality, drawSignals, eventsOf, type SignalKind, type World } from './freshness-world.ts';

export interface FreshnessOptions {
  /** Pages to draw, or sites with what happened to them. */
  readonly source: { readonly pages: number; readonly days: number } | readonly SiteTrace[];
  /** Crawls a day of all pages together; undefined: a fifth of the pages. Sites of a trace share it by their pages. */
  readonly budget: number | undefined;
  readonly signals: SignalKind;
  readonly policies: readonly RefreshPolicy[];
  readonly rates: 'true' | 'learned';
  /** Runs, with the seeds seed, seed + 1, … */
  readonly seeds: number;
  readonly seed: number;
  readonly onSeed?: (done: number) => void;
}

/** Crawls a day for each page, where no budget is given. */
const CRAWLS_PER_PAGE = 0.2;
/** Part of the time that is not counted: every copy is right at its begin. */
const DROPPED = 0.25;

/** Policies side by side on the same pages, changes and signals; means over the seeds. */
export async function evaluateFreshness(options: FreshnessOptions): Promise<FreshnessEvaluation> {
  const runs: Run[] = [];
  for (let n = 0; n < options.seeds; n++) {
    runs.push(runOnce(options, seededRandom(options.seed + n)));
    options.onSeed?.(n + 1);
    await setImmediate();
  }
  const { source, signals, rates, seed, seeds } = options;
  const pages = pagesOf(source);
  return {
    optimum: mean(runs.map(({ optimum }) => optimum)),
    policies: options.policies.map((policy, at) => summary(policy, runs, at)),
    pages,
    ...('days' in source ? { days: source.days } : {}),
    ...{ budget: budgetOf(options), signals, rates, seed, seeds },
  };
}

interface Run {
  readonly optimum: number;
  /** In the order of the policies asked for. */
  readonly figures: readonly FreshnessFigures[];
}

interface Part {
  readonly world: World;
  readonly budget: number;
  readonly optimum: number;
}

function runOnce(options: FreshnessOptions, random: Random): Run {
  const parts = partsOf(options, random);
  const sizes = parts.map(({ world }) => world.pages.length);
  const figures = options.policies.map((policy) =>
    together(
      parts.map((part, at) => crawlPart(part, policy, { options, random: random.stream(`${policy} ${at}`) })),
      sizes,
    ),
  );
  return {
    optimum: weightedMean(
      parts.map(({ optimum }) => optimum),
      sizes,
    ),
    figures,
  };
}

function partsOf(options: FreshnessOptions, random: Random): Part[] {
  const { source, signals } = options;
  const budget = budgetOf(options);
  if ('days' in source) {
    const world = drawPopulation({ ...source, signals }, random);
    return [
      { world, budget, optimum: optimumOf(world, budget, (_, interval, rate) => intervalFreshness(rate * interval)) },
    ];
  }
  const all = pagesOf(source);
  return source.map((site) => {
    const world = withSignals(site, signals, random.stream(site.site));
    const share = (budget * site.pages.length) / all;
    const window = { from: DROPPED * site.days, days: site.days };
    const optimum = optimumOf(world, share, (page, interval) =>
      intervalFreshnessOn(eventsOf(site.changes, page), interval, window),
    );
    return { world, budget: share, optimum };
  });
}

function withSignals({ pages, changes, days }: SiteTrace, kind: SignalKind, random: Random): World {
  const draw = random.stream('quality');
  const models = pages.map((page) => ({ ...page, ...drawQuality(kind, draw) }));
  return { pages: models, days, changes, signals: drawSignals(models, changes, { days, random }) };
}

function crawlPart(
  { world, budget }: Part,
  policy: RefreshPolicy,
  { options, random }: { readonly options: FreshnessOptions; readonly random: Random },
): FreshnessFigures {
  const beliefs = beliefsFor(world, policy, options);
  return simulate(world, { policy, budget, beliefs, random, from: DROPPED * world.days });
}

function beliefsFor(world: World, policy: RefreshPolicy, { rates, signals }: FreshnessOptions): Beliefs {
  const hearing = policy === 'greedy-signals' && signals !== 'none' ? 'signals' : 'none';
  if (rates === 'true') return trueBeliefs(world.pages, hearing);
  return learnedBeliefs(
    Float64Array.from(world.pages, ({ importance }) => importance),
    hearing,
  );
}

/** Weighted freshness at the best fixed intervals (Cho and Garcia-Molina 2003). */
function optimumOf(
  { pages }: World,
  budget: number,
  freshness: (page: number, interval: number, changeRate: number) => number,
): number {
  const importance = Float64Array.from(pages, (page) => page.importance);
  const changeRates = Float64Array.from(pages, (page) => page.changeRate);
  const rates = fixedIntervalRates({ importance, changeRates, budget });
  const fresh = Array.from(rates, (rate, page) => (rate === 0 ? 0 : freshness(page, 1 / rate, changeRates[page] ?? 0)));
  return weightedMean(fresh, importance);
}

/** Figures of several sites as one, by their pages. */
function together(parts: readonly FreshnessFigures[], sizes: readonly number[]): FreshnessFigures {
  const by = (figure: keyof FreshnessFigures) => parts.map((part) => part[figure]);
  return {
    freshness: weightedMean(by('freshness'), sizes),
    meanAgeDays: weightedMean(by('meanAgeDays'), sizes),
    crawls: sum(by('crawls')),
    changesMissed: sum(by('changesMissed')),
  };
}

function summary(policy: RefreshPolicy, runs: readonly Run[], at: number): FreshnessEvaluation['policies'][number] {
  const over = (figure: keyof FreshnessFigures) => runs.map(({ figures }) => figures[at]?.[figure] ?? 0);
  const bySeed = over('freshness');
  return {
    policy,
    freshness: mean(bySeed),
    meanAgeDays: mean(over('meanAgeDays')),
    crawls: mean(over('crawls')),
    changesMissed: mean(over('changesMissed')),
    ...(runs.length > 1 ? { spread: spreadOf(bySeed), bySeed } : {}),
  };
}

function spreadOf(values: readonly number[]): readonly [number, number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2;
  return [sorted[0] ?? 0, median, sorted.at(-1) ?? 0];
}

function budgetOf({ budget, source }: FreshnessOptions): number {
  return budget ?? CRAWLS_PER_PAGE * pagesOf(source);
}

function pagesOf(source: FreshnessOptions['source']): number {
  return 'days' in source ? source.pages : sum(source.map(({ pages }) => pages.length));
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function weightedMean(values: readonly number[], weights: ArrayLike<number>): number {
  return values.reduce((total, value, at) => total + value * (weights[at] ?? 0), 0) / sum(Array.from(weights));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
