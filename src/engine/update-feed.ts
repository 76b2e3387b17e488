import type { CrawlSteps } from '../crawling/crawl.ts';
import type { VisitedUrl } from '../crawling/visited-urls/visited-urls.ts';
import type { ChangeRepository } from '../modification-detection/repository/repository.ts';
import type { RefreshBudget } from '../updating/budget.ts';
import { choosePages, type KnownPage, OldestPages } from '../updating/updating.ts';
import { type CrawlMachine, RECRAWL_PRIORITY } from './crawl-machine.ts';
import type { CrawlTicket, ReadPage, Settled } from './crawl-types.ts';
import type { ToldReading } from './told-reading.ts';

export interface UpdateFeedParts {
  readonly machine: CrawlMachine;
  /** undefined: no browser ever reported anything. */
  readonly changes: ChangeRepository | undefined;
  readonly budget: RefreshBudget;
  /** Reads what sites tell of their changes, beside the loop. */
  readonly told: ToldReading;
  /** once: ends when nothing is due. always: waits for what becomes due. */
  readonly mode: 'once' | 'always';
}

type Steps = CrawlSteps<CrawlTicket, ReadPage, Settled>;

/** Hands pages that are due to the frontier, and the frontier's choice among them to the crawl loop. */
export class UpdateFeed {
  readonly #parts: UpdateFeedParts;
  /** Pages given to the frontier, with the time of the signal they answer; undefined: due by age. */
  readonly #given = new Map<number, { readonly key: string; readonly signalAt: number | undefined }>();
  #aged: KnownPage[] = [];
  #nextScan = 0;
  #nextLook = 0;
  #wait: number | undefined;

  constructor(parts: UpdateFeedParts) {
    this.#parts = parts;
  }

  steps(): Steps {
    const steps = this.#parts.machine.steps();
    return {
      ...steps,
      take: (limit) => this.#take(limit, steps),
      dueIn: () => this.#dueIn(),
      settle: async (batch) => {
        await steps.settle(batch);
        await this.#forgetAnswered();
      },
    };
  }

  async #take(limit: number, steps: Steps): Promise<readonly CrawlTicket[]> {
    const { machine, told } = this.#parts;
    told.look();
    if (machine.now >= this.#nextLook || this.#given.size === 0) await this.#feed(machine.now);
    const tickets = await steps.take(limit);
    if (tickets.length === 0) await this.#measureWait();
    return tickets;
  }

  async #feed(now: number): Promise<void> {
    const { machine, budget } = this.#parts;
    const { lookMs, batch } = machine.config.updating;
    this.#nextLook = now + lookMs;
    const room = Math.min(batch - this.#given.size, budget.available(now));
    if (room <= 0) return;
    const signals = await this.#signalled();
    await this.#scanByAge(now);
    const aged = this.#aged.filter(({ id }) => !this.#given.has(id));
    const chosen = choosePages({ signalled: signals.map(({ page }) => page), aged, budget: room });
    if (chosen.length === 0) return;
    await machine.frontier.putMany(
      chosen.map(({ page, why }) => ({
        urlId: page.id,
        hostId: page.hostId,
        priority: RECRAWL_PRIORITY + (why === 'signal' ? 1 : 0),
      })),
    );
    budget.spend(chosen.length, now);
    const signalOf = new Map(signals.map(({ page, signal }) => [page.id, signal]));
    for (const { page } of chosen) {
      const signal = signalOf.get(page.id);
      this.#given.set(page.id, { key: signal?.key ?? '', signalAt: signal?.at });
    }
    const ids = new Set(chosen.map(({ page }) => page.id));
    this.#aged = this.#aged.filter(({ id }) => !ids.has(id));
  }

  /** Signals not answered by a crawl yet, with their pages; the others are removed. */
  async #signalled(): Promise<{ page: KnownPage; signal: { key: string; at: number } }[]> {
    const { machine, changes } = this.#parts;
    if (changes === undefined) return [];
    const signals = await changes.signals(machine.config.updating.batch + this.#given.size);
    const open = [];
    const answered = [];
    for (const signal of signals) {
      const url = await machine.visited.find(signal.key, signal.host);
      const page = url === undefined ? undefined : asKnown(url);
      if (page === undefined || page.checkedAt > signal.at) answered.push(signal);
      else if (!this.#given.has(page.id)) open.push({ page, signal });
    }
    await changes.removeSignals(answered);
    return open;
  }

  /** Reads all pages held, so not often. */
  async #scanByAge(now: number): Promise<void> {
    const { machine } = this.#parts;
    const { scanMs, dueAfterMs, maxAged } = machine.config.updating;
    if (now < this.#nextScan || this.#aged.length > 0) return;
    this.#nextScan = now + scanMs;
    const oldest = new OldestPages(maxAged);
    for (let after = 0; ; ) {
      const urls = await machine.visited.list({ state: 'kept', after, limit: SCAN_BATCH });
      for (const url of urls) {
        const page = asKnown(url);
        if (page !== undefined && page.checkedAt <= now - dueAfterMs) oldest.add(page);
      }
      after = urls.at(-1)?.id ?? after;
      if (urls.length < SCAN_BATCH) break;
    }
    this.#aged = oldest.takeAll();
  }

  /** Pages that are neither waiting nor under way have their answer, and so has the signal they were crawled for. */
  async #forgetAnswered(): Promise<void> {
    const { machine, changes } = this.#parts;
    const answered = [];
    for (const [id, { key, signalAt }] of this.#given) {
      const url = await machine.visited.get(id);
      if (url?.state === 'in-flight' || (await machine.frontier.whereIs(id)) !== undefined) continue;
      this.#given.delete(id);
      if (signalAt !== undefined) answered.push({ key, at: signalAt });
    }
    await changes?.removeSignals(answered);
  }

  /** Milliseconds until the first of the pages given may be asked for. */
  async #measureWait(): Promise<void> {
    const { frontier, now } = this.#parts.machine;
    this.#wait = undefined;
    for (const id of this.#given.keys()) {
      const dueAt = (await frontier.whereIs(id))?.dueAt;
      if (dueAt !== undefined) this.#wait = Math.min(this.#wait ?? Number.POSITIVE_INFINITY, Math.max(0, dueAt - now));
    }
  }

  #dueIn(): number | undefined {
    const { config } = this.#parts.machine;
    const { told } = this.#parts;
    const waits = [...(this.#wait === undefined ? [] : [this.#wait]), ...(told.isOpen ? [TOLD_LOOK_MS] : [])];
    const wait = waits.length === 0 ? undefined : Math.max(LEAST_WAIT_MS, Math.min(...waits));
    if (this.#parts.mode === 'always') return Math.min(wait ?? Number.POSITIVE_INFINITY, config.updating.lookMs);
    return wait === undefined || wait > config.crawl.maxIdleSeconds * 1000 ? undefined : wait;
  }
}

const SCAN_BATCH = 1_000;
/** Milliseconds until it is looked whether a reading beside the loop has brought something. */
const TOLD_LOOK_MS = 100;
/** A page may be due and its address busy: it is not asked for again at once. */
const LEAST_WAIT_MS = 20;

function asKnown({ id, hostId, answer }: VisitedUrl): KnownPage | undefined {
  return answer?.fetchedAt === undefined ? undefined : { id, hostId, checkedAt: answer.fetchedAt };
}
