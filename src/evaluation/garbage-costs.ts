import { neighbourCounts } from '../engine/garbage-neighbours.ts';
import { heuristicsFor, pageFacts, pageTerms } from '../garbage-detector/content-analyser/content-analyser.ts';
import { FarmMemory } from '../garbage-detector/farm-memory.ts';
import { samplePage } from '../garbage-detector/page-sample.ts';
import type { Page } from '../model/page.ts';
import { hostName } from '../url/url.ts';

/** Mean microseconds a page of reading it, of the shared pre-pass, of its terms and of each heuristic (by first name), tables looked up included. */
export interface HeuristicCosts {
  readonly pages: number;
  readonly microseconds: Readonly<Record<string, number>>;
}

/** Measures the heuristics over pages given one by one; `finish` gives the means of all but the first tenth, the warm-up. */
export class CostMeter {
  readonly #rows: Record<string, number>[] = [];
  readonly #farms = new FarmMemory({ phrases: 48_000, domainsPerPhrase: 5 });

  add(page: Page, parseMilliseconds: number): void {
    const row: Record<string, number> = { 'read the page': parseMilliseconds };
    const timed = <T>(name: string, work: () => T): T => {
      const started = performance.now();
      const result = work();
      row[name] = performance.now() - started;
      return result;
    };
    const facts = timed('page facts', () => pageFacts(page, {}));
    timed('terms', () => pageTerms(facts));
    for (const heuristic of heuristicsFor(['spam', 'soft-404'], 'C')) {
      timed(heuristic.names[0] ?? heuristic.id, () => heuristic.compute(facts));
    }
    timed('condemned_links', () => neighbourCounts('own.example', linksOf(page), EVERY_THIRD, 0));
    timed('farm_domains', () => {
      const sample = samplePage(page);
      const domain = `page-${this.#rows.length}.example`;
      this.#farms.companyOf(domain, sample);
      this.#farms.note(domain, sample, 1);
    });
    this.#rows.push(row);
  }

  finish(): HeuristicCosts {
    const warm = this.#rows.slice(Math.floor(this.#rows.length / 10));
    const microseconds: Record<string, number> = {};
    for (const name of Object.keys(warm[0] ?? {})) {
      const sum = warm.reduce((total, row) => total + (row[name] ?? 0), 0);
      microseconds[name] = Math.round((sum * 10_000) / warm.length) / 10;
    }
    return { pages: this.#rows.length, microseconds };
  }
}

function linksOf(page: Page): { readonly host: string; readonly credited: boolean }[] {
  return page.links.map(({ href }) => ({ host: hostName(href), credited: true }));
}

/** Stands for a garbage repository that has condemned a third of all domains. */
const EVERY_THIRD = { isEmpty: false, isSpamDomain: (domain: string) => domain.length % 3 === 0 };
