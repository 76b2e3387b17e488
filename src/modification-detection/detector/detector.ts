import {
  type ChangeReport,
  PAGE_PARTS,
  type PageMemory,
  type PageNoise,
  type PagePart,
  type PartHashes,
  type PartNoise,
} from '../../model/changes.ts';
import { afterCrawl, believe, countedParts, type NoiseOptions, observe, tidied } from './noise.ts';
import { type VoteOptions, Votes } from './votes.ts';

export interface DetectorOptions extends VoteOptions, NoiseOptions {}

/** The copy that the collection holds of a page. */
export interface HeldCopy {
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly textHash: string | undefined;
}

export interface Finding {
  readonly memory: PageMemory;
  /** The parts that changed; undefined: no change. */
  readonly changed: readonly PagePart[] | undefined;
}

type SomeHashes = Partial<PartHashes>;

/**
 * KDIR 2012, change detector. Reports are compared with earlier reports of the page and never with the crawler's HTML:
 * a browser sees the page after its scripts ran. Each crawl begins anew, with what is first agreed on as the baseline,
 * part by part. Parts that differ from view to view are learnt (noise.ts) and masked.
 */
export class Detector {
  readonly #options: DetectorOptions;
  readonly #votes: Votes;

  constructor(options: DetectorOptions) {
    this.#options = options;
    this.#votes = new Votes(options);
  }

  /** undefined: the report says nothing. */
  judge(report: ChangeReport, copy: HeldCopy, memory: PageMemory = BLANK): Finding | undefined {
    if (report.at <= copy.fetchedAt || isSignalled(memory, copy.fetchedAt)) return undefined;
    const noise = this.#learn(report, copy, memory);
    const isCurrent = baselineOf(memory, copy.fetchedAt) !== undefined;
    const baseline = isCurrent ? pick(memory.baseline ?? {}, countedParts(noise)) : {};
    const open = countedParts(noise).filter((part) => baseline[part] !== report.parts[part]);
    const agreed = open.filter((part) => this.#votes.agree(report, part));
    const known = { ...memory, noise, signal: undefined, seenAt: report.at };
    const { noise: believed, changed } = this.#changes(agreed, { report, baseline, noise });
    if (changed.length > 0) {
      const signal = { parts: changed, textHash: copy.textHash };
      return { memory: { ...known, noise: believed, signal, signalledAt: report.at }, changed };
    }
    const settled = { ...baseline, ...pick(report.parts, agreed) };
    return {
      memory: concluded({ ...known, noise: believed }, settled, { report, open, isCurrent }),
      changed: undefined,
    };
  }

  /** A differing report waits for other visitors to agree. */
  isDisputed(key: string, now: number): boolean {
    return this.#votes.isOpen(key, now);
  }

  #learn(report: ChangeReport, copy: HeldCopy, memory: PageMemory): PageNoise {
    const { signal, baseline } = memory;
    const before = signal === undefined ? memory.noise : afterCrawl(memory.noise, signal, copy.textHash, this.#options);
    const gap = report.at - memory.seenAt;
    const noise: Partial<Record<PagePart, PartNoise>> = {};
    for (const part of PAGE_PARTS) {
      const mayDoubt = (): boolean => this.#votes.mayDoubt(report, part);
      const seen = { value: report.parts[part], baseline: baseline?.[part], at: report.at, gap, mayDoubt };
      const learnt = observe(before[part], seen, this.#options);
      if (learnt !== undefined) noise[part] = learnt;
      if (learnt?.masked === true) this.#votes.close(report.key, part);
    }
    return noise;
  }

  /** Of the parts agreed on those that had another value before and do not, as is learnt now, go back and forth. */
  #changes(agreed: readonly PagePart[], { report, baseline, noise }: Comparison): Changes {
    const learnt: Partial<Record<PagePart, PartNoise>> = { ...noise };
    const changed: PagePart[] = [];
    for (const part of agreed) {
      const [from, known] = [baseline[part], noise[part]];
      if (from === undefined || known === undefined) continue;
      const believed = believe(known, { from, to: report.parts[part] }, this.#options);
      learnt[part] = believed;
      if (!believed.masked) changed.push(part);
    }
    return { noise: learnt, changed };
  }
}

interface Comparison {
  readonly report: ChangeReport;
  readonly baseline: SomeHashes;
  readonly noise: PageNoise;
}

interface Changes {
  readonly noise: PageNoise;
  readonly changed: readonly PagePart[];
}

const BLANK: PageMemory = {
  ...{ baseline: undefined, baselineAt: 0, confirmedAt: 0, signalledAt: 0, seenAt: 0, signal: undefined, noise: {} },
};

/** After a report without a change. Open parts that are not settled wait for other visitors. */
function concluded(
  memory: PageMemory,
  settled: SomeHashes,
  { report, open, isCurrent }: { report: ChangeReport; open: readonly PagePart[]; isCurrent: boolean },
): PageMemory {
  const baseline = pick(settled, countedParts(memory.noise));
  const isAnswered = open.every((part) => settled[part] === report.parts[part]);
  const confirmedAt = isAnswered ? report.at : memory.confirmedAt;
  // The one that belongs to an earlier crawl stays until something is agreed on: it tells what was seen before.
  if (!isCurrent && !isAnswered && Object.keys(baseline).length === 0) return memory;
  const baselineAt = isCurrent ? memory.baselineAt : report.at;
  return { ...memory, baseline, baselineAt, confirmedAt, noise: tidied(memory.noise, baseline) };
}

/** A change was signalled after the last crawl. */
export function isSignalled(memory: PageMemory | undefined, crawledAt: number): boolean {
  return memory !== undefined && memory.signalledAt > crawledAt;
}

/** The baseline that belongs to the last crawl. */
export function baselineOf(memory: PageMemory | undefined, crawledAt: number): SomeHashes | undefined {
  return memory !== undefined && memory.baselineAt > crawledAt ? memory.baseline : undefined;
}

function pick(hashes: SomeHashes, parts: readonly PagePart[]): SomeHashes {
  const entries = parts.flatMap((part) => (hashes[part] === undefined ? [] : [[part, hashes[part]] as const]));
  return Object.fromEntries(entries);
}
