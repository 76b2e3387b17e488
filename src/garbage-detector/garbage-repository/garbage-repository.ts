import type { Database } from '../../kit/sqlite.ts';
import type { GarbageKind, Verdict } from '../../model/lists.ts';
import { registrableDomain } from '../../url/url.ts';
import { domainArea, domainOfArea, enclosingAreas, parseArea } from './areas.ts';
import { type CondemningOptions, type Finding, findGuilty, type JudgedPage, type Sentence } from './condemning-rule.ts';

export interface GarbageRepositoryOptions extends CondemningOptions {
  /** Milliseconds after which a condemnation ends by itself. */
  readonly expiresMs: number;
  /** Kept pages in a row, judged after the condemnation, that end it. */
  readonly goodPages: number;
  /** Judged pages remembered a domain, newest first. */
  readonly pagesPerDomain: number;
}

export interface JudgedRecord extends JudgedPage {
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type AreaStatus = 'condemned' | 'possible-soft-404' | 'blocked' | 'allowed' | 'review';

/** One line of `garbage list`. */
export interface AreaRow {
  readonly area: string;
  readonly status: AreaStatus;
  readonly why: string;
  readonly garbage: number;
  readonly judged: number;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Milliseconds since 1970; null = until a person changes it. */
  readonly until: number | null;
}

export interface Condemnation {
  readonly sentence: Sentence;
  readonly area: string;
  readonly why: string;
  readonly until: number | null;
}

export type ProtectedReason = 'seed' | 'clicked';

/**
 * What is known of hosts by the pages judged there. Reads answer from memory (only areas with a status are held there);
 * writes go to the database in batches and may be repeated. What a person decided wins over what the pages say.
 */
export class GarbageRepository {
  readonly #database: Database;
  readonly #options: GarbageRepositoryOptions;
  /** Registrable domain → areas of it that have a status. */
  readonly #areas = new Map<string, Map<string, AreaRow>>();
  readonly #protected = new Map<string, ProtectedReason>();
  /** Of condemned domains asked for: whether most garbage there is spam. */
  readonly #mostlySpam = new Map<string, boolean>();

  constructor(database: Database, options: GarbageRepositoryOptions) {
    this.#database = database;
    this.#options = options;
    database.migrate('garbage-repository', MIGRATIONS);
    database.onRollback(() => this.reload());
    this.reload();
  }

