import type { Database, MigrationStep } from '../kit/sqlite.ts';

const BOX = 'page-rules';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE page_rules (
     pattern TEXT NOT NULL, below INTEGER NOT NULL, rule TEXT NOT NULL, since INTEGER NOT NULL,
     purged INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (pattern, below)) WITHOUT ROWID`,
];

/**
 * What a person said of pages. hide: crawled and stored, never shown. forget: what is stored goes, and they are never
 * requested again. pin: kept whatever the garbage detector says.
 */
export const PAGE_RULES = ['hide', 'forget', 'pin'] as const;
export type PageRule = (typeof PAGE_RULES)[number];

export interface RulePattern {
  /** A key, or what keys begin with. */
  readonly pattern: string;
  /** True: every key that begins with the pattern. */
  readonly below: boolean;
}

export interface StoredRule extends RulePattern {
  readonly rule: PageRule;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The rules by hand. They outlive crawls; an exact one wins over a prefix, a longer prefix over a shorter one. */
export class PageRules {
  readonly #database: Database;
  #version = -1;
  #exact = new Map<string, PageRule>();
  /** Longest first, by the origin that the pattern begins with. */
  #prefixes = new Map<string, readonly StoredRule[]>();

  constructor(database: Database) {
    database.migrate(BOX, STEPS);
    this.#database = database;
    this.refresh();
  }

  /** Takes up what other processes wrote since. Costs one pragma when they wrote nothing. */
  refresh(): void {
    const version = this.#database.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
    if (version === this.#version) return;
    this.#version = version;
    this.#load();
  }

  ruleOf(key: string): PageRule | undefined {
    if (this.#exact.size === 0 && this.#prefixes.size === 0) return undefined;
    const exact = this.#exact.get(key);
    if (exact !== undefined) return exact;
    return this.#prefixes.get(originOf(key))?.find(({ pattern }) => key.startsWith(pattern))?.rule;
  }

  put({ pattern, below }: RulePattern, rule: PageRule, now: number): void {
    this.#database.run(
      'INSERT OR REPLACE INTO page_rules (pattern, below, rule, since) VALUES (?, ?, ?, ?)',
      pattern,
      Number(below),
      rule,
      now,
    );
    this.#load();
  }

  /** False when there is no such rule. */
  remove({ pattern, below }: RulePattern, rule: PageRule): boolean {
    const removed = this.#database.run(
      'DELETE FROM page_rules WHERE pattern = ? AND below = ? AND rule = ?',
      pattern,
      Number(below),
      rule,
    );
    this.#load();
    return removed > 0;
  }

  list(): StoredRule[] {
    return readRules(this.#database);
  }

  /** Whether pages were forgotten whose bytes may still stand in the archive. */
  get hasUnpurged(): boolean {
    return this.#database.get(`SELECT 1 FROM page_rules WHERE rule = 'forget' AND purged = 0 LIMIT 1`) !== undefined;
  }

  markPurged(): void {
    this.#database.run('UPDATE page_rules SET purged = 1');
  }

  #load(): void {
    this.#exact = new Map();
    const prefixes = new Map<string, StoredRule[]>();
    for (const stored of this.list()) {
      if (!stored.below) {
        this.#exact.set(stored.pattern, stored.rule);
        continue;
      }
      const origin = originOf(stored.pattern);
      const held = prefixes.get(origin);
      if (held === undefined) prefixes.set(origin, [stored]);
      else held.push(stored);
    }
    for (const held of prefixes.values()) held.sort((a, b) => b.pattern.length - a.pattern.length);
    this.#prefixes = prefixes;
  }
}

/** The rules of a collection, also over a read-only connection. */
export function readRules(database: Database): StoredRule[] {
  if (database.versionOf(BOX) === 0) return [];
  return database
    .all<{ pattern: string; below: number; rule: PageRule; since: number }>(
      'SELECT pattern, below, rule, since FROM page_rules ORDER BY pattern, below',
    )
    .map((row) => ({ ...row, below: row.below === 1 }));
}

function originOf(key: string): string {
  const end = key.indexOf('/', key.indexOf('://') + 3);
  return end === -1 ? key : key.slice(0, end);
}
