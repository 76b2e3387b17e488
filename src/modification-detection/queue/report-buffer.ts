import type { ChangeReport } from '../../model/changes.ts';

/** Reports in memory until the next commit, one a page: the newest. */
export class ReportBuffer {
  readonly #reports = new Map<string, ChangeReport>();
  readonly #maxPages: number;

  constructor(maxPages: number) {
    this.#maxPages = maxPages;
  }

  /** False when it is full and the report is lost. */
  put(report: ChangeReport): boolean {
    const held = this.#reports.get(report.key);
    if (held === undefined && this.#reports.size >= this.#maxPages) return false;
    if (held === undefined || held.at <= report.at) this.#reports.set(report.key, report);
    return true;
  }

  takeAll(): ChangeReport[] {
    const all = [...this.#reports.values()];
    this.#reports.clear();
    return all;
  }
}
