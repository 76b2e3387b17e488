import type { Candidate } from '../../inverted-index/candidate.ts';
import { BREAK } from '../../inverted-index/forward.ts';
import { FIELDS, type Field } from '../../inverted-index/index-document.ts';
import type { IndexStatistics } from '../../inverted-index/inverted-index.ts';

/** One thing to count in documents: the forms of a word, or a name kept whole. */
export interface SoughtTerm {
  readonly terms: readonly string[];
  readonly hashes: readonly number[];
  /** Times it stands in the query. */
  readonly weight: number;
  readonly stopWord: boolean;
  /** True for a name kept whole, whose parts are terms of their own. */
  readonly whole: boolean;
}

/** What the ranking reads of a query; one from the query manager fits. */
export interface RankedQuery {
  readonly terms: readonly SoughtTerm[];
  /** Words in the order of the query, as places in `terms`. */
  readonly order: readonly number[];
  /** The whole query as a sequence hash, once per language. */
  readonly hashes: readonly number[];
}

type FieldNumbers = Readonly<Record<Field | 'anchors', number>>;

export interface RankingOptions {
  /** Saturation of the weighted term frequency. */
  readonly k1: number;
  /** Weight of one occurrence per field. */
  readonly weights: FieldNumbers;
  /** Length normalisation per field, 0 to 1. */
  readonly b: FieldNumbers;
  /** Weight of words standing close together. */
  readonly proximity: number;
  /** Weight, in sums of idf, of a title (an anchor text) that is exactly the query. */
  readonly titleMatch: number;
  readonly anchorMatch: number;
  /** Share of the score that depends on how much of the query's idf the document holds. */
  readonly coverage: number;
  /** Weight of the logarithm of the link prior. */
  readonly prior: number;
  /** κ of exp(−κ·P(garbage)). */
  readonly garbage: number;
  /** Factor of documents kept with a lower rank. */
  readonly demotion: number;
  /** Weight of stop words beside other words. */
  readonly stopWords: number;
  /** Best documents whose word order is read. */
  readonly proximityDepth: number;
}

export interface RankingContext {
  readonly statistics: IndexStatistics;
  readonly documentFrequency: (term: string) => number;
  readonly sequences: (ids: readonly number[]) => ReadonlyMap<number, Uint16Array>;
  readonly options: RankingOptions;
}

export interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
}

interface WeightedTerm extends SoughtTerm {
  readonly idf: number;
}

interface Parts {
  readonly candidate: Candidate;
  text: number;
  proximity: number;
  title: number;
  anchor: number;
  coverage: number;
  prior: number;
}

/**
 * Orders candidates: BM25F (Robertson, Zaragoza: term frequencies weighted over the fields before saturation), words
 * close together, exact titles and anchor texts, link prior, discount for probable garbage. Ties by id.
 */
export function rank(candidates: readonly Candidate[], query: RankedQuery, context: RankingContext): Ranked[] {
  const terms = query.terms.map((term) => ({ ...term, idf: idf(term, context) }));
  const total = terms.reduce((sum, term) => sum + (term.whole ? 0 : term.idf), 0);
  const scored = candidates.map((candidate) => scoreOf(candidate, terms, total, query, context));
  const { options } = context;
  if (options.proximity > 0 && query.order.length > 1) {
    scored.sort((a, b) => sum(b, options) - sum(a, options));
    const head = scored.slice(0, options.proximityDepth);
    const sequences = context.sequences(head.map(({ candidate }) => candidate.id));
    for (const parts of head) {
      const sequence = sequences.get(parts.candidate.id);
      if (sequence !== undefined)
        parts.proximity = options.proximity * proximity(parts.candidate, sequence, query, terms);
    }
  }
  const ranked = scored.map((parts) => finish(parts, options));
  return ranked.sort((a, b) => b.score - a.score || a.candidate.id - b.candidate.id);
}

function scoreOf(
  candidate: Candidate,
  terms: readonly WeightedTerm[],
  total: number,
  query: RankedQuery,
  { statistics, options }: RankingContext,
): Parts {
  let text = 0;
  let held = 0;
  for (const term of terms) {
    const frequency = weightedFrequency(candidate, term, statistics, options);
    if (frequency === 0) continue;
    text += term.weight * term.idf * (frequency / (options.k1 + frequency));
    if (!term.whole) held += term.idf;
  }
  const anchorTexts = Math.max(...query.hashes.map((hash) => candidate.anchors?.texts.get(hash) ?? 0));
  return {
    candidate,
    text,
    proximity: 0,
    title: query.hashes.includes(candidate.titleHash) ? options.titleMatch * total : 0,
    anchor: anchorTexts > 0 ? (options.anchorMatch * total * anchorTexts) / (anchorTexts + 1) : 0,
    coverage: total > 0 ? held / total : 1,
    prior: candidate.prior === undefined ? 0 : options.prior * Math.log1p(candidate.prior),
  };
}

