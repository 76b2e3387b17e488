import { jaccard } from '../kit/shingles.ts';
import { hamming64 } from '../kit/simhash.ts';
import { type Fingerprint, isComparable, NO_BLOCK, SKETCH_SIZE } from './fingerprint.ts';

/** Winnow's rule for near copies (thresholds from measurements on planted edits; candidates by Charikar's simhash). */
export const NEAR = {
  /** Bits of the simhash that may differ between candidates. */
  maxDistance: 8,
  /** Jaccard coefficient of shingles across sites. */
  minJaccard: 0.7,
  /** The same within a site, template blocks left out: Henzinger 2006 found same-site pairs the hard ones. */
  minJaccardSameSite: 0.85,
  /** Within a site where templates are all there is to compare. */
  minJaccardTemplates: 0.95,
  /** Letters of the shorter over those of the longer. */
  minLengthRatio: 0.8,
  /** Shingles that must be left of one of both for the comparison without templates to mean anything. */
  minShinglesLeft: { word: 16, character: 40 },
} as const;

export type NearPrint = Pick<
  Fingerprint,
  'letters' | 'kind' | 'high' | 'low' | 'bands' | 'sketch' | 'blockOf' | 'blocks'
>;

/**
 * True when both texts are near copies. Symmetric. `isTemplate` is given for two pages of one site and says which
 * block hashes are that site's template.
 */
export function isNear(a: NearPrint, b: NearPrint, isTemplate?: (block: number) => boolean): boolean {
  if (a.kind !== b.kind || !isComparable(a) || !isComparable(b)) return false;
  if (Math.min(a.letters, b.letters) < NEAR.minLengthRatio * Math.max(a.letters, b.letters)) return false;
  if (hamming64(a.high, a.low, b.high, b.low) > NEAR.maxDistance && !shareBand(a.bands, b.bands)) return false;
  if (isTemplate === undefined) return similarity(a, b, ALL, ALL).value >= NEAR.minJaccard;
  const rest = similarity(a, b, outside(a, isTemplate), outside(b, isTemplate));
  if (Math.max(rest.leftA, rest.leftB) >= NEAR.minShinglesLeft[a.kind]) return rest.value >= NEAR.minJaccardSameSite;
  return similarity(a, b, ALL, ALL).value >= NEAR.minJaccardTemplates;
}

/** Bands are compared place by place; whoever has none shares none. */
export function shareBand(a: Uint32Array, b: Uint32Array): boolean {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] === b[i]) return true;
  return false;
}

const ALL = () => true;

function similarity(a: NearPrint, b: NearPrint, keepA: (i: number) => boolean, keepB: (i: number) => boolean) {
  return jaccard(
    { hashes: a.sketch, size: SKETCH_SIZE },
    { hashes: b.sketch, size: SKETCH_SIZE },
    { a: keepA, b: keepB },
  );
}

/** Lets through the sketch entries whose shingle begins outside template blocks. */
function outside(print: NearPrint, isTemplate: (block: number) => boolean): (index: number) => boolean {
  const template = Uint8Array.from(print.blocks, (block) => (isTemplate(block) ? 1 : 0));
  if (!template.includes(1)) return ALL;
  return (index) => {
    const block = print.blockOf[index] ?? NO_BLOCK;
    return block === NO_BLOCK || template[block] !== 1;
  };
}
