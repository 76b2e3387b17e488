import xxhash from 'xxhash-wasm';

// The module is 3 kB of WebAssembly inside the package: compiled once while the module graph loads, synchronous after.
const { h64, h64Raw } = await xxhash();

/** XXH64 of the UTF-8 bytes of `text`, as a signed 64-bit number: what an SQLite INTEGER holds. */
export function hash64(text: string): bigint {
  return BigInt.asIntN(64, h64(text));
}

/** XXH64 of `bytes`, signed as {@link hash64}. */
export function hash64Bytes(bytes: Uint8Array): bigint {
  return BigInt.asIntN(64, h64Raw(bytes));
}

/** 16 lower-case hexadecimal digits of a signed or unsigned 64-bit number. */
export function toHex64(hash: bigint): string {
  return BigInt.asUintN(64, hash).toString(16).padStart(16, '0');
}

/** The signed 64-bit number of up to 16 hexadecimal digits; undefined for anything else. */
export function fromHex64(hex: string): bigint | undefined {
  return /^[0-9a-f]{1,16}$/i.test(hex) ? BigInt.asIntN(64, BigInt(`0x${hex}`)) : undefined;
}
