import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hamming64, popcount32, Simhash } from './simhash.ts';

const word = fc.integer({ min: 0, max: 0xffffffff });

describe('similarity hash', () => {
  it('counts bits as written out in binary', () => {
    fc.assert(
      fc.property(word, word, word, word, (a, b, c, d) => {
        const ones = (value: number) => value.toString(2).replaceAll('0', '').length;
        expect(popcount32(a)).toBe(ones(a));
        expect(hamming64(a, b, c, d)).toBe(ones((a ^ c) >>> 0) + ones((b ^ d) >>> 0));
      }),
    );
  });

  it('sets a bit when the weights for it outweigh those against it, as BigInt arithmetic finds', () => {
    const feature = fc.tuple(word, word, fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.array(feature, { maxLength: 20 }), (features) => {
        const simhash = new Simhash();
        for (const [high, low, weight] of features) simhash.add(high, low, weight);
        let expected = 0n;
        for (let bit = 0n; bit < 64n; bit++) {
          const votes = features.map(([high, low, weight]) =>
            (((BigInt(high) << 32n) | BigInt(low)) >> bit) & 1n ? weight : -weight,
          );
          if (votes.reduce((a, b) => a + b, 0) > 0) expected |= 1n << bit;
        }
        const { high, low } = simhash.halves();
        expect((BigInt(high) << 32n) | BigInt(low)).toBe(expected);
      }),
    );
  });

  it('is the feature itself for one feature and zero for none', () => {
    expect(new Simhash().halves()).toEqual({ high: 0, low: 0 });
    const one = new Simhash();
    one.add(0xdeadbeef, 0x12345678, 1);
    expect(one.halves()).toEqual({ high: 0xdeadbeef, low: 0x12345678 });
  });
});
