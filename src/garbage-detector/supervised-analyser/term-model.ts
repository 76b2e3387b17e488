import type { Random } from '../../kit/random.ts';
import { shuffle } from '../../kit/random.ts';
import { logistic } from '../../learning/calibration.ts';
import { type Corpus, pageWeights } from './corpus.ts';

/**
 * Learned vocabulary (heuristic A6): a logistic model on the distinct terms of a page. Plain JSON data; terms stand in
 * one string, parted by line feeds, so that the file stays small. Score = bias + Σ weight / √(terms of the page that have a weight + 1).
 */
export interface TermModel {
  readonly bias: number;
  readonly terms: string;
  readonly weights: readonly number[];
}

export interface TermOptions {
  /** Groups a term must occur in: a word of one site says nothing of another. */
  readonly minGroups: number;
  readonly epochs: number;
  readonly alpha: number;
  readonly l2: number;
  /** Terms kept at most, those of largest weight. */
  readonly keep: number;
  /** Places whose terms are used, each a letter. */
  readonly places: string;
  readonly random: Random;
}

/** A term model made ready: scores terms given as numbers of a corpus, or as text. */
export interface TermScorer {
  readonly model: TermModel;
  scoreRow(terms: Int32Array): number;
}

export function trainTerms(corpus: Corpus, options: TermOptions): TermScorer {
  const vocabulary = chooseTerms(corpus, options);
  const place = new Int32Array(corpus.termNames.length).fill(-1);
  vocabulary.forEach((term, at) => {
    place[term] = at;
  });
  const cases = corpus.terms.map((terms) => placesOf(terms, place));
  const weights = learn(corpus, cases, vocabulary.length, options);
  const kept = keepStrongest(weights.terms, options.keep);
  const byTerm = new Float64Array(corpus.termNames.length);
  kept.forEach((at) => {
    byTerm[vocabulary[at] ?? 0] = weights.terms[at] ?? 0;
  });
  const model: TermModel = {
    bias: round(weights.bias),
    terms: kept.map((at) => corpus.termNames[vocabulary[at] ?? 0] ?? '').join('\n'),
    weights: kept.map((at) => round(weights.terms[at] ?? 0)),
  };
  return {
    model,
    scoreRow(terms) {
      let sum = 0;
      let known = 0;
      for (const term of terms) {
        const weight = byTerm[term] ?? 0;
        if (weight === 0) continue;
        known++;
        sum += weight;
      }
      return weights.bias + sum / Math.sqrt(known + 1);
    },
  };
}

/** Terms found, the strongest first. */
export interface TermScore {
  readonly score: number;
  readonly known: number;
  readonly strongest: readonly { readonly term: string; readonly weight: number }[];
}

/** Gives the words of a place, in any number of repetitions. */
export type WordsOf = (place: string, visit: (word: string) => void) => void;

/**
 * Scores a page by two vocabularies in one pass over its words. Terms are looked up place by place: most words of a page
 * have no weight, and writing each out as `place:word` first would take longer than all the rest.
 */
export function pairScorer(a: TermModel, b: TermModel): (wordsOf: WordsOf) => readonly [TermScore, TermScore] {
  const places = pairsByPlace(a, b);
  return (wordsOf) => {
    const sums = [new TermSum(a.bias), new TermSum(b.bias)] as const;
    for (const [place, pairs] of places) {
      const met = new Set<Pair>();
      wordsOf(place, (word) => {
        const pair = pairs.get(word);
        if (pair === undefined || met.has(pair)) return;
        met.add(pair);
        if (pair.a !== 0) sums[0].add(pair.term, pair.a);
        if (pair.b !== 0) sums[1].add(pair.term, pair.b);
      });
    }
    return [sums[0].score(), sums[1].score()];
  };
}

/** A term of two vocabularies; weight 0 = it is not in that one. */
interface Pair {
  readonly term: string;
  a: number;
  b: number;
}

function pairsByPlace(a: TermModel, b: TermModel): Map<string, Map<string, Pair>> {
  const places = new Map<string, Map<string, Pair>>();
  const enter = (model: TermModel, side: 'a' | 'b'): void =>
    model.terms.split('\n').forEach((term, at) => {
      const place = term.charAt(0);
      const pairs = places.get(place) ?? new Map<string, Pair>();
      places.set(place, pairs);
      const pair = pairs.get(term.slice(2)) ?? { term, a: 0, b: 0 };
      pair[side] = model.weights[at] ?? 0;
      pairs.set(term.slice(2), pair);
    });
  enter(a, 'a');
  enter(b, 'b');
  return places;
}

/** Adds up the weights of a page's terms and keeps the strongest. */
class TermSum {
  readonly #bias: number;
  readonly #strongest: { term: string; weight: number }[] = [];
  #sum = 0;
  #known = 0;
  #least = 0;

  constructor(bias: number) {
    this.#bias = bias;
  }

