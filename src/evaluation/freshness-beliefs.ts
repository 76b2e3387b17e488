import { itemAt } from '../kit/item-at.ts';
import { crawlValue, type PageModel } from '../updating/crawl-value.ts';
import {
  addEvidence,
  type Belief,
  beliefOf,
  believedValue,
  noEvidence,
  priorOn,
  RATE_GRID,
  refitPrior,
  SIGNAL_GRID,
} from '../updating/page-beliefs.ts';
import type { SignalInterval } from '../updating/signal-quality.ts';

/** What a policy believes of the pages. */
export interface Beliefs {
  /** Value of crawling the page `age` days and `signals` signals after its last crawl. */
  value(page: number, age: number, signals: number): number;
  /** Changes a day. */
  changeRate(page: number): number;
  /** A crawl of the page found this. */
  observe(page: number, interval: SignalInterval): void;
  /** What many pages tell of each; true when beliefs of pages not crawled may have changed. */
  review(): boolean;
}

/** Beliefs that are the truth. */
export function trueBeliefs(pages: readonly PageModel[], hearing: 'signals' | 'none'): Beliefs {
  const believed = hearing === 'signals' ? pages : pages.map((page) => ({ ...page, recall: 0, noise: 0 }));
  return {
    value: (page, age, signals) => crawlValue(itemAt(believed, page), age, signals),
    changeRate: (page) => itemAt(believed, page).changeRate,
    observe: () => {},
    review: () => false,
  };
}

/** Until a page was crawled so often, its value counts with so many standard deviations more than its mean. */
const TRIES = 2;
const OPTIMISM = 2;

/** Beliefs learned from what the crawls find, and from nothing else but the pages' importance. */
export function learnedBeliefs(importance: Float64Array, hearing: 'signals' | 'none'): Beliefs {
  const on = hearing === 'signals' ? SIGNAL_GRID : RATE_GRID;
  let prior = priorOn(on);
  const evidence = Array.from(importance, () => noEvidence(on));
  const tries = new Uint16Array(importance.length);
  const believe = (): Belief[] => evidence.map((seen) => beliefOf(seen, prior, on));
  let beliefs = believe();
  return {
    value: (page, age, signals) =>
      believedValue(itemAt(beliefs, page), {
        ...{ importance: importance[page] ?? 0, age, signals },
        optimism: (tries[page] ?? 0) < TRIES ? OPTIMISM : 0,
      }),
    changeRate: (page) => itemAt(beliefs, page).changeRate,
    observe: (page, interval) => {
      tries[page] = (tries[page] ?? 0) + 1;
      const seen = itemAt(evidence, page);
      addEvidence(seen, interval, on);
      beliefs[page] = beliefOf(seen, prior, on);
    },
    review: () => {
      prior = refitPrior(evidence, prior, on);
      beliefs = believe();
      return true;
    },
  };
}
