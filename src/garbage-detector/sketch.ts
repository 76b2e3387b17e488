/** The least hashes of a set, ascending: small enough to be kept, and two of them tell how much two sets share. */
export type Sketch = Uint32Array;

/** Hashes kept of a set, and of two sets together looked at. */
export const SKETCH_HASHES = 32;

/** Bottom-k sketch (Broder 1997) of a set given as hashes. */
export function leastHashes(hashes: ReadonlySet<number>): Sketch {
  return Uint32Array.from(hashes).sort().slice(0, SKETCH_HASHES);
}

/** Jaccard coefficient as two sketches estimate it: exact for small sets. */
export function resemblance(a: Sketch, b: Sketch): number {
  let i = 0;
  let j = 0;
  let both = 0;
  let union = 0;
  while (union < SKETCH_HASHES && (i < a.length || j < b.length)) {
    const left = a[i] ?? Number.POSITIVE_INFINITY;
    const right = b[j] ?? Number.POSITIVE_INFINITY;
    if (left === right) both++;
    if (left <= right) i++;
    if (right <= left) j++;
    union++;
  }
  return union === 0 ? 0 : both / union;
}

/** FNV-1a with a final mix, unsigned. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixHash(hash);
}

/** Spreads the bits of a 32-bit number (the end of MurmurHash3, shortened), unsigned. */
export function mixHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
