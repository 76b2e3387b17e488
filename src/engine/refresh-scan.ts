import type { VisitedUrl } from '../crawling/visited-urls/visited-urls.ts';
import { SIGNAL_SOURCES } from '../model/changes.ts';
import type { FreshnessRecord, SourceRecord, TypeFreshness } from '../model/freshness.ts';
import { PAGE_TYPES, type PageType } from '../model/lists.ts';
import type { SignalCounts } from '../updating/page-checks.ts';
import { RefreshModel, type RefreshPage } from '../updating/refresh-model.ts';
import { BestPages, type DuePage } from '../updating/updating.ts';
import type { CrawlMachine } from './crawl-machine.ts';

const MS_PER_DAY = 86_400_000;
/** Pages read at once. */
const BATCH = 1_000;
/** Pages that rates and the quality of signals are learned from. */
const SAMPLES = 20_000;
/** Next crawls that the record names. */
const NAMED = 10;

/** Looks over all pages held: what is worth crawling again, and how fresh the collection is. Reads much, so not often. */
export class RefreshScan {
  readonly #machine: CrawlMachine;
  #model = new RefreshModel([]);
  #answered: SignalCounts = {};
  #learned: Promise<void> | undefined;

  constructor(machine: CrawlMachine) {
    this.#machine = machine;
  }

  /** Learns from what fetches told, then judges every page. The best due ones, the best first. */
  async scan(now: number): Promise<{ readonly due: DuePage[]; readonly tally: Tally }> {
    const { visited, config } = this.#machine;
    this.#learned = this.#learn();
    await this.#learned;
    const best = new BestPages(config.updating.maxDue);
    const tally = new Tally();
    const waiting = await this.#machine.checks.waiting();
    for (let after = 0; ; ) {
      const urls = await visited.list({ state: 'kept', after, limit: BATCH });
      const judged = await this.#judge(urls, { waiting, now });
      for (const { page, known } of judged) {
        tally.add(page, known);
        if (this.#isDue(page)) best.add(page);
      }
      after = urls.at(-1)?.id ?? after;
      if (urls.length < BATCH) break;
    }
    tally.addWaiting(waiting);
    return { due: best.takeAll(), tally };
  }

  /** Single pages, judged by what was learned last; those that are due. */
  async look(ids: readonly number[], now: number): Promise<DuePage[]> {
    if (ids.length === 0) return [];
    this.#learned ??= this.#learn();
    await this.#learned;
    const urls = await this.#machine.visited.getMany(ids);
    const kept = urls.filter(({ state }) => state === 'kept');
    const judged = await this.#judge(kept, { waiting: await this.#machine.checks.waiting(), now });
    return judged.map(({ page }) => page).filter((page) => this.#isDue(page));
  }

  #isDue({ fresh }: DuePage): boolean {
    return 1 - fresh >= this.#machine.config.updating.dueProbability;
  }

  record(
    scanned: { readonly due: readonly DuePage[]; readonly tally: Tally },
    now: number,
  ): Omit<FreshnessRecord, 'budget'> {
    const { due, tally } = scanned;
    return {
      at: new Date(now).toISOString(),
      ...tally.figures(),
      next: due.slice(0, NAMED).map(({ url, fresh, changeRate, signals, checkedAt }) => ({
        url,
        stale: 1 - fresh,
        changesPerDay: changeRate,
        signals,
        lastFetched: new Date(checkedAt).toISOString(),
      })),
      sources: this.#sources(tally.waiting),
    };
  }

  async #learn(): Promise<void> {
    const samples: Pick<RefreshPage, 'hostId' | 'type' | 'checks'>[] = [];
    const answered: Record<string, number> = {};
    for (const { id, checks } of this.#machine.checks.all()) {
      for (const { signals } of checks)
        for (const [source, n] of Object.entries(signals)) answered[source] = (answered[source] ?? 0) + n;
      if (samples.length === SAMPLES) break;
      const url = await this.#machine.visited.get(id);
      if (url !== undefined) samples.push({ hostId: url.hostId, type: url.answer?.pageType ?? 'other', checks });
    }
    this.#answered = answered;
    this.#model = new RefreshModel(samples);
  }

  async #judge(
    urls: readonly VisitedUrl[],
    { waiting, now }: { readonly waiting: ReadonlyMap<number, SignalCounts>; readonly now: number },
  ): Promise<{ readonly page: DuePage; readonly known: RefreshPage }[]> {
    const { checks, index, config } = this.#machine;
    const priors = await index.priorsOf(urls.map(({ id }) => id));
    const judged = [];
    for (const { id, hostId, url, answer } of urls) {
      if (answer?.fetchedAt === undefined) continue;
      const known: RefreshPage = {
        hostId,
        type: answer.pageType ?? 'other',
        importance: priors.get(id) ?? 1,
        ageDays: Math.max(0, now - answer.fetchedAt) / MS_PER_DAY,
        signals: waiting.get(id) ?? {},
        checks: answer.fetches > 1 ? await checks.checksOf(id) : [],
      };
      const { value, fresh, changeRate } = this.#model.opinionOf(known);
      const page = { id, hostId, url, checkedAt: answer.fetchedAt, fresh, changeRate, signals: known.signals };
      judged.push({ known, page: { ...page, value: config.updating.policy === 'uniform' ? known.ageDays : value } });
    }
    return judged;
  }

  #sources(waiting: Readonly<Record<string, number>>): SourceRecord[] {
    return SIGNAL_SOURCES.flatMap((source) => {
      const counts = { answered: this.#answered[source] ?? 0, waiting: waiting[source] ?? 0 };
      return counts.answered + counts.waiting === 0 ? [] : [{ source, ...counts, ...this.#model.qualityOf(source) }];
    });
  }
}

interface TypeSums {
  pages: number;
  fresh: number;
  changeRate: number;
}

/** Sums over all pages of one look. */
export class Tally {
  readonly waiting: Record<string, number> = {};
  readonly #types = new Map<PageType, TypeSums>();
  #weight = 0;
  #weighted = 0;

  add({ fresh, changeRate }: DuePage, { type, importance }: RefreshPage): void {
    const sums = this.#types.get(type) ?? { pages: 0, fresh: 0, changeRate: 0 };
    this.#types.set(type, sums);
    sums.pages++;
    sums.fresh += fresh;
    sums.changeRate += changeRate;
    this.#weight += importance;
    this.#weighted += importance * fresh;
  }

  addWaiting(waiting: ReadonlyMap<number, SignalCounts>): void {
    for (const counts of waiting.values())
      for (const [source, n] of Object.entries(counts)) this.waiting[source] = (this.waiting[source] ?? 0) + n;
  }

  figures(): Pick<FreshnessRecord, 'pages' | 'freshness' | 'plainFreshness' | 'byType'> {
    const byType: TypeFreshness[] = PAGE_TYPES.flatMap((type) => {
      const sums = this.#types.get(type);
      if (sums === undefined) return [];
      const { pages, fresh, changeRate } = sums;
      return [{ type, pages, freshness: fresh / pages, changesPerDay: changeRate / pages }];
    });
    const pages = byType.reduce((sum, type) => sum + type.pages, 0);
    const fresh = byType.reduce((sum, type) => sum + type.freshness * type.pages, 0);
    return {
      pages,
      freshness: this.#weight === 0 ? 1 : this.#weighted / this.#weight,
      plainFreshness: pages === 0 ? 1 : fresh / pages,
      byType,
    };
  }
}
