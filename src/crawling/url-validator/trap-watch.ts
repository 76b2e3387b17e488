import { LruMap } from '../../kit/lru.ts';
import { facetName, splitKey } from './trap-shapes.ts';

export interface TrapWatchOptions {
  /** Pages that a folder or pattern may yield in vain before anything is concluded from it. */
  readonly baseBudget: number;
  /** Further pages allowed for every new text that it yielded: the share of new content that is worth it is 1 in this. */
  readonly budgetPerNew: number;
  /** Pages seen from which a folder or pattern speaks for itself and its parents are not asked. */
  readonly minEvidence: number;
  /** Pages of a host without anything new after which links to folders below such pages are not followed. */
  readonly growingPages: number;
  /** URLs with two or more filter values taken per path. */
  readonly maxFacetUrls: number;
  /** Folders, patterns and pages remembered of each kind; a name beyond 100 characters counts as several. */
  readonly maxEntries: number;
}

/** What a page turned out to be: text not held yet, nearly held, or held (or an error page that answers 200). */
export type Yield = 'new' | 'near' | 'same';

interface Tally {
  /** Near copies count half. */
  pages: number;
  fresh: number;
}

/**
 * Learns from the pages fetched which parts of a site yield nothing new. Every folder above a page and its pattern
 * (path with numbers and ids folded, names of parameters) has a budget that grows with the new texts found there, so
 * that a site as large as Wikipedia has none and an endless calendar a small one. The most particular tally with
 * enough evidence decides for a URL; no host is capped as such.
 */
export class TrapWatch {
  readonly #options: TrapWatchOptions;
  readonly #tallies: LruMap<string, Tally>;
  /** Keys of pages that yielded nothing new. */
  readonly #stale: LruMap<string, true>;
  readonly #staleByHost: LruMap<string, number>;
  /** Sorted filter values of a path → the key that had them first. */
  readonly #facets: LruMap<string, string>;
  readonly #facetUrls: LruMap<string, number>;

  constructor(options: TrapWatchOptions) {
    this.#options = options;
    const { maxEntries } = options;
    this.#tallies = new LruMap(maxEntries, (_tally, name) => costOf(name));
    this.#stale = new LruMap(maxEntries, (_stale, key) => costOf(key));
    this.#staleByHost = new LruMap(maxEntries, (_count, host) => costOf(host));
    this.#facets = new LruMap(maxEntries, (first, choice) => costOf(choice) + costOf(first));
    this.#facetUrls = new LruMap(maxEntries, (_count, path) => costOf(path));
  }

  /** To be told of every page with text, once: kept, copy, or soft-404. Errors, redirects and other types do not count. */
  observe(key: string, yielded: Yield): void {
    const pages = yielded === 'near' ? 0.5 : 1;
    for (const name of [patternOf(key), ...foldersOf(key)]) {
      const tally = this.#tallies.get(name) ?? { pages: 0, fresh: 0 };
      tally.pages += pages;
      if (yielded === 'new') tally.fresh += 1;
      this.#tallies.set(name, tally);
    }
    if (yielded !== 'same') return;
    this.#stale.set(key, true);
    const host = authorityOf(key);
    this.#staleByHost.set(host, (this.#staleByHost.get(host) ?? 0) + 1);
  }

  /** Why fetching `key` promises nothing new, or undefined. Asked when a link is found, and again before it is fetched. */
  exhausted(key: string): string | undefined {
    for (const name of [patternOf(key), ...foldersOf(key)]) {
      const tally = this.#tallies.peek(name);
      if (tally === undefined || tally.pages < this.#options.minEvidence) continue;
      const budget = this.#options.baseBudget + this.#options.budgetPerNew * tally.fresh;
      return tally.pages > budget ? `${name}: ${tally.fresh} new texts in ${tally.pages} pages` : undefined;
    }
    return undefined;
  }

  /** A link to a folder below a page that yielded nothing new, on a host where this is the rule: paths that pile up. */
  growsFrom(key: string, fromKey: string): string | undefined {
    if (!this.#stale.has(fromKey)) return undefined;
    const authority = authorityOf(fromKey);
    if ((this.#staleByHost.get(authority) ?? 0) < this.#options.growingPages) return undefined;
    const folder = folderOf(fromKey);
    const target = folderOf(key);
    if (target.length <= folder.length || !target.startsWith(folder) || folder.length <= authority.length + 1)
      return undefined;
    const tally = this.#tallies.peek(folder);
    const isWorthIt = tally !== undefined && tally.fresh * this.#options.budgetPerNew >= tally.pages;
    return isWorthIt ? undefined : 'relative link below a page without new text';
  }

  /**
   * Filters chosen together make as many URLs as there are subsets: orders of one choice are one, and a path has a
   * number of choices of two or more. Counts each key once; ask it last.
   */
  tooManyFacets(key: string): string | undefined {
    if (!key.includes('&')) return undefined;
    const { parameters } = splitKey(key);
    const facets = parameters.map(({ name, value }) => `${facetName(name)}=${value}`);
    const isCombined =
      parameters.length > 1 && new Set(parameters.map(({ name }) => facetName(name))).size < facets.length;
    if (!isCombined) return undefined;
    const path = pathOf(key);
    const choice = `${path}?${facets.sort().join('&')}`;
    const first = this.#facets.get(choice);
    if (first !== undefined) return first === key ? undefined : `same choice as ${first}`;
    const taken = (this.#facetUrls.get(path) ?? 0) + 1;
    if (taken > this.#options.maxFacetUrls)
      return `more than ${this.#options.maxFacetUrls} combined filters of ${path}`;
    this.#facetUrls.set(path, taken);
    this.#facets.set(choice, key);
    return undefined;
  }
}

/** Bounds memory by what is held, not by how many: hosts choose the length of their URLs. */
function costOf(name: string): number {
  return Math.max(1, Math.ceil(name.length / 100));
}

/** Folders of a key from its own up to the host's root, at most eight, the root among them. */
function foldersOf(key: string): string[] {
  const path = pathOf(key);
  const start = authorityOf(key).length;
  const folders: string[] = [];
  for (let slash = path.indexOf('/', start); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    if (folders.length < 8) folders.push(path.slice(0, slash + 1));
  }
  return folders.reverse();
}

/** Numbers → N, hexadecimal and mixed ids → I, names of parameters without values; '' never occurs. */
export function patternOf(key: string): string {
  const { segments, parameters } = splitKey(key);
  const folded = segments.map(foldSegment).join('/');
  const names = [...new Set(parameters.map(({ name }) => facetName(name)))].join('&');
  return `${authorityOf(key)}/${folded}?${names}`;
}

function foldSegment(segment: string): string {
  if (!/\d/.test(segment)) return segment;
  return isId(segment) ? 'I' : segment.replace(/\d+/g, 'N');
}

/** With a digit in it: hexadecimal from 8 characters on, or 12 of mixed case. */
function isId(segment: string): boolean {
  if (segment.length < 8) return false;
  if (/^[0-9a-f-]+$/.test(segment)) return /[a-f]/.test(segment);
  return segment.length >= 12 && /^[\w-]+$/.test(segment) && /[A-Z]/.test(segment) && /[a-z]/.test(segment);
}

function authorityOf(key: string): string {
  const end = key.indexOf('/', key.indexOf('://') + 3);
  return end < 0 ? key : key.slice(0, end);
}

function pathOf(key: string): string {
  const query = key.indexOf('?');
  return query < 0 ? key : key.slice(0, query);
}

function folderOf(key: string): string {
  const path = pathOf(key);
  return path.slice(0, path.lastIndexOf('/') + 1);
}
