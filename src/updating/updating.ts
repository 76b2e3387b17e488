import { Heap } from '../kit/heap.ts';
import type { SignalCounts } from './page-checks.ts';

/** A page as the choice sees it. Times: milliseconds since 1970. */
export interface DuePage {
  readonly id: number;
  readonly hostId: number;
  readonly url: string;
  readonly checkedAt: number;
  /** Of crawling it now; only the order counts. */
  readonly value: number;
  /** Probability that the copy is still right. */
  readonly fresh: number;
  /** Changes a day. */
  readonly changeRate: number;
  /** Since its copy was made. */
  readonly signals: SignalCounts;
}

/** The pages most worth crawling among very many, in memory for `limit` of them. */
export class BestPages {
  readonly #limit: number;
  readonly #worstFirst = new Heap<DuePage>((a, b) => a.value < b.value);

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(page: DuePage): void {
    if (this.#limit === 0) return;
    if (this.#worstFirst.size < this.#limit) this.#worstFirst.push(page);
    else if (page.value > (this.#worstFirst.peek()?.value ?? 0)) this.#worstFirst.replace(page);
  }

  /** Best first; empties the collection. */
  takeAll(): DuePage[] {
    const pages: DuePage[] = [];
    for (let page = this.#worstFirst.pop(); page !== undefined; page = this.#worstFirst.pop()) pages.push(page);
    return pages.reverse();
  }
}
