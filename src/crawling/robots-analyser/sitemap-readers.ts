import { Parser } from 'htmlparser2';
import { parseDate } from '../../kit/dates.ts';

export interface SitemapCollector {
  setKind(kind: 'urlset' | 'index' | 'feed' | 'text' | 'html'): void;
  add(to: 'entries' | 'sitemaps', loc: string, lastmod: number | undefined): void;
  problem(text: string): void;
  /** Nothing after this point is read. */
  stop(problem: string): void;
}

export interface LineReader {
  write(text: string): void;
  end(): void;
}

/** Characters of one value that are looked at; no usable URL or date is longer. */
const MAX_VALUE = 8192;

/** A text list: one URL a line. Lines that are no absolute URL are passed over. */
export function textLines(collector: SitemapCollector): LineReader {
  let rest = '';
  const read = (line: string): void => {
    const trimmed = line.replace('\ufeff', '').trim();
    if (!/^https?:\/\//i.test(trimmed)) return;
    collector.setKind('text');
    collector.add('entries', trimmed, undefined);
  };
  return {
    write(text) {
      const lines = (rest + text).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? '').slice(0, MAX_VALUE);
      for (const line of lines) read(line);
    },
    end() {
      read(rest);
      rest = '';
    },
  };
}

/** urlset, sitemapindex, RSS, RDF and Atom by local names: the name space itself is written in too many ways. */
export function xmlLines(collector: SitemapCollector): LineReader {
  const reader = new XmlReader(collector);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      ontext: (text) => reader.text(text),
      onclosetag: (_name, isImplied) => reader.close(isImplied),
    },
    { xmlMode: true, decodeEntities: true },
  );
  return {
    write: (text) => parser.write(text),
    end: () => parser.end(),
  };
}

const ROOTS: Readonly<Record<string, 'urlset' | 'index' | 'feed' | 'html'>> = {
  urlset: 'urlset',
  sitemapindex: 'index',
  rss: 'feed',
  rdf: 'feed',
  feed: 'feed',
  html: 'html',
};

/** Parts of an entry that are read: local name → what it gives. */
const LOCATIONS: ReadonlySet<string> = new Set(['loc', 'link', 'guid']);
const DATES: ReadonlySet<string> = new Set(['lastmod', 'pubdate', 'updated', 'published', 'date', 'modified']);
const ENTRIES: ReadonlySet<string> = new Set(['url', 'sitemap', 'item', 'entry']);

/** Depth below which no entry can stand, and depth of no real file (unclosed HTML inside a feed goes some way). */
const DEPTH_READ = 64;
const MAX_DEPTH = 2000;

interface Open {
  readonly local: string;
  readonly prefix: string;
}

interface Entry {
  readonly element: Open;
  /** Number of elements around it. */
  readonly depth: number;
  loc: string;
  guid: string;
  lastmod: number | undefined;
}

class XmlReader {
  readonly #collector: SitemapCollector;
  /** Open elements; below this depth only the number is kept. */
  readonly #open: Open[] = [];
  #buried = 0;
  #entry: Entry | undefined;
  /** Text of the location or date being read. */
  #value: string | undefined;

  constructor(collector: SitemapCollector) {
    this.#collector = collector;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#open.length >= DEPTH_READ) {
      // The parser's own work is quadratic in the depth.
      if (++this.#buried === MAX_DEPTH - DEPTH_READ) this.#collector.stop(`nested deeper than ${MAX_DEPTH} elements`);
      return;
    }
    const colon = name.indexOf(':');
    const local = name.slice(colon + 1).toLowerCase();
    const element = { local, prefix: name.slice(0, Math.max(colon, 0)).toLowerCase() };
    const kind = ROOTS[local];
    if (kind !== undefined) this.#collector.setKind(kind);
    else if (ENTRIES.has(local)) this.#begin(element);
    else if (this.#isRead(element)) this.#start(local, attributes);
    this.#open.push(element);
  }

  text(text: string): void {
    if (this.#value !== undefined && this.#value.length < MAX_VALUE) this.#value += text;
  }

  close(isImplied: boolean): void {
    if (this.#buried > 0) {
      this.#buried--;
      return;
    }
    const element = this.#open.pop();
    if (element === undefined) return;
    if (this.#entry?.depth === this.#open.length) this.#finish();
    else if (this.#value !== undefined && this.#isRead(element)) {
      // A value that the end of a cut file closed is not whole.
      if (!isImplied) this.#store(element.local, this.#value.trim());
      this.#value = undefined;
    }
  }

  /** Entries do not nest: the same element again means that the one before was not closed. */
  #begin(element: Open): void {
    const before = this.#entry?.element;
    if (before !== undefined && (before.local !== element.local || before.prefix !== element.prefix)) return;
    this.#finish();
    this.#entry = { element, depth: this.#open.length, loc: '', guid: '', lastmod: undefined };
  }

  /**
   * Only children of the entry. Extensions have names of their own (`image:loc`); a date may be Dublin Core's, all else
   * shares its entry's prefix.
   */
  #isRead(element: Open): boolean {
    if (this.#entry === undefined || this.#open.length !== this.#entry.depth + 1) return false;
    const isOwn = element.prefix === this.#entry.element.prefix;
    if (DATES.has(element.local)) return isOwn || /^(?:dc|dcterms|atom)$/.test(element.prefix);
    return isOwn && LOCATIONS.has(element.local);
  }

  #start(local: string, attributes: Readonly<Record<string, string>>): void {
    const { href, rel, isPermaLink } = attributes;
    // Atom: <link href>, of which the one without rel or with rel=alternate is the page.
    if (local === 'link' && href !== undefined && this.#entry !== undefined) {
      if ((rel === undefined || rel === 'alternate') && this.#entry.loc === '') this.#entry.loc = href.trim();
    } else if (local !== 'guid' || isPermaLink !== 'false') {
      this.#value = '';
    }
  }

  #store(local: string, value: string): void {
    const entry = this.#entry;
    if (entry === undefined || value === '') return;
    const { local: name } = entry.element;
    if (DATES.has(local)) {
      const date = parseDate(value);
      if (date === undefined) this.#collector.problem(`unreadable date: ${value.slice(0, 40)}`);
      else entry.lastmod = Math.max(date, entry.lastmod ?? date);
    } else if (local === 'guid') {
      if (/^https?:\/\//i.test(value)) entry.guid = value;
    } else if (entry.loc === '' && (local === 'loc') === (name === 'url' || name === 'sitemap')) {
      entry.loc = value;
    }
  }

  #finish(): void {
    const entry = this.#entry;
    this.#entry = undefined;
    this.#value = undefined;
    if (entry === undefined) return;
    const loc = entry.loc === '' ? entry.guid : entry.loc;
    if (loc === '') return;
    const { local: name } = entry.element;
    this.#collector.setKind(name === 'sitemap' ? 'index' : name === 'url' ? 'urlset' : 'feed');
    this.#collector.add(name === 'sitemap' ? 'sitemaps' : 'entries', loc, entry.lastmod);
  }
}