  /** Reads the areas again: another process may have changed them. */
  reload(): void {
    this.#areas.clear();
    this.#mostlySpam.clear();
    for (const row of this.#database.all<AreaRow>(
      'SELECT area, status, why, garbage, judged, since, until FROM garbage_areas',
    )) {
      this.#hold(row);
    }
    this.#protected.clear();
    for (const row of this.#database.all<{ domain: string; reason: ProtectedReason }>(
      'SELECT domain, reason FROM garbage_protected',
    )) {
      this.#protected.set(row.domain, row.reason);
    }
  }

  /**
   * Whether links to this page lead into garbage: 'spam' = not to be requested, 'possible-soft-404' = to be deferred.
   * @param path with or without query; `now` in milliseconds since 1970.
   */
  isCondemned(host: string, path: string, now: number): Condemnation | undefined {
    const held = this.#areas.get(registrableDomain(host));
    if (held === undefined) return undefined;
    const rows = enclosingAreas(host, path).flatMap((area) => held.get(area) ?? []);
    const byHand = rows.find((row) => row.status === 'allowed' || row.status === 'blocked');
    if (byHand?.status === 'allowed') return undefined;
    if (byHand) return { sentence: 'spam', area: byHand.area, why: byHand.why, until: null };
    const current = rows.filter((row) => row.status !== 'review' && (row.until === null || row.until > now));
    const row = current.find(({ status }) => status === 'condemned') ?? current[0];
    if (row === undefined) return undefined;
    const sentence = row.status === 'condemned' ? 'spam' : 'possible-soft-404';
    return { sentence, area: row.area, why: row.why, until: row.until };
  }

  /** Whether nothing is known of any area. */
  get isEmpty(): boolean {
    return this.#areas.size === 0;
  }

  /**
   * Whether a registrable domain is condemned as a whole for its spam. Neither what a person blocked nor what is
   * condemned for parked pages: that says nothing against those who link there.
   */
  isSpamDomain(domain: string, now: number): boolean {
    const row = this.#areas.get(domain)?.get(domainArea(domain));
    if (row?.status !== 'condemned' || (row.until !== null && row.until <= now)) return false;
    const known = this.#mostlySpam.get(domain) ?? this.#countSpam(domain);
    this.#mostlySpam.set(domain, known);
    return known;
  }

  /** Adds judged pages and draws the consequences. A page judged again replaces what was known of it. */
  async recordMany(records: readonly JudgedRecord[]): Promise<void> {
    this.#database.transaction(() => {
      const byDomain = new Map<string, JudgedRecord[]>();
      for (const record of records) {
        const domain = registrableDomain(record.host);
        this.#insert(domain, record);
        const held = byDomain.get(domain);
        if (held) held.push(record);
        else byDomain.set(domain, [record]);
      }
      for (const [domain, fresh] of byDomain) this.#review(domain, fresh);
    });
  }

  /** Hosts of seeds and hosts with pages people clicked: never condemned, queued for review instead. */
  async protectMany(hosts: readonly string[], reason: ProtectedReason, now: number): Promise<void> {
    this.#database.transaction(() => {
      for (const host of hosts) {
        const domain = registrableDomain(host);
        if (this.#protected.has(domain)) continue;
        this.#database.run('INSERT OR IGNORE INTO garbage_protected (domain, reason) VALUES (?, ?)', domain, reason);
        this.#protected.set(domain, reason);
        for (const row of this.#rowsOf(domain)) {
          if (row.status === 'condemned' || row.status === 'possible-soft-404') {
            this.#put({ ...row, status: 'review', until: now + this.#options.expiresMs });
          }
        }
      }
    });
  }

  /** Forgets everything held against an area: evidence, condemnations inside it and a block. False when the text names no area. */
  async forgive(text: string): Promise<boolean> {
    const area = parseArea(text);
    if (area === undefined) return false;
    this.#database.transaction(() => {
      const domain = domainOfArea(area);
      for (const row of this.#rowsOf(domain))
        if (covers(area, row.area) && row.status !== 'allowed') this.#remove(row.area);
      for (const page of this.#pagesOf(domain)) {
        if (!enclosingAreas(page.host, page.path).includes(area)) continue;
        this.#database.run('DELETE FROM garbage_pages WHERE host = ? AND path = ?', page.host, page.path);
      }
    });
    return true;
  }

  /** Never request pages of this area. False when the text names no area. */
  async block(text: string, now: number): Promise<boolean> {
    return this.#byHand(text, 'blocked', now);
  }

  /** Never condemn this area whatever its pages say. False when the text names no area. */
  async allow(text: string, now: number): Promise<boolean> {
    return this.#byHand(text, 'allowed', now);
  }

  /** All areas with a status, newest first; condemnations that ended are left out. */
  list(now: number): AreaRow[] {
    return [...this.#areas.values()]
      .flatMap((rows) => [...rows.values()])
      .filter((row) => row.until === null || row.until > now)
      .sort((a, b) => b.since - a.since || (a.area < b.area ? -1 : 1));
  }

  #byHand(text: string, status: 'blocked' | 'allowed', now: number): boolean {
    const area = parseArea(text);
    if (area === undefined) return false;
    this.#database.transaction(() => {
      this.#put({ area, status, why: `${status} by hand`, garbage: 0, judged: 0, since: now, until: null });
    });
    return true;
  }

  #insert(domain: string, record: JudgedRecord): void {
    this.#database.run(
      `INSERT INTO garbage_pages (domain, host, path, text_hash, verdict, kinds, at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (host, path) DO UPDATE SET text_hash = excluded.text_hash, verdict = excluded.verdict,
       kinds = excluded.kinds, at = excluded.at`,
      domain,
      record.host,
      record.path,
      record.textHash,
      record.verdict,
      record.kinds.join(' '),
      record.at,
    );
  }

  #review(domain: string, fresh: readonly JudgedRecord[]): void {
    const now = Math.max(...fresh.map((record) => record.at));
    this.#endExpired(domain, now);
    this.#countGood(domain, fresh);
    if (!fresh.some((record) => record.verdict !== 'keep')) return;
    this.#prune(domain);
    for (const finding of findGuilty(domain, this.#pagesOf(domain), this.#options))
      this.#sentence(domain, finding, now);
  }

  #sentence(domain: string, finding: Finding, now: number): void {
    const held = this.#areas.get(domain)?.get(finding.area);
    if (held?.status === 'allowed' || held?.status === 'blocked') return;
    const isAllowed = this.#rowsOf(domain).some((row) => row.status === 'allowed' && covers(row.area, finding.area));
    const isProtected = isAllowed || this.#protected.has(domain);
    const status = isProtected ? 'review' : finding.sentence === 'spam' ? 'condemned' : 'possible-soft-404';
    if (held?.status === 'condemned' && status === 'possible-soft-404') return;
    const isSame = held?.status === status;
    const { area, garbage, judged } = finding;
    this.#put({
      area,
      status,
      why: explain(finding),
      garbage,
      judged,
      since: isSame ? held.since : now,
      until: isSame ? held.until : now + this.#options.expiresMs,
    });
  }

  /** A condemnation that ended takes its evidence with it: the area starts anew. */
  #endExpired(domain: string, now: number): void {
    for (const row of this.#rowsOf(domain)) {
      if (row.until === null || row.until > now) continue;
      this.#acquit(domain, row, row.until);
    }
  }

  #countGood(domain: string, fresh: readonly JudgedRecord[]): void {
    for (const row of this.#rowsOf(domain)) {
      if (row.status !== 'condemned' && row.status !== 'possible-soft-404') continue;
      const inside = this.#pagesOf(domain)
        .filter((page) => page.at > row.since && enclosingAreas(page.host, page.path).includes(row.area))
        .sort((a, b) => b.at - a.at);
      const firstBad = inside.findIndex((page) => page.verdict !== 'keep');
      const good = firstBad < 0 ? inside : inside.slice(0, firstBad);
      const texts = new Set(good.map((page) => page.textHash));
      const newest = Math.max(...fresh.map((record) => record.at));
      if (texts.size >= this.#options.goodPages) this.#acquit(domain, row, newest);
    }
  }

  #acquit(domain: string, row: AreaRow, upTo: number): void {
    this.#remove(row.area);
    for (const page of this.#pagesOf(domain)) {
      if (page.at > upTo || page.verdict === 'keep' || !enclosingAreas(page.host, page.path).includes(row.area))
        continue;
      this.#database.run('DELETE FROM garbage_pages WHERE host = ? AND path = ?', page.host, page.path);
    }
  }

  #countSpam(domain: string): boolean {
    const pages = this.#pagesOf(domain).filter((page) => page.verdict === 'spam' || page.verdict === 'parked');
    return pages.filter((page) => page.verdict === 'spam').length > pages.length / 2;
  }

  #prune(domain: string): void {
    this.#database.run(
      `DELETE FROM garbage_pages WHERE domain = ?1 AND rowid NOT IN
       (SELECT rowid FROM garbage_pages WHERE domain = ?1 ORDER BY at DESC LIMIT ?2)`,
      domain,
      this.#options.pagesPerDomain,
    );
  }

  #pagesOf(domain: string): JudgedRecord[] {
    const rows = this.#database.all<PageRow>(
      'SELECT host, path, text_hash AS textHash, verdict, kinds, at FROM garbage_pages WHERE domain = ?',
      domain,
    );
    return rows.map((row) => ({ ...row, kinds: row.kinds === '' ? [] : (row.kinds.split(' ') as GarbageKind[]) }));
  }

  #rowsOf(domain: string): AreaRow[] {
    return [...(this.#areas.get(domain)?.values() ?? [])];
  }

  #put(row: AreaRow): void {
    this.#database.run(
      'INSERT OR REPLACE INTO garbage_areas (area, status, why, garbage, judged, since, until) VALUES (?, ?, ?, ?, ?, ?, ?)',
      row.area,
      row.status,
      row.why,
      row.garbage,
      row.judged,
      row.since,
      row.until,
    );
    this.#hold(row);
  }

  #hold(row: AreaRow): void {
    const domain = domainOfArea(row.area);
    this.#mostlySpam.delete(domain);
    const rows = this.#areas.get(domain);
    if (rows) rows.set(row.area, row);
    else this.#areas.set(domain, new Map([[row.area, row]]));
  }

  #remove(area: string): void {
    this.#database.run('DELETE FROM garbage_areas WHERE area = ?', area);
    const domain = domainOfArea(area);
    this.#mostlySpam.delete(domain);
    const rows = this.#areas.get(domain);
    rows?.delete(area);
    if (rows?.size === 0) this.#areas.delete(domain);
  }
}

