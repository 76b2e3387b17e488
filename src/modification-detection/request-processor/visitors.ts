import { createHmac } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

export interface VisitorKeys {
  /** A random key; it is held in memory only. */
  readonly newKey: () => Uint8Array;
  /** Milliseconds after which it is replaced. */
  readonly keyMs: number;
  readonly now: () => number;
}

/** Tells visitors apart without keeping their addresses: HMAC of the address block under a key that is never stored. */
export class Visitors {
  readonly #keys: VisitorKeys;
  #key: Uint8Array;
  #until: number;

  constructor(keys: VisitorKeys) {
    this.#keys = keys;
    this.#key = keys.newKey();
    this.#until = keys.now() + keys.keyMs;
  }

  nameOf(address: string): string {
    const now = this.#keys.now();
    if (now >= this.#until) {
      this.#key = this.#keys.newKey();
      this.#until = now + this.#keys.keyMs;
    }
    return createHmac('sha256', this.#key).update(blockOf(address)).digest('base64url').slice(0, 16);
  }
}

/** One household or company: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function blockOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (isIPv4(plain)) return plain.split('.').slice(0, 3).join('.');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return groups
    .slice(0, 3)
    .map((group: string) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
