import { describe, expect, it } from 'vitest';
import { JudgingLoad } from './judging-load.ts';

/** Judges `pages` a second for `seconds`, each at `cost` milliseconds; the sizes used in the last second. */
function run(
  load: JudgingLoad,
  clock: { now: number },
  at: { pages: number; seconds: number; cost: number },
): Set<string> {
  let used = new Set<string>();
  for (let second = 0; second < at.seconds; second++) {
    used = new Set();
    for (let i = 0; i < at.pages; i++) {
      clock.now += 1000 / at.pages;
      const size = load.sizeFor('standard');
      used.add(size);
      load.noteCost(at.cost, size);
    }
  }
  return used;
}

describe('JudgingLoad', () => {
  it('takes reduced trees above the budget and comes back well below it', () => {
    const clock = { now: 0 };
    const load = new JudgingLoad({ budgetMsPerSecond: 500, returnShare: 0.5 }, () => clock.now);
    expect(run(load, clock, { pages: 50, seconds: 5, cost: 4 })).toEqual(new Set(['full']));
    expect(run(load, clock, { pages: 200, seconds: 5, cost: 4 })).toEqual(new Set(['reduced']));
    expect(run(load, clock, { pages: 90, seconds: 3, cost: 4 })).toEqual(new Set(['reduced']));
    expect(run(load, clock, { pages: 20, seconds: 5, cost: 4 })).toEqual(new Set(['full']));
  });

  it('never reduces level fast', () => {
    const clock = { now: 0 };
    const load = new JudgingLoad({ budgetMsPerSecond: 1, returnShare: 0.5 }, () => clock.now);
    run(load, clock, { pages: 100, seconds: 5, cost: 4 });
    expect(load.sizeFor('standard')).toBe('reduced');
    expect(load.sizeFor('fast')).toBe('full');
  });
});
