import type { ShingleKind } from '../kit/shingles.ts';
import type { Database } from '../kit/sqlite.ts';
import type { Fingerprint } from './fingerprint.ts';
import { WriteBack } from './write-back.ts';

export type TextStatus =
  | 'representative'
  /** Near copy of the text `of`. */
  | 'duplicate'
  /** Judged garbage by `judgedBy`. */
  | 'garbage'
  /** Never judged itself: copy of the garbage text `of`. */
  | 'garbage-copy';

/** What exact copies share, with the best of their pages. */
export interface Text extends Omit<Fingerprint, 'bodyHash' | 'textHash'> {
  readonly id: number;
  readonly hash: string;
  readonly status: TextStatus;
  readonly of: number | undefined;
  readonly judgedBy: string | undefined;
  /** One of its pages was itself judged worth keeping. */
  readonly kept: boolean;
  /** Page id, rank and site of its preferred page. */
  readonly best: number;
  readonly rank: string;
  readonly site: string;
}

export interface Member {
  readonly id: number;
  readonly text: number;
  readonly site: string;
  /** Sorts by preference: smaller is better, never equal for two pages. */
  readonly rank: string;
}

/** Texts and their pages, pending changes included. */
export class TextStore {
  readonly #database: Database;
  readonly #texts: WriteBack<number, Text>;
  readonly #members: WriteBack<number, Member>;
  readonly #pendingHashes = new Map<string, number>();
  #lastId: number;

  constructor(database: Database, cacheRows: number) {
    this.#database = database;
    this.#texts = new WriteBack((id) => this.#loadText(id), cacheRows);
    this.#members = new WriteBack((id) => this.#loadMember(id), cacheRows);
    this.#lastId = database.get<{ last: number | null }>('SELECT max(id) AS last FROM doc_text')?.last ?? 0;
  }

  newId(): number {
    return ++this.#lastId;
  }

  text(id: number): Text | undefined {
    return this.#texts.get(id);
  }

  textByHash(hash: string): Text | undefined {
    const id =
      this.#pendingHashes.get(hash) ??
      this.#database.get<{ id: number }>('SELECT id FROM doc_text WHERE hash = ?', hash)?.id;
    return id === undefined ? undefined : this.#texts.get(id);
  }

  member(id: number): Member | undefined {
    return this.#members.get(id);
  }

  setText(text: Text): void {
    this.#texts.set(text.id, text);
    this.#pendingHashes.set(text.hash, text.id);
  }

  deleteText(text: Text): void {
    this.#texts.delete(text.id);
  }

  setMember(member: Member): void {
    this.#members.set(member.id, member);
  }

  deleteMember(id: number): void {
    this.#members.delete(id);
  }

