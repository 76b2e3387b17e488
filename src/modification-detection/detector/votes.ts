import { LruMap } from '../../kit/lru.ts';
import type { ChangeReport, PagePart } from '../../model/changes.ts';

export interface VoteOptions {
  /** Distinct visitors that must report the same before it is believed. */
  readonly visitors: number;
  /** Milliseconds within which they must. */
  readonly agreementMs: number;
  /** Pages whose open questions are held in memory; the longest unused are forgotten. */
  readonly maxPages: number;
}

interface Vote {
  readonly part: PagePart;
  readonly value: string;
  readonly since: number;
  readonly visitors: readonly string[];
}

interface OpenPage {
  readonly votes: readonly Vote[];
  /** 'part visitor': whose reports raised a doubt about a part. */
  readonly doubters: readonly string[];
}

/** Values of one part between which visitors may be divided; the newest are kept. */
const MAX_VALUES = 4;
const MAX_DOUBTERS = 32;

/** What distinct visitors say of the parts of a page, in memory only. */
export class Votes {
  readonly #options: VoteOptions;
  readonly #open: LruMap<string, OpenPage>;

  constructor(options: VoteOptions) {
    this.#options = options;
    this.#open = new LruMap(options.maxPages);
  }

  /** Whether with this report enough visitors said the same of the part; the question is closed then. */
  agree(report: ChangeReport, part: PagePart): boolean {
    const { visitors: needed, agreementMs } = this.#options;
    if (needed === 1) return true;
    // A report that outlived the server: it may be of a visitor who reports again.
    if (report.visitor === '') return false;
    const value = report.parts[part];
    const page = this.#pageOf(report.key);
    const votes = page.votes.filter(({ since }) => report.at - since <= agreementMs);
    const known = votes.find((vote) => vote.part === part && vote.value === value);
    const visitors = [...new Set([...(known?.visitors ?? []), report.visitor])];
    if (visitors.length >= needed) {
      this.#open.set(report.key, { ...page, votes: votes.filter((vote) => vote.part !== part) });
      return true;
    }
    const others = votes.filter((vote) => vote.part !== part);
    const same = votes.filter((vote) => vote.part === part && vote !== known);
    const vote = { part, value, since: known?.since ?? report.at, visitors };
    this.#open.set(report.key, { ...page, votes: [...others, ...[...same, vote].slice(-MAX_VALUES)] });
    return false;
  }

  /** Whether the visitor may raise a doubt about the part: each once, or one could hide a page's changes alone. */
  mayDoubt(report: ChangeReport, part: PagePart): boolean {
    if (this.#options.visitors === 1) return true;
    const page = this.#pageOf(report.key);
    const name = `${part} ${report.visitor}`;
    if (report.visitor === '' || page.doubters.includes(name)) return false;
    this.#open.set(report.key, { ...page, doubters: [...page.doubters, name].slice(-MAX_DOUBTERS) });
    return true;
  }

  /** A part whose value matters no longer. */
  close(key: string, part: PagePart): void {
    const page = this.#open.peek(key);
    if (page?.votes.some((vote) => vote.part === part) === true)
      this.#open.set(key, { ...page, votes: page.votes.filter((vote) => vote.part !== part) });
  }

  isOpen(key: string, now: number): boolean {
    return this.#pageOf(key).votes.some(({ since }) => now - since <= this.#options.agreementMs);
  }

  #pageOf(key: string): OpenPage {
    return this.#open.get(key) ?? { votes: [], doubters: [] };
  }
}
