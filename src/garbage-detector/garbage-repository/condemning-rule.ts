import type { GarbageKind, Verdict } from '../../model/lists.ts';
import { areasOf, domainArea, hostArea } from './areas.ts';

/** One judged page as the rule sees it. */
export interface JudgedPage {
  readonly host: string;
  /** Path with query, from '/'. */
  readonly path: string;
  /** Equal for equal texts. */
  readonly textHash: string;
  readonly verdict: Verdict;
  readonly kinds: readonly GarbageKind[];
}

export interface CondemningOptions {
  /** Judged pages of distinct text before spam can condemn. */
  readonly spamPages: number;
  /** The lower 95 % bound of the garbage share must be above this. */
  readonly spamShare: number;
  /** Soft-404 pages before an area is possible soft-404. */
  readonly softPages: number;
  /** Least share of soft-404 among the judged pages of such an area. */
  readonly softShare: number;
}

export type Sentence = 'spam' | 'possible-soft-404';

/** What the pages of an area say of it. */
export interface Finding {
  /** '*.domain', 'host/' or 'host/path/'. */
  readonly area: string;
  readonly sentence: Sentence;
  readonly garbage: number;
  readonly judged: number;
  /** Lower 95 % bound of the garbage share. */
  readonly bound: number;
}

/**
 * Condemning rule of DESIGN part 4, item 3, for the judged pages of one registrable domain: the whole domain when its
 * pages together are bad enough, else its hosts, else the longest path prefixes that are.
 * Spam (and parked) counts pages of distinct text, soft-404 (and default) pages count by address, since one error page
 * answers for many. Pages with injected links never count.
 */
export function findGuilty(domain: string, pages: readonly JudgedPage[], options: CondemningOptions): Finding[] {
  const counted = pages.filter((page) => !page.kinds.includes('injected'));
  const whole = tryArea(domainArea(domain), counted, options);
  if (whole) return [whole];
  const guilty: Finding[] = [];
  for (const [host, ofHost] of groupBy(counted, (page) => page.host)) {
    const found = tryArea(hostArea(host), ofHost, options);
    if (found) guilty.push(found);
    else guilty.push(...guiltyPrefixes(ofHost, options));
  }
  return guilty;
}

/** Lower end of the one-sided 95 % Wilson score interval of a share. 11 of 11 are the first above 0.8. */
export function lowerBound(successes: number, total: number): number {
  if (successes === 0) return 0;
  const share = successes / total;
  const z2 = Z * Z;
  const centre = share + z2 / (2 * total);
  const margin = Z * Math.sqrt((share * (1 - share)) / total + z2 / (4 * total * total));
  return Math.max(0, (centre - margin) / (1 + z2 / total));
}

/** 95 % quantile of the standard normal distribution. */
const Z = 1.6448536269514722;

function isSpamLike(verdict: Verdict): boolean {
  return verdict === 'spam' || verdict === 'parked';
}

function tryArea(area: string, pages: readonly JudgedPage[], options: CondemningOptions): Finding | undefined {
  return spamFinding(area, pages, options) ?? softFinding(area, pages, options);
}

function spamFinding(area: string, pages: readonly JudgedPage[], options: CondemningOptions): Finding | undefined {
  const byText = groupBy(pages, (page) => page.textHash);
  const judged = byText.size;
  if (judged < options.spamPages) return undefined;
  let garbage = 0;
  for (const copies of byText.values()) if (copies.some((page) => isSpamLike(page.verdict))) garbage++;
  const bound = lowerBound(garbage, judged);
  return bound > options.spamShare ? { area, sentence: 'spam', garbage, judged, bound } : undefined;
}

function softFinding(area: string, pages: readonly JudgedPage[], options: CondemningOptions): Finding | undefined {
  const garbage = pages.filter((page) => page.verdict === 'soft-404' || page.verdict === 'default-page').length;
  if (garbage < options.softPages || garbage < options.softShare * pages.length) return undefined;
  const judged = pages.length;
  return { area, sentence: 'possible-soft-404', garbage, judged, bound: lowerBound(garbage, judged) };
}

/** From each garbage page's own folder upwards, the first that is guilty. */
function guiltyPrefixes(pages: readonly JudgedPage[], options: CondemningOptions): Finding[] {
  const byArea = new Map<string, JudgedPage[]>();
  for (const page of pages) {
    for (const area of areasOf(page.host, page.path)) {
      const held = byArea.get(area);
      if (held) held.push(page);
      else byArea.set(area, [page]);
    }
  }
  const tried = new Map<string, Finding | undefined>();
  const guilty = new Map<string, Finding>();
  for (const page of pages) {
    if (page.verdict === 'keep') continue;
    for (const area of areasOf(page.host, page.path)) {
      if (!tried.has(area)) tried.set(area, tryArea(area, byArea.get(area) ?? [], options));
      const finding = tried.get(area);
      if (finding === undefined) continue;
      guilty.set(area, finding);
      break;
    }
  }
  return [...guilty.values()];
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
