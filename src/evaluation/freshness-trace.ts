import { observedChangeRate } from '../updating/change-rate.ts';
import type { PageModel } from '../updating/crawl-value.ts';
import { gatherEvents, type PageEvents } from './freshness-world.ts';

/** A line of a trace: when a page changed, in seconds since 1970, in any order. */
export interface PageHistory {
  readonly site: string;
  readonly page: string;
  readonly changes: readonly number[];
}

/** A site over its window, which begins with its first change and ends with its last. Days count from the window's begin. */
export interface SiteTrace {
  readonly site: string;
  readonly days: number;
  /** Importance 1; rates by the changes after the window's begin; no signals. */
  readonly pages: readonly PageModel[];
  readonly changes: PageEvents;
}

export class TraceError extends Error {}

/**
 * Reads lines {"site", "page", "changes"}.
 * @throws TraceError with the line's number when a line is otherwise or names a page a second time.
 */
export function parseTrace(text: string): PageHistory[] {
  const histories: PageHistory[] = [];
  const seen = new Set<string>();
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    const history = parseLine(line);
    if (typeof history === 'string') throw new TraceError(`line ${at + 1}: ${history}`);
    const name = JSON.stringify([history.site, history.page]);
    if (seen.has(name)) throw new TraceError(`line ${at + 1}: the page was named before`);
    seen.add(name);
    histories.push(history);
  });
  return histories;
}

/** The sites of a trace in the order of their names; those that changed at one moment only have no window and are left out. */
export function sitesOfTrace(histories: readonly PageHistory[]): SiteTrace[] {
  const bySite = Map.groupBy(histories, ({ site }) => site);
  return [...bySite.keys()]
    .sort()
    .map((site) => siteTrace(site, bySite.get(site) ?? []))
    .filter(({ days }) => days > 0);
}

/**
 * Share of the time from `from` to `days` that a page is fresh when it is crawled every `interval` days from a random
 * moment on: a moment s days after the last change is fresh with probability min(1, s / interval).
 */
export function intervalFreshnessOn(
  changes: Float64Array,
  interval: number,
  { from, days }: { readonly from: number; readonly days: number },
): number {
  const [first = days] = changes;
  let fresh = Math.max(0, Math.min(first, days) - from);
  changes.forEach((change, at) => {
    const start = Math.max(from, change) - change;
    const end = (changes[at + 1] ?? days) - change;
    if (end > start) fresh += freshBefore(end, interval) - freshBefore(start, interval);
  });
  return fresh / (days - from);
}

/** ∫_0^s min(1, x / interval) dx */
function freshBefore(s: number, interval: number): number {
  return s < interval ? (s * s) / (2 * interval) : s - interval / 2;
}

function parseLine(line: string): PageHistory | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'not JSON';
  }
  if (typeof value !== 'object' || value === null) return 'not an object';
  const fields = new Map<string, unknown>(Object.entries(value));
  const [site, page, changes] = ['site', 'page', 'changes'].map((name) => fields.get(name));
  if (typeof site !== 'string' || typeof page !== 'string') return 'strings "site" and "page" are needed';
  if (!Array.isArray(changes) || !changes.every(isTime)) return '"changes" must be a list of Unix seconds';
  return { site, page, changes };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const SECONDS_PER_DAY = 86_400;

function siteTrace(site: string, histories: readonly PageHistory[]): SiteTrace {
  const all = histories.flatMap(({ changes }) => changes);
  const begin = all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const end = all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const days = all.length === 0 ? 0 : (end - begin) / SECONDS_PER_DAY;
  // A change at the begin is in the first copy.
  const times = histories.map(({ changes }) =>
    Float64Array.from(new Set(changes), (at) => (at - begin) / SECONDS_PER_DAY)
      .sort()
      .filter((at) => at > 0),
  );
  const pages = times.map(({ length }) => {
    const changeRate = observedChangeRate(length, days);
    return { importance: 1, changeRate, recall: 0, noise: 0 };
  });
  return { site, days, pages, changes: gatherEvents(times) };
}
