import { LruMap } from '../../kit/lru.ts';
import { type ChangeReport, PAGE_PARTS, type PagePart, type PartHashes } from '../../model/changes.ts';

export interface DetectorOptions {
  /** Distinct visitors that must report the same before it is believed. */
  readonly visitors: number;
  /** Milliseconds within which they must. */
  readonly agreementMs: number;
  /** Pages whose open questions are held in memory; the longest unused are forgotten. */
  readonly maxPages: number;
}

/** What reports said of a page so far. Times: milliseconds since 1970. */
export interface PageMemory {
  /** What the first agreed report after a crawl said: all later ones are compared with it. */
  readonly baseline: PartHashes | undefined;
  readonly baselineAt: number;
  /** When a report last said the same. */
  readonly confirmedAt: number;
  readonly signalledAt: number;
}

export interface Finding {
  readonly memory: PageMemory;
  /** The parts that changed; undefined: no change. */
  readonly changed: readonly PagePart[] | undefined;
}

interface Candidate {
  readonly parts: PartHashes;
  readonly since: number;
  readonly visitors: Set<string>;
}

/**
 * KDIR 2012, change detector. Reports are compared with earlier reports of the page and never with the crawler's HTML:
 * a browser sees the page after its scripts ran. Each crawl begins anew, with the first agreed report as the baseline.
 */
export class Detector {
  readonly #options: DetectorOptions;
  readonly #open: LruMap<string, readonly Candidate[]>;

  constructor(options: DetectorOptions) {
    this.#options = options;
    this.#open = new LruMap(options.maxPages);
  }

  /** undefined: the report says nothing (yet). `crawledAt`: when the page was last fetched. */
  judge(report: ChangeReport, crawledAt: number, memory: PageMemory | undefined): Finding | undefined {
    if (report.at <= crawledAt || isSignalled(memory, crawledAt)) return undefined;
    const baseline = baselineOf(memory, crawledAt);
    if (memory !== undefined && baseline !== undefined && differing(baseline, report.parts).length === 0)
      return { memory: { ...memory, confirmedAt: report.at }, changed: undefined };
    if (!this.#isAgreed(report)) return undefined;
    this.#open.delete(report.key);
    if (memory === undefined || baseline === undefined) {
      const { parts, at } = report;
      return { memory: { baseline: parts, baselineAt: at, confirmedAt: at, signalledAt: 0 }, changed: undefined };
    }
    return { memory: { ...memory, signalledAt: report.at }, changed: differing(baseline, report.parts) };
  }

  /** A differing report waits for other visitors to agree. */
  isDisputed(key: string, now: number): boolean {
    return this.#candidates(key, now).length > 0;
  }

  #isAgreed(report: ChangeReport): boolean {
    const { key, parts, at, visitor } = report;
    const candidates = this.#candidates(key, at);
    const known = candidates.find((candidate) => differing(candidate.parts, parts).length === 0);
    const candidate = known ?? { parts, since: at, visitors: new Set() };
    if (candidate.visitors.size < this.#options.visitors) candidate.visitors.add(visitor);
    if (candidate.visitors.size >= this.#options.visitors) return true;
    if (known === undefined) this.#open.set(key, [...candidates, candidate].slice(-MAX_CANDIDATES));
    return false;
  }

  #candidates(key: string, now: number): readonly Candidate[] {
    return (this.#open.get(key) ?? []).filter(({ since }) => now - since <= this.#options.agreementMs);
  }
}

/** Versions of one page between which visitors may be divided; the newest are kept. */
const MAX_CANDIDATES = 8;

/** A change was signalled after the last crawl. */
export function isSignalled(memory: PageMemory | undefined, crawledAt: number): boolean {
  return memory !== undefined && memory.signalledAt > crawledAt;
}

/** The baseline that belongs to the last crawl. */
export function baselineOf(memory: PageMemory | undefined, crawledAt: number): PartHashes | undefined {
  return memory !== undefined && memory.baselineAt > crawledAt ? memory.baseline : undefined;
}

function differing(a: PartHashes, b: PartHashes): PagePart[] {
  return PAGE_PARTS.filter((part) => a[part] !== b[part]);
}
