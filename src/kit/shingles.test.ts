import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BottomSketch,
  jaccard,
  kindOf,
  minHashBands,
  rangeHash,
  shingleCount,
  shingleHash,
  tokenize,
} from './shingles.ts';

const KEEP = { a: () => true, b: () => true };
const hashes = fc.array(fc.integer({ min: 0, max: 0xffffffff }), { maxLength: 400 });

function sketchOf(values: Iterable<number>, size: number) {
  const bottom = new BottomSketch(size);
  for (const value of values) bottom.add(value, value % 7);
  return bottom.finish();
}

describe('cutting a text', () => {
  it.each([
    ['Hello, World! x86', 3, 'word'],
    ['co-operate naïve e\u0301t', 4, 'word'],
    ['東京タワー', 5, 'character'],
    ['한국어 문장', 5, 'character'],
    ['ภาษาไทย', 7, 'character'],
    ['Привет, мир', 2, 'word'],
    ['!!! … —', 0, 'word'],
    ['使用 TypeScript 语言编写', 7, 'word'],
  ])('%j has %i units and is of kind %s', (text, count, kind) => {
    const tokens = tokenize(text);
    expect(tokens.count).toBe(count);
    expect(kindOf(tokens)).toBe(kind);
  });

  it('does not see case, width, punctuation and composition', () => {
    const shingles = (text: string) => {
      const tokens = tokenize(text);
      return Array.from({ length: shingleCount(tokens.count, 3) }, (_, i) => shingleHash(tokens, i, 3));
    };
    expect(shingles('The Caf\u00e9, at NOON (today)')).toEqual(shingles('the cafe\u0301 at noon — today'));
    expect(shingles('ＡＢＣ def ghi')).toEqual(shingles('abc def ghi'));
    expect(shingles('a b c d')).not.toEqual(shingles('a b d c'));
  });

  it('never throws and counts lines on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const tokens = tokenize(text);
        expect(tokens.lineEnds.at(-1)).toBe(tokens.count);
        expect(tokens.unspaced).toBeLessThanOrEqual(tokens.letters);
      }),
    );
  });

  it('hashes a range like the same words elsewhere', () => {
    const whole = tokenize('zero one two three four');
    expect(rangeHash(whole, 1, 4)).toBe(rangeHash(tokenize('one two three'), 0, 3));
  });
});

describe('sketches', () => {
  it('hold the smallest distinct hashes with their first tags', () => {
    fc.assert(
      fc.property(hashes, fc.integer({ min: 1, max: 50 }), (values, size) => {
        const { hashes: kept, tags } = sketchOf(values, size);
        const expected = [...new Set(values)].sort((a, b) => a - b).slice(0, size);
        expect([...kept]).toEqual(expected);
        expect([...tags]).toEqual(expected.map((value) => value % 7));
      }),
    );
  });

  it('give the Jaccard coefficient exactly while they hold the whole sets', () => {
    fc.assert(
      fc.property(hashes, hashes, hashes, (onlyA, onlyB, shared) => {
        const [a, b] = [new Set([...onlyA, ...shared]), new Set([...onlyB, ...shared])];
        const both = [...a].filter((value) => b.has(value)).length;
        const union = a.size + b.size - both;
        const estimate = jaccard(
          { hashes: sketchOf(a, 1000).hashes, size: 1000 },
          { hashes: sketchOf(b, 1000).hashes, size: 1000 },
          KEEP,
        );
        expect(estimate).toEqual({ value: union === 0 ? 0 : both / union, leftA: a.size, leftB: b.size });
      }),
    );
  });

  it('estimate it within four standard errors otherwise, and leave out what they are told to', () => {
    // Multiples of an odd constant are spread evenly enough over 32 bits to stand for hashes.
    const spread = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => Math.imul(from + i + 1, 0x9e3779b1) >>> 0);
    const a = { hashes: sketchOf(spread(0, 8000), 512).hashes, size: 512 };
    const b = { hashes: sketchOf(spread(2000, 10_000), 512).hashes, size: 512 };
    expect(Math.abs(jaccard(a, b, KEEP).value - 0.6)).toBeLessThan(4 * Math.sqrt(0.24 / 512));
    const upper = new Set(spread(2000, 10_000));
    const without = jaccard(a, b, { a: (i) => upper.has(a.hashes[i] ?? 0), b: () => true });
    expect(Math.abs(without.leftA - 6000)).toBeLessThan(1000);
    expect(jaccard(a, b, { a: () => false, b: () => true }).value).toBe(0);
  });

  it('share a min-hash band as often as the sets are alike', () => {
    const shared = (overlap: number) => {
      let hits = 0;
      for (let trial = 0; trial < 100; trial++) {
        const set = (start: number) =>
          Uint32Array.from({ length: 100 }, (_, i) => Math.imul(trial * 1000 + start + i + 1, 0x85ebca6b) >>> 0);
        const [a, b] = [minHashBands(set(0), 8, 3), minHashBands(set(100 - overlap), 8, 3)];
        if (a.some((key, band) => key === b[band])) hits++;
      }
      return hits;
    };
    expect(shared(100)).toBe(100);
    // J = 82/118 = 0.69: 1 − (1 − 0.69³)⁸ = 0.96.
    expect(shared(82)).toBeGreaterThan(85);
    expect(shared(5)).toBeLessThan(5);
  });
});
