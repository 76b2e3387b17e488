/**
 * Map bounded by total cost (1 an entry unless `costOf` says otherwise): when the bound is passed, entries leave
 * oldest use first. An entry dearer than the whole bound is not kept.
 */
export class LruMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;
  readonly #costOf: (value: V, key: K) => number;
  #cost = 0;

  constructor(capacity: number, costOf: (value: V, key: K) => number = () => 1) {
    this.#capacity = capacity;
    this.#costOf = costOf;
  }

  get size(): number {
    return this.#entries.size;
  }

  get cost(): number {
    return this.#cost;
  }

  /** Counts as a use. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined && !this.#entries.has(key)) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value as V);
    return value;
  }

  /** Does not count as a use. */
  peek(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#cost += this.#costOf(value, key);
    while (this.#cost > this.#capacity) {
      const oldest = this.#entries.keys().next();
      if (oldest.done) return;
      this.delete(oldest.value);
    }
  }

  delete(key: K): boolean {
    if (!this.#entries.has(key)) return false;
    this.#cost -= this.#costOf(this.#entries.get(key) as V, key);
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#cost = 0;
  }

  /** From the oldest use to the newest. */
  entries(): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }
}
