import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { HttpResponse } from '../model/fetch.ts';

/** The request as it was sent, for the rebuilt request record. */
export interface CapturedRequest {
  readonly method: string;
  /** Names and values; Host is added when missing. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
}

/** A captured answer ready to be appended: gzip members, one a record. */
export interface WarcCapture {
  readonly bytes: Uint8Array;
  /** Length of the first member (the response or revisit record); what follows belongs to it. */
  readonly length: number;
  /** `urn:uuid:…`, without angle brackets. */
  readonly recordId: string;
  /** ISO 8601, UTC, as written in WARC-Date. */
  readonly date: string;
  /** `sha1:…` in base 32, of the payload. */
  readonly payloadDigest: string;
}

export interface CaptureOptions {
  readonly request: CapturedRequest;
  /** Gives a new UUID at each call. */
  readonly newId: () => string;
}

/** The earlier capture that a revisit record points at. */
export interface RevisitTarget {
  readonly recordId: string;
  readonly url: string;
  readonly date: string;
  readonly payloadDigest: string;
}

/**
 * Response record and rebuilt request record of one answer (WARC 1.1, §6.2 and §6.4). The block holds status line and
 * headers as received and the body after transfer-decoding, before content-decoding; so Transfer-Encoding is renamed
 * and Content-Length tells the length stored. Costs CPU (SHA-1, gzip): meant for a worker thread.
 */
export function buildCapture(response: HttpResponse, options: CaptureOptions): WarcCapture {
  const payload = response.encodedBody;
  const block = Buffer.concat([httpHead(response, payload.length), payload]);
  const recordId = `urn:uuid:${options.newId()}`;
  const date = new Date(response.startedAt).toISOString();
  const payloadDigest = sha1(payload);
  const head = warcHead([
    ['WARC-Type', 'response'],
    ['WARC-Record-ID', `<${recordId}>`],
    ['WARC-Date', date],
    ['WARC-Target-URI', response.url],
    ['WARC-IP-Address', response.address],
    ['WARC-Payload-Digest', payloadDigest],
    ['WARC-Block-Digest', sha1(block)],
    ...truncationFields(response.truncated),
    ['Content-Type', 'application/http; msgtype=response'],
    ['Content-Length', String(block.length)],
  ]);
  const member = gzipRecord(head, block, response.headers['content-encoding'] === undefined);
  const request = requestRecord(response, options, { recordId, date });
  return { bytes: Buffer.concat([member, request]), length: member.length, recordId, date, payloadDigest };
}

/**
 * Revisit record (WARC 1.1, §6.7) for a page that came back the same: by a 304, or by a body with the payload digest
 * already held. Holds the headers received and no body.
 */
export function buildRevisit(response: HttpResponse, target: RevisitTarget, options: CaptureOptions): WarcCapture {
  const profile = response.status === 304 ? 'server-not-modified' : 'identical-payload-digest';
  const block = httpHead(response, undefined);
  const recordId = `urn:uuid:${options.newId()}`;
  const date = new Date(response.startedAt).toISOString();
  const head = warcHead([
    ['WARC-Type', 'revisit'],
    ['WARC-Record-ID', `<${recordId}>`],
    ['WARC-Date', date],
    ['WARC-Target-URI', response.url],
    ['WARC-IP-Address', response.address],
    ['WARC-Profile', `http://netpreserve.org/warc/1.1/revisit/${profile}`],
    ['WARC-Refers-To', `<${target.recordId}>`],
    ['WARC-Refers-To-Target-URI', target.url],
    ['WARC-Refers-To-Date', target.date],
    ['WARC-Payload-Digest', target.payloadDigest],
    ['WARC-Block-Digest', sha1(block)],
    ['Content-Type', 'application/http; msgtype=response'],
    ['Content-Length', String(block.length)],
  ]);
  const member = gzipRecord(head, block, true);
  const request = requestRecord(response, options, { recordId, date });
  const payloadDigest = target.payloadDigest;
  return { bytes: Buffer.concat([member, request]), length: member.length, recordId, date, payloadDigest };
}

/** The record every file begins with (WARC 1.1, §6.1): who wrote it. */
export function buildWarcinfo(options: {
  readonly fileName: string;
  readonly software: string;
  readonly at: number;
  readonly newId: () => string;
}): Uint8Array {
  const block = Buffer.from(
    `software: ${oneLine(options.software)}\r\nformat: WARC File Format 1.1\r\n` +
      'conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n',
  );
  const head = warcHead([
    ['WARC-Type', 'warcinfo'],
    ['WARC-Record-ID', `<urn:uuid:${options.newId()}>`],
    ['WARC-Date', new Date(options.at).toISOString()],
    ['WARC-Filename', options.fileName],
    ['WARC-Block-Digest', sha1(block)],
    ['Content-Type', 'application/warc-fields'],
    ['Content-Length', String(block.length)],
  ]);
  return gzipRecord(head, block, true);
}

/** `sha1:` and the digest in base 32 (RFC 4648), the form archives write. */
export function sha1(bytes: Uint8Array): string {
  return `sha1:${base32(createHash('sha1').update(bytes).digest())}`;
}

type Field = readonly [string, string | undefined];

function requestRecord(
  response: HttpResponse,
  options: CaptureOptions,
  of: { readonly recordId: string; readonly date: string },
): Uint8Array {
  const { method, headers, body } = options.request;
  const url = new URL(response.url);
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host');
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`];
  if (!hasHost) lines.push(`Host: ${url.host}`);
  for (const [name, value] of headers) lines.push(`${oneLine(name)}: ${oneLine(value)}`);
  const payload = body ?? new Uint8Array(0);
  const block = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), payload]);
  const head = warcHead([
    ['WARC-Type', 'request'],
    ['WARC-Record-ID', `<urn:uuid:${options.newId()}>`],
    ['WARC-Date', of.date],
    ['WARC-Target-URI', response.url],
    ['WARC-Concurrent-To', `<${of.recordId}>`],
    ['WARC-Payload-Digest', sha1(payload)],
    ['WARC-Block-Digest', sha1(block)],
    ['Content-Type', 'application/http; msgtype=request'],
    ['Content-Length', String(block.length)],
  ]);
  return gzipRecord(head, block, true);
}

/** `bodyLength` undefined: no body is stored, and the Content-Length received stands. */
function httpHead(response: HttpResponse, bodyLength: number | undefined): Buffer {
  const version = response.httpVersion.startsWith('HTTP/') ? response.httpVersion : `HTTP/${response.httpVersion}`;
  const lines = [`${version} ${response.status} ${oneLine(response.statusText)}`];
  const raw = response.rawHeaders;
  let lengthWritten = false;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = oneLine(raw[i] ?? '');
    const value = oneLine(raw[i + 1] ?? '');
    const lower = name.toLowerCase();
    const isRightLength = lower === 'content-length' && value.trim() === String(bodyLength) && !lengthWritten;
    const changed = lower === 'transfer-encoding' || (lower === 'content-length' && bodyLength !== undefined);
    if (isRightLength) lengthWritten = true;
    lines.push(changed && !isRightLength ? `${RENAMED}${name}: ${value}` : `${name}: ${value}`);
  }
  if (bodyLength !== undefined && !lengthWritten) lines.push(`Content-Length: ${bodyLength}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** Put before the names of header fields that no longer tell the truth about the stored form. */
export const RENAMED = 'X-Crawler-';

/** WARC knows no word for a body whose content coding is broken: its block is whole. */
function truncationFields(truncated: HttpResponse['truncated']): readonly Field[] {
  if (truncated === undefined) return [];
  return truncated === 'encoding' ? [['X-Crawler-Truncated', truncated]] : [['WARC-Truncated', truncated]];
}

function warcHead(fields: readonly Field[]): Buffer {
  let text = 'WARC/1.1\r\n';
  for (const [name, value] of fields) if (value !== undefined) text += `${name}: ${oneLine(value)}\r\n`;
  return Buffer.from(`${text}\r\n`);
}

/** Header values cannot hold line ends; one that did would forge fields. */
function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, ' ') : text;
}

const RECORD_END = Buffer.from('\r\n\r\n');

/**
 * Bodies that came compressed do not shrink again: the fastest level is enough for them. For others level 3 takes 0.6 of
 * the time of level 6 and 7 % more bytes (documentation pages).
 */
function gzipRecord(head: Uint8Array, block: Uint8Array, compressible: boolean): Buffer {
  return gzipSync(Buffer.concat([head, block, RECORD_END]), { level: compressible ? 3 : 1 });
}

/** Whole groups of five bytes only (SHA-1 has 20), so no padding arises. */
function base32(bytes: Uint8Array): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >>> bits) & 31];
    }
  }
  return text;
}
