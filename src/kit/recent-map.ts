/**
 * Map bounded by total cost that keeps what was used last, roughly: entries live in two halves, and when the younger is
 * full the older is dropped whole. Unlike an exact order of use it costs the same however many entries come and go.
 */
export class RecentMap<K, V> {
  readonly #capacity: number;
  readonly #costOf: (key: K) => number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #youngCost = 0;

  /** `capacity`: of both halves together. An entry dearer than a half is not kept. */
  constructor(capacity: number, costOf: (key: K) => number = () => 1) {
    this.#capacity = capacity;
    this.#costOf = costOf;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Counts as a use. */
  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    const isNew = !this.#young.has(key);
    const cost = isNew ? this.#costOf(key) : 0;
    if (cost > this.#capacity / 2) return;
    if (this.#youngCost + cost > this.#capacity / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngCost = 0;
    }
    this.#old.delete(key);
    this.#young.set(key, value);
    this.#youngCost += cost;
  }
}
