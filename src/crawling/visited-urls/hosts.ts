import { LruMap } from '../../kit/lru.ts';
import type { Database } from '../../kit/sqlite.ts';

export interface Host {
  readonly id: number;
  readonly name: string;
  /** Address that answered last. */
  readonly address: string | undefined;
  /** Milliseconds since 1970: first link to it seen. */
  readonly firstAt: number;
  /** Milliseconds since 1970: last answer. */
  readonly lastAt: number | undefined;
  readonly fetches: number;
  readonly bytes: number;
}

/** Names and numbers of hosts. A bounded number of names is kept in memory. */
export class Hosts {
  readonly #database: Database;
  readonly #ids: LruMap<string, number>;

  constructor(database: Database, capacity: number) {
    this.#database = database;
    this.#ids = new LruMap(capacity);
    database.onRollback(() => this.#ids.clear());
  }

  /** The id of a host, which is entered when it is new. */
  idOf(name: string, now: number): number {
    return this.find(name) ?? this.#enter(name, now);
  }

  find(name: string): number | undefined {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const row = this.#database.get<{ id: number }>('SELECT id FROM hosts WHERE name = ?', name);
    if (row !== undefined) this.#ids.set(name, row.id);
    return row?.id;
  }

  get(id: number): Host | undefined {
    const row = this.#database.get<HostRow>('SELECT * FROM hosts WHERE id = ?', id);
    return row === undefined ? undefined : hostFrom(row);
  }

  /** Hosts in order of id, those after `after`. */
  list(after: number, limit: number): Host[] {
    return this.#database
      .all<HostRow>('SELECT * FROM hosts WHERE id > ? ORDER BY id LIMIT ?', after, limit)
      .map(hostFrom);
  }

  count(): number {
    return this.#database.get<{ n: number }>('SELECT count(*) AS n FROM hosts')?.n ?? 0;
  }

  setAddress(id: number, address: string): void {
    this.#database.run('UPDATE hosts SET address = ? WHERE id = ? AND address IS NOT ?', address, id, address);
  }

  addFetches(id: number, fetched: { readonly now: number; readonly fetches: number; readonly bytes: number }): void {
    this.#database.run(
      'UPDATE hosts SET last_at = max(coalesce(last_at, 0), ?), fetches = fetches + ?, bytes = bytes + ? WHERE id = ?',
      fetched.now,
      fetched.fetches,
      fetched.bytes,
      id,
    );
  }

  #enter(name: string, now: number): number {
    const id = this.#database.insert('INSERT INTO hosts (name, first_at) VALUES (?, ?)', name, now);
    this.#ids.set(name, id);
    return id;
  }
}

interface HostRow {
  readonly id: number;
  readonly name: string;
  readonly address: string | null;
  readonly first_at: number;
  readonly last_at: number | null;
  readonly fetches: number;
  readonly bytes: number;
}

function hostFrom(row: HostRow): Host {
  return {
    id: row.id,
    name: row.name,
    address: row.address ?? undefined,
    firstAt: row.first_at,
    lastAt: row.last_at ?? undefined,
    fetches: row.fetches,
    bytes: row.bytes,
  };
}
