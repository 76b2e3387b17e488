import { poisson, type Random } from '../kit/random.ts';
import type { PageModel } from '../updating/crawl-value.ts';

/** Times of events by page: those of page p are `times[offsets[p]]` … `times[offsets[p + 1] − 1]`, ascending, in days. */
export interface PageEvents {
  readonly offsets: Uint32Array;
  readonly times: Float64Array;
}

/** What happens to a set of pages from day 0 on, whoever crawls them. Every copy is right on day 0. */
export interface World {
  readonly pages: readonly PageModel[];
  readonly days: number;
  readonly changes: PageEvents;
  readonly signals: PageEvents;
}

export type SignalKind = 'none' | 'noisy' | 'beacon';

/** Bounds between which recall and noise (a day) of the pages are drawn. */
const SIGNAL_QUALITY: Readonly<Record<SignalKind, { readonly recall: Range; readonly noise: Range }>> = {
  none: { recall: [0, 0], noise: [0, 0] },
  noisy: { recall: [0, 0.95], noise: [0, 0.1] },
  beacon: { recall: [0.8, 0.95], noise: [0.005, 0.02] },
};
type Range = readonly [number, number];

/** Exponent of the Pareto law of importance, and bounds of changes a day. */
const IMPORTANCE_EXPONENT = 1.2;
const CHANGE_RATES: Range = [0.01, 20];

export interface PopulationOptions {
  readonly pages: number;
  readonly days: number;
  readonly signals: SignalKind;
}

/** Pages drawn at random: importance by Pareto's law, ln Δ normal, changes and false signals at random times. */
export function drawPopulation({ pages, days, signals }: PopulationOptions, random: Random): World {
  const draw = random.stream('pages');
  const models = Array.from({ length: pages }, (): PageModel => {
    const importance = (1 - draw.next()) ** (-1 / IMPORTANCE_EXPONENT);
    const changeRate = Math.min(CHANGE_RATES[1], Math.max(CHANGE_RATES[0], Math.exp(draw.normal())));
    return { importance, changeRate, ...drawQuality(signals, draw) };
  });
  const times = random.stream('changes');
  const changes = gatherEvents(models.map(({ changeRate }) => atRandomTimes(times, changeRate, days)));
  return { pages: models, days, changes, signals: drawSignals(models, changes, { days, random }) };
}

export function drawQuality(kind: SignalKind, random: Random): Pick<PageModel, 'recall' | 'noise'> {
  const { recall, noise } = SIGNAL_QUALITY[kind];
  return { recall: between(random, recall), noise: between(random, noise) };
}

/** A signal at each change with the page's recall, and false ones at random times. */
export function drawSignals(
  pages: readonly PageModel[],
  changes: PageEvents,
  { days, random }: { readonly days: number; readonly random: Random },
): PageEvents {
  const draw = random.stream('signals');
  return gatherEvents(
    pages.map(({ recall, noise }, page) => {
      const told = eventsOf(changes, page).filter(() => draw.next() < recall);
      return concatenated(told, atRandomTimes(draw, noise, days)).sort();
    }),
  );
}

export function gatherEvents(byPage: readonly Float64Array[]): PageEvents {
  const offsets = new Uint32Array(byPage.length + 1);
  byPage.forEach((times, page) => {
    offsets[page + 1] = (offsets[page] ?? 0) + times.length;
  });
  const times = new Float64Array(offsets[byPage.length] ?? 0);
  byPage.forEach((own, page) => {
    times.set(own, offsets[page]);
  });
  return { offsets, times };
}

export function eventsOf({ offsets, times }: PageEvents, page: number): Float64Array {
  return times.subarray(offsets[page], offsets[page + 1]);
}

function atRandomTimes(random: Random, rate: number, days: number): Float64Array {
  if (rate === 0) return new Float64Array(0);
  return Float64Array.from({ length: poisson(random, rate * days) }, () => random.next() * days).sort();
}

function between(random: Random, [low, high]: Range): number {
  return low + (high - low) * random.next();
}

function concatenated(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
