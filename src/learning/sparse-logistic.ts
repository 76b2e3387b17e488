import { itemAt } from '../kit/item-at.ts';
import { type Random, shuffle } from '../kit/random.ts';
import { logistic } from './calibration.ts';

/** A case as the places of its non-zero features (each below 2^bits) and their values. */
export interface SparseCase {
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

export interface SparseOptions {
  /** Features are hashed into 2^bits places, 1 … 24. */
  readonly bits: number;
  /** Learning rate α and β of FTRL-Proximal; β damps the first steps. */
  readonly alpha: number;
  readonly beta: number;
  /** Penalties; l1 makes weights exactly 0. */
  readonly l1: number;
  readonly l2: number;
}

/** Plain JSON data: only weights that are not 0, by ascending place. */
export interface SparseLogistic {
  readonly kind: 'sparse-logistic';
  readonly bits: number;
  readonly bias: number;
  readonly indices: readonly number[];
  readonly weights: readonly number[];
}

/** Online L2/L1 logistic regression by FTRL-Proximal (McMahan et al. 2013, algorithm 1); constant memory. */
export class SparseLearner {
  readonly #options: SparseOptions;
  readonly #z: Float64Array;
  readonly #n: Float64Array;
  readonly #biasPlace: number;

  constructor(options: SparseOptions) {
    this.#options = options;
    this.#biasPlace = 2 ** options.bits;
    this.#z = new Float64Array(this.#biasPlace + 1);
    this.#n = new Float64Array(this.#biasPlace + 1);
  }

  score({ indices, values }: SparseCase): number {
    let sum = this.#weight(this.#biasPlace);
    for (let at = 0; at < indices.length; at++) sum += this.#weight(indices[at] ?? 0) * (values[at] ?? 0);
    return logistic(sum);
  }

  /** One step on one case; returns the probability before it. */
  learn(one: SparseCase, target: 0 | 1, weight: number): number {
    const probability = this.score(one);
    const difference = weight * (probability - target);
    for (let at = 0; at < one.indices.length; at++) {
      this.#step(one.indices[at] ?? 0, difference * (one.values[at] ?? 0));
    }
    this.#step(this.#biasPlace, difference);
    return probability;
  }

  model(): SparseLogistic {
    const indices: number[] = [];
    const weights: number[] = [];
    for (let place = 0; place < this.#biasPlace; place++) {
      const weight = Math.fround(this.#weight(place));
      if (weight === 0) continue;
      indices.push(place);
      // Seven digits are all a float has; the JSON text is half as long.
      weights.push(Number(weight.toPrecision(7)));
    }
    const bias = this.#weight(this.#biasPlace);
    return Object.freeze({ kind: 'sparse-logistic', bits: this.#options.bits, bias, indices, weights });
  }

  #weight(place: number): number {
    const z = this.#z[place] ?? 0;
    const n = this.#n[place] ?? 0;
    const { alpha, beta, l1, l2 } = this.#options;
    // The bias is not penalised.
    const [first, second] = place === this.#biasPlace ? [0, 0] : [l1, l2];
    if (Math.abs(z) <= first) return 0;
    return -(z - Math.sign(z) * first) / ((beta + Math.sqrt(n)) / alpha + second);
  }

  #step(place: number, gradient: number): void {
    const n = this.#n[place] ?? 0;
    const square = n + gradient * gradient;
    const sigma = (Math.sqrt(square) - Math.sqrt(n)) / this.#options.alpha;
    this.#z[place] = (this.#z[place] ?? 0) + gradient - sigma * this.#weight(place);
    this.#n[place] = square;
  }
}

export interface SparseTraining extends SparseOptions {
  /** Passes over the cases, each in a new order. */
  readonly epochs: number;
  /** Weight of a positive case; 1 for negative ones. */
  readonly positiveWeight: number;
  readonly random: Random;
}

export function trainSparseLogistic(
  cases: readonly SparseCase[],
  positive: readonly boolean[],
  options: SparseTraining,
): SparseLogistic {
  const learner = new SparseLearner(options);
  const order = Int32Array.from(cases.keys());
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    for (const at of shuffle(order, options.random)) {
      const is = positive[at] === true;
      learner.learn(itemAt(cases, at), is ? 1 : 0, is ? options.positiveWeight : 1);
    }
  }
  return learner.model();
}

/** A scorer with the weights spread out: one array read a feature. */
export function sparseScorer(model: SparseLogistic): (one: SparseCase) => number {
  const weights = new Float32Array(2 ** model.bits);
  model.indices.forEach((place, at) => {
    weights[place] = model.weights[at] ?? 0;
  });
  return ({ indices, values }) => {
    let sum = model.bias;
    for (let at = 0; at < indices.length; at++) sum += (weights[indices[at] ?? 0] ?? 0) * (values[at] ?? 0);
    return logistic(sum);
  };
}

/**
 * Features of a text as its distinct byte n-grams of length `size` (≤ 4) in UTF-8, hashed, each of value 1/√count so
 * that every text has length 1.
 */
export function byteGrams(bytes: Uint8Array, size: number, bits: number): SparseCase {
  const seen = new Set<number>();
  const mask = size === 4 ? -1 : (1 << (8 * size)) - 1;
  let gram = 0;
  for (let at = 0; at < bytes.length; at++) {
    gram = ((gram << 8) | (bytes[at] ?? 0)) & mask;
    if (at + 1 >= size) seen.add(mix(gram) >>> (32 - bits));
  }
  const indices = Uint32Array.from(seen);
  return { indices, values: new Float32Array(indices.length).fill(1 / Math.sqrt(Math.max(1, indices.length))) };
}

/** Finaliser of MurmurHash3. */
function mix(key: number): number {
  key = Math.imul(key ^ (key >>> 16), 0x85ebca6b);
  key = Math.imul(key ^ (key >>> 13), 0xc2b2ae35);
  return key ^ (key >>> 16);
}
