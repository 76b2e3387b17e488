/** Binary min-heap by `before(a, b)`: true when `a` must leave first. Order among equals is unspecified. */
export class Heap<T extends NonNullable<unknown>> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !this.#before(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (items.length > 0 && last !== undefined) this.#sink(last);
    return top;
  }

  /** Puts `item` in the place of the top, which is returned: cheaper than pop and push. */
  replace(item: T): T | undefined {
    if (this.#items.length === 0) {
      this.push(item);
      return undefined;
    }
    const top = this.#items[0];
    this.#sink(item);
    return top;
  }

  clear(): void {
    this.#items.length = 0;
  }

  /** In heap order, which is no sorted order. */
  [Symbol.iterator](): Iterator<T> {
    return this.#items[Symbol.iterator]();
  }

  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let below = items[child];
      const other = items[child + 1];
      if (below === undefined) break;
      if (other !== undefined && this.#before(other, below)) {
        below = other;
        child++;
      }
      if (!this.#before(below, item)) break;
      items[at] = below;
      at = child;
    }
    items[at] = item;
  }
}
