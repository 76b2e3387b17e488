import { SIGNAL_SOURCES, type SignalSource } from '../model/changes.ts';
import { PAGE_TYPES, type PageType } from '../model/lists.ts';
import { likeliestChangeRate, type VisitInterval } from './change-rate.ts';
import { crawlValue, freshProbability, type PageModel } from './crawl-value.ts';
import type { PageCheck, SignalCounts } from './page-checks.ts';

/** What the choice knows of a page. */
export interface RefreshPage {
  readonly hostId: number;
  readonly type: PageType;
  /** Weight of its freshness; 1 = average. */
  readonly importance: number;
  /** Since its copy was made. */
  readonly ageDays: number;
  /** Signals since then. */
  readonly signals: SignalCounts;
  /** What fetching it again has told, oldest first. */
  readonly checks: readonly PageCheck[];
}

export interface RefreshOpinion {
  /** Of crawling it now (crawl-value.ts). */
  readonly value: number;
  /** Probability that the copy is still right. */
  readonly fresh: number;
  /** Changes a day. */
  readonly changeRate: number;
}

/** How good a source of signals is on a site. */
export interface SourceQuality {
  /** Share of changes it tells of. */
  readonly recall: number;
  /** False signals of a page in a day. */
  readonly noise: number;
}

const MS_PER_DAY = 86_400_000;

/** Changes a day that a sort of page is believed to have before any was fetched twice. Own guesses; data soon outweigh them. */
const USUAL_RATES: Readonly<Record<PageType, number>> = {
  ...{ home: 1, listing: 0.5, thread: 0.3, article: 0.05, product: 0.1, document: 0.03, other: 0.1 },
};

/** What a source is believed to be worth before it was checked, and how many changes and days that belief weighs. */
const USUAL_QUALITY: Readonly<Record<SignalSource, SourceQuality>> = {
  // Agreed by several visitors and compared with earlier reports of the same page.
  beacon: { recall: 0.85, noise: 0.002 },
  indexnow: { recall: 0.7, noise: 0.005 },
  feed: { recall: 0.4, noise: 0.01 },
  sitemap: { recall: 0.5, noise: 0.02 },
};
const BELIEF_CHANGES = 4;
const BELIEF_DAYS = 60;

/**
 * Change rates and the quality of signals, learned from what fetching pages again told. A page's rate leans on that of
 * pages of its sort on its site, that one on its sort everywhere: each prior stands for one imaginary changed and one
 * unchanged interval of ln 2 / mean days, whose likeliest rate is the mean (ALGORITHMS §5.1, smoothing).
 */
export class RefreshModel {
  readonly #typeRates = new Map<PageType, number>();
  readonly #siteRates = new Map<string, number>();
  readonly #qualities = new Map<number, Map<SignalSource, SourceQuality>>();

  /** `samples`: some pages that were fetched again. */
  constructor(samples: readonly Pick<RefreshPage, 'hostId' | 'type' | 'checks'>[]) {
    const bySort = Map.groupBy(samples, ({ type }) => type);
    for (const type of PAGE_TYPES) {
      this.#typeRates.set(type, groupRate(bySort.get(type) ?? [], USUAL_RATES[type]));
      for (const [hostId, pages] of Map.groupBy(bySort.get(type) ?? [], (page) => page.hostId))
        this.#siteRates.set(`${hostId} ${type}`, groupRate(pages, this.#typeRates.get(type) ?? USUAL_RATES[type]));
    }
    for (const [hostId, pages] of Map.groupBy(samples, (page) => page.hostId))
      this.#qualities.set(hostId, learnQualities(pages));
  }

  opinionOf(page: RefreshPage): RefreshOpinion {
    const changeRate = this.#rateOf(page);
    const heard = this.#hear(page, changeRate);
    const model: PageModel = { importance: page.importance, changeRate, recall: heard.recall, noise: heard.noise };
    return {
      changeRate,
      value: crawlValue(model, page.ageDays, heard.signals),
      fresh: freshProbability(model, page.ageDays, heard.signals),
    };
  }

