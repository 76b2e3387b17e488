import { seededRandom, shuffle } from '../kit/random.ts';
import type { Page } from '../model/page.ts';

/** A page of a book's alphabetical index, as read. */
export interface IndexPage {
  readonly url: string;
  readonly page: Pick<Page, 'blocks' | 'links' | 'baseUrl' | 'tagPaths'>;
}

/** An entry of an index as a query, and the pages it points to (URLs without fragment); any of them is right. */
export interface IndexEntry {
  readonly query: string;
  readonly answers: readonly string[];
}

export interface EntriesScore {
  readonly queries: number;
  /** Queries with a right page first, and among the first three and ten. */
  readonly first: number;
  readonly firstThree: number;
  readonly firstTen: number;
  /** Mean reciprocal rank within the first ten. */
  readonly meanReciprocalRank: number;
  readonly missed: readonly { readonly entry: IndexEntry; readonly found: readonly string[] }[];
}

/** True for the index pages of Sphinx (`genindex…`) and DocBook (`bookindex`). */
export function isIndexPage(url: string): boolean {
  return /\/(?:genindex|bookindex|doc-index)[^/]*$/.test(URL.parse(url)?.pathname ?? '');
}

/**
 * All entries of index pages. Sphinx links the entry's text itself, DocBook writes it before links to sections; an entry
 * below another one is read together with it ("abs()", "built-in function"). Equal texts are one entry.
 */
export function readEntries(pages: readonly IndexPage[]): IndexEntry[] {
  const indexes = new Set(pages.map(({ url }) => withoutFragment(url)));
  const entries = new Map<string, { query: string; answers: Set<string> }>();
  for (const page of pages) {
    for (const { query, target } of entriesOf(page)) {
      if (indexes.has(target)) continue;
      const key = query.toLowerCase();
      const entry = entries.get(key) ?? { query, answers: new Set<string>() };
      entry.answers.add(target);
      entries.set(key, entry);
    }
  }
  return Array.from(entries.values(), ({ query, answers }) => ({ query, answers: [...answers] }));
}

/** `count` entries drawn without replacement; the same for the same entries and seed. */
export function drawEntries(entries: readonly IndexEntry[], count: number, seed: number): IndexEntry[] {
  const sorted = [...entries].sort((a, b) => (a.query < b.query ? -1 : a.query > b.query ? 1 : 0));
  return shuffle(sorted, seededRandom(seed)).slice(0, count);
}

/** Runs each query; `searchUrls` gives the URLs found, best first. */
export async function scoreEntries(
  entries: readonly IndexEntry[],
  searchUrls: (query: string) => Promise<readonly string[]>,
): Promise<EntriesScore> {
  const ranks: number[] = [];
  const missed: { entry: IndexEntry; found: readonly string[] }[] = [];
  for (const entry of entries) {
    const found = (await searchUrls(entry.query)).slice(0, 10).map(withoutFragment);
    const rank = found.findIndex((url) => entry.answers.includes(url)) + 1;
    if (rank > 0) ranks.push(rank);
    if (rank === 0 || rank > 3) missed.push({ entry, found: found.slice(0, 3) });
  }
  const within = (depth: number): number => ranks.filter((rank) => rank <= depth).length;
  return {
    queries: entries.length,
    first: within(1),
    firstThree: within(3),
    firstTen: within(10),
    meanReciprocalRank: ranks.reduce((sum, rank) => sum + 1 / rank, 0) / Math.max(1, entries.length),
    missed,
  };
}

/** Places of links that are no entries. */
const MENUS: ReadonlySet<string> = new Set(['nav', 'header', 'footer']);

function* entriesOf({ page }: IndexPage): Generator<{ query: string; target: string }> {
  const linksOf = new Map<number, { text: string; target: string }[]>();
  for (const link of page.links) {
    const target = URL.parse(link.href, page.baseUrl);
    if (link.element !== 'a' || link.block < 0 || MENUS.has(link.position) || target === null) continue;
    const found = { text: link.text, target: withoutFragment(target.href) };
    linksOf.set(link.block, [...(linksOf.get(link.block) ?? []), found]);
  }
  const above: { depth: number; text: string }[] = [];
  for (const [place, block] of page.blocks.entries()) {
    const depth = listDepth(page.tagPaths[block.path] ?? '');
    while ((above.at(-1)?.depth ?? 0) >= depth && above.length > 0) above.pop();
    if (depth === 0) continue;
    const links = linksOf.get(place) ?? [];
    const head = headOf(block.text, links[0]?.text);
    const query = [...above.map(({ text }) => text), head].join(' ').trim();
    // "name (in module x)" with further places below it: those are read with the name alone.
    above.push({ depth, text: head.replace(/ \([^()]*\)$/, '') });
    if (/\p{L}|\p{N}/u.test(query)) for (const { target } of links) yield { query, target };
  }
}

/** The entry's text: all of the block when the link begins it, else what stands before the first link. */
function headOf(text: string, firstLink: string | undefined): string {
  const at = firstLink === undefined || firstLink === '' ? -1 : text.indexOf(firstLink);
  if (at < 0) return text;
  return at === 0 ? (firstLink ?? '') : text.slice(0, at).replace(/[\s,:]+$/, '');
}

function listDepth(path: string): number {
  return path.match(/(?:^|[^\w.#-])(?:li|dt|dd)(?![\w-])/g)?.length ?? 0;
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}
