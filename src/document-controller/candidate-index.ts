import { hamming64 } from '../kit/simhash.ts';
import type { Database } from '../kit/sqlite.ts';
import { BANDS, type Fingerprint } from './fingerprint.ts';
import { shareBand } from './near.ts';

/** Which texts an entry is among; 'none' has no entries. */
export type Space = 'representative' | 'duplicate' | 'garbage' | 'none';

/** What a text is found by. */
export type CandidateKeys = Pick<Fingerprint, 'high' | 'low' | 'bands'>;

export interface Candidate {
  readonly id: number;
  readonly space: Space;
  /** Bits in which the simhashes differ. */
  readonly distance: number;
}

interface Placed {
  readonly keys: CandidateKeys;
  /** Where the table has it. */
  readonly from: Space;
  readonly space: Space;
}

/**
 * Finds all texts whose simhash is within 9 bits, and all that share a min-hash band. The 64 bits are cut into 5 blocks
 * (4 × 13, 12); nine errors leave at least one block with at most one, so looking up each block's value and its 13
 * one-bit neighbours misses nothing: 69 look-ups, and one for each band. A text has 5 + 8 entries of 12 bytes in cells
 * that are blobs of at most {@link CHUNK} entries. Entries not yet flushed are searched one by one.
 */
export class CandidateIndex {
  readonly #database: Database;
  #pending = new Map<number, Placed>();
  #flushed = new Map<number, Placed>();
  #last: { readonly keys: CandidateKeys; readonly found: ReadonlyMap<number, Candidate> } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Moves a text from one space to another. The keys of an id never change. */
  place(text: CandidateKeys & { readonly id: number }, from: Space, space: Space): void {
    const first = this.#pending.get(text.id);
    const keys = first?.keys ?? { high: text.high, low: text.low, bands: text.bands };
    if (first !== undefined || from !== space) this.#pending.set(text.id, { keys, from: first?.from ?? from, space });
  }

  /** Texts within `maxDistance` (at most 9) bits or with a band in common, nearest first; ties by id. */
  near(keys: CandidateKeys, maxDistance: number): Candidate[] {
    const found: Candidate[] = [];
    for (const candidate of this.#stored(keys, maxDistance).values())
      if (!this.#pending.has(candidate.id)) found.push(candidate);
    for (const [id, placed] of this.#pending) {
      if (placed.space === 'none') continue;
      const distance = hamming64(keys.high, keys.low, placed.keys.high, placed.keys.low);
      if (distance <= maxDistance || shareBand(keys.bands, placed.keys.bands))
        found.push({ id, space: placed.space, distance });
    }
    return found.sort((a, b) => a.distance - b.distance || a.id - b.id);
  }

  /** Writes what is pending; runs inside the caller's transaction. */
  flush(): void {
    for (const [id, { keys, from, space }] of this.#pending) {
      if (from === space) continue;
      for (const cell of cellsOf(keys)) {
        if (from !== 'none') this.#remove(inSpace(cell, from), id);
        if (space !== 'none') this.#insert(inSpace(cell, space), id, keys);
      }
    }
    this.#last = undefined;
    this.#flushed = this.#pending;
    this.#pending = new Map();
  }

  /** What was flushed last is pending again. */
  rolledBack(): void {
    const pending = new Map(this.#flushed);
    for (const [id, placed] of this.#pending)
      pending.set(id, { ...placed, from: this.#flushed.get(id)?.from ?? placed.from });
    this.#last = undefined;
    this.#pending = pending;
    this.#flushed = new Map();
  }

  /** What the table holds. One text is asked for in each space in turn, so the last answer is kept. */
  #stored(keys: CandidateKeys, maxDistance: number): ReadonlyMap<number, Candidate> {
    if (this.#last !== undefined && areSame(this.#last.keys, keys)) return this.#last.found;
    const found = new Map<number, Candidate>();
    const cells = cellsOf(keys);
    for (let table = 0; table < TABLES; table++)
      for (let bit = 0; bit < (BITS[table] ?? 0); bit++) cells.push(neighbourOf(cells[table] ?? 0, table, bit));
    for (const { cell, entries } of this.#database.all<Chunk>(rangesSql(cells.length), ...cells)) {
      const reach = cell < TABLES * BLOCK_VALUES * CELL_SPAN ? maxDistance : 64;
      scan(entries, { keys, space: spaceOf(cell), reach, found });
    }
    this.#last = { keys, found };
    return found;
  }

  /** Appends to the last chunk of a cell, or begins the next when that is full. */
  #insert(cell: number, id: number, keys: CandidateKeys): void {
    const last = this.#database.get<Chunk>(
      'SELECT cell, entries FROM doc_candidate WHERE cell BETWEEN ? AND ? ORDER BY cell DESC LIMIT 1',
      cell,
      cell + MAX_CHUNKS - 1,
    );
    const isFull = last !== undefined && last.entries.length >= CHUNK * ENTRY && last.cell < cell + MAX_CHUNKS - 1;
    const before = isFull ? undefined : last?.entries;
    const entries = new Uint8Array((before?.length ?? 0) + ENTRY);
    if (before !== undefined) entries.set(before);
    const view = new DataView(entries.buffer, entries.length - ENTRY);
    view.setUint32(0, keys.high, true);
    view.setUint32(4, keys.low, true);
    view.setUint32(8, id, true);
    this.#save(isFull ? last.cell + 1 : (last?.cell ?? cell), entries);
  }

  #remove(cell: number, id: number): void {
    for (const row of this.#chunks(cell)) {
      const at = positionOf(row.entries, id);
      if (at === -1) continue;
      const rest = new Uint8Array(row.entries.length - ENTRY);
      rest.set(row.entries.subarray(0, at));
      rest.set(row.entries.subarray(at + ENTRY), at);
      this.#save(row.cell, rest);
    }
  }

  #chunks(cell: number): Chunk[] {
    return this.#database.all<Chunk>(
      'SELECT cell, entries FROM doc_candidate WHERE cell BETWEEN ? AND ?',
      cell,
      cell + MAX_CHUNKS - 1,
    );
  }

  #save(cell: number, entries: Uint8Array): void {
    if (entries.length === 0) this.#database.run('DELETE FROM doc_candidate WHERE cell = ?', cell);
    else this.#database.run('INSERT OR REPLACE INTO doc_candidate (cell, entries) VALUES (?, ?)', cell, entries);
  }
}

