import {
  confusionAt,
  f1,
  operatingPoints,
  prAuc,
  precision,
  recall,
  recallAtFalseAlarmRate,
  recallAtPrecision,
  rocAuc,
} from '../kit/metrics.ts';
import type { GarbageEvaluation } from '../model/reports.ts';

/** Pages with the probabilities that models gave which were not trained on them. */
export interface ScoredPages {
  readonly probabilities: Float64Array;
  /** How far each page's score is above the threshold of its own model; negative = kept. */
  readonly margins: Float64Array;
  readonly threshold: number;
  readonly positive: readonly boolean[];
  readonly pages: readonly {
    readonly file: string;
    readonly label: string;
    readonly kind: string;
    readonly language: string;
  }[];
}

type Figures = Omit<GarbageEvaluation, 'detector' | 'level' | 'excluded' | 'folds' | 'spread' | 'millisecondsPerPage'>;

const MISTAKES = 50;
const CURVE_POINTS = 200;

export function garbageFigures(scored: ScoredPages): Figures {
  const { probabilities, positive, margins } = scored;
  // Called garbage: at or above the threshold of its own model; confusionAt wants strictly above.
  const confusion = confusionAt(margins, positive, -1e-12);
  return {
    pages: positive.length,
    threshold: scored.threshold,
    ...confusion,
    precision: precision(confusion),
    recall: recall(confusion),
    f1: f1(confusion),
    ...rankFigures(probabilities, positive),
    byKind: byKind(scored, margins),
    byLanguage: byLanguage(scored, margins),
    curve: curveOf(probabilities, positive),
    calibration: calibrationOf(probabilities, positive),
    mistakes: mistakesOf(scored, margins),
  };
}

/** Expected calibration error over ten bins of equal width (Naeini et al. 2015): what is called 0.9 is garbage in nine cases of ten. */
export function calibrationOf(
  probabilities: Float64Array,
  positive: readonly boolean[],
): GarbageEvaluation['calibration'] {
  const bins = Array.from({ length: BINS }, () => ({ pages: 0, sum: 0, garbage: 0 }));
  probabilities.forEach((probability, at) => {
    const bin = bins[Math.min(BINS - 1, Math.floor(probability * BINS))];
    if (bin === undefined) return;
    bin.pages++;
    bin.sum += probability;
    if (positive[at]) bin.garbage++;
  });
  const filled = bins
    .filter(({ pages }) => pages > 0)
    .map(({ pages, sum, garbage }) => ({ pages, probability: sum / pages, garbage: garbage / pages }));
  const error = filled.reduce((all, bin) => all + bin.pages * Math.abs(bin.probability - bin.garbage), 0);
  return { error: error / Math.max(1, probabilities.length), bins: filled };
}

const BINS = 10;

/** The figures that need no threshold. */
export function rankFigures(
  probabilities: Float64Array,
  positive: readonly boolean[],
): Pick<GarbageEvaluation, 'rocAuc' | 'prAuc' | 'recallAtFalseAlarms' | 'recallAtPrecision'> {
  const alarms = (rate: number) => recallAtFalseAlarmRate(probabilities, positive, rate);
  const precise = (least: number) => recallAtPrecision(probabilities, positive, least);
  return {
    rocAuc: rocAuc(probabilities, positive),
    prAuc: prAuc(probabilities, positive),
    recallAtFalseAlarms: { '0.002': alarms(0.002), '0.005': alarms(0.005), '0.01': alarms(0.01), '0.02': alarms(0.02) },
    recallAtPrecision: { '0.90': precise(0.9), '0.95': precise(0.95), '0.97': precise(0.97), '0.99': precise(0.99) },
  };
}

/** Least, middle and greatest value of each figure over the repeats. */
export function spreadOf(repeats: readonly ScoredPages[]): Record<string, readonly [number, number, number]> {
  const series: Record<string, number[]> = {};
  const note = (name: string, value: number) => {
    (series[name] ??= []).push(value);
  };
  for (const scored of repeats) {
    const figures = garbageFigures(scored);
    for (const name of ['precision', 'recall', 'f1', 'rocAuc', 'prAuc'] as const) note(name, figures[name]);
    note('falseAlarms', figures.falsePositives / (figures.falsePositives + figures.trueNegatives));
    for (const [rate, value] of Object.entries(figures.recallAtFalseAlarms)) note(`recallAtFalseAlarms.${rate}`, value);
    for (const [rate, value] of Object.entries(figures.recallAtPrecision)) note(`recallAtPrecision.${rate}`, value);
  }
  return Object.fromEntries(
    Object.entries(series).map(([name, values]) => {
      const sorted = values.sort((a, b) => a - b);
      return [name, [sorted[0] ?? Number.NaN, median(sorted), sorted.at(-1) ?? Number.NaN]] as const;
    }),
  );
}

export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function byKind(scored: ScoredPages, margins: Float64Array): Record<string, { pages: number; found: number }> {
  const kinds: Record<string, { pages: number; found: number }> = {};
  scored.pages.forEach(({ label, kind }, row) => {
    const entry = (kinds[kind === '' ? label : `${label}/${kind}`] ??= { pages: 0, found: 0 });
    entry.pages++;
    if ((margins[row] ?? -1) > -1e-12) entry.found++;
  });
  return kinds;
}

function byLanguage(scored: ScoredPages, margins: Float64Array): GarbageEvaluation['byLanguage'] {
  const languages: Record<string, { ham: number; falseAlarms: number; garbage: number; found: number }> = {};
  scored.pages.forEach(({ language }, row) => {
    const entry = (languages[language] ??= { ham: 0, falseAlarms: 0, garbage: 0, found: 0 });
    const called = (margins[row] ?? -1) > -1e-12;
    if (scored.positive[row]) {
      entry.garbage++;
      if (called) entry.found++;
    } else {
      entry.ham++;
      if (called) entry.falseAlarms++;
    }
  });
  return languages;
}

function curveOf(probabilities: Float64Array, positive: readonly boolean[]): [number, number, number][] {
  const points = operatingPoints(probabilities, positive);
  const positives = positive.filter(Boolean).length;
  const step = Math.max(1, Math.ceil(points.length / CURVE_POINTS));
  return points
    .filter((_, at) => at % step === 0 || at === points.length - 1)
    .map(({ threshold, truePositives, falsePositives }) => [
      threshold,
      truePositives / Math.max(1, truePositives + falsePositives),
      truePositives / Math.max(1, positives),
    ]);
}

/** The worst first: good pages called garbage with the greatest margin, then garbage kept with the greatest. */
function mistakesOf(
  scored: ScoredPages,
  margins: Float64Array,
): { file: string; label: string; probability: number }[] {
  const rows = Array.from(margins.keys()).filter(
    (row) => (margins[row] ?? -1) > -1e-12 !== (scored.positive[row] ?? false),
  );
  rows.sort(
    (a, b) =>
      Number(scored.positive[a]) - Number(scored.positive[b]) || Math.abs(margins[b] ?? 0) - Math.abs(margins[a] ?? 0),
  );
  const alarms = rows.filter((row) => !scored.positive[row]).slice(0, MISTAKES);
  const misses = rows.filter((row) => scored.positive[row]).slice(0, MISTAKES);
  return [...alarms, ...misses].map((row) => ({
    file: scored.pages[row]?.file ?? '',
    label: scored.pages[row]?.label ?? '',
    probability: scored.probabilities[row] ?? Number.NaN,
  }));
}
