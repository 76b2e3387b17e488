/**
 * Measures of classifiers (scores in any unit, higher = more positive) and of ranked lists.
 * Where a measure has no value (no positives, no queries) it is NaN, except F1, precision and recall: 0 as in Weka.
 */

export interface Confusion {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly falseNegatives: number;
}

type Numbers = ArrayLike<number>;
type Flags = ArrayLike<number | boolean>;

/** Called positive: score > threshold. */
export function confusionAt(scores: Numbers, positive: Flags, threshold: number): Confusion {
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < scores.length; i++) {
    const cell = (positive[i] ? 2 : 0) + ((scores[i] ?? 0) > threshold ? 1 : 0);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  const [trueNegatives = 0, falsePositives = 0, falseNegatives = 0, truePositives = 0] = counts;
  return { truePositives, falsePositives, trueNegatives, falseNegatives };
}

export function precision({ truePositives, falsePositives }: Confusion): number {
  return truePositives === 0 ? 0 : truePositives / (truePositives + falsePositives);
}

export function recall({ truePositives, falseNegatives }: Confusion): number {
  return truePositives === 0 ? 0 : truePositives / (truePositives + falseNegatives);
}

export function f1({ truePositives, falsePositives, falseNegatives }: Confusion): number {
  return truePositives === 0 ? 0 : (2 * truePositives) / (2 * truePositives + falsePositives + falseNegatives);
}

export function accuracy(confusion: Confusion): number {
  const { truePositives, falsePositives, trueNegatives, falseNegatives } = confusion;
  const right = truePositives + trueNegatives;
  return right / (right + falsePositives + falseNegatives);
}

/** One operating point: everything with a score ≥ `threshold` is called positive. */
export interface OperatingPoint {
  readonly threshold: number;
  readonly truePositives: number;
  readonly falsePositives: number;
}

/** One point for each distinct score, from the highest down. NaN scores count as the lowest. */
export function operatingPoints(scores: Numbers, positive: Flags): OperatingPoint[] {
  const order = descending(scores);
  const points: OperatingPoint[] = [];
  let truePositives = 0;
  let falsePositives = 0;
  for (let i = 0; i < order.length; i++) {
    const row = order[i] ?? 0;
    if (positive[row]) truePositives++;
    else falsePositives++;
    const threshold = floorNaN(scores[row]);
    const following = order[i + 1];
    if (following !== undefined && floorNaN(scores[following]) === threshold) continue;
    points.push({ threshold, truePositives, falsePositives });
  }
  return points;
}

/** Area under the ROC curve: P(positive above negative) + ½ P(tie) (Mann-Whitney). */
export function rocAuc(scores: Numbers, positive: Flags): number {
  let area = 0;
  let before = { truePositives: 0, falsePositives: 0 };
  for (const point of operatingPoints(scores, positive)) {
    const width = point.falsePositives - before.falsePositives;
    area += (width * (point.truePositives + before.truePositives)) / 2;
    before = point;
  }
  return area / (before.truePositives * before.falsePositives);
}

/** Average precision: Σ (recall gained) × precision over distinct scores; no interpolation (Davis and Goadrich 2006). */
export function prAuc(scores: Numbers, positive: Flags): number {
  let sum = 0;
  let found = 0;
  for (const { truePositives, falsePositives } of operatingPoints(scores, positive)) {
    sum += ((truePositives - found) * truePositives) / (truePositives + falsePositives);
    found = truePositives;
  }
  return sum / found;
}

/** The greatest recall reachable by one threshold with at most `rate` of the negatives called positive. */
export function recallAtFalseAlarmRate(scores: Numbers, positive: Flags, rate: number): number {
  const { positives, negatives } = totals(positive, scores.length);
  let best = 0;
  for (const point of operatingPoints(scores, positive)) {
    if (point.falsePositives > rate * negatives + 1e-9) break;
    best = point.truePositives;
  }
  return best / positives;
}

/** The greatest recall reachable by one threshold with at least the given precision; 0 when none has it. */
export function recallAtPrecision(scores: Numbers, positive: Flags, least: number): number {
  const { positives } = totals(positive, scores.length);
  let best = 0;
  for (const { truePositives, falsePositives } of operatingPoints(scores, positive)) {
    if (truePositives >= (least - 1e-12) * (truePositives + falsePositives)) best = Math.max(best, truePositives);
  }
  return best / positives;
}

/** Mean squared difference of probability and outcome. */
export function brier(probabilities: Numbers, positive: Flags): number {
  let sum = 0;
  for (let i = 0; i < probabilities.length; i++) sum += ((probabilities[i] ?? 0) - (positive[i] ? 1 : 0)) ** 2;
  return sum / probabilities.length;
}

/** Mean −log likelihood in nats; probabilities kept 1e-15 away from 0 and 1. */
export function logLoss(probabilities: Numbers, positive: Flags): number {
  let sum = 0;
  for (let i = 0; i < probabilities.length; i++) {
    const p = probabilities[i] ?? 0;
    sum -= Math.log(Math.max(1e-15, positive[i] ? p : 1 - p));
  }
  return sum / probabilities.length;
}

