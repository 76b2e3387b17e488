import { LruMap } from '../kit/lru.ts';

/**
 * Rows of a table held in memory: changed ones until they are flushed, unchanged ones as long as there is room.
 * Values are never changed in place. After a rollback the rows flushed last count as changed again.
 */
export class WriteBack<K, V> {
  readonly #load: (key: K) => V | undefined;
  readonly #clean: LruMap<K, V>;
  #dirty = new Map<K, V | undefined>();
  #flushed = new Map<K, V | undefined>();

  constructor(load: (key: K) => V | undefined, capacity: number) {
    this.#load = load;
    this.#clean = new LruMap(capacity);
  }

  get(key: K): V | undefined {
    if (this.#dirty.has(key)) return this.#dirty.get(key);
    const held = this.#clean.get(key);
    if (held !== undefined) return held;
    const loaded = this.#load(key);
    if (loaded !== undefined) this.#clean.set(key, loaded);
    return loaded;
  }

  /** True when the answer for this key needs no look at the table. */
  holds(key: K): boolean {
    return this.#dirty.has(key) || this.#clean.has(key);
  }

  set(key: K, value: V): void {
    this.#clean.delete(key);
    this.#dirty.set(key, value);
  }

  delete(key: K): void {
    this.#clean.delete(key);
    this.#dirty.set(key, undefined);
  }

  isDirty(key: K): boolean {
    return this.#dirty.has(key);
  }

  /** Changed rows; undefined = deleted. What the table says of them is out of date. */
  dirty(): ReadonlyMap<K, V | undefined> {
    return this.#dirty;
  }

  flush(save: (key: K, value: V | undefined) => void): void {
    for (const [key, value] of this.#dirty) save(key, value);
    for (const [key, value] of this.#dirty) if (value !== undefined) this.#clean.set(key, value);
    this.#flushed = this.#dirty;
    this.#dirty = new Map();
  }

  rolledBack(): void {
    this.#clean.clear();
    this.#dirty = new Map([...this.#flushed, ...this.#dirty]);
    this.#flushed = new Map();
  }
}
