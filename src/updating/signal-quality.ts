import type { GammaPrior } from './change-rate-prior.ts';

/** What two visits in a row told of a page and of the signals between them. */
export interface SignalInterval {
  /** Days between the visits, > 0. */
  readonly days: number;
  /** Signals that came between them. */
  readonly signals: number;
  readonly changed: boolean;
}

/** How good the signals of a source are. Rates a day. */
export interface SignalQuality {
  /** Share of changes that are signalled. λ */
  readonly recall: number;
  /** Signals without a change. ν */
  readonly noise: number;
  /** Δ */
  readonly changeRate: number;
}

/** What is believed before anything is seen, as Gamma distributions; shapes of the first two ≥ 1. */
export interface SignalPriors {
  /** Of α, the rate of changes without a signal. */
  readonly missedRate: GammaPrior;
  /** Of κ, what a signal takes from the logarithm of the probability of being fresh; its `days` are a pure number. */
  readonly weight: GammaPrior;
  /** Of γ, the rate of all signals. */
  readonly signalRate: GammaPrior;
}

/** A source of which nothing is known: it tells of some changes, and a signal means something. */
export const UNKNOWN_SOURCE: SignalPriors = {
  missedRate: { shape: 1.2, days: 0.5 },
  weight: { shape: 1.5, days: 0.5 },
  signalRate: { shape: 0.5, days: 0.5 },
};

/**
 * Recall and noise of a source from the visits to its pages: P(unchanged | τ, n) = e^(−ατ − κn) is fitted by greatest
 * posterior density in (α, κ), a concave problem; then γ = signals / time, ν = γ·e^(−κ), Δ = α + γ − ν (ALGORITHMS §5.4).
 */
export function estimateSignalQuality(
  intervals: readonly SignalInterval[],
  priors: SignalPriors = UNKNOWN_SOURCE,
): SignalQuality {
  const { alpha, kappa } = likeliest(intervals, priors);
  const days = intervals.reduce((sum, interval) => sum + interval.days, priors.signalRate.days);
  const signals = intervals.reduce((sum, interval) => sum + interval.signals, priors.signalRate.shape);
  const gamma = signals / days;
  const told = -gamma * Math.expm1(-kappa);
  return { recall: told / (alpha + told), noise: gamma - told, changeRate: alpha + told };
}

interface Point {
  readonly alpha: number;
  readonly kappa: number;
}

interface Slopes {
  readonly value: number;
  readonly gradient: readonly [number, number];
  /** Second derivatives: αα, ακ, κκ. */
  readonly curvature: readonly [number, number, number];
}

/** Newton's method; a step is halved until it stays positive and climbs. */
function likeliest(intervals: readonly SignalInterval[], priors: SignalPriors): Point {
  let at: Point = { alpha: meanOf(priors.missedRate), kappa: meanOf(priors.weight) };
  let here = slopesAt(at, intervals, priors);
  for (let round = 0; round < 100; round++) {
    const [stepAlpha, stepKappa] = newtonStep(here);
    let next = at;
    let there = here;
    for (let part = 1; part > 1e-12; part /= 2) {
      next = { alpha: at.alpha + part * stepAlpha, kappa: at.kappa + part * stepKappa };
      if (next.alpha <= 0 || next.kappa <= 0) continue;
      there = slopesAt(next, intervals, priors);
      if (there.value >= here.value) break;
    }
    if (!(there.value >= here.value)) break;
    const moved = Math.abs(next.alpha / at.alpha - 1) + Math.abs(next.kappa / at.kappa - 1);
    at = next;
    here = there;
    if (moved < 1e-10) break;
  }
  return at;
}

function newtonStep({ gradient: [a, k], curvature: [aa, ak, kk] }: Slopes): readonly [number, number] {
  const determinant = aa * kk - ak * ak;
  return [(ak * k - kk * a) / determinant, (ak * a - aa * k) / determinant];
}

function slopesAt({ alpha, kappa }: Point, intervals: readonly SignalInterval[], priors: SignalPriors): Slopes {
  const [ofAlpha, ofKappa] = [priorSlopes(alpha, priors.missedRate), priorSlopes(kappa, priors.weight)];
  let value = ofAlpha.value + ofKappa.value;
  let [a, k] = [ofAlpha.slope, ofKappa.slope];
  let [aa, ak, kk] = [ofAlpha.curvature, 0, ofKappa.curvature];
  for (const { days, signals, changed } of intervals) {
    const stale = alpha * days + kappa * signals;
    // d/dx ln(1 − e^(−x)) = 1 / (e^x − 1), and its derivative −e^x / (e^x − 1)² = −s(1 + s).
    const slope = changed ? 1 / Math.expm1(stale) : -1;
    const bend = changed ? -slope * (1 + slope) : 0;
    value += changed ? Math.log(-Math.expm1(-stale)) : -stale;
    a += slope * days;
    k += slope * signals;
    aa += bend * days * days;
    ak += bend * days * signals;
    kk += bend * signals * signals;
  }
  return { value, gradient: [a, k], curvature: [aa, ak, kk] };
}

function priorSlopes(x: number, { shape, days }: GammaPrior): { value: number; slope: number; curvature: number } {
  const power = shape - 1;
  return { value: power * Math.log(x) - days * x, slope: power / x - days, curvature: -power / (x * x) };
}

function meanOf({ shape, days }: GammaPrior): number {
  return shape / days;
}
