import { labelToName, TextDecoder } from '@exodus/bytes/encoding.js';
import type { FetchOutcome } from '../../model/fetch.ts';
import { type LineReader, type SitemapCollector, textLines, xmlLines } from './sitemap-readers.ts';
import { unzip } from './unzip.ts';

export interface SitemapOptions {
  /** Absolute URL of the sitemap itself. */
  readonly url: string;
  /** Milliseconds since 1970: a lastmod later than a day after it is not believed. */
  readonly now: number;
  /** Entries read; the protocol allows 50,000 a file. */
  readonly maxEntries: number;
  /** Bytes read after decompression; the protocol allows 50 MB. */
  readonly maxBytes: number;
}

interface SitemapEntry {
  /** Absolute http(s) URL without fragment. */
  readonly loc: string;
  /** Milliseconds since 1970. */
  readonly lastmod?: number;
}

export interface Sitemap {
  readonly kind: 'urlset' | 'index' | 'feed' | 'text' | 'html' | 'unknown';
  /** Pages, each once, in file order. */
  readonly entries: readonly SitemapEntry[];
  /** Other sitemaps that an index names. */
  readonly sitemaps: readonly SitemapEntry[];
  readonly problems: readonly string[];
}

/**
 * Reads a sitemap (sitemaps.org 0.9: urlset, index or text list), or an RSS or Atom feed in its place, gzipped or not.
 * One streaming pass; never fails: what cannot be read is among the problems.
 */
export async function parseSitemap(bytes: Uint8Array, options: SitemapOptions): Promise<Sitemap> {
  const collector = new Collector(options);
  let reader: ChunkReader | undefined;
  let size = 0;
  try {
    for await (const chunk of unzip(bytes)) {
      reader ??= startReading(chunk, collector);
      const room = options.maxBytes - size;
      reader.write(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += chunk.length;
      if (size > options.maxBytes) collector.problem(`more than ${options.maxBytes} bytes`);
      if (size > options.maxBytes || collector.isDone) break;
    }
  } catch (error) {
    collector.problem(`gzip: ${error instanceof Error ? error.message : String(error)}`);
  }
  reader?.end();
  return collector.result();
}

/** Only a page that answered 200 is read as a sitemap; undefined for every other outcome. */
export async function readSitemap(
  outcome: FetchOutcome,
  options: Omit<SitemapOptions, 'url'>,
): Promise<Sitemap | undefined> {
  if (outcome.kind !== 'page' || outcome.response.status !== 200) return undefined;
  return await parseSitemap(outcome.response.body, { ...options, url: outcome.response.url });
}

interface ChunkReader {
  write(chunk: Uint8Array): void;
  end(): void;
}

/** The first bytes tell the encoding and the form. */
function startReading(first: Uint8Array, collector: Collector): ChunkReader {
  const decoder = new TextDecoder(sniffEncoding(first));
  const head = Buffer.from(first.subarray(0, 1024)).toString('latin1').replaceAll('\0', '');
  const isMarkup = /^[^\x21-\x7e]*(?:\xef\xbb\xbf)?\s*</.test(head);
  const reader: LineReader = isMarkup ? xmlLines(collector) : textLines(collector);
  return {
    write: (chunk) => reader.write(decoder.decode(chunk, { stream: true })),
    end: () => {
      reader.write(decoder.decode());
      reader.end();
    },
  };
}

function sniffEncoding(first: Uint8Array): string {
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le';
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be';
  const head = Buffer.from(first.subarray(0, 200)).toString('latin1');
  const declared = /<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1];
  // A file that can be read so far as ASCII is not UTF-16, whatever it says of itself.
  const name = declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : labelToName(declared);
  return name === null || name === 'replacement' ? 'utf-8' : name;
}

const DAY = 86_400_000;

class Collector implements SitemapCollector {
  readonly #options: SitemapOptions;
  readonly #entries = new Map<string, SitemapEntry>();
  readonly #sitemaps = new Map<string, SitemapEntry>();
  readonly #problems = new Set<string>();
  #kind: Sitemap['kind'] = 'unknown';
  #stopped = false;

  constructor(options: SitemapOptions) {
    this.#options = options;
  }

  get isDone(): boolean {
    return this.#stopped || this.#isFull;
  }

  stop(problem: string): void {
    this.problem(problem);
    this.#stopped = true;
  }

  setKind(kind: Sitemap['kind']): void {
    if (this.#kind === 'unknown') this.#kind = kind;
  }

  add(to: 'entries' | 'sitemaps', loc: string, lastmod: number | undefined): void {
    if (this.#stopped) return;
    const url = URL.parse(loc, this.#options.url);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
      this.problem(`no web address: ${loc.slice(0, 100)}`);
      return;
    }
    if (this.#isFull) {
      this.problem(`more than ${this.#options.maxEntries} entries`);
      return;
    }
    url.hash = '';
    const isAhead = lastmod !== undefined && lastmod > this.#options.now + DAY;
    if (isAhead) this.problem('lastmod in the future');
    const entry = { loc: url.href, ...(lastmod === undefined || isAhead ? {} : { lastmod }) };
    const target = to === 'entries' ? this.#entries : this.#sitemaps;
    if (!target.has(entry.loc)) target.set(entry.loc, entry);
  }

  problem(text: string): void {
    if (this.#problems.size < 20) this.#problems.add(text);
  }

  result(): Sitemap {
    if (this.#kind === 'html') this.problem('an HTML page');
    return {
      kind: this.#kind,
      entries: [...this.#entries.values()],
      sitemaps: [...this.#sitemaps.values()],
      problems: [...this.#problems],
    };
  }

  get #isFull(): boolean {
    return this.#entries.size + this.#sitemaps.size >= this.#options.maxEntries;
  }
}
