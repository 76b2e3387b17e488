import type { Random } from '../kit/random.ts';
import type { RefreshPolicy } from '../model/lists.ts';
import {
  binaryOptimalRates,
  type CrawlRates,
  lambdaCrawlRates,
  proportionalRates,
  type RateQuestion,
  uniformRates,
} from '../updating/policies.ts';
import type { Beliefs } from './freshness-beliefs.ts';
import { GreedyPlan } from './freshness-greedy-plan.ts';
import { type FreshnessFigures, FreshnessLedger } from './freshness-ledger.ts';
import { type CrawlPlan, RatePlan } from './freshness-plans.ts';
import type { World } from './freshness-world.ts';

export interface SimulationOptions {
  readonly policy: RefreshPolicy;
  /** Crawls a day. */
  readonly budget: number;
  /** Day from which figures count. */
  readonly from: number;
  readonly beliefs: Beliefs;
  readonly random: Random;
}

/** Days until the first look at all pages together; each later one when the days have grown by `REVIEW_GROWTH`. */
const FIRST_REVIEW = 1;
const REVIEW_GROWTH = 1.2;

/** Crawls the world by a policy at a constant rate, one page a slot. */
export function simulate(world: World, options: SimulationOptions): FreshnessFigures {
  const { beliefs, budget } = options;
  const ledger = new FreshnessLedger(world, options.from);
  const plan = planOf(world, options);
  let review = FIRST_REVIEW;
  for (let slot = 1; slot / budget < world.days; slot++) {
    const now = slot / budget;
    if (now >= review) {
      if (beliefs.review()) plan.revise(now);
      review = now * REVIEW_GROWTH;
    }
    const page = plan.choose(now);
    const signals = plan.signals(page);
    const { days, changed } = ledger.crawl(page, now);
    beliefs.observe(page, { days, signals, changed });
    plan.crawled(page, now);
  }
  return ledger.close();
}

const RATES: Readonly<Partial<Record<RefreshPolicy, (question: RateQuestion) => CrawlRates>>> = {
  'lambda-crawl': lambdaCrawlRates,
  'binary-optimal': binaryOptimalRates,
  proportional: proportionalRates,
  uniform: uniformRates,
};

function planOf(world: World, { policy, budget, beliefs, random }: SimulationOptions): CrawlPlan {
  const importance = Float64Array.from(world.pages, (page) => page.importance);
  const pages = importance.length;
  const rates = RATES[policy];
  if (rates !== undefined) return new RatePlan(beliefs, { importance, budget, rates, random });
  const { days, signals } = world;
  return new GreedyPlan(beliefs, { pages, days, ...(policy === 'greedy-signals' ? { signals } : {}) });
}