  add(term: string, weight: number): void {
    this.#sum += weight;
    this.#known++;
    if (this.#strongest.length === STRONGEST && Math.abs(weight) <= this.#least) return;
    insert(this.#strongest, { term, weight });
    this.#least = Math.abs(this.#strongest.at(-1)?.weight ?? 0);
  }

  score(): TermScore {
    const score = this.#bias + this.#sum / Math.sqrt(this.#known + 1);
    return { score, known: this.#known, strongest: this.#strongest };
  }
}

const STRONGEST = 20;

/** Keeps the list sorted by size of weight, equal ones in the order they came, and at its length. */
function insert(
  strongest: { term: string; weight: number }[],
  found: { readonly term: string; readonly weight: number },
): void {
  let at = strongest.length;
  while (at > 0 && Math.abs(strongest[at - 1]?.weight ?? 0) < Math.abs(found.weight)) at--;
  strongest.splice(at, 0, found);
  if (strongest.length > STRONGEST) strongest.pop();
}

function chooseTerms(corpus: Corpus, options: TermOptions): number[] {
  const seenIn = corpus.termNames.map(() => new Set<string>());
  corpus.terms.forEach((terms, row) => {
    for (const term of terms) {
      const groups = seenIn[term];
      if (groups && groups.size < options.minGroups)
        groups.add(corpus.isAid[row] ? `aid ${row}` : (corpus.groups[row] ?? ''));
    }
  });
  const chosen: number[] = [];
  corpus.termNames.forEach((name, term) => {
    if ((seenIn[term]?.size ?? 0) < options.minGroups) return;
    if (!options.places.includes(name.charAt(0))) return;
    chosen.push(term);
  });
  return chosen;
}

/** Places of terms that are no words of a text: parts of words, classes, names of metas, hosts. */
const NO_WORDS = 'qcns';

/** Words (places together) of largest |z| of the log-odds ratio with a Dirichlet prior, counted by pages. */
export function strongestWords(corpus: Corpus, count: number): ReadonlySet<string> {
  const words = new Map<string, [number, number]>();
  if (count === 0) return new Set();
  const totals = [0, 0];
  corpus.terms.forEach((terms, row) => {
    const side = Number(corpus.positive[row]);
    const inPage = new Set<string>();
    for (const term of terms) {
      const name = corpus.termNames[term] ?? '';
      if (!NO_WORDS.includes(name.charAt(0))) inPage.add(name.slice(2));
    }
    for (const word of inPage) {
      const counts = words.get(word) ?? [0, 0];
      counts[side] = (counts[side] ?? 0) + 1;
      words.set(word, counts);
      totals[side] = (totals[side] ?? 0) + 1;
    }
  });
  const scored = [...words].map(([word, [negative, positive]]) => {
    const prior = 0.01;
    const ratio =
      Math.log((positive + prior) / ((totals[1] ?? 0) - positive + prior)) -
      Math.log((negative + prior) / ((totals[0] ?? 0) - negative + prior));
    return { word, z: Math.abs(ratio) / Math.sqrt(1 / (positive + prior) + 1 / (negative + prior)) };
  });
  scored.sort((a, b) => b.z - a.z);
  return new Set(scored.slice(0, count).map(({ word }) => word));
}

function placesOf(terms: Int32Array, place: Int32Array): Uint32Array {
  const places = new Uint32Array(terms.length);
  let count = 0;
  for (const term of terms) {
    const at = place[term] as number;
    if (at >= 0) places[count++] = at;
  }
  return places.slice(0, count);
}

/**
 * Logistic regression by stochastic gradient with a step per weight (AdaGrad, Duchi et al. 2011) and an L2 penalty on
 * the weights a page touches; unlike FTRL it reads one number a term, which is what training folds anew needs.
 */
function learn(corpus: Corpus, cases: readonly Uint32Array[], size: number, options: TermOptions): Learned {
  const terms = new Float64Array(size);
  const squares = new Float64Array(size).fill(SQUARE_FLOOR);
  const weights = pageWeights(corpus);
  const order = Int32Array.from(cases.keys());
  let bias = 0;
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    for (const row of shuffle(order, options.random)) {
      const places = cases[row] ?? new Uint32Array(0);
      const value = 1 / Math.sqrt(places.length + 1);
      let sum = 0;
      for (let at = 0; at < places.length; at++) sum += terms[places[at] as number] as number;
      const difference = (weights[row] ?? 1) * (logistic(bias + sum * value) - (corpus.positive[row] ? 1 : 0));
      bias -= BIAS_RATE * difference;
      const gradient = difference * value;
      for (let at = 0; at < places.length; at++) {
        const place = places[at] as number;
        const slope = gradient + options.l2 * (terms[place] as number);
        const square = (squares[place] as number) + slope * slope;
        squares[place] = square;
        terms[place] = (terms[place] as number) - (options.alpha * slope) / Math.sqrt(square);
      }
    }
  }
  return { bias, terms };
}

interface Learned {
  readonly bias: number;
  readonly terms: Float64Array;
}

/** Keeps the first steps of a weight from being as large as the rate. */
const SQUARE_FLOOR = 1e-2;
const BIAS_RATE = 0.02;

function keepStrongest(weights: Float64Array, keep: number): number[] {
  const places = Array.from(weights.keys()).filter((at) => weights[at] !== 0);
  places.sort((a, b) => Math.abs(weights[b] ?? 0) - Math.abs(weights[a] ?? 0) || a - b);
  return places.slice(0, keep);
}

/** Three decimals are all the evidence supports. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
