import type { ChangeReport } from '../../model/changes.ts';

export interface QueueLimits {
  /** Pages of one site: whoever floods a site costs that site's reports only. */
  readonly perSite: number;
  /** Pages of all sites together. */
  readonly total: number;
}

/** Reports in memory until the next commit, one a page: the newest. */
export class ReportBuffer {
  readonly #sites = new Map<string, Map<string, ChangeReport>>();
  readonly #limits: QueueLimits;
  #size = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#size >= this.#limits.total;
  }

  /** False when its site's part or the whole is full and the report is lost. */
  put(report: ChangeReport): boolean {
    const pages = this.#sites.get(report.site) ?? new Map<string, ChangeReport>();
    const held = pages.get(report.key);
    if (held === undefined && (this.isFull || pages.size >= this.#limits.perSite)) return false;
    if (held === undefined) this.#size++;
    if (held === undefined || held.at <= report.at) pages.set(report.key, report);
    this.#sites.set(report.site, pages);
    return true;
  }

  takeAll(): ChangeReport[] {
    const all = [...this.#sites.values()].flatMap((pages) => [...pages.values()]);
    this.#sites.clear();
    this.#size = 0;
    return all;
  }
}
