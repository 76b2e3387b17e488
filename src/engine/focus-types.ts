import type { Fitness, TagWeights } from '../focused-crawling/fitness/fitness.ts';
import type { Category } from '../focused-crawling/keywords/keywords.ts';
import type { SearchAnswer } from '../focused-crawling/query-firing/query-firing.ts';
import type { FoundInterface } from '../focused-crawling/search-interface/search-interface.ts';
import type { Page } from '../model/page.ts';
import type { FocusReport } from '../model/reports.ts';

export const BUILT_STRATEGIES = ['query', 'breadth-first'] as const;
type BuiltStrategy = (typeof BUILT_STRATEGIES)[number];
export const FITNESS_CHOICES = ['auto', 'k-level', 'max-ancestor'] as const;
export type FitnessChoice = (typeof FITNESS_CHOICES)[number];
export const LEARNING_CHOICES = ['frequency', 'off'] as const;
type LearningChoice = (typeof LEARNING_CHOICES)[number];

export interface FocusRequest {
  /** Absolute URLs, at least one. */
  readonly seeds: readonly string[];
  readonly categories: readonly Category[];
  readonly strategy: BuiltStrategy;
  readonly fitness: FitnessChoice;
  /** Weights that replace those of the table. */
  readonly tagWeights: TagWeights;
  readonly learn: LearningChoice;
  readonly top: number | undefined;
  readonly maxRequests: number | undefined;
  readonly maxPages: number | undefined;
  /** Links from a seed; strategy `query` goes no further than the results. */
  readonly maxDepth: number | undefined;
}

/** A seed page that answered. */
export interface FocusSite {
  readonly id: number;
  readonly host: string;
  readonly page: Page;
  /** The page's own links: most of them are furniture of its answers. */
  readonly links: SearchAnswer;
}

/** An interface with what became of it. */
export interface TriedInterface {
  found: FoundInterface;
  /** Its answer to a nonsense query, once asked. */
  nonsense: SearchAnswer | undefined;
  report: FocusReport['interfaces'][number];
}

/** A page with its scores, before it is known whether it is kept. */
export interface ScoredPage {
  readonly title: string;
  readonly fitness: Fitness;
  /** Categories whose keywords it holds. */
  readonly categories: number;
}

export interface RelevantPage extends ScoredPage {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
}
