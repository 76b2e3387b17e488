import type { Database } from '../kit/sqlite.ts';
import { WriteBack } from './write-back.ts';

interface BlockRow {
  /** Texts of the site that hold the block. */
  readonly pages: number;
  /** The first of them, until the block is template. */
  readonly texts: readonly number[];
  readonly template: boolean;
}

/**
 * Blocks of text seen in many different texts of a site: its template. Counted over distinct texts, near copies
 * included, so the answer depends on the set of pages and not on their order. What became template stays template.
 * In the database; memory holds a bounded number of rows.
 */
export class SiteTemplates {
  readonly #rows: WriteBack<string, BlockRow>;
  readonly #database: Database;
  readonly #minTexts: number;

  /** `minTexts`: distinct texts of a site from which on a block is its template. */
  constructor(database: Database, options: { readonly minTexts: number; readonly cacheRows: number }) {
    this.#database = database;
    this.#minTexts = options.minTexts;
    this.#rows = new WriteBack((key) => this.#load(key), options.cacheRows);
  }

  isTemplate(site: string, block: number): boolean {
    return this.#rows.get(keyOf(site, block))?.template === true;
  }

  /** Counts a text that appeared on a site; the texts whose comparisons change because a block became template. */
  add(site: string, text: number, blocks: Iterable<number>): Set<number> {
    const affected = new Set<number>();
    const distinct = new Set(blocks);
    const stored = this.#loadMany(
      site,
      [...distinct].filter((block) => !this.#rows.holds(keyOf(site, block))),
    );
    for (const block of distinct) {
      const key = keyOf(site, block);
      const held = this.#rows.holds(key) ? this.#rows.get(key) : stored.get(block);
      const row = held ?? { pages: 0, texts: [], template: false };
      const pages = row.pages + 1;
      const texts = row.template ? [] : [...row.texts, text];
      const template = row.template || pages >= this.#minTexts;
      this.#rows.set(key, { pages, texts: template ? [] : texts, template });
      if (template && !row.template) for (const id of texts) affected.add(id);
    }
    return affected;
  }

  /** Takes back what {@link add} counted of a text that left the site. */
  remove(site: string, text: number, blocks: Iterable<number>): void {
    for (const block of new Set(blocks)) {
      const key = keyOf(site, block);
      const row = this.#rows.get(key);
      if (row === undefined) continue;
      if (row.pages <= 1 && !row.template) this.#rows.delete(key);
      else this.#rows.set(key, { ...row, pages: row.pages - 1, texts: row.texts.filter((id) => id !== text) });
    }
  }

  /** Writes what changed; runs inside the caller's transaction. */
  flush(): void {
    this.#rows.flush((key, row) => {
      const [site, block] = partsOf(key);
      if (row === undefined) this.#database.run('DELETE FROM site_block WHERE site = ? AND block = ?', site, block);
      else
        this.#database.run(
          'INSERT OR REPLACE INTO site_block (site, block, pages, texts, template) VALUES (?, ?, ?, ?, ?)',
          site,
          block,
          row.pages,
          row.texts.join(' '),
          row.template ? 1 : 0,
        );
    });
  }

  rolledBack(): void {
    this.#rows.rolledBack();
  }

  #load(key: string): BlockRow | undefined {
    const [site, block] = partsOf(key);
    return this.#loadMany(site, [block]).get(block);
  }

  /** Rows of several blocks by one statement; blocks without a row are absent. */
  #loadMany(site: string, blocks: readonly number[]): Map<number, BlockRow> {
    const rows = this.#database.all<StoredRow>(
      `SELECT block, pages, texts, template FROM site_block WHERE site = ? AND block IN (${blocks.map(() => '?').join()})`,
      site,
      ...blocks,
    );
    return new Map(rows.map((row) => [row.block, fromStored(row)]));
  }
}

interface StoredRow {
  readonly block: number;
  readonly pages: number;
  readonly texts: string;
  readonly template: number;
}

function fromStored({ pages, texts, template }: StoredRow): BlockRow {
  return { pages, texts: texts === '' ? [] : texts.split(' ').map(Number), template: template === 1 };
}

function keyOf(site: string, block: number): string {
  return `${block} ${site}`;
}

function partsOf(key: string): [string, number] {
  const space = key.indexOf(' ');
  return [key.slice(space + 1), Number(key.slice(0, space))];
}
