import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponential, seededRandom } from '../kit/random.ts';
import { crawlValue, freshProbability, meanCycle, meanFreshTime, type PageModel } from './crawl-value.ts';

const PAGE: PageModel = { importance: 1, changeRate: 1, recall: 0.6, noise: 0.3 };
const anyPage = fc.record({
  importance: fc.double({ min: 0.1, max: 10, noNaN: true }),
  changeRate: fc.double({ min: 0.01, max: 20, noNaN: true }),
  recall: fc.oneof(fc.constantFrom(0, 1, 1 - 1e-9, 1e-9), fc.double({ min: 0, max: 1, noNaN: true })),
  noise: fc.oneof(fc.constantFrom(0, 1e-9), fc.double({ min: 0, max: 2, noNaN: true })),
});
const anyAge = fc.oneof(fc.constantFrom(1e-9, 1e3), fc.double({ min: 0, max: 30, noNaN: true }));

/** γ, α and β = ln(γ/ν)/α of the paper. */
function greek({ changeRate, recall, noise }: PageModel) {
  const [gamma, alpha] = [recall * changeRate + noise, (1 - recall) * changeRate];
  return { gamma, alpha, beta: Math.log(gamma / noise) / alpha };
}

describe('crawl value', () => {
  it('has the cycle and fresh time that were checked by simulation', () => {
    expect(meanCycle(PAGE, 2)).toBeCloseTo(0.9274, 4);
    expect(meanFreshTime(PAGE, 2)).toBeCloseTo(0.7121, 4);
  });

  it('is w − e^(−αι)·ψ', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 8, noNaN: true }), fc.nat(4), (age, signals) => {
        const { alpha, beta } = greek(PAGE);
        const effective = age + beta * signals;
        const byHand = meanFreshTime(PAGE, effective) - Math.exp(-alpha * effective) * meanCycle(PAGE, effective);
        expect(crawlValue(PAGE, age, signals)).toBeCloseTo(byHand, 10);
      }),
    );
  });

  it('without signals is (μ/Δ)(1 − e^(−Δτ)(1 + Δτ))', () => {
    const silent = { ...PAGE, importance: 3, changeRate: 0.5, recall: 0, noise: 0 };
    expect(crawlValue(silent, 2, 0)).toBeCloseTo(6 * (1 - 2 / Math.E), 10);
    expect(meanCycle(silent, 2)).toBe(2);
    expect(meanFreshTime(silent, 2)).toBeCloseTo(2 * (1 - 1 / Math.E), 10);
    // Small ages keep their digits: μΔτ²/2.
    expect(crawlValue(silent, 1e-8, 0) / (3 * 0.5 * 1e-16 * 0.5)).toBeCloseTo(1, 6);
  });

  it('without noise a signal is proof', () => {
    const sure = { ...PAGE, importance: 3, changeRate: 0.5, noise: 0 };
    expect(crawlValue(sure, 0.01, 1)).toBe(6);
    expect(freshProbability(sure, 0.01, 1)).toBe(0);
    expect(crawlValue({ ...sure, noise: 1e-12 }, 0.01, 1)).toBeCloseTo(6, 6);
    expect(crawlValue(sure, 2, 0)).toBeCloseTo(crawlValue({ ...sure, noise: 1e-10 }, 2, 0), 7);
  });

  it('when all changes are signalled age tells nothing', () => {
    const heard = { ...PAGE, recall: 1 };
    expect(crawlValue(heard, 50, 0)).toBe(0);
    // n = 1: (1/γ)(1 − ν/γ) with γ = 1.3.
    expect(crawlValue(heard, 0.1, 1)).toBeCloseTo(1 / 1.69, 10);
    expect(crawlValue(heard, 50, 1)).toBeCloseTo(1 / 1.69, 10);
    expect(crawlValue({ ...heard, recall: 1 - 1e-9 }, 1, 1)).toBeCloseTo(1 / 1.69, 6);
  });

  it('signals that tell next to nothing are as none', () => {
    const deaf = { ...PAGE, recall: 1e-9 };
    expect(crawlValue(deaf, 2, 5)).toBeCloseTo(crawlValue({ ...PAGE, recall: 0 }, 2, 0), 6);
    // Just above the bound where they are left out of account; their count is the expected one.
    const weak = { ...PAGE, recall: 1, noise: 900 };
    expect(crawlValue({ ...weak, recall: 0.99 }, 2, 1802)).toBeCloseTo(crawlValue({ ...weak, recall: 0 }, 2, 0), 2);
  });

  it('grows with age and signals, from 0 to μ/Δ', () => {
    fc.assert(
      fc.property(anyPage, anyAge, anyAge, fc.nat(6), (page, age, more, signals) => {
        const value = crawlValue(page, age, signals);
        const bound = page.importance / page.changeRate;
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(bound * (1 + 1e-9));
        expect(crawlValue(page, age + more, signals)).toBeGreaterThanOrEqual(value - bound * 1e-9);
        expect(crawlValue(page, age, signals + 1)).toBeGreaterThanOrEqual(value - bound * 1e-9);
      }),
    );
  });

  it('a page that never changes is worth nothing', () => {
    expect(crawlValue({ ...PAGE, changeRate: 0 }, 5, 2)).toBe(0);
  });
});

describe('a page that is crawled at an effective age', () => {
  /** One cycle after another, by drawing changes and signals. */
  function simulated(page: PageModel, effectiveAge: number, runs: number) {
    const random = seededRandom(7);
    const { beta, gamma } = greek(page);
    const sum = { cycle: 0, fresh: 0 };
    for (let run = 0; run < runs; run++) {
      let [time, level, changedAt] = [0, 0, Number.POSITIVE_INFINITY];
      const unheard = exponential(random, (1 - page.recall) * page.changeRate);
      for (;;) {
        const wait = exponential(random, gamma);
        if (level + wait >= effectiveAge) {
          time += effectiveAge - level;
          break;
        }
        time += wait;
        if (random.next() < (page.recall * page.changeRate) / gamma) changedAt = Math.min(changedAt, time);
        level += wait + beta;
        if (level >= effectiveAge) break;
      }
      changedAt = Math.min(changedAt, unheard);
      sum.cycle += time;
      sum.fresh += Math.min(time, changedAt);
    }
    return { cycle: sum.cycle / runs, fresh: sum.fresh / runs };
  }

  it.each([
    [PAGE, 2],
    [{ ...PAGE, recall: 0.9, noise: 0.1 }, 6],
    [{ ...PAGE, changeRate: 0.3, recall: 0.3, noise: 1 }, 4],
  ])('%o at %d has the cycle and fresh time of a simulation', (page, effectiveAge) => {
    const { cycle, fresh } = simulated(page, effectiveAge, 60_000);
    expect(meanCycle(page, effectiveAge) / cycle).toBeCloseTo(1, 1.7);
    expect(meanFreshTime(page, effectiveAge) / fresh).toBeCloseTo(1, 1.7);
  });

  it('is fresh with probability e^(−ατ)(ν/γ)^n', () => {
    expect(freshProbability(PAGE, 2, 0)).toBeCloseTo(Math.exp(-0.8), 10);
    expect(freshProbability(PAGE, 2, 3)).toBeCloseTo(Math.exp(-0.8) / 27, 10);
  });
});
