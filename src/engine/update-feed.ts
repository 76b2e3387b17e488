import type { CrawlSteps } from '../crawling/crawl.ts';
import type { ChangeRepository } from '../modification-detection/repository/repository.ts';
import type { RefreshBudget } from '../updating/budget.ts';
import { FreshnessRecords } from '../updating/freshness-record.ts';
import type { DuePage } from '../updating/updating.ts';
import { type CrawlMachine, RECRAWL_PRIORITY } from './crawl-machine.ts';
import type { CrawlTicket, ReadPage, Settled } from './crawl-types.ts';
import { RefreshScan } from './refresh-scan.ts';
import { noteTold } from './told-changes.ts';
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

/** Hands the pages most worth crawling again to the frontier, and the frontier's choice among them to the crawl loop. */
export class UpdateFeed {
  readonly #parts: UpdateFeedParts;
  readonly #scan: RefreshScan;
  readonly #records: FreshnessRecords;
  /** Pages given to the frontier. */
  readonly #given = new Set<number>();
  /** The best first. */
  #due: DuePage[] = [];
  #nextScan = 0;
  #nextLook = 0;
  #toldRounds = 0;
  #hasCrawled = false;
  #wait: number | undefined;

  constructor(parts: UpdateFeedParts) {
    this.#parts = parts;
    this.#scan = new RefreshScan(parts.machine);
    this.#records = new FreshnessRecords(parts.machine.database);
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

  /** After the loop: how the collection stands now. */
  async finish(): Promise<void> {
    if (this.#hasCrawled) await this.#scanAndRecord(this.#parts.machine.now);
  }

  async #take(limit: number, steps: Steps): Promise<readonly CrawlTicket[]> {
    const { machine, told, mode } = this.#parts;
    if (mode === 'always' || told.rounds === 0) told.look();
    if (machine.now >= this.#nextLook || this.#given.size === 0) await this.#feed(machine.now);
    const tickets = await steps.take(limit);
    if (tickets.length === 0) await this.#measureWait();
    return tickets;
  }

  async #feed(now: number): Promise<void> {
    const { machine, budget } = this.#parts;
    const { lookMs, batch } = machine.config.updating;
    this.#nextLook = now + lookMs;
    const isHeard = await this.#hear(now);
    // Whoever waits for a page that has changed does not wait for the first look over all the others.
    const isUrgent = isHeard || (this.#nextScan === 0 && this.#given.size > 0);
    if (!isUrgent) await this.#lookOverAll(now);
    const room = Math.min(batch - this.#given.size, budget.available(now));
    const chosen = room <= 0 ? [] : this.#due.splice(0, room);
    if (chosen.length === 0) return;
    await machine.frontier.putMany(
      chosen.map(({ id, hostId, signals }) => ({
        urlId: id,
        hostId,
        priority: RECRAWL_PRIORITY + (Object.keys(signals).length > 0 ? 1 : 0),
      })),
    );
    budget.spend(chosen.length, now);
    for (const { id } of chosen) this.#given.add(id);
    this.#hasCrawled = true;
  }

  /**
   * Changes that visitors' browsers and IndexNow reported: from now on they count as any other word of a change. True
   * when one makes a page due.
   */
  async #hear(now: number): Promise<boolean> {
    const { machine, changes } = this.#parts;
    if (changes === undefined) return false;
    const reported = await changes.signals(machine.config.updating.batch);
    if (reported.length === 0) return false;
    const ids: number[] = [];
    for (const [source, changed] of Map.groupBy(reported, (signal) => signal.source))
      ids.push(...(await noteTold(source, changed, machine)));
    await changes.removeSignals(reported);
    const fresh = new Set(ids.filter((id) => !this.#given.has(id)));
    const due = await this.#scan.look([...fresh], now);
    this.#due = [...due, ...this.#due.filter(({ id }) => !fresh.has(id))].sort((a, b) => b.value - a.value);
    return due.length > 0;
  }

  /** Reads all pages held, so not often: from time to time, and after sites have told of their changes. */
  async #lookOverAll(now: number): Promise<void> {
    const { machine, told } = this.#parts;
    const isTold = told.rounds !== this.#toldRounds;
    if (!isTold && now < this.#nextScan) return;
    this.#toldRounds = told.rounds;
    this.#nextScan = now + machine.config.updating.scanMs;
    const due = await this.#scanAndRecord(now);
    this.#due = due.filter(({ id }) => !this.#given.has(id));
  }

  async #scanAndRecord(now: number): Promise<readonly DuePage[]> {
    const { budget } = this.#parts;
    const scanned = await this.#scan.scan(now);
    const { perHour } = budget;
    await this.#records.put({ ...this.#scan.record(scanned, now), budget: { perHour, left: budget.available(now) } });
    return scanned.due;
  }

  /** Pages that are neither waiting nor under way have their answer. */
  async #forgetAnswered(): Promise<void> {
    const { machine } = this.#parts;
    for (const id of this.#given) {
      const url = await machine.visited.get(id);
      if (url?.state === 'in-flight' || (await machine.frontier.whereIs(id)) !== undefined) continue;
      this.#given.delete(id);
    }
  }

  /** Milliseconds until the first of the pages given may be asked for. */
  async #measureWait(): Promise<void> {
    const { frontier, now } = this.#parts.machine;
    this.#wait = undefined;
    for (const id of this.#given) {
      const dueAt = (await frontier.whereIs(id))?.dueAt;
      if (dueAt !== undefined) this.#wait = Math.min(this.#wait ?? Number.POSITIVE_INFINITY, Math.max(0, dueAt - now));
    }
  }

  #dueIn(): number | undefined {
    const { machine, told, mode } = this.#parts;
    const { config } = machine;
    // A round that has ended may have brought signals that were not looked at yet.
    const isToldOpen = told.isOpen || told.rounds !== this.#toldRounds;
    const waits = [...(this.#wait === undefined ? [] : [this.#wait]), ...(isToldOpen ? [TOLD_LOOK_MS] : [])];
    const wait = waits.length === 0 ? undefined : Math.max(LEAST_WAIT_MS, Math.min(...waits));
    if (mode === 'always') return Math.min(wait ?? Number.POSITIVE_INFINITY, config.updating.lookMs);
    return wait === undefined || wait > config.crawl.maxIdleSeconds * 1000 ? undefined : wait;
  }
}

/** Milliseconds until it is looked whether a reading beside the loop has brought something. */
const TOLD_LOOK_MS = 100;
/** A page may be due and its address busy: it is not asked for again at once. */
const LEAST_WAIT_MS = 20;
