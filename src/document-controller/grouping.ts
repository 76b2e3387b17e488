import { Heap } from '../kit/heap.ts';
import type { CandidateIndex, Space } from './candidate-index.ts';
import { isComparable } from './fingerprint.ts';
import { isNear, NEAR } from './near.ts';
import type { SiteTemplates } from './site-templates.ts';
import type { Text, TextStore } from './text-store.ts';

/** Pages whose place changed. */
export interface Changes {
  /** Kept before, duplicates now. */
  readonly replaced: readonly number[];
  /** Duplicates (or copies of garbage) before, to be kept now; they may never have been judged. */
  readonly restored: readonly number[];
  /** Duplicates before, copies of garbage now. */
  readonly condemned: readonly number[];
}

/**
 * Who represents whom. Nearness is not transitive, so groups are not the connected components: in the order of
 * preference every text that has no representative near it becomes one, the others are duplicates of the most preferred
 * representative near them (the lexicographically first maximal independent set). That depends on the set of texts only.
 * After a change only texts whose answer may differ are looked at again, in the order of preference, so what is
 * preferred to the one in hand is always settled.
 */
export class Grouping {
  readonly #store: TextStore;
  readonly #index: CandidateIndex;
  readonly #templates: SiteTemplates;
  readonly #maxCandidates: number;
  readonly #keptBefore = new Map<number, number | undefined>();
  readonly #condemned = new Set<number>();

  /** `maxCandidates`: texts within the simhash distance that are compared, the nearest first. */
  constructor(parts: {
    readonly store: TextStore;
    readonly index: CandidateIndex;
    readonly templates: SiteTemplates;
    readonly maxCandidates: number;
  }) {
    this.#store = parts.store;
    this.#index = parts.index;
    this.#templates = parts.templates;
    this.#maxCandidates = parts.maxCandidates;
  }

  /** Stores a changed text and moves its candidate entries to where its status belongs. */
  set(text: Text): void {
    this.#note(text.id);
    this.#place(text, SPACE_OF[text.status]);
    this.#store.setText(text);
  }

  delete(text: Text): void {
    this.#note(text.id);
    this.#place(text, 'none');
    this.#store.deleteText(text);
  }

  condemn(text: Text, of: number): void {
    this.set({ ...text, status: 'garbage-copy', of });
    this.#condemned.add(text.id);
  }

  /** Texts of one space near a text. */
  nearOf(text: Text, space: Space): Text[] {
    if (!isComparable(text)) return [];
    const found: Text[] = [];
    let compared = 0;
    for (const candidate of this.#index.near(text, NEAR.maxDistance)) {
      if (candidate.space !== space || candidate.id === text.id) continue;
      if (compared++ === this.#maxCandidates) break;
      const other = this.#store.text(candidate.id);
      if (other !== undefined && this.#areNear(text, other)) found.push(other);
    }
    return found;
  }

  /** Settles the groups after the given texts are new or have other neighbours or another rank than before. */
  regroup(changed: ReadonlySet<number>): void {
    const queue = new Heap<Text>((a, b) => a.rank < b.rank);
    const queued = new Set<number>();
    const enqueue = (ids: Iterable<number>) => {
      for (const id of ids) {
        const text = this.#store.text(id);
        if (text === undefined || queued.has(id)) continue;
        queued.add(id);
        queue.push(text);
      }
    };
    enqueue(changed);
    for (const id of changed) enqueue(this.#store.copiesOf(id));
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      queued.delete(next.id);
      const text = this.#store.text(next.id);
      if (text !== undefined) enqueue(this.#settle(text, changed));
    }
  }

  /** What {@link set}, {@link delete} and {@link condemn} came to since the last call. */
  takeChanges(): Changes {
    const before = new Set<number>();
    const after = new Set<number>();
    for (const [id, page] of this.#keptBefore) {
      if (page !== undefined) before.add(page);
      const now = keptPage(this.#store.text(id));
      if (now !== undefined) after.add(now);
    }
    const condemned = [...this.#condemned].filter((id) => this.#store.text(id)?.status === 'garbage-copy');
    this.#keptBefore.clear();
    this.#condemned.clear();
    const pages = new Set(condemned.flatMap((id) => this.#store.membersOf(id)));
    return {
      replaced: [...before].filter((page) => !after.has(page) && !pages.has(page)),
      restored: [...after].filter((page) => !before.has(page)),
      condemned: [...pages],
    };
  }

  /** Decides about one text; the texts, all less preferred, that this may concern. */
  #settle(text: Text, changed: ReadonlySet<number>): number[] {
    if (text.status === 'garbage' || text.status === 'garbage-copy') return [];
    const near = this.nearOf(text, 'representative');
    const best = near.reduce<Text | undefined>((a, b) => (b.rank < (a ?? text).rank ? b : a), undefined);
    const was = text.status === 'representative';
    if (best !== undefined) {
      if (was || text.of !== best.id) this.set({ ...text, status: 'duplicate', of: best.id });
      return was ? this.#store.copiesOf(text.id) : [];
    }
    if (!was) this.set({ ...text, status: 'representative', of: undefined });
    if (was && !changed.has(text.id)) return [];
    return [...near, ...this.nearOf(text, 'duplicate').filter((copy) => this.#prefers(copy, text))].flatMap((other) =>
      other.rank > text.rank ? [other.id] : [],
    );
  }

  /** True when a duplicate would rather have `text` for its representative than the one it has. */
  #prefers(copy: Text, text: Text): boolean {
    const current = copy.of === undefined ? undefined : this.#store.text(copy.of);
    return current === undefined || text.rank < current.rank;
  }

  #areNear(a: Text, b: Text): boolean {
    if (a.site !== b.site) return isNear(a, b);
    return isNear(a, b, (block) => this.#templates.isTemplate(a.site, block));
  }

  #place(text: Text, space: Space): void {
    if (!isComparable(text)) return;
    const before = this.#store.text(text.id);
    this.#index.place(text, before === undefined ? 'none' : SPACE_OF[before.status], space);
  }

  #note(id: number): void {
    if (!this.#keptBefore.has(id)) this.#keptBefore.set(id, keptPage(this.#store.text(id)));
  }
}

const SPACE_OF: Readonly<Record<Text['status'], Space>> = {
  representative: 'representative',
  duplicate: 'duplicate',
  garbage: 'garbage',
  'garbage-copy': 'none',
};

function keptPage(text: Text | undefined): number | undefined {
  return text?.status === 'representative' ? text.best : undefined;
}
