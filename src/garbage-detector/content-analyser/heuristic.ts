import type { DetectorName } from '../../model/lists.ts';
import type { PageFacts } from './page-facts.ts';

/** Cost levels: A = this page alone, B = also tables in memory, C = also the link graph or second fetches. */
export type CostLevel = 'A' | 'B' | 'C';

/** One heuristic: one or several numbers of a page, each with a name of its own. */
export interface Heuristic {
  /** Number in the published list where it has one, else the family: 'A1', 'soft-404', 'parking', 'stuffing', … */
  readonly id: string;
  readonly names: readonly string[];
  readonly level: CostLevel;
  /** Which detectors may learn from it. Empty: shown to people, learned by none, and `definition` says why. */
  readonly detectors: readonly DetectorName[];
  readonly definition: string;
  readonly source: string;
  /** One value for each name; undefined = unknown, which is missing and never zero. */
  readonly compute: (facts: PageFacts) => readonly (number | undefined)[];
}

export const BOTH: readonly DetectorName[] = ['spam', 'soft-404'];

/** part / whole, 0 when there is no whole. */
export function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
