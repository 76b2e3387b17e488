import type { GarbageKind, Level, Verdict } from './lists.ts';

/** Feature name → value; a name that is absent is a missing value, never zero. */
export type FeatureVector = Readonly<Record<string, number>>;

/** What the garbage detector says of one page. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly kinds: readonly GarbageKind[];
  readonly probability: { readonly spam: number; readonly 'soft-404': number };
  readonly threshold: { readonly spam: number; readonly 'soft-404': number };
  readonly level: Level;
  /** Names of the trees used, e.g. 'spam/fast/full'. */
  readonly trees: readonly string[];
  readonly features: FeatureVector;
  /** Readable sentences: the tree path, or the features that moved the score most. */
  readonly reasons: readonly string[];
  readonly modelVersion: string;
}
