import type { TagWeights } from './tag-weights.ts';
import { type TextLeaf, textLeaves } from './text-leaves.ts';

export { TAG_WEIGHTS, type TagWeights } from './tag-weights.ts';
export { type TextLeaf, textLeaves } from './text-leaves.ts';

export interface FitnessOptions {
  readonly weights: TagWeights;
  /** Tags of a path that count for K-level, from the leaf upwards; 0 = the whole path. */
  readonly levels: number;
  /** γ in (0, 1]: factor of each level further from the leaf. */
  readonly decay: number;
}

/** How often each keyword stands in a text. */
export interface KeywordCount {
  readonly keyword: string;
  readonly times: number;
  /** Weight of one occurrence: that of the keyword's category. */
  readonly weight: number;
}

export interface Fitness {
  readonly maxAncestor: number;
  readonly kLevel: number;
  /** Distinct, sorted. */
  readonly keywords: readonly string[];
}

/**
 * Fitness of a page for a topic (Kumar et al. 2018). Our reading: the sums run over the text leaves that hold a keyword,
 * each score times the keywords' occurrences in the leaf.
 */
export function pageFitness(
  html: string,
  countKeywords: (text: string) => readonly KeywordCount[],
  options: FitnessOptions,
): Fitness {
  let maxAncestor = 0;
  let kLevel = 0;
  const keywords = new Set<string>();
  for (const leaf of textLeaves(html)) {
    const counts = countKeywords(leaf.text);
    if (counts.length === 0) continue;
    const occurrences = counts.reduce((sum, { times, weight }) => sum + times * weight, 0);
    maxAncestor += occurrences * maxAncestorScore(leaf.path, options.weights);
    kLevel += occurrences * kLevelScore(leaf.path, options);
    for (const { keyword } of counts) keywords.add(keyword);
  }
  return { maxAncestor: rounded(maxAncestor), kLevel: rounded(kLevel), keywords: [...keywords].sort() };
}

/** max_j w(a_j) over the leaf's ancestors. */
export function maxAncestorScore(path: TextLeaf['path'], weights: TagWeights): number {
  return path.reduce((most, tag) => Math.max(most, weightOf(tag, weights)), 0);
}

/** Σ_{j<K} w(a_{d−j})·γ^j, the parent first. The formula is not printed in the paper; this is our reading. */
export function kLevelScore(path: TextLeaf['path'], { weights, levels, decay }: FitnessOptions): number {
  const counted = levels === 0 ? path.length : Math.min(levels, path.length);
  let sum = 0;
  let factor = 1;
  for (let j = 0; j < counted; j++) {
    sum += factor * weightOf(path[path.length - 1 - j] ?? '', weights);
    factor *= decay;
  }
  return sum;
}

function weightOf(tag: string, weights: TagWeights): number {
  return Object.hasOwn(weights, tag) ? (weights[tag] ?? 0) : 0;
}

/** Sums of tenths show no binary tails. */
function rounded(score: number): number {
  return Math.round(score * 1e9) / 1e9;
}
