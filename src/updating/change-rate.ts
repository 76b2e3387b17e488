import { bisectFalling } from '../kit/bisect.ts';

/** What two visits in a row to a page told. Times in days, rates in changes a day. */
export interface VisitInterval {
  /** Days between the visits, > 0. */
  readonly days: number;
  readonly changed: boolean;
}

/** Visits at equal distances. */
export interface RegularVisits {
  readonly visits: number;
  /** Visits that found the page changed. */
  readonly changes: number;
  readonly intervalDays: number;
}

/** Least and greatest rate that is believed, a day (ALGORITHMS §5.1). */
export const RATE_BOUNDS = { least: 0.0005, greatest: 7 } as const;
/** Length of the imaginary changed and unchanged interval added to the visits, in days. */
const IMAGINARY_DAYS = 0.5;

/** −ln((n − X + ½) / (n + ½)) / I: Cho and Garcia-Molina's estimator for visits at equal distances (TOIT 2003). */
export function regularChangeRate({ visits, changes, intervalDays }: RegularVisits): number {
  return -Math.log((visits - changes + 0.5) / (visits + 0.5)) / intervalDays;
}

/**
 * Rate of greatest likelihood for visits at any distances: the root of Σ_changed t/(e^(λt) − 1) = Σ_unchanged t, found
 * by bisection. 0 when no visit found a change, ∞ when each did. The time since the last visit is not an interval.
 */
export function likeliestChangeRate(intervals: readonly VisitInterval[]): number {
  const changed = intervals.filter((interval) => interval.changed).map(({ days }) => days);
  const unchanged = unchangedDays(intervals);
  if (changed.length === 0) return 0;
  if (unchanged === 0) return Number.POSITIVE_INFINITY;
  const expected = (rate: number): number => changed.reduce((sum, days) => sum + days / Math.expm1(rate * days), 0);
  // Each term lies below 1/λ, so the root lies below changed.length / unchanged.
  const high = changed.length / unchanged;
  const longest = Math.max(...changed);
  return bisectFalling(expected, unchanged, { low: Math.min(high, 1 / longest) * 1e-9, high });
}

/**
 * The likeliest rate with one imaginary changed and one unchanged interval of half a day, kept within 0.0005–7 a day:
 * never 0 or infinite, however few the visits.
 */
export function smoothedChangeRate(intervals: readonly VisitInterval[]): number {
  const imaginary = [true, false].map((changed) => ({ days: IMAGINARY_DAYS, changed }));
  const rate = likeliestChangeRate([...intervals, ...imaginary]);
  return Math.min(RATE_BOUNDS.greatest, Math.max(RATE_BOUNDS.least, rate));
}

/** Rate when every change was seen, as in a history: (changes + ½) / (days + ½). */
export function observedChangeRate(changes: number, days: number): number {
  return (changes + IMAGINARY_DAYS) / (days + IMAGINARY_DAYS);
}

function unchangedDays(intervals: readonly VisitInterval[]): number {
  return intervals.reduce((sum, { days, changed }) => sum + (changed ? 0 : days), 0);
}
