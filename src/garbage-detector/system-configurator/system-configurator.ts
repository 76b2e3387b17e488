import type { DetectorName, Level } from '../../model/lists.ts';

/** A level that has trees of its own; `auto` picks among these, `off` uses none. */
export type JudgingLevel = Exclude<Level, 'off' | 'auto'>;
export type TreeSize = 'full' | 'reduced';

/** Which trees judge a page. */
export interface TreeChoice {
  readonly level: JudgingLevel;
  readonly size: TreeSize;
}

/** The dearest heuristics a level may compute: A = this page, B = also tables in memory, C = also other pages. */
export const HIGHEST_COST: Readonly<Record<JudgingLevel, 'A' | 'B' | 'C'>> = {
  fast: 'A',
  standard: 'B',
  thorough: 'C',
};

export interface ConfiguratorOptions {
  /** Milliseconds of judging that a second of crawling may cost at most. */
  readonly budgetMsPerSecond: number;
  /** Reduced trees are left again when the load is below this share of the budget. */
  readonly returnShare: number;
}

/** What is waiting, and what judging has cost lately. */
export interface Load {
  /** Pages that arrive a second, queue included. */
  readonly pagesPerSecond: number;
  /** Mean milliseconds of judging a page with the full trees. */
  readonly msPerPage: number;
}

/**
 * Picks the trees by configured level and by the time there is: the reduced ones when milliseconds per page × pages
 * exceed the budget, the full ones again when the load has fallen well below it (hysteresis).
 */
export class SystemConfigurator {
  readonly #options: ConfiguratorOptions;
  #size: TreeSize = 'full';

  constructor(options: ConfiguratorOptions) {
    this.#options = options;
  }

  /** Called now and then with the measured load; says which size to use from here on. */
  update(load: Load): TreeSize {
    const cost = load.pagesPerSecond * load.msPerPage;
    if (cost > this.#options.budgetMsPerSecond) this.#size = 'reduced';
    else if (cost < this.#options.budgetMsPerSecond * this.#options.returnShare) this.#size = 'full';
    return this.#size;
  }

  get size(): TreeSize {
    return this.#size;
  }
}

/** Trees to try one after the other: for `auto` the fast ones first, the standard ones when these are not sure. */
export function planFor(level: JudgingLevel | 'auto', size: TreeSize): readonly TreeChoice[] {
  return level === 'auto'
    ? [
        { level: 'fast', size },
        { level: 'standard', size },
      ]
    : [{ level, size }];
}

/** Whether probabilities are clear enough to spare the dearer trees. */
export function isSure(
  probability: Readonly<Record<DetectorName, number>>,
  sureHam: number,
  sureGarbage: number,
): boolean {
  const highest = Math.max(probability.spam, probability['soft-404']);
  return highest < sureHam || highest > sureGarbage;
}

/** Deferred pages (possible soft-404) are judged one level higher. */
export function oneLevelHigher(level: Level): Level {
  if (level === 'off' || level === 'thorough') return level;
  return level === 'fast' ? 'standard' : 'thorough';
}

/** Names of the features the reduced trees keep: those that cost least for what they tell. */
export const REDUCED_FEATURES: Readonly<Record<DetectorName, readonly string[]>> = {
  spam: [
    'word_count',
    'title_words',
    'meta_desc_words',
    'links_external',
    'external_domains',
    'links_per_word',
    'max_depth',
  ],
  'soft-404': [
    'word_count',
    'title_words',
    'error_phrase_title',
    'error_phrase_heading',
    'code_title',
    'code_heading',
    'links_internal',
  ],
};