interface Chunk {
  readonly cell: number;
  readonly entries: Uint8Array;
}

const SPACES: readonly Space[] = ['representative', 'duplicate', 'garbage'];
const TABLES = 5;
const BITS: readonly number[] = [13, 13, 13, 13, 12];
const SHIFTS: readonly number[] = [0, 13, 26, 39, 52];
const ENTRY = 12;
/** Entries of a chunk: 1.5 kB are rewritten to add one, however many texts look alike. */
const CHUNK = 128;
const MAX_CHUNKS = 65_536;
const CELL_SPAN = MAX_CHUNKS * SPACES.length;
const BLOCK_VALUES = 1 << 13;
const BAND_VALUES = 1 << 20;

/** All chunks of so many cells in one statement: seventy statements cost four times as much. */
function rangesSql(cells: number): string {
  const values = Array.from({ length: cells }, () => '(?)').join(',');
  return `SELECT cell, entries FROM (VALUES ${values}) AS wanted
    CROSS JOIN doc_candidate ON cell BETWEEN wanted.column1 AND wanted.column1 + ${CELL_SPAN - 1}`;
}

/** First chunks of the cells a text belongs to: the simhash blocks, then the bands. */
function cellsOf({ high, low, bands }: CandidateKeys): number[] {
  const cells: number[] = [];
  for (let table = 0; table < TABLES; table++)
    cells.push((table * BLOCK_VALUES + blockOf(high, low, table)) * CELL_SPAN);
  for (let band = 0; band < Math.min(BANDS, bands.length); band++)
    cells.push((TABLES * BLOCK_VALUES + band * BAND_VALUES + ((bands[band] ?? 0) % BAND_VALUES)) * CELL_SPAN);
  return cells;
}

function areSame(a: CandidateKeys, b: CandidateKeys): boolean {
  return a.high === b.high && a.low === b.low && a.bands === b.bands;
}

function blockOf(high: number, low: number, table: number): number {
  const shift = SHIFTS[table] ?? 0;
  if (shift >= 32) return (high >>> (shift - 32)) & 0x1fff;
  return shift + 13 <= 32 ? (low >>> shift) & 0x1fff : ((low >>> shift) | (high << (32 - shift))) & 0x1fff;
}

function neighbourOf(cell: number, table: number, bit: number): number {
  const value = Math.floor(cell / CELL_SPAN) - table * BLOCK_VALUES;
  return (table * BLOCK_VALUES + (value ^ (1 << bit))) * CELL_SPAN;
}

function inSpace(cell: number, space: Space): number {
  return cell + SPACES.indexOf(space) * MAX_CHUNKS;
}

function spaceOf(cell: number): Space {
  return SPACES[Math.floor(cell / MAX_CHUNKS) % SPACES.length] ?? 'none';
}

function scan(
  entries: Uint8Array,
  query: {
    readonly keys: CandidateKeys;
    readonly space: Space;
    readonly reach: number;
    readonly found: Map<number, Candidate>;
  },
): void {
  const { keys, space, reach, found } = query;
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  for (let at = 0; at + ENTRY <= entries.length; at += ENTRY) {
    const distance = hamming64(keys.high, keys.low, view.getUint32(at, true), view.getUint32(at + 4, true));
    if (distance > reach) continue;
    const id = view.getUint32(at + 8, true);
    found.set(id, { id, space, distance });
  }
}

function positionOf(entries: Uint8Array, id: number): number {
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  for (let at = 0; at + ENTRY <= entries.length; at += ENTRY) if (view.getUint32(at + 8, true) === id) return at;
  return -1;
}