interface PageRow {
  readonly host: string;
  readonly path: string;
  readonly textHash: string;
  readonly verdict: Verdict;
  readonly kinds: string;
  readonly at: number;
}

const MIGRATIONS = [
  `CREATE TABLE garbage_pages (
     domain TEXT NOT NULL, host TEXT NOT NULL, path TEXT NOT NULL, text_hash TEXT NOT NULL, verdict TEXT NOT NULL,
     kinds TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE (host, path));
   CREATE INDEX garbage_pages_by_domain ON garbage_pages (domain, at);
   CREATE TABLE garbage_areas (
     area TEXT PRIMARY KEY, status TEXT NOT NULL, why TEXT NOT NULL, garbage INTEGER NOT NULL, judged INTEGER NOT NULL,
     since INTEGER NOT NULL, until INTEGER) WITHOUT ROWID;
   CREATE TABLE garbage_protected (domain TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;`,
];

function explain({ sentence, garbage, judged, bound }: Finding): string {
  const what = sentence === 'spam' ? 'spam' : 'error pages answered as if they existed';
  return `${garbage} of ${judged} judged pages are ${what} (at least ${Math.floor(bound * 100)} % with 95 % confidence)`;
}

/** Whether `inner` lies in `outer` (both areas). */
function covers(outer: string, inner: string): boolean {
  if (outer === inner) return true;
  if (!outer.startsWith('*.')) return inner.startsWith(outer);
  const domain = outer.slice(2);
  const host = inner.startsWith('*.') ? inner.slice(2) : (inner.split('/', 1)[0] ?? '');
  return host === domain || host.endsWith(`.${domain}`);
}
