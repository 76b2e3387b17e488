/** One source's results for one keyword, the best first. */
export interface Ranking {
  readonly keyword: string;
  readonly source: 'form' | 'provider';
  readonly urls: readonly string[];
}

export interface MergedResult {
  readonly url: string;
  /** Σ 1 / (k + rank) over the rankings that hold it: its priority in the frontier, above 0. */
  readonly score: number;
  readonly sources: readonly Ranking['source'][];
}

/** The constant of reciprocal-rank fusion (Cormack, Clarke and Büttcher 2009). */
const K = 60;

/** Rankings as one list without repetitions, the best first: the first `top` of each take part. */
export function mergeRankings(rankings: readonly Ranking[], top: number): readonly MergedResult[] {
  const merged = new Map<string, { url: string; score: number; sources: Set<Ranking['source']> }>();
  for (const { source, urls } of rankings) {
    urls.slice(0, top).forEach((url, rank) => {
      const entry = merged.get(url) ?? { url, score: 0, sources: new Set() };
      entry.score += 1 / (K + rank + 1);
      entry.sources.add(source);
      merged.set(url, entry);
    });
  }
  return [...merged.values()]
    .map(({ url, score, sources }) => ({ url, score, sources: [...sources] }))
    .sort((a, b) => b.score - a.score);
}
