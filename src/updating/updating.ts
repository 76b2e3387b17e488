import { Heap } from '../kit/heap.ts';

/** A page as the choice sees it. Times: milliseconds since 1970. */
export interface KnownPage {
  readonly id: number;
  readonly hostId: number;
  readonly checkedAt: number;
}

/** Why a page is crawled again. */
export type RefreshReason = 'signal' | 'age';

export interface RefreshChoice {
  readonly page: KnownPage;
  readonly why: RefreshReason;
}

export interface RefreshQuestion {
  /** Pages of which a change was signalled, the earliest signal first. */
  readonly signalled: readonly KnownPage[];
  /** Pages that are due by age, the oldest copy first. */
  readonly aged: readonly KnownPage[];
  /** Pages that may be crawled now. */
  readonly budget: number;
}

/** Which pages to crawl now: those of which a change was signalled, then by age, within the budget; none twice. */
export function choosePages({ signalled, aged, budget }: RefreshQuestion): RefreshChoice[] {
  const chosen = new Map<number, RefreshChoice>();
  const add = (pages: readonly KnownPage[], why: RefreshReason): void => {
    for (const page of pages) {
      if (chosen.size >= budget) return;
      if (!chosen.has(page.id)) chosen.set(page.id, { page, why });
    }
  };
  add(signalled, 'signal');
  add(aged, 'age');
  return [...chosen.values()];
}

/** The pages with the oldest copies among very many, in memory for `limit` of them. */
export class OldestPages {
  readonly #limit: number;
  readonly #newestFirst = new Heap<KnownPage>((a, b) => a.checkedAt > b.checkedAt);

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(page: KnownPage): void {
    if (this.#limit === 0) return;
    if (this.#newestFirst.size < this.#limit) this.#newestFirst.push(page);
    else if (page.checkedAt < (this.#newestFirst.peek()?.checkedAt ?? 0)) this.#newestFirst.replace(page);
  }

  /** Oldest copy first; empties the collection. */
  takeAll(): KnownPage[] {
    const pages: KnownPage[] = [];
    for (let page = this.#newestFirst.pop(); page !== undefined; page = this.#newestFirst.pop()) pages.push(page);
    return pages.reverse();
  }
}
