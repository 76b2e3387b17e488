import type { PageModel } from '../updating/crawl-value.ts';
import type { SignalInterval } from '../updating/signal-quality.ts';

/** What a policy believes of the pages. */
export interface Beliefs {
  /** Now; of the page's number. */
  of(page: number): PageModel;
  /** A crawl of the page found this. */
  observe(page: number, interval: SignalInterval): void;
  /** What many pages tell of each; true when beliefs of pages not crawled may have changed. */
  review(): boolean;
}

/** Beliefs that are the truth. */
export function trueBeliefs(pages: readonly PageModel[], hearing: 'signals' | 'none'): Beliefs {
  const believed = hearing === 'signals' ? pages : pages.map((page) => ({ ...page, recall: 0, noise: 0 }));
  const none: PageModel = { importance: 0, changeRate: 0, recall: 0, noise: 0 };
  return { of: (page) => believed[page] ?? none, observe: () => {}, review: () => false };
}
