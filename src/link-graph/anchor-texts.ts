import { hash64 } from '../kit/hash.ts';
import { LruMap } from '../kit/lru.ts';
import type { Database } from '../kit/sqlite.ts';

/** Numbers for anchor texts, found by hash; the texts used most are kept in memory. '' is 0. */
export class AnchorTexts {
  readonly #database: Database;
  readonly #ids: LruMap<string, number>;

  constructor(database: Database, cacheEntries: number) {
    this.#database = database;
    this.#ids = new LruMap(cacheEntries);
    database.onRollback(() => this.#ids.clear());
  }

  idOf(text: string): number {
    if (text === '') return 0;
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const hash = hash64(text);
    const sql = 'SELECT id, text FROM anchor_texts WHERE hash = ? ORDER BY id';
    const row = this.#database.all<{ id: number; text: string }>(sql, hash).find((found) => found.text === text);
    const id = row?.id ?? this.#database.insert('INSERT INTO anchor_texts (hash, text) VALUES (?, ?)', hash, text);
    this.#ids.set(text, id);
    return id;
  }

  textOf(id: number): string {
    if (id === 0) return '';
    return this.#database.get<{ text: string }>('SELECT text FROM anchor_texts WHERE id = ?', id)?.text ?? '';
  }
}
