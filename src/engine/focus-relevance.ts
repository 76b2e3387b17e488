import type { FitnessChoice, RelevantPage, ScoredPage } from './focus-types.ts';

/** The text holds a keyword and the fitness is high enough; `auto` asks K-level, as within one site. */
export function isRelevant(page: ScoredPage, choice: FitnessChoice, least: number): boolean {
  const { keywords, maxAncestor, kLevel } = page.fitness;
  return keywords.length > 0 && (choice === 'max-ancestor' ? maxAncestor : kLevel) >= least;
}

/**
 * Distinct categories first, then fitness. `auto` is the paper's finding: K-level orders the pages of one site better,
 * max-ancestor those of several.
 */
export function compareRelevant(
  choice: FitnessChoice,
  pages: readonly RelevantPage[],
): (a: RelevantPage, b: RelevantPage) => number {
  const isOneSite = new Set(pages.map((page) => page.host)).size < 2;
  const byLevels = choice === 'k-level' || (choice === 'auto' && isOneSite);
  const scoreOf = ({ fitness }: RelevantPage): number => (byLevels ? fitness.kLevel : fitness.maxAncestor);
  return (a, b) => b.categories - a.categories || scoreOf(b) - scoreOf(a) || (a.url < b.url ? -1 : 1);
}
