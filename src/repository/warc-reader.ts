import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { findMember, readMember } from './gzip-members.ts';
import { type ParsedRecord, parseRecord, type WarcRecord } from './warc-parse.ts';

export type WarcItem =
  /** `offset` and `length` are those of the gzip member, or of the record in a file that is not compressed. */
  | { readonly kind: 'record'; readonly record: WarcRecord; readonly offset: number; readonly length: number }
  | { readonly kind: 'problem'; readonly detail: string; readonly offset: number };

export interface ReadLimits {
  /** Bytes of one gzip member decompressed, or of one record: what is larger is reported and passed over. */
  readonly maxRecordBytes: number;
}

/**
 * All records of a WARC file, compressed or not, in order. Damage is reported where it begins; reading goes on at the
 * next place where a gzip member or a record starts. Memory: one member, compressed and not.
 */
export function* readWarcFile(path: string, limits: ReadLimits): Generator<WarcItem> {
  const source = new FileWindow(path);
  try {
    const head = source.bytes(0, RECORD_MAGIC.length);
    const isPlain = head.equals(RECORD_MAGIC);
    // The name decides when the damage is in the first bytes.
    const compressed = head.subarray(0, 2).equals(GZIP_MAGIC) || (!isPlain && path.endsWith('.gz'));
    yield* compressed ? readCompressed(source, limits) : readPlain(source, limits);
  } finally {
    source.close();
  }
}

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const RECORD_MAGIC = Buffer.from('WARC/1.');
const FIRST_WINDOW = 256 * 1024;

function* readCompressed(source: FileWindow, limits: ReadLimits): Generator<WarcItem> {
  let offset = 0;
  let inDamage = false;
  while (offset < source.size) {
    const outcome = memberAt(source, offset, limits);
    if (outcome.kind === 'member') {
      inDamage = false;
      yield* recordsOf(outcome.content, offset, outcome.length);
      offset += outcome.length;
      continue;
    }
    const detail = outcome.kind === 'cut' ? 'the gzip member is cut off' : outcome.detail;
    if (!inDamage) yield { kind: 'problem', detail, offset };
    inDamage = true;
    offset = source.find(offset + 1, (bytes) => findMember(bytes, 0));
  }
}

function memberAt(source: FileWindow, offset: number, limits: ReadLimits): ReturnType<typeof readMember> {
  // Compressed data is at most slightly longer than its content.
  const most = limits.maxRecordBytes + limits.maxRecordBytes / 8 + 1024;
  for (let size = FIRST_WINDOW; ; size *= 4) {
    const bytes = source.bytes(offset, Math.min(size, most));
    const outcome = readMember(bytes, limits.maxRecordBytes);
    if (outcome.kind !== 'cut' || offset + bytes.length >= source.size) return outcome;
    if (size >= most) return { kind: 'damaged', detail: 'the gzip member is too large' };
  }
}

/** A member should hold one record; files that hold several or all of them in one member are read too. */
function* recordsOf(content: Buffer, offset: number, length: number): Generator<WarcItem> {
  let at = 0;
  while (at < content.length) {
    const parsed = parseRecord(content, at);
    if (parsed.kind !== 'record') {
      yield { kind: 'problem', detail: detailOf(parsed), offset };
      return;
    }
    yield { kind: 'record', record: parsed.record, offset, length };
    at = parsed.end;
  }
}

function* readPlain(source: FileWindow, limits: ReadLimits): Generator<WarcItem> {
  let offset = 0;
  while (offset < source.size) {
    const parsed = recordAt(source, offset, limits);
    if (parsed.kind === 'record') {
      yield { kind: 'record', record: parsed.record, offset, length: parsed.end };
      offset += parsed.end;
      continue;
    }
    yield { kind: 'problem', detail: detailOf(parsed), offset };
    offset = source.find(offset + 1, (bytes) => bytes.indexOf(RECORD_MAGIC));
  }
}

function recordAt(source: FileWindow, offset: number, limits: ReadLimits): ParsedRecord {
  for (let size = FIRST_WINDOW; ; size *= 4) {
    const bytes = source.bytes(offset, size);
    const parsed = parseRecord(bytes, 0);
    if (parsed.kind !== 'cut' || offset + bytes.length >= source.size) return parsed;
    if (size > limits.maxRecordBytes) return { kind: 'damaged', detail: 'the record is too large' };
  }
}

function detailOf(parsed: Exclude<ParsedRecord, { kind: 'record' }>): string {
  return parsed.kind === 'cut' ? 'the record is cut off' : parsed.detail;
}

/** Reads ranges of a file. */
class FileWindow {
  readonly size: number;
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.size = fstatSync(this.#file).size;
  }

  bytes(offset: number, length: number): Buffer {
    const wanted = Math.max(0, Math.min(length, this.size - offset));
    const buffer = Buffer.allocUnsafe(wanted);
    let read = 0;
    while (read < wanted) {
      const count = readSync(this.#file, buffer, read, wanted - read, offset + read);
      if (count === 0) break;
      read += count;
    }
    return buffer.subarray(0, read);
  }

  /** The offset from `from` on where `search` finds something in a stretch of the file; its size when nowhere. */
  find(from: number, search: (bytes: Buffer) => number): number {
    // Stretches overlap so that a mark of up to 8 bytes on their border is seen.
    for (let offset = from; offset < this.size; offset += FIRST_WINDOW - 8) {
      const at = search(this.bytes(offset, FIRST_WINDOW));
      if (at !== -1) return offset + at;
    }
    return this.size;
  }

  close(): void {
    closeSync(this.#file);
  }
}
