import { type OpenSignal, PAGE_PARTS, type PageNoise, type PagePart, type PartNoise } from '../../model/changes.ts';

export interface NoiseOptions {
  /** Milliseconds: reports closer than this that differ saw two views rather than a change. */
  readonly viewMs: number;
  /** Doubts at which a part is masked. */
  readonly maskAt: number;
  /** Reports in a row that must be the same, and milliseconds that must have passed, before all doubts are dropped. */
  readonly stableReports: number;
  readonly stableMs: number;
}

const MAX_VALUES = 4;
const DIGITS = 8;
/** A believed value that was believed before: a rotation, hardly ever a change. */
const RETURN_DOUBT = 2;
/** A crawl compares main texts, so that it says less of the other parts. */
const VAIN_CRAWL_DOUBT: Readonly<Record<PagePart, number>> = {
  ...{ text: 1, headings: 1 },
  ...{ title: 0.5, links: 0.5, images: 0.5, metadata: 0.5 },
};

export interface Observation {
  readonly value: string;
  readonly baseline: string | undefined;
  readonly at: number;
  /** Milliseconds since the page's report before. */
  readonly gap: number;
  /** Whether this visitor may raise a doubt; asked only when there is one. */
  readonly mayDoubt: () => boolean;
}

/** undefined: nothing worth keeping, also when a part has been the same for long. */
export function observe(noise: PartNoise | undefined, seen: Observation, options: NoiseOptions): PartNoise | undefined {
  const value = seen.value.slice(0, DIGITS);
  const baseline = seen.baseline?.slice(0, DIGITS);
  const before = noise ?? { ...NOTHING, recent: baseline === undefined ? [] : [baseline], since: seen.at };
  const last = before.recent.at(-1);
  if (last === value)
    return noise === undefined ? undefined : goneStable({ ...noise, same: noise.same + 1 }, seen.at, options);
  const isFresh = last !== undefined && value !== baseline && !before.recent.includes(value);
  const isDoubt = isFresh && seen.gap <= options.viewMs && seen.mayDoubt();
  const recent = [...before.recent.filter((one) => one !== value), value].slice(-MAX_VALUES);
  return doubted({ ...before, recent, same: 1, since: seen.at }, isDoubt ? 1 : 0, options);
}

/** To be told when a value is believed to be a change of the part. */
export function believe(noise: PartNoise, change: { from: string; to: string }, options: NoiseOptions): PartNoise {
  const [from, to] = [change.from.slice(0, DIGITS), change.to.slice(0, DIGITS)];
  const isReturn = noise.believed.includes(to);
  const believed = [...noise.believed.filter((one) => one !== from && one !== to), from, to].slice(-MAX_VALUES);
  return doubted({ ...noise, believed }, isReturn ? RETURN_DOUBT : 0, options);
}

/** A crawl has answered the signal: did it find what was signalled? */
export function afterCrawl(
  noise: PageNoise,
  signal: OpenSignal,
  textHash: string | undefined,
  options: NoiseOptions,
): PageNoise {
  const wasVain = textHash === signal.textHash;
  const entries = signal.parts.flatMap((part) => {
    const one = noise[part];
    return one === undefined ? [] : [[part, doubted(one, wasVain ? VAIN_CRAWL_DOUBT[part] : -1, options)] as const];
  });
  return { ...noise, ...Object.fromEntries(entries) };
}

export function isMasked(noise: PageNoise, part: PagePart): boolean {
  return noise[part]?.masked === true;
}

/** The parts whose changes count. */
export function countedParts(noise: PageNoise): readonly PagePart[] {
  return PAGE_PARTS.filter((part) => !isMasked(noise, part));
}

/** Without what the baseline says as well: most parts of most pages never differ. */
export function tidied(noise: PageNoise, baseline: Partial<Record<PagePart, string>>): PageNoise {
  const isPlain = (part: PagePart, { doubt, believed, recent, masked }: PartNoise): boolean =>
    !masked && doubt === 0 && believed.length === 0 && recent.join() === baseline[part]?.slice(0, DIGITS);
  const kept: Partial<Record<PagePart, PartNoise>> = {};
  for (const part of PAGE_PARTS) {
    const one = noise[part];
    if (one !== undefined && !isPlain(part, one)) kept[part] = one;
  }
  return kept;
}

const NOTHING: PartNoise = { doubt: 0, masked: false, recent: [], believed: [], same: 0, since: 0 };

function doubted(noise: PartNoise, more: number, { maskAt }: NoiseOptions): PartNoise {
  const doubt = Math.min(maskAt, Math.max(0, noise.doubt + more));
  return { ...noise, doubt, masked: noise.masked || doubt >= maskAt };
}

function goneStable(noise: PartNoise, at: number, options: NoiseOptions): PartNoise | undefined {
  const isStable = noise.same >= options.stableReports && at - noise.since >= options.stableMs;
  return isStable ? undefined : noise;
}