/** Σ over fields of w·tf / (1 − b + b·length/average). */
function weightedFrequency(
  candidate: Candidate,
  term: WeightedTerm,
  statistics: IndexStatistics,
  { weights, b }: RankingOptions,
): number {
  let frequency = 0;
  const { anchors } = candidate;
  for (const hash of term.hashes) {
    const place = candidate.terms.find(hash);
    if (place >= 0) {
      for (let i = 0; i < FIELDS.length; i++) {
        const field = FIELDS[i] ?? 'body';
        const count = candidate.terms.count(place, field);
        if (count === 0) continue;
        const length = (candidate.lengths[i] ?? 0) / Math.max(1, statistics.averageLengths[i] ?? 1);
        frequency += (weights[field] * count) / (1 - b[field] + b[field] * length);
      }
    }
    const linked = anchors?.terms.get(hash) ?? 0;
    if (linked > 0 && anchors !== undefined) {
      const length = anchors.length / Math.max(1, statistics.averageAnchorLength);
      frequency += (weights.anchors * linked) / (1 - b.anchors + b.anchors * length);
    }
  }
  return frequency;
}

/** ln(1 + (N − n + ½)/(n + ½)); forms of one word together have at least the documents of the commonest. */
function idf(term: SoughtTerm, { statistics, documentFrequency, options }: RankingContext): number {
  const documents = Math.max(0, ...term.terms.map(documentFrequency));
  const all = Math.max(statistics.documents, documents);
  return (term.stopWord ? options.stopWords : 1) * Math.log(1 + (all - documents + 0.5) / (documents + 0.5));
}

/** Neighbours in the query that stand within this many words of each other count; 1/distance each. */
const WINDOW = 5;

/** Query words beyond these have no say in proximity. */
const MAX_SLOTS = 64;
/** Slot + 1 of each place in a document's term table; all zero between documents. */
const slotOf = new Uint8Array(BREAK + 1);

/** Σ over neighbouring words of the query: the smaller idf times a saturating sum of closeness in the text. */
function proximity(
  candidate: Candidate,
  sequence: Uint16Array,
  query: RankedQuery,
  terms: readonly WeightedTerm[],
): number {
  const distinct = [...new Set(query.order)].slice(0, MAX_SLOTS);
  const positions = positionsOf(
    candidate,
    sequence,
    distinct.map((term) => terms[term]),
  );
  let score = 0;
  for (let i = 1; i < query.order.length; i++) {
    const left = terms[query.order[i - 1] ?? 0];
    const right = terms[query.order[i] ?? 0];
    if (left === undefined || right === undefined || left === right) continue;
    const before = positions[distinct.indexOf(query.order[i - 1] ?? 0)];
    const after = positions[distinct.indexOf(query.order[i] ?? 0)];
    if (before === undefined || after === undefined) continue;
    const near = closeness(before, after);
    score += Math.min(left.idf, right.idf) * (near / (1 + near));
  }
  return score;
}

/** Places of each term in the text, ascending; the end of a block counts as some words' distance. */
function positionsOf(
  candidate: Candidate,
  sequence: Uint16Array,
  terms: readonly (WeightedTerm | undefined)[],
): number[][] {
  const places = terms.map(
    (term) => term?.hashes.map((hash) => candidate.terms.find(hash)).filter((at) => at >= 0) ?? [],
  );
  places.forEach((list, slot) => {
    for (const place of list) slotOf[place] = slot + 1;
  });
  const positions: number[][] = terms.map(() => []);
  let breaks = 0;
  for (let i = 0; i < sequence.length; i++) {
    const place = sequence[i] ?? BREAK;
    if (place === BREAK) breaks += WINDOW;
    const slot = slotOf[place] ?? 0;
    if (slot > 0) positions[slot - 1]?.push(i + breaks);
  }
  for (const list of places) for (const place of list) slotOf[place] = 0;
  return positions;
}

/** Sum of 1/distance over pairs in order, half of that over pairs in reverse order. Both lists ascend. */
function closeness(left: readonly number[], right: readonly number[]): number {
  let near = 0;
  let from = 0;
  for (const place of left) {
    while (from < right.length && (right[from] ?? 0) < place - WINDOW) from++;
    for (let j = from; j < right.length && (right[j] ?? 0) <= place + WINDOW; j++) {
      const distance = (right[j] ?? 0) - place;
      if (distance > 0) near += 1 / distance;
      else if (distance < 0) near += -0.5 / distance;
    }
  }
  return near;
}

function sum(parts: Parts, options: RankingOptions): number {
  const relevance = parts.text + parts.proximity + parts.title + parts.anchor;
  return relevance * (1 - options.coverage + options.coverage * parts.coverage) + parts.prior;
}

function finish(parts: Parts, options: RankingOptions): Ranked {
  const { candidate, text, proximity: near, title, anchor, coverage, prior } = parts;
  const discount = Math.exp(-options.garbage * candidate.garbage) * (candidate.demoted ? options.demotion : 1);
  const score = sum(parts, options) * discount;
  return { candidate, score, parts: { text, proximity: near, title, anchor, coverage, prior, discount } };
}
