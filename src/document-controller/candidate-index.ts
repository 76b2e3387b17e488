import { hamming64 } from '../kit/simhash.ts';
import type { Database } from '../kit/sqlite.ts';

/** Which texts an entry is among; 'none' has no entries. */
export type Space = 'representative' | 'duplicate' | 'garbage' | 'none';

const SPACES: readonly Space[] = ['representative', 'duplicate', 'garbage'];

export interface Candidate {
  readonly id: number;
  readonly space: Space;
  readonly distance: number;
}

interface Placed {
  readonly high: number;
  readonly low: number;
  readonly space: Space;
}

/**
 * Finds all simhashes within 9 bits: the 64 bits are cut into 5 blocks (4 × 13, 12); nine errors leave at least one
 * block with at most one, so looking up each block's value and its 13 one-bit neighbours misses nothing. That is 69
 * look-ups with entries for 5 cells a text: 60 bytes. Cells are blobs of 12 bytes an entry, split by id so that adding
 * one rewrites at most some 1.5 kB however large the collection. Entries not yet flushed are searched one by one.
 */
export class CandidateIndex {
  readonly #database: Database;
  #pending = new Map<number, Placed>();
  #flushed = new Map<number, Placed>();
  #last: { readonly high: number; readonly low: number; readonly found: ReadonlyMap<number, Candidate> } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Puts a text into a space, moving it from wherever it was. The simhash of an id never changes. */
  place(id: number, high: number, low: number, space: Space): void {
    this.#pending.set(id, { high, low, space });
  }

  /** Texts within `maxDistance` (at most 9) bits, nearest first; ties by id. */
  near(high: number, low: number, maxDistance: number): Candidate[] {
    const found: Candidate[] = [];
    for (const candidate of this.#stored(high, low).values())
      if (candidate.distance <= maxDistance && !this.#pending.has(candidate.id)) found.push(candidate);
    for (const [id, placed] of this.#pending) {
      const distance = hamming64(high, low, placed.high, placed.low);
      if (placed.space !== 'none' && distance <= maxDistance) found.push({ id, space: placed.space, distance });
    }
    return found.sort((a, b) => a.distance - b.distance || a.id - b.id);
  }

  /** Writes what is pending; runs inside the caller's transaction. */
  flush(): void {
    for (const [id, { high, low, space }] of this.#pending) {
      for (const other of SPACES) {
        for (let table = 0; table < TABLES; table++) {
          const cell = cellOf(table, blockOf(high, low, table), SPACES.indexOf(other), Math.floor(id / CHUNK_IDS));
          if (other === space) this.#insert(cell, id, high, low);
          else this.#remove(cell, id);
        }
      }
    }
    this.#last = undefined;
    this.#flushed = this.#pending;
    this.#pending = new Map();
  }

  rolledBack(): void {
    this.#last = undefined;
    this.#pending = new Map([...this.#flushed, ...this.#pending]);
    this.#flushed = new Map();
  }

  /** What the table holds within {@link REACH} bits. One text is asked for in each space in turn, so the last is kept. */
  #stored(high: number, low: number): ReadonlyMap<number, Candidate> {
    if (this.#last?.high === high && this.#last.low === low) return this.#last.found;
    const found = new Map<number, Candidate>();
    const statement = this.#database.prepare('SELECT cell, entries FROM doc_candidate WHERE cell BETWEEN ? AND ?');
    for (let table = 0; table < TABLES; table++) {
      const value = blockOf(high, low, table);
      for (let flip = -1; flip < (BITS[table] ?? 0); flip++) {
        const cell = cellOf(table, flip < 0 ? value : value ^ (1 << flip), 0, 0);
        for (const { cell: at, entries } of statement.all(cell, cell + CELL_SPAN - 1))
          if (entries instanceof Uint8Array) scan(entries, { high, low, space: spaceOf(Number(at)), found });
      }
    }
    this.#last = { high, low, found };
    return found;
  }

  #insert(cell: number, id: number, high: number, low: number): void {
    const entries = this.#load(cell);
    if (entries !== undefined && positionOf(entries, id) !== -1) return;
    const grown = new Uint8Array((entries?.length ?? 0) + ENTRY);
    if (entries !== undefined) grown.set(entries);
    const view = new DataView(grown.buffer, grown.length - ENTRY);
    view.setUint32(0, high, true);
    view.setUint32(4, low, true);
    view.setUint32(8, id, true);
    this.#database.run('INSERT OR REPLACE INTO doc_candidate (cell, entries) VALUES (?, ?)', cell, grown);
  }

  #remove(cell: number, id: number): void {
    const entries = this.#load(cell);
    const at = entries === undefined ? -1 : positionOf(entries, id);
    if (entries === undefined || at === -1) return;
    if (entries.length === ENTRY) {
      this.#database.run('DELETE FROM doc_candidate WHERE cell = ?', cell);
      return;
    }
    const rest = new Uint8Array(entries.length - ENTRY);
    rest.set(entries.subarray(0, at));
    rest.set(entries.subarray(at + ENTRY), at);
    this.#database.run('UPDATE doc_candidate SET entries = ? WHERE cell = ?', rest, cell);
  }

  #load(cell: number): Uint8Array | undefined {
    return this.#database.get<{ entries: Uint8Array }>('SELECT entries FROM doc_candidate WHERE cell = ?', cell)
      ?.entries;
  }
}

function scan(
  entries: Uint8Array,
  query: {
    readonly high: number;
    readonly low: number;
    readonly space: Space;
    readonly found: Map<number, Candidate>;
  },
): void {
  const { high, low, space, found } = query;
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  for (let at = 0; at + ENTRY <= entries.length; at += ENTRY) {
    const distance = hamming64(high, low, view.getUint32(at, true), view.getUint32(at + 4, true));
    if (distance > REACH) continue;
    const id = view.getUint32(at + 8, true);
    found.set(id, { id, space, distance });
  }
}

const TABLES = 5;
/** Bits within which the five blocks find everything. */
const REACH = 9;
const BITS: readonly number[] = [13, 13, 13, 13, 12];
const ENTRY = 12;
/** Ids of one chunk of a cell: 128 entries on average. */
const CHUNK_IDS = 1 << 20;
const MAX_CHUNKS = 4096;
const CELL_SPAN = MAX_CHUNKS * SPACES.length;

/** Value of one block of the 64 bits. */
function blockOf(high: number, low: number, table: number): number {
  switch (table) {
    case 0:
      return low & 0x1fff;
    case 1:
      return (low >>> 13) & 0x1fff;
    case 2:
      return ((low >>> 26) | (high << 6)) & 0x1fff;
    case 3:
      return (high >>> 7) & 0x1fff;
    default:
      return high >>> 20;
  }
}

function cellOf(table: number, value: number, space: number, chunk: number): number {
  return ((table * 8192 + value) * SPACES.length + space) * MAX_CHUNKS + chunk;
}

function spaceOf(cell: number): Space {
  return SPACES[Math.floor(cell / MAX_CHUNKS) % SPACES.length] ?? 'none';
}

function positionOf(entries: Uint8Array, id: number): number {
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  for (let at = 0; at + ENTRY <= entries.length; at += ENTRY) if (view.getUint32(at + 8, true) === id) return at;
  return -1;
}
