import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import type { HttpResponse } from '../model/fetch.ts';
import { RENAMED } from './warc-record.ts';

/** One WARC record. Field names are lower case; the first of several equal ones counts. */
export interface WarcRecord {
  readonly type: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly block: Buffer;
}

export type ParsedRecord =
  /** `end`: offset after the record and its closing line ends. */
  | { readonly kind: 'record'; readonly record: WarcRecord; readonly end: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'damaged'; readonly detail: string };

/** Reads the record that starts at `from`. `cut`: the bytes end before the record does. */
export function parseRecord(bytes: Buffer, from: number): ParsedRecord {
  const start = skipLineEnds(bytes, from);
  const prefix = bytes.toString('latin1', start, start + 5);
  if (prefix !== 'WARC/') return prefix === 'WARC/'.slice(0, prefix.length) ? { kind: 'cut' } : NOT_A_RECORD;
  const head = findHeadEnd(bytes, start);
  if (head === undefined) return { kind: 'cut' };
  const fields = parseFields(bytes.toString('utf8', start, head.end));
  const length = Number(fields.get('content-length') ?? 'missing');
  if (!Number.isSafeInteger(length) || length < 0) return { kind: 'damaged', detail: 'Content-Length is not a number' };
  const end = head.next + length;
  if (bytes.length < end) return { kind: 'cut' };
  const record = { type: fields.get('warc-type') ?? '', fields, block: bytes.subarray(head.next, end) };
  return { kind: 'record', record, end: skipLineEnds(bytes, end) };
}

/** A stored answer read back. `body` is undefined where the content coding cannot be undone. */
export interface StoredResponse {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  /** As stored: renamed fields keep their new name. */
  readonly rawHeaders: readonly string[];
  /** Lower-case names, values joined by ', ' (set-cookie by '\n'); Transfer-Encoding and the like left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly encodedBody: Uint8Array;
  readonly body: Uint8Array;
  readonly truncated: HttpResponse['truncated'];
  readonly address: string | undefined;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly problems: readonly string[];
}

/** The HTTP answer inside a response or revisit record; undefined when the block is none. */
export function parseResponse(record: WarcRecord, maxBodyBytes: number): StoredResponse | undefined {
  const head = findHeadEnd(record.block, 0);
  const text = record.block.toString('latin1', 0, head?.end ?? record.block.length);
  const lines = text.split(/\r?\n/);
  const status = /^HTTP\/(\d(?:\.\d)?) +(\d{3})(?: +(.*))?$/.exec(lines[0] ?? '');
  if (status === null) return undefined;
  const rawHeaders = unfold(lines.slice(1)).flatMap(splitField);
  const headers = joinHeaders(rawHeaders);
  const stored = record.block.subarray(head?.next ?? record.block.length);
  const chunked = /\bchunked\b/i.test(headers['transfer-encoding'] ?? '');
  const encodedBody = chunked ? removeChunks(stored) : stored;
  const decoded = decodeContent(encodedBody, headers['content-encoding'] ?? '', maxBodyBytes);
  return {
    url: (record.fields.get('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1'),
    status: Number(status[2]),
    statusText: status[3] ?? '',
    httpVersion: status[1] ?? '1.1',
    rawHeaders,
    headers,
    encodedBody,
    body: decoded.body,
    truncated: truncationOf(record),
    address: record.fields.get('warc-ip-address'),
    fetchedAt: Date.parse(record.fields.get('warc-date') ?? ''),
    problems: decoded.problems,
  };
}

const NOT_A_RECORD = { kind: 'damaged', detail: 'no WARC record starts here' } as const;

function truncationOf(record: WarcRecord): HttpResponse['truncated'] {
  const reason = record.fields.get('warc-truncated') ?? record.fields.get('x-crawler-truncated');
  if (reason === undefined) return undefined;
  return reason === 'time' || reason === 'disconnect' || reason === 'encoding' ? reason : 'length';
}

/** Undoes the codings of Content-Encoding from the last to the first; what can be decoded of a cut body is kept. */
function decodeContent(
  encoded: Uint8Array,
  header: string,
  maxBytes: number,
): { readonly body: Uint8Array; readonly problems: readonly string[] } {
  let body = encoded;
  const codings = header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  for (const coding of codings.reverse()) {
    if (coding === '' || coding === 'identity') continue;
    try {
      body = decodeOnce(body, coding, maxBytes);
    } catch (error) {
      return { body, problems: [`content coding ${coding}: ${error instanceof Error ? error.message : 'broken'}`] };
    }
  }
  return { body, problems: [] };
}

function decodeOnce(bytes: Uint8Array, coding: string, maxOutputLength: number): Uint8Array {
  const tolerant = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(bytes, tolerant);
    case 'deflate':
      // Servers send both the zlib form that RFC 9110 asks for and bare deflate.
      return ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) + (bytes[1] ?? 0)) % 31 === 0
        ? inflateSync(bytes, tolerant)
        : inflateRawSync(bytes, tolerant);
    case 'br':
      return brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case 'zstd':
      return zstdDecompressSync(bytes, { maxOutputLength, finishFlush: constants.ZSTD_e_flush });
    default:
      throw new Error('unknown');
  }
}

/** For files of other writers that keep the chunks; a cut or broken chunk ends the body. */
function removeChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf(0x0a, at);
    const size = lineEnd === -1 ? undefined : /^\s*([0-9a-f]{1,8})/i.exec(bytes.toString('latin1', at, lineEnd))?.[1];
    // A body that is not chunked after all is kept as it is.
    if (size === undefined) return parts.length === 0 ? bytes : Buffer.concat(parts);
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    parts.push(bytes.subarray(lineEnd + 1, lineEnd + 1 + length));
    at = lineEnd + 1 + length;
    if (bytes[at] === 0x0d) at++;
    if (bytes[at] === 0x0a) at++;
  }
  return Buffer.concat(parts);
}

function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of unfold(text.split(/\r?\n/).slice(1))) {
    const [name, value] = splitField(line);
    if (name !== undefined && value !== undefined && !fields.has(name.toLowerCase()))
      fields.set(name.toLowerCase(), value);
  }
  return fields;
}

/** Lines that begin with white space continue the one before. */
function unfold(lines: readonly string[]): string[] {
  const whole: string[] = [];
  for (const line of lines) {
    const last = whole.length - 1;
    if (/^[ \t]/.test(line) && last >= 0) whole[last] = `${whole[last]} ${line.trim()}`;
    else if (line !== '') whole.push(line);
  }
  return whole;
}

function splitField(line: string): string[] {
  const colon = line.indexOf(':');
  return colon <= 0 ? [] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

function joinHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  const renamed = RENAMED.toLowerCase();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    if (name.startsWith(renamed)) continue;
    const value = raw[i + 1] ?? '';
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}${name === 'set-cookie' ? '\n' : ', '}${value}`;
  }
  return headers;
}

/** A head without an end within this many bytes is none: keeps the search linear in files with many records. */
const MAX_HEAD_BYTES = 1 << 20;

function findHeadEnd(bytes: Buffer, from: number): { readonly end: number; readonly next: number } | undefined {
  const window = bytes.subarray(from, from + MAX_HEAD_BYTES);
  const crlf = window.indexOf('\r\n\r\n', 0, 'latin1');
  const lf = window.indexOf('\n\n', 0, 'latin1');
  if (crlf !== -1 && (lf === -1 || crlf < lf)) return { end: from + crlf, next: from + crlf + 4 };
  return lf === -1 ? undefined : { end: from + lf, next: from + lf + 2 };
}

function skipLineEnds(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x0d || bytes[at] === 0x0a) at++;
  return at;
}
