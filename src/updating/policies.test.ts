import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  binaryOptimalRates,
  fixedIntervalRates,
  intervalFreshness,
  lambdaCrawlRates,
  proportionalRates,
  type RateQuestion,
  uniformRates,
} from './policies.ts';

const QUESTION: RateQuestion = {
  importance: Float64Array.of(0.5, 0.3, 0.2),
  changeRates: Float64Array.of(1, 2, 0.1),
  budget: 3,
};
const near = (...values: readonly number[]) => values.map((value) => expect.closeTo(value, 5));

const anyQuestion = fc
  .tuple(
    fc.array(fc.tuple(fc.double({ min: 0.1, max: 20, noNaN: true }), fc.double({ min: 0.01, max: 20, noNaN: true })), {
      minLength: 2,
      maxLength: 8,
    }),
    fc.double({ min: 0.1, max: 50, noNaN: true }),
  )
  .map(([pages, budget]) => ({
    importance: Float64Array.from(pages, ([importance]) => importance),
    changeRates: Float64Array.from(pages, ([, changeRate]) => changeRate),
    budget,
  }));

/** Moving a little of the budget from any page to any other does not help. */
function expectBest({ importance, changeRates, budget }: RateQuestion, rates: Float64Array, gain: Gain): void {
  const worth = (page: number, rate: number): number => gain(importance[page] ?? 0, changeRates[page] ?? 0, rate);
  const step = budget * 1e-4;
  for (let from = 0; from < rates.length; from++) {
    for (let to = 0; to < rates.length; to++) {
      const [less, more] = [rates[from] ?? 0, rates[to] ?? 0];
      if (to === from || less < step) continue;
      const before = worth(from, less) + worth(to, more);
      expect(worth(from, less - step) + worth(to, more + step)).toBeLessThanOrEqual(before + 1e-9 * Math.abs(before));
    }
  }
}
type Gain = (importance: number, changeRate: number, rate: number) => number;

describe('crawl rates', () => {
  it('are those computed for three pages', () => {
    expect([...binaryOptimalRates(QUESTION)]).toEqual(near(1.65744, 0.91108, 0.43149));
    expect([...lambdaCrawlRates(QUESTION)]).toEqual(near(1.41655, 1.26005, 0.3234));
    expect([...uniformRates(QUESTION)]).toEqual([1, 1, 1]);
    expect([...proportionalRates(QUESTION)]).toEqual(near(3 / 3.1, 6 / 3.1, 0.3 / 3.1));
  });

  it('share the budget, whatever the pages', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        for (const policy of [
          binaryOptimalRates,
          lambdaCrawlRates,
          fixedIntervalRates,
          uniformRates,
          proportionalRates,
        ]) {
          const rates = policy(question);
          expect(rates.reduce((a, b) => a + b) / question.budget).toBeCloseTo(1, 9);
          expect(Math.min(...rates)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('are each the best for what they are meant for', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        expectBest(question, binaryOptimalRates(question), (m, d, rate) => (m * rate) / (rate + d));
        expectBest(question, lambdaCrawlRates(question), (m, d, rate) => m * Math.log(rate / (rate + d)));
        expectBest(question, fixedIntervalRates(question), (m, d, rate) =>
          rate === 0 ? 0 : m * intervalFreshness(d / rate),
        );
      }),
    );
  });

  it('fixed intervals have the same price of a crawl, and starve pages that are not worth it', () => {
    const price = (page: number, rate: number): number => {
      const [m, d] = [QUESTION.importance[page] ?? 0, QUESTION.changeRates[page] ?? 0];
      const x = d / rate;
      return (m / d) * (1 - Math.exp(-x) * (1 + x));
    };
    const [first = 0, second = 0, third = 0] = fixedIntervalRates(QUESTION);
    expect([price(1, second), price(2, third)]).toEqual(near(price(0, first), price(0, first)));
    expect([...fixedIntervalRates({ ...QUESTION, budget: 0.1 })]).toEqual(near(0, 0, 0.1));
    expect([...binaryOptimalRates({ ...QUESTION, budget: 0.1 })]).toEqual(near(0, 0, 0.1));
    expect(Math.min(...lambdaCrawlRates({ ...QUESTION, budget: 0.1 }))).toBeGreaterThan(0);
  });

  it('freshness at fixed intervals is (1 − e^(−r))/r', () => {
    expect([0, 1, 2].map(intervalFreshness)).toEqual(near(1, 0.632121, 0.432332));
  });
});
