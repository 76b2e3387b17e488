import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../kit/random.ts';
import { crawlValue } from '../updating/crawl-value.ts';
import { trueBeliefs } from './freshness-beliefs.ts';
import { GreedyPlan } from './freshness-greedy-plan.ts';
import { FreshnessLedger } from './freshness-ledger.ts';
import { drawPopulation, eventsOf, gatherEvents, type World } from './freshness-world.ts';

describe('the account of copies', () => {
  const world = (days: number, ...changes: readonly number[][]): World => ({
    pages: changes.map((_, i) => ({ importance: i + 1, changeRate: 1, recall: 0, noise: 0 })),
    days,
    changes: gatherEvents(changes.map((times) => Float64Array.from(times))),
    signals: gatherEvents(changes.map(() => new Float64Array(0))),
  });

  it('is as counted by hand', () => {
    // Page 1 changes on days 2, 3 and 7, and is crawled on day 5: stale 2–5 and 7–10. Page 2, twice as important, never.
    const ledger = new FreshnessLedger(world(10, [2, 3, 7], []), 0);
    expect(ledger.crawl(0, 5)).toEqual({ days: 5, changed: true });
    expect(ledger.crawl(1, 6)).toEqual({ days: 6, changed: false });
    const { freshness, meanAgeDays, crawls, changesMissed } = ledger.close();
    expect(freshness).toBeCloseTo((4 + 2 * 10) / 30, 12);
    expect(meanAgeDays).toBeCloseTo((9 / 2 + 9 / 2) / 30, 12);
    expect([crawls, changesMissed]).toEqual([2, 1]);
  });

  it('leaves out the days before the counted ones', () => {
    const ledger = new FreshnessLedger(world(10, [1, 2]), 4);
    ledger.crawl(0, 6);
    const { freshness, meanAgeDays, changesMissed } = ledger.close();
    expect(freshness).toBeCloseTo(4 / 6, 12);
    // Stale since day 1, counted from day 4 to 6: mean age 4 over 2 of 6 days.
    expect(meanAgeDays).toBeCloseTo((4 * 2) / 6, 12);
    expect(changesMissed).toBe(0);
  });

  it('a change at the moment of a crawl is seen', () => {
    const ledger = new FreshnessLedger(world(10, [5]), 0);
    expect(ledger.crawl(0, 5).changed).toBe(true);
    expect(ledger.close().freshness).toBe(1);
  });
});

/** Compares all pages at every slot. */
function bruteForce(world: World, budget: number): number[] {
  const last = world.pages.map(() => 0);
  const values: number[] = [];
  for (let slot = 1; slot / budget < world.days; slot++) {
    const now = slot / budget;
    const worth = world.pages.map((page, i) => {
      const signals = eventsOf(world.signals, i).filter((at) => at > (last[i] ?? 0) && at <= now).length;
      return crawlValue(page, now - (last[i] ?? 0), signals);
    });
    const best = worth.indexOf(Math.max(...worth));
    values.push(best);
    last[best] = now;
  }
  return values;
}

it('the greedy plan chooses as if all pages were compared', () => {
  const anyWorld = fc.record({
    seed: fc.nat(10_000),
    pages: fc.integer({ min: 1, max: 150 }),
    signals: fc.constantFrom('none', 'noisy', 'beacon'),
    budget: fc.constantFrom(0.5, 3, 40),
  });
  fc.assert(
    fc.property(anyWorld, ({ seed, pages, signals, budget }) => {
      const world = drawPopulation({ pages, days: 120 / budget, signals }, seededRandom(seed));
      const plan = new GreedyPlan(trueBeliefs(world.pages, 'signals'), {
        ...{ pages, days: world.days, signals: world.signals },
      });
      const chosen: number[] = [];
      for (let slot = 1; slot / budget < world.days; slot++) {
        const page = plan.choose(slot / budget);
        plan.crawled(page, slot / budget);
        chosen.push(page);
      }
      expect(chosen).toEqual(bruteForce(world, budget));
    }),
    { numRuns: 40 },
  );
});

describe('drawn pages', () => {
  const world = drawPopulation({ pages: 4000, days: 30, signals: 'noisy' }, seededRandom(1));
  const share = (holds: (page: World['pages'][number]) => boolean) => world.pages.filter(holds).length / 4000;

  it('are distributed as the issue says', () => {
    // Pareto: P(> 10) = 10^−1.2. Normal: P(ln Δ < −1) = .1587.
    expect(share(({ importance }) => importance > 10)).toBeCloseTo(10 ** -1.2, 1.7);
    expect(Math.min(...world.pages.map(({ importance }) => importance))).toBeGreaterThanOrEqual(1);
    expect(share(({ changeRate }) => Math.log(changeRate) < -1)).toBeCloseTo(0.1587, 1.7);
    expect(share(({ recall }) => recall < 0.475)).toBeCloseTo(0.5, 1.3);
    expect(share(({ noise }) => noise < 0.05)).toBeCloseTo(0.5, 1.3);
  });

  it('change and signal by their rates, in order', () => {
    const expected = { changes: 0, signals: 0 };
    for (const { changeRate, recall, noise } of world.pages) {
      expected.changes += 30 * changeRate;
      expected.signals += 30 * (recall * changeRate + noise);
    }
    expect(world.changes.times.length / expected.changes).toBeCloseTo(1, 1.7);
    expect(world.signals.times.length / expected.signals).toBeCloseTo(1, 1.7);
    for (let page = 0; page < 50; page++) {
      const times = [...eventsOf(world.signals, page)];
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  it('are the same pages whatever the signals', () => {
    const rates = (signals: 'none' | 'beacon') =>
      drawPopulation({ pages: 5, days: 1, signals }, seededRandom(3)).pages.map(({ changeRate }) => changeRate);
    expect(rates('none')).toEqual(rates('beacon'));
  });
});
