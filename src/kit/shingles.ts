/**
 * How a text is cut: 'word' texts into word 3-grams, 'character' texts (mostly Han, Kana, Hangul, Thai, Lao, Khmer,
 * Burmese) into 2-grams whose units are single characters, foreign words among them counting as one unit.
 */
export type ShingleKind = 'word' | 'character';

export const SHINGLE_LENGTH: Readonly<Record<ShingleKind, number>> = { word: 3, character: 2 };

/** Units of a text: words, or characters of scripts written without spaces. */
export interface Tokens {
  readonly count: number;
  /** Two independent 32-bit hashes of each unit; only the first `count` entries count. */
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  /** Letters and digits in code points. */
  readonly letters: number;
  /** Those among them of scripts whose characters are units of their own. */
  readonly unspaced: number;
  /** Number of units before each line end of the text, and at its end. */
  readonly lineEnds: readonly number[];
}

/** Cuts a text into units: NFKC, lower case, everything but letters, digits and marks left out. */
export function tokenize(text: string): Tokens {
  const normal = isAscii(text) ? text.toLowerCase() : text.normalize('NFKC').toLowerCase();
  const builder = new TokenBuilder(normal.length);
  const table = classes();
  for (let at = 0; at < normal.length; at++) {
    const unit = normal.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const point = normal.codePointAt(at) ?? unit;
      if (point > 0xffff) at++;
      builder.take(point, classOfPoint(point));
    } else {
      builder.take(unit, table[unit] ?? NOTHING);
    }
  }
  return builder.finish();
}

export function kindOf(tokens: Tokens): ShingleKind {
  return tokens.unspaced * 2 > tokens.letters ? 'character' : 'word';
}

/**
 * Hash of the shingle that starts at unit `at`. A text shorter than a shingle gives one shingle of all it has:
 * callers pass `length` = min(shingle length, units).
 */
export function shingleHash(tokens: Tokens, at: number, length: number): number {
  let hash = 0x9747b28c;
  for (let i = at; i < at + length; i++) hash = mix(hash, tokens.first[i] ?? 0);
  return avalanche(hash);
}

/** Number of shingles of a text of `units` units. */
export function shingleCount(units: number, length: number): number {
  return units === 0 ? 0 : Math.max(1, units - length + 1);
}

/** Order-dependent hash of all units from `from` (included) to `to` (excluded). */
export function rangeHash(tokens: Tokens, from: number, to: number): number {
  return shingleHash(tokens, from, to - from);
}

/**
 * The `size` smallest distinct hashes, ascending, of hashes given one by one (bottom-k sketch), each with the tag it
 * came with first. Memory is bounded by 4 × size.
 */
export class BottomSketch {
  readonly #size: number;
  readonly #tags = new Map<number, number>();
  #bound = 0x100000000;

  constructor(size: number) {
    this.#size = size;
  }