  /** Of the sites where the source was heard, the mean; as believed where it never was. */
  qualityOf(source: SignalSource): SourceQuality {
    const known = [...this.#qualities.values()].flatMap((sources) => sources.get(source) ?? []);
    if (known.length === 0) return USUAL_QUALITY[source];
    const mean = (pick: (quality: SourceQuality) => number): number =>
      known.reduce((sum, quality) => sum + pick(quality), 0) / known.length;
    return { recall: mean(({ recall }) => recall), noise: mean(({ noise }) => noise) };
  }

  #rateOf({ hostId, type, checks }: Pick<RefreshPage, 'hostId' | 'type' | 'checks'>): number {
    const usual = this.#siteRates.get(`${hostId} ${type}`) ?? this.#typeRates.get(type) ?? USUAL_RATES[type];
    return rateWith(intervalsOf(checks), usual);
  }

  /**
   * All sources as one: what any tells of is told, the noise adds up, and each signal counts by what it takes from the
   * logarithm of the probability of being fresh, ln((λΔ + ν) / ν). A source that the site never used says nothing, and
   * neither does its silence.
   */
  #hear({ hostId, signals }: RefreshPage, changeRate: number): SourceQuality & { readonly signals: number } {
    const known = this.#qualities.get(hostId);
    let missed = 1;
    let noise = 0;
    let weight = 0;
    for (const source of SIGNAL_SOURCES) {
      const count = signals[source] ?? 0;
      const quality = known?.get(source) ?? (count > 0 ? USUAL_QUALITY[source] : undefined);
      if (quality === undefined) continue;
      missed *= 1 - quality.recall;
      noise += quality.noise;
      weight += count * Math.log1p((quality.recall * changeRate) / quality.noise);
    }
    const recall = 1 - missed;
    return { recall, noise, signals: weight === 0 ? 0 : weight / Math.log1p((recall * changeRate) / noise) };
  }
}

/**
 * A source's recall: changed intervals with a signal of it over changed intervals; its noise: signals in unchanged
 * intervals over their days; both with the usual quality as so many imaginary changes and days.
 */
function learnQualities(pages: readonly Pick<RefreshPage, 'checks'>[]): Map<SignalSource, SourceQuality> {
  const qualities = new Map<SignalSource, SourceQuality>();
  const checks = pages.flatMap((page) => page.checks);
  const unchangedDays = checks.reduce((sum, check) => sum + (check.changed ? 0 : daysOf(check)), 0);
  for (const source of SIGNAL_SOURCES) {
    if (!checks.some(({ signals }) => (signals[source] ?? 0) > 0)) continue;
    const usual = USUAL_QUALITY[source];
    const changes = checks.filter(({ changed }) => changed);
    const told = changes.filter(({ signals }) => (signals[source] ?? 0) > 0).length;
    const falseSignals = checks.reduce((sum, { changed, signals }) => sum + (changed ? 0 : (signals[source] ?? 0)), 0);
    qualities.set(source, {
      recall: (told + BELIEF_CHANGES * usual.recall) / (changes.length + BELIEF_CHANGES),
      noise: (falseSignals + BELIEF_DAYS * usual.noise) / (unchangedDays + BELIEF_DAYS),
    });
  }
  return qualities;
}

function groupRate(pages: readonly Pick<RefreshPage, 'checks'>[], usual: number): number {
  return rateWith(
    pages.flatMap(({ checks }) => intervalsOf(checks)),
    usual,
  );
}

/** Likeliest rate with the usual one as two imaginary intervals. */
function rateWith(intervals: readonly VisitInterval[], usual: number): number {
  const days = Math.LN2 / usual;
  const rate = likeliestChangeRate([...intervals, { days, changed: true }, { days, changed: false }]);
  return Math.min(RATES.greatest, Math.max(RATES.least, rate));
}

/** Changes a day that are believed at least and at most: once in five years, and every few minutes. */
const RATES = { least: 0.0005, greatest: 300 };

function intervalsOf(checks: readonly PageCheck[]): VisitInterval[] {
  return checks.map((check) => ({ days: daysOf(check), changed: check.changed }));
}

function daysOf({ since, at }: PageCheck): number {
  return (at - since) / MS_PER_DAY;
}
