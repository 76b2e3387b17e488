import type { Field } from './index-document.ts';

/** Terms of a document beyond this many distinct ones are not counted: no real page has them. */
export const MAX_TERMS = 60_000;
/** Words whose places are kept; proximity matters near the head of a document. */
export const MAX_SEQUENCE = 16_000;
/** Stands in a sequence where a block of text ends. */
export const BREAK = 0xffff;

/** 32-bit hash of a term (FNV-1a over UTF-16 units, mixed). */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return mix(hash);
}

/** 32-bit hash of a sequence of terms, so that equal titles and anchor texts are found without their text. */
export function sequenceHash(terms: Iterable<string>): number {
  let hash = 0x9e3779b9;
  for (const term of terms) hash = mix(Math.imul(hash, 31) ^ termHash(term));
  return hash;
}

/** Counts of one term in the fields of one document. Each is capped at what the packed form holds: {@link CAPS}. */
export type FieldCounts = Readonly<Record<Field, number>>;

/** Largest count kept per field; a term used oftener says nothing more. */
export const CAPS: FieldCounts = { title: 3, headings: 7, body: 255, aside: 3, url: 1 };

/** Packed: all hashes ascending (4 bytes each), then body counts (1 byte each), then the other fields (1 byte each). */
export function encodeTerms(entries: readonly { readonly hash: number; readonly counts: FieldCounts }[]): Uint8Array {
  const size = entries.length;
  const hashes = new Uint32Array(size);
  const bytes = new Uint8Array(size * 6);
  for (let i = 0; i < size; i++) {
    const entry = entries[i];
    if (entry === undefined) continue;
    const { title, headings, body, aside, url } = entry.counts;
    hashes[i] = entry.hash;
    bytes[size * 4 + i] = Math.min(body, CAPS.body);
    bytes[size * 5 + i] =
      Math.min(title, CAPS.title) |
      (Math.min(url, CAPS.url) << 2) |
      (Math.min(headings, CAPS.headings) << 3) |
      (Math.min(aside, CAPS.aside) << 6);
  }
  bytes.set(new Uint8Array(hashes.buffer), 0);
  return bytes;
}

/** Reads what {@link encodeTerms} wrote. */
export class TermTable {
  readonly size: number;
  readonly #hashes: Uint32Array;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.size = bytes.length / 6;
    this.#bytes = bytes;
    this.#hashes = words(bytes, this.size);
  }

  /** Place of the term, or -1. */
  find(hash: number): number {
    return search(this.#hashes, hash);
  }

  count(place: number, field: Field): number {
    const body = this.#bytes[this.size * 4 + place] ?? 0;
    const packed = this.#bytes[this.size * 5 + place] ?? 0;
    if (field === 'body') return body;
    if (field === 'title') return packed & 3;
    if (field === 'url') return (packed >> 2) & 1;
    return field === 'headings' ? (packed >> 3) & 7 : packed >> 6;
  }
}

/** Packed map from hash to a count of at most 255: hashes ascending (4 bytes each), then counts (1 byte each). */
export function encodeCounts(counts: ReadonlyMap<number, number>): Uint8Array {
  const hashes = Uint32Array.from(counts.keys()).sort();
  const bytes = new Uint8Array(hashes.length * 5);
  bytes.set(new Uint8Array(hashes.buffer), 0);
  for (let i = 0; i < hashes.length; i++) {
    bytes[hashes.length * 4 + i] = Math.min(255, counts.get(hashes[i] ?? 0) ?? 0);
  }
  return bytes;
}

/** Reads what {@link encodeCounts} wrote. */
export class CountTable {
  readonly #hashes: Uint32Array;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#hashes = words(bytes, bytes.length / 5);
  }

  get(hash: number): number {
    const place = search(this.#hashes, hash);
    return place < 0 ? 0 : (this.#bytes[this.#hashes.length * 4 + place] ?? 0);
  }
}

/** Each word as the place of its term in the document's {@link TermTable}, 2 bytes; {@link BREAK} between blocks. */
export function encodeSequence(places: Uint16Array): Uint8Array {
  return new Uint8Array(places.buffer, places.byteOffset, places.byteLength);
}

export function decodeSequence(bytes: Uint8Array): Uint16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 1);
}

function words(bytes: Uint8Array, count: number): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, count);
}

function search(hashes: Uint32Array, hash: number): number {
  let low = 0;
  let high = hashes.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = hashes[middle] ?? 0;
    if (found === hash) return middle;
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function mix(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