  add(hash: number, tag: number): void {
    if (hash >= this.#bound || this.#tags.has(hash)) return;
    this.#tags.set(hash, tag);
    if (this.#tags.size >= this.#size * 4) this.#cut();
  }

  finish(): { readonly hashes: Uint32Array; readonly tags: Uint8Array } {
    const hashes = this.#sorted();
    const tags = new Uint8Array(hashes.length);
    for (let i = 0; i < hashes.length; i++) tags[i] = this.#tags.get(hashes[i] ?? 0) ?? 0;
    return { hashes, tags };
  }

  #sorted(): Uint32Array {
    return Uint32Array.from(this.#tags.keys()).sort().slice(0, this.#size);
  }

  #cut(): void {
    const kept = this.#sorted();
    const tags = [...kept].map((hash) => this.#tags.get(hash) ?? 0);
    this.#tags.clear();
    kept.forEach((hash, i) => {
      this.#tags.set(hash, tags[i] ?? 0);
    });
    this.#bound = (kept[kept.length - 1] ?? 0) + 1;
  }
}

/**
 * Min-hash bands of a whole set of hashes: each band hashes together the minima of `rows` permutations, so two sets of
 * Jaccard coefficient J share a band with probability 1 − (1 − J^rows)^bands.
 */
export function minHashBands(hashes: Uint32Array, bands: number, rows: number): Uint32Array {
  const result = new Uint32Array(bands);
  for (let band = 0; band < bands; band++) {
    let key = band;
    for (let row = 0; row < rows; row++) {
      const seed = Math.imul(band * rows + row + 1, 0x9e3779b1);
      let least = 0xffffffff;
      for (const hash of hashes) least = Math.min(least, avalanche(hash ^ seed));
      key = mix(key, least);
    }
    result[band] = avalanche(key);
  }
  return result;
}

/** A sketch of `size` hashes and more exist than it holds: hashes above its last are unknown. */
export interface Sketch {
  readonly hashes: Uint32Array;
  readonly size: number;
}

/**
 * Jaccard coefficient of the sets behind two sketches, counting only shingles that `keepA`, `keepB` let through.
 * Exact while both sketches hold their whole set. Otherwise both are cut at the smaller of their last hashes: below it
 * each is complete, hashes are uniform, so what is below is a fair sample of the union (error ≈ √(J(1−J)/sample)).
 * `left` is the estimated number of shingles of each set that were counted.
 */
export function jaccard(
  a: Sketch,
  b: Sketch,
  keep: { readonly a: (index: number) => boolean; readonly b: (index: number) => boolean },
): { readonly value: number; readonly leftA: number; readonly leftB: number } {
  const bound = Math.min(boundOf(a), boundOf(b));
  const counts = { onlyA: 0, onlyB: 0, both: 0 };
  let i = 0;
  let j = 0;
  while (true) {
    const x = i < a.hashes.length ? (a.hashes[i] ?? bound) : bound;
    const y = j < b.hashes.length ? (b.hashes[j] ?? bound) : bound;
    if (x >= bound && y >= bound) break;
    const keptA = x <= y && keep.a(i);
    const keptB = y <= x && keep.b(j);
    if (keptA && keptB) counts.both++;
    else if (keptA) counts.onlyA++;
    else if (keptB) counts.onlyB++;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  const union = counts.onlyA + counts.onlyB + counts.both;
  const scale = 0x100000000 / bound;
  return {
    value: union === 0 ? 0 : counts.both / union,
    leftA: (counts.onlyA + counts.both) * scale,
    leftB: (counts.onlyB + counts.both) * scale,
  };
}

function boundOf(sketch: Sketch): number {
  if (sketch.hashes.length < sketch.size) return 0x100000000;
  return (sketch.hashes[sketch.hashes.length - 1] ?? 0) + 1;
}

const LINE_END = 0x0a;
const NOTHING = 0;
const WORD = 1;
const UNSPACED = 2;
/** Combining marks continue a word and are no letters of their own. */
const MARK = 3;

const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LETTER = /[\p{L}\p{N}]/u;
const COMBINING = /\p{M}/u;

function classOfPoint(point: number): number {
  const character = String.fromCodePoint(point);
  if (COMBINING.test(character)) return UNSPACED_SCRIPT.test(character) ? UNSPACED : MARK;
  if (!LETTER.test(character)) return NOTHING;
  return UNSPACED_SCRIPT.test(character) ? UNSPACED : WORD;
}

let classTable: Uint8Array | undefined;

/** Classes of the basic plane, made at first use: 65,536 look-ups cost some 30 ms, too much for every program start. */
function classes(): Uint8Array {
  classTable ??= Uint8Array.from({ length: 0x10000 }, (_, unit) =>
    unit >= 0xd800 && unit <= 0xdfff ? NOTHING : classOfPoint(unit),
  );
  return classTable;
}

class TokenBuilder {
  #first: Uint32Array;
  #second: Uint32Array;
  #count = 0;
  #letters = 0;
  #unspaced = 0;
  readonly #lineEnds: number[] = [];
  #a = 0;
  #b = 0;
  #length = 0;

  constructor(textLength: number) {
    this.#first = new Uint32Array(Math.max(16, textLength >>> 2));
    this.#second = new Uint32Array(this.#first.length);
  }

  take(point: number, kind: number): void {
    if (kind === WORD || kind === MARK) {
      if (kind === WORD) this.#letters++;
      this.#feed(point);
      return;
    }
    this.#close();
    if (kind === NOTHING) {
      if (point === LINE_END) this.#lineEnds.push(this.#count);
      return;
    }
    this.#letters++;
    this.#unspaced++;
    this.#feed(point);
    this.#close();
  }

  finish(): Tokens {
    this.#close();
    this.#lineEnds.push(this.#count);
    return {
      lineEnds: this.#lineEnds,
      count: this.#count,
      first: this.#first,
      second: this.#second,
      letters: this.#letters,
      unspaced: this.#unspaced,
    };
  }

  #feed(point: number): void {
    this.#a = mix(this.#a, point);
    this.#b = mix(this.#b ^ 0x5bd1e995, point);
    this.#length++;
  }

  #close(): void {
    if (this.#length === 0) return;
    if (this.#count === this.#first.length) this.#grow();
    this.#first[this.#count] = avalanche(this.#a ^ this.#length);
    this.#second[this.#count++] = avalanche(this.#b + this.#length);
    this.#a = 0;
    this.#b = 0;
    this.#length = 0;
  }

  #grow(): void {
    const first = new Uint32Array(this.#first.length * 2);
    const second = new Uint32Array(first.length);
    first.set(this.#first);
    second.set(this.#second);
    this.#first = first;
    this.#second = second;
  }
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** One step of MurmurHash3 (32 bit, public domain, Appleby). */
function mix(hash: number, value: number): number {
  value = Math.imul(value, 0xcc9e2d51);
  value = Math.imul((value << 15) | (value >>> 17), 0x1b873593);
  hash ^= value;
  return (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
}

/** Finaliser of MurmurHash3: every input bit reaches every output bit. Unsigned. */
function avalanche(hash: number): number {
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
