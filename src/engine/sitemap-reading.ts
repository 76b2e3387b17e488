import { parseSitemap } from '../crawling/robots-analyser/sitemaps.ts';
import type { Candidate } from '../crawling/visited-urls/visited-urls.ts';
import { resolveUrl } from '../url/url.ts';
import type { CrawlMachine } from './crawl-machine.ts';

/** Sitemaps read for one seed's site: an index may name thousands. */
const MAX_SITEMAPS = 50;
/** The protocol's own bound for one file. */
const MAX_ENTRIES = 50_000;
/** URLs put into the frontier at once. */
const BATCH = 1_000;

/** Reads the sitemaps that the seeds' robots.txt files name and enters what is in scope. */
export async function readSitemapsOf(machine: CrawlMachine, seeds: readonly string[]): Promise<void> {
  if (!machine.config.crawl.sitemaps) return;
  const origins = new Map(seeds.map((seed) => [new URL(seed).origin, seed]));
  await Promise.all([...origins.values()].map((seed) => readSite(machine, seed)));
}

async function readSite(machine: CrawlMachine, seed: string): Promise<void> {
  const waiting = [...(await machine.robots.sitemaps(seed))];
  const known = new Set(waiting);
  for (let read = 0; read < MAX_SITEMAPS; read++) {
    const url = waiting.shift();
    if (url === undefined || machine.isStopping()) return;
    const children = await readSitemap(machine, url);
    for (const child of children) {
      if (!known.has(child)) waiting.push(child);
      known.add(child);
    }
    await machine.pause();
  }
}

/** Enters the pages of one sitemap; returns the sitemaps that it names. An answer other than 200 is never read as one. */
async function readSitemap(machine: CrawlMachine, url: string): Promise<readonly string[]> {
  const decision = await machine.robots.decide(url);
  if (!decision.allowed) return [];
  machine.counter.overhead.sitemaps++;
  const outcome = await machine.fetcher.fetch({ url, purpose: 'sitemap' });
  if (outcome.kind !== 'page' || outcome.response.status !== 200) return [];
  const sitemap = await parseSitemap(outcome.response.body, {
    url: outcome.response.url,
    now: machine.now,
    maxEntries: MAX_ENTRIES,
    maxBytes: machine.config.http.maxSitemapBytes,
  });
  for (let at = 0; at < sitemap.entries.length; at += BATCH) {
    await enter(
      machine,
      sitemap.entries.slice(at, at + BATCH).map((entry) => entry.loc),
      url,
    );
  }
  return sitemap.sitemaps.map((child) => child.loc);
}

async function enter(machine: CrawlMachine, locations: readonly string[], sitemap: string): Promise<void> {
  const candidates = locations.flatMap((location): Candidate[] => {
    const resolved = resolveUrl(location, sitemap, machine.keyRules);
    if ('reason' in resolved) return [];
    const { url, key, host } = resolved;
    const checked = machine.validator.validate({ url, key, depth: 1, from: undefined });
    const base = { url, key, host, depth: 1, priority: -1 };
    if (checked.kind === 'accept') return [{ ...base, state: 'queued' }];
    if (checked.kind !== 'refused') return [{ ...base, state: checked.kind }];
    return [{ ...base, state: checked.kind, reason: checked.reason }];
  });
  await machine.enterFound(candidates);
}
