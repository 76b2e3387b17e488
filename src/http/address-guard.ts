import { isIPv4, isIPv6 } from 'node:net';

/** Why an address is not one of the public internet. */
export type AddressKind =
  | 'unspecified'
  | 'private'
  | 'shared'
  | 'loopback'
  | 'link-local'
  | 'protocol-assignment'
  | 'benchmarking'
  | 'multicast'
  | 'reserved'
  | 'unique-local'
  | 'discard';

/**
 * Says what kind of non-public address `address` is, undefined for a public one. Accepts the canonical forms that
 * sockets, look-ups and WHATWG URLs give (brackets and zone allowed); anything else is 'reserved', so that a form nobody
 * thought of is refused. IPv6 addresses that carry an IPv4 one (mapped, compatible, SIIT, NAT64, 6to4, Teredo, ISATAP)
 * are what the carried one is. Sources: IANA special-purpose address registries, RFC 6890, 4291, 6052, 3056, 4380, 5214.
 */
export function nonPublicKind(address: string): AddressKind | undefined {
  const bare = withoutBrackets(address);
  if (isIPv4(bare)) return kindOfV4(parseV4(bare));
  if (isIPv6(bare)) return kindOfV6(parseV6(bare));
  return 'reserved';
}

/** The address a WHATWG host is, without brackets, or undefined when it is a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = withoutBrackets(hostname);
  return isIPv4(bare) || isIPv6(bare) ? bare : undefined;
}

/** Network, prefix length, kind. */
const V4_RANGES: readonly (readonly [number, number, AddressKind])[] = [
  [v4(0, 0, 0, 0), 8, 'unspecified'],
  [v4(10, 0, 0, 0), 8, 'private'],
  [v4(100, 64, 0, 0), 10, 'shared'],
  [v4(127, 0, 0, 0), 8, 'loopback'],
  [v4(169, 254, 0, 0), 16, 'link-local'],
  [v4(172, 16, 0, 0), 12, 'private'],
  [v4(192, 0, 0, 0), 24, 'protocol-assignment'],
  [v4(192, 168, 0, 0), 16, 'private'],
  [v4(198, 18, 0, 0), 15, 'benchmarking'],
  [v4(224, 0, 0, 0), 4, 'multicast'],
  [v4(240, 0, 0, 0), 4, 'reserved'],
];

function kindOfV4(value: number): AddressKind | undefined {
  for (const [network, bits, kind] of V4_RANGES) {
    if (Math.floor(value / 2 ** (32 - bits)) === Math.floor(network / 2 ** (32 - bits))) return kind;
  }
  return undefined;
}

function kindOfV6(words: Uint16Array): AddressKind | undefined {
  const [first = 0, second = 0, third = 0] = words;
  if (words.subarray(0, 7).every(isZero) && (words[7] ?? 0) <= 1) return words[7] === 1 ? 'loopback' : 'unspecified';
  if (first >= 0xff00) return 'multicast';
  if ((first & 0xffc0) === 0xfe80) return 'link-local';
  if ((first & 0xffc0) === 0xfec0) return 'private';
  if ((first & 0xfe00) === 0xfc00) return 'unique-local';
  if (first === 0x100 && words.subarray(1, 4).every(isZero)) return 'discard';
  if (first === 0x64 && second === 0xff9b && third === 1) return 'private';
  for (const carried of carriedV4(words)) {
    const kind = kindOfV4(carried);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** IPv4 addresses that an IPv6 address leads to. */
function carriedV4(words: Uint16Array): number[] {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0, eighth = 0] = words;
  const last = seventh * 65536 + eighth;
  const carried: number[] = [];
  if (words.subarray(0, 4).every(isZero)) {
    const compatibleOrMapped = fifth === 0 && (sixth === 0 || sixth === 0xffff);
    const translated = fifth === 0xffff && sixth === 0;
    if (compatibleOrMapped || translated) carried.push(last);
  }
  if (first === 0x64 && second === 0xff9b && words.subarray(2, 6).every(isZero)) carried.push(last);
  if (first === 0x2002) carried.push(second * 65536 + third);
  if (first === 0x2001 && second === 0) carried.push(third * 65536 + fourth, 0xffffffff - last);
  if ((fifth & 0xfdff) === 0 && sixth === 0x5efe) carried.push(last);
  return carried;
}

function parseV4(text: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return v4(a, b, c, d);
}

/** Eight words of a text that `isIPv6` accepted. */
function parseV6(text: string): Uint16Array {
  const words = new Uint16Array(8);
  const [head = '', tail] = text.split('::');
  const left = wordsOf(head);
  const right = tail === undefined ? [] : wordsOf(tail);
  words.set(left);
  words.set(right, 8 - right.length);
  return words;
}

function wordsOf(text: string): number[] {
  const words: number[] = [];
  for (const part of text.split(':')) {
    if (part.includes('.')) {
      const value = parseV4(part);
      words.push(Math.floor(value / 65536), value % 65536);
    } else if (part !== '') words.push(Number.parseInt(part, 16));
  }
  return words;
}

function v4(a: number, b: number, c: number, d: number): number {
  return ((a * 256 + b) * 256 + c) * 256 + d;
}

function isZero(word: number): boolean {
  return word === 0;
}

function withoutBrackets(address: string): string {
  const bare = address.startsWith('[') && address.endsWith(']') ? address.slice(1, -1) : address;
  const zone = bare.indexOf('%');
  return zone < 0 ? bare : bare.slice(0, zone);
}
