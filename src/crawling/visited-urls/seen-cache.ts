/**
 * Fixed-size map from (host, 64-bit hash) to a URL id: one slot per hash modulo the size, the newer entry replaces the
 * older. Close to least-recently-used for links, where the popular ones come again and again, at 24 bytes an entry and
 * without a list to maintain. The host is compared too: a site could construct a hash that equals another site's, and
 * must not be able to make that URL look seen.
 */
export class SeenCache {
  readonly #mask: number;
  readonly #hashes: BigInt64Array;
  readonly #hosts: Float64Array;
  readonly #ids: Float64Array;

  /** @param capacity entries, rounded up to a power of two */
  constructor(capacity: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, capacity)));
    this.#mask = size - 1;
    this.#hashes = new BigInt64Array(size);
    this.#hosts = new Float64Array(size);
    this.#ids = new Float64Array(size);
  }

  get(hostId: number, hash: bigint): number | undefined {
    const slot = this.#slot(hash);
    return this.#hosts[slot] === hostId && this.#hashes[slot] === hash ? this.#ids[slot] : undefined;
  }

  /** `hostId` ≥ 1. */
  set(hostId: number, hash: bigint, id: number): void {
    const slot = this.#slot(hash);
    this.#hashes[slot] = hash;
    this.#hosts[slot] = hostId;
    this.#ids[slot] = id;
  }

  clear(): void {
    this.#hosts.fill(0);
  }

  #slot(hash: bigint): number {
    return Number(BigInt.asUintN(32, hash)) & this.#mask;
  }
}
