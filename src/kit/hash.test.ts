import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromHex64, hash64, hash64Bytes, toHex64 } from './hash.ts';

it('gives the published XXH64 values', () => {
  expect(toHex64(hash64(''))).toBe('ef46db3751d8e999');
  expect(toHex64(hash64('abc'))).toBe('44bc2cf5ad770999');
});

it('hashes a string as its UTF-8 bytes, into the signed 64-bit range, and back from hex', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const hash = hash64(text);
      expect(hash).toBe(hash64Bytes(new TextEncoder().encode(text)));
      expect(BigInt.asIntN(64, hash)).toBe(hash);
      expect(fromHex64(toHex64(hash))).toBe(hash);
    }),
  );
});

it.each(['', 'xyz', '0x1', '12345678901234567'])('refuses %j as hex', (text) => {
  expect(fromHex64(text)).toBeUndefined();
});