  /** Texts whose `of` is this one. */
  copiesOf(id: number): number[] {
    const stored = this.#database.all<{ id: number }>('SELECT id FROM doc_text WHERE of = ?', id);
    const copies = stored.map((row) => row.id).filter((copy) => !this.#texts.isDirty(copy));
    for (const text of this.#texts.dirty().values()) if (text?.of === id) copies.push(text.id);
    return copies;
  }

  /** Ids of all pages with this text. */
  membersOf(text: number): number[] {
    const stored = this.#database.all<{ id: number }>('SELECT id FROM doc_page WHERE text = ?', text);
    return [...stored.map((row) => row.id).filter((id) => !this.#members.isDirty(id)), ...this.#pendingOf(text)];
  }

  /** The preferred page of a text; undefined when it has none left. */
  bestOf(text: number): Member | undefined {
    let best: Member | undefined;
    const stored = this.#database.all<{ id: number }>(
      'SELECT id FROM doc_page WHERE text = ? ORDER BY rank LIMIT ?',
      text,
      this.#enough(),
    );
    const first = stored.find((row) => !this.#members.isDirty(row.id));
    for (const id of [...(first === undefined ? [] : [first.id]), ...this.#pendingOf(text)]) {
      const member = this.#members.get(id);
      if (member !== undefined && (best === undefined || member.rank < best.rank)) best = member;
    }
    return best;
  }

  hasMemberOn(text: number, site: string): boolean {
    for (const id of this.#pendingOf(text)) if (this.#members.get(id)?.site === site) return true;
    return this.#database
      .all<{ id: number }>('SELECT id FROM doc_page WHERE text = ? AND site = ? LIMIT ?', text, site, this.#enough())
      .some((row) => !this.#members.isDirty(row.id));
  }

  flush(): void {
    this.#texts.flush((id, text) => {
      if (text === undefined) this.#database.run('DELETE FROM doc_text WHERE id = ?', id);
      else this.#saveText(text);
    });
    this.#members.flush((id, member) => {
      if (member === undefined) this.#database.run('DELETE FROM doc_page WHERE id = ?', id);
      else
        this.#database.run(
          'INSERT OR REPLACE INTO doc_page (id, text, site, rank) VALUES (?, ?, ?, ?)',
          id,
          member.text,
          member.site,
          member.rank,
        );
    });
    this.#pendingHashes.clear();
  }

  rolledBack(): void {
    this.#texts.rolledBack();
    this.#members.rolledBack();
    for (const text of this.#texts.dirty().values())
      if (text !== undefined) this.#pendingHashes.set(text.hash, text.id);
  }

  /** So many rows hold at least one that is up to date, if there is one. */
  #enough(): number {
    return this.#members.dirty().size + 1;
  }

  *#pendingOf(text: number): Generator<number> {
    for (const member of this.#members.dirty().values()) if (member?.text === text) yield member.id;
  }

  #saveText(text: Text): void {
    this.#database.run(
      `INSERT INTO doc_text (id, hash, status, of, judged_by, kept, best, best_rank, best_site, letters, kind, high, low,
         sketch, bands, block_of, blocks) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, of = excluded.of, judged_by = excluded.judged_by,
         kept = excluded.kept, best = excluded.best, best_rank = excluded.best_rank, best_site = excluded.best_site`,
      text.id,
      text.hash,
      text.status,
      text.of ?? null,
      text.judgedBy ?? null,
      text.kept ? 1 : 0,
      text.best,
      text.rank,
      text.site,
      text.letters,
      text.kind,
      text.high,
      text.low,
      bytesOf(text.sketch),
      bytesOf(text.bands),
      text.blockOf,
      bytesOf(text.blocks),
    );
  }

  #loadText(id: number): Text | undefined {
    const row = this.#database.get<TextRow>('SELECT * FROM doc_text WHERE id = ?', id);
    if (row === undefined) return undefined;
    return {
      id: row.id,
      hash: row.hash,
      status: row.status,
      of: row.of ?? undefined,
      judgedBy: row.judged_by ?? undefined,
      kept: row.kept === 1,
      best: row.best,
      rank: row.best_rank,
      site: row.best_site,
      letters: row.letters,
      kind: row.kind,
      high: row.high,
      low: row.low,
      sketch: wordsOf(row.sketch),
      bands: wordsOf(row.bands),
      blockOf: row.block_of,
      blocks: wordsOf(row.blocks),
    };
  }

  #loadMember(id: number): Member | undefined {
    return this.#database.get<Member>('SELECT id, text, site, rank FROM doc_page WHERE id = ?', id);
  }
}

interface TextRow {
  readonly id: number;
  readonly hash: string;
  readonly status: TextStatus;
  readonly of: number | null;
  readonly judged_by: string | null;
  readonly kept: number;
  readonly best: number;
  readonly best_rank: string;
  readonly best_site: string;
  readonly letters: number;
  readonly kind: ShingleKind;
  readonly high: number;
  readonly low: number;
  readonly sketch: Uint8Array;
  readonly bands: Uint8Array;
  readonly block_of: Uint8Array;
  readonly blocks: Uint8Array;
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/** Copied: the bytes SQLite hands out need not be aligned. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}
