/** A reproducible source of random numbers. Not for secrets. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  next(): number;
  /** Uniform integer in [0, bound), without modulo bias; bound in 1 … 2^32. */
  below(bound: number): number;
  /** Standard normal (Marsaglia's polar method). */
  normal(): number;
  /** An independent source for a named purpose: the same name gives the same numbers whatever was drawn before. */
  stream(name: string): Random;
}

/** xoshiro128** 1.1 (Blackman and Vigna 2018), its state filled by splitmix32 from `seed`. */
export function seededRandom(seed: number | string): Random {
  return fromState(hashSeed(String(seed), 0x9e3779b9), hashSeed(String(seed), 0x85ebca6b));
}

/** Fisher-Yates, in place; returns `items`. */
export function shuffle<T extends unknown[] | Int32Array | Uint32Array | Float64Array>(items: T, random: Random): T {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const held = items[i];
    items[i] = items[j];
    items[j] = held;
  }
  return items;
}

/** Exponential waiting time with the given rate (events a unit of time, > 0). */
export function exponential(random: Random, rate: number): number {
  return -Math.log1p(-random.next()) / rate;
}

/** Sums of independent uniforms' products below e^-mean (Knuth), in pieces so that large means do not underflow. */
export function poisson(random: Random, mean: number): number {
  let count = 0;
  for (let left = mean; left > 0; left -= 500) {
    const limit = Math.exp(-Math.min(left, 500));
    for (let product = random.next(); product > limit; product *= random.next()) count++;
  }
  return count;
}

function fromState(high: number, low: number): Random {
  const fill = splitmix32(high ^ Math.imul(low, 0x9e3779b1));
  let a = fill();
  let b = fill();
  let c = fill();
  let d = fill() | 1;
  const uint32 = (): number => {
    const scrambled = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return scrambled;
  };
  const next = (): number => ((uint32() >>> 5) * 67108864 + (uint32() >>> 6)) / 9007199254740992;
  return {
    next,
    below: (bound) => below(uint32, bound),
    normal: () => normal(next),
    stream: (name) => fromState(hashSeed(name, high), hashSeed(name, low ^ 0x5bd1e995)),
  };
}

function below(uint32: () => number, bound: number): number {
  const limit = 4294967296 - (4294967296 % bound);
  let drawn = uint32();
  while (drawn >= limit) drawn = uint32();
  return drawn % bound;
}

function normal(next: () => number): number {
  for (;;) {
    const x = 2 * next() - 1;
    const y = 2 * next() - 1;
    const square = x * x + y * y;
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square);
  }
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) | 0;
  };
}

/** FNV-1a over UTF-16 units, finished as in MurmurHash3. */
function hashSeed(text: string, basis: number): number {
  let hash = basis | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}
