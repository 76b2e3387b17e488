import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAPS, CountTable, encodeCounts, encodeTerms, sequenceHash, TermTable, termHash } from './forward.ts';
import { FIELDS } from './index-document.ts';

describe('term tables', () => {
  const count = fc.nat(300);
  const entry = fc.record({
    hash: fc.nat(0xffffffff),
    counts: fc.record({ title: count, headings: count, body: count, aside: count, url: count }),
  });

  it('give back what was put in, each count up to its cap', () => {
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ({ hash }) => hash, maxLength: 50 }), (entries) => {
        const sorted = [...entries].sort((a, b) => a.hash - b.hash);
        const table = new TermTable(encodeTerms(sorted));
        for (const { hash, counts } of sorted) {
          const place = table.find(hash);
          for (const field of FIELDS) expect(table.count(place, field)).toBe(Math.min(counts[field], CAPS[field]));
        }
        expect(table.find(0x12345)).toBe(sorted.findIndex(({ hash }) => hash === 0x12345));
      }),
    );
  });

  it('count tables give back what was put in, up to 255', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(0xffffffff), fc.nat(400))), (pairs) => {
        const counts = new Map(pairs);
        const table = new CountTable(encodeCounts(counts));
        for (const [hash, value] of counts) expect(table.get(hash)).toBe(Math.min(255, value));
      }),
    );
  });

  it('read unaligned bytes', () => {
    const bytes = encodeCounts(new Map([[7, 3]]));
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(new CountTable(shifted.subarray(1)).get(7)).toBe(3);
  });
});

it('hashes tell order and boundaries of terms', () => {
  expect(sequenceHash(['a', 'b'])).not.toBe(sequenceHash(['b', 'a']));
  expect(sequenceHash(['ab'])).not.toBe(sequenceHash(['a', 'b']));
  expect(termHash('a')).toBeGreaterThanOrEqual(0);
});