/** Expected calibration error over bins of equal mass: Σ share · |mean probability − share of positives|. */
export function expectedCalibrationError(probabilities: Numbers, positive: Flags, bins = 10): number {
  const order = descending(probabilities);
  let sum = 0;
  for (let bin = 0; bin < bins; bin++) {
    const rows = order.slice(Math.floor((bin * order.length) / bins), Math.floor(((bin + 1) * order.length) / bins));
    let difference = 0;
    for (const row of rows) difference += (probabilities[row] ?? 0) - (positive[row] ? 1 : 0);
    sum += Math.abs(difference);
  }
  return sum / order.length;
}

/** Gains of the documents of one query by id; a document not in it has gain 0. */
export type Judgements = ReadonlyMap<string, number>;

export interface Ranked {
  readonly id: string;
  readonly score: number;
}

/**
 * Order that trec_eval scores: by score, ties by id, greater id first (its qsort compares document numbers
 * descending). Duplicated ids keep their first place.
 */
export function trecOrder(results: readonly Ranked[]): string[] {
  const sorted = [...results].sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
  return [...new Set(sorted.map((result) => result.id))];
}

/** Sum of precisions at relevant (gain ≥ 1) ranks over the number of relevant documents judged. */
export function averagePrecision(ranking: readonly string[], judged: Judgements): number {
  let found = 0;
  let sum = 0;
  ranking.forEach((id, at) => {
    if (isRelevant(judged, id)) sum += ++found / (at + 1);
  });
  return sum / relevantCount(judged);
}

/** Normalised discounted cumulative gain at `depth`, linear gain, discount log2(rank + 1). Negative gains count 0. */
export function ndcg(ranking: readonly string[], judged: Judgements, depth: number): number {
  const ideal = [...judged.values()].filter((gain) => gain > 0).sort((a, b) => b - a);
  return (
    discounted(ranking.slice(0, depth).map((id) => Math.max(0, judged.get(id) ?? 0))) /
    discounted(ideal.slice(0, depth))
  );
}

/** Relevant documents among the first `depth`, over `depth` even when fewer were returned. */
export function precisionAt(ranking: readonly string[], judged: Judgements, depth: number): number {
  return relevantWithin(ranking, judged, depth) / depth;
}

export function recallAtDepth(ranking: readonly string[], judged: Judgements, depth: number): number {
  return relevantWithin(ranking, judged, depth) / relevantCount(judged);
}

/** 1 / rank of the first relevant document; 0 when none was returned. */
export function reciprocalRank(ranking: readonly string[], judged: Judgements): number {
  const at = ranking.findIndex((id) => isRelevant(judged, id));
  return at < 0 ? 0 : 1 / (at + 1);
}

export interface RankingMeasures {
  readonly queries: number;
  readonly map: number;
  readonly ndcg10: number;
  readonly p10: number;
  readonly r100: number;
  readonly mrr: number;
}

/**
 * Means over the queries that have a relevant document judged; one of these without results counts 0 everywhere
 * (trec_eval -c). Queries without judgements are left out.
 */
export function rankingMeasures(
  rankings: ReadonlyMap<string, readonly string[]>,
  judgements: ReadonlyMap<string, Judgements>,
): RankingMeasures {
  const sum = { map: 0, ndcg10: 0, p10: 0, r100: 0, mrr: 0 };
  let queries = 0;
  for (const [query, judged] of judgements) {
    if (relevantCount(judged) === 0) continue;
    const ranking = rankings.get(query) ?? [];
    queries++;
    sum.map += averagePrecision(ranking, judged);
    sum.ndcg10 += ndcg(ranking, judged, 10);
    sum.p10 += precisionAt(ranking, judged, 10);
    sum.r100 += recallAtDepth(ranking, judged, 100);
    sum.mrr += reciprocalRank(ranking, judged);
  }
  const mean = (total: number) => total / queries;
  return {
    queries,
    map: mean(sum.map),
    ndcg10: mean(sum.ndcg10),
    p10: mean(sum.p10),
    r100: mean(sum.r100),
    mrr: mean(sum.mrr),
  };
}

function descending(scores: Numbers): Int32Array {
  const order = new Int32Array(scores.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  return order.sort((a, b) => {
    const first = floorNaN(scores[a]);
    const second = floorNaN(scores[b]);
    return first < second ? 1 : first > second ? -1 : a - b;
  });
}

function floorNaN(score: number | undefined): number {
  return score === undefined || Number.isNaN(score) ? Number.NEGATIVE_INFINITY : score;
}

function totals(positive: Flags, length: number): { positives: number; negatives: number } {
  let positives = 0;
  for (let i = 0; i < length; i++) if (positive[i]) positives++;
  return { positives, negatives: length - positives };
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

function isRelevant(judged: Judgements, id: string): boolean {
  return (judged.get(id) ?? 0) >= 1;
}

function relevantCount(judged: Judgements): number {
  let count = 0;
  for (const gain of judged.values()) if (gain >= 1) count++;
  return count;
}

function relevantWithin(ranking: readonly string[], judged: Judgements, depth: number): number {
  return ranking.slice(0, depth).filter((id) => isRelevant(judged, id)).length;
}
