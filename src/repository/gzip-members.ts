import { crc32, inflateRawSync } from 'node:zlib';

export type MemberOutcome =
  | { readonly kind: 'member'; readonly content: Buffer; readonly length: number }
  /** More input may complete it. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'damaged'; readonly detail: string };

/** Decompresses the one gzip member (RFC 1952) that starts at the first byte and says how long it is. */
export function readMember(bytes: Buffer, maxContentBytes: number): MemberOutcome {
  const start = headerLength(bytes);
  if (typeof start !== 'number') return start;
  let inflated: { content: Buffer; consumed: number };
  try {
    inflated = inflate(bytes.subarray(start), maxContentBytes);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'Z_BUF_ERROR') return { kind: 'cut' };
    return { kind: 'damaged', detail: error instanceof Error ? error.message : 'cannot be decompressed' };
  }
  const end = start + inflated.consumed;
  if (bytes.length < end + 8) return { kind: 'cut' };
  if (bytes.readUInt32LE(end) !== crc32(inflated.content) || bytes.readUInt32LE(end + 4) !== inflated.content.length)
    return { kind: 'damaged', detail: 'checksum of the gzip member does not match' };
  return { kind: 'member', content: inflated.content, length: end + 8 };
}

/** Position at or after `from` where a gzip member may start, or -1. */
export function findMember(bytes: Buffer, from: number): number {
  return bytes.indexOf(MAGIC, from);
}

const MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);

function inflate(bytes: Buffer, maxContentBytes: number): { content: Buffer; consumed: number } {
  const result: unknown = inflateRawSync(bytes, { maxOutputLength: maxContentBytes, info: true });
  // With `info` Node returns the engine too, which counts the input it consumed; its types do not say so.
  const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
  return { content: buffer, consumed: engine.bytesWritten };
}

function headerLength(bytes: Buffer): number | Exclude<MemberOutcome, { kind: 'member' }> {
  if (bytes.length < 10) return { kind: 'cut' };
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return { kind: 'damaged', detail: 'no gzip member' };
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & 4) {
    if (bytes.length < at + 2) return { kind: 'cut' };
    at += 2 + bytes.readUInt16LE(at);
  }
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, at);
    if (zero === -1) return { kind: 'cut' };
    at = zero + 1;
  }
  if (flags & 2) at += 2;
  return at > bytes.length ? { kind: 'cut' } : at;
}
