import type { Transform } from 'node:stream';
import {
  brotliDecompress,
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';

export interface DecodedBody {
  readonly body: Uint8Array;
  /** length: cut at the cap; encoding: the stream was cut or damaged, `body` is what came before. */
  readonly truncated: 'length' | 'encoding' | undefined;
  /** Nothing of the stream could be decoded, and it is no plain text either. */
  readonly undecodable: boolean;
}

/**
 * Undoes Content-Encoding (RFC 9110 §8.4) the way browsers do: what is not encoded in spite of the header is kept as it
 * is, trailing bytes after the stream are ignored, a cut stream gives what it held. Memory stays near `maxBytes`
 * whatever the stream would grow to.
 */
export async function decodeBody(encoded: Uint8Array, contentEncoding: string, maxBytes: number): Promise<DecodedBody> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity' && coding !== 'none');
  let current: DecodedBody = { body: encoded, truncated: undefined, undecodable: false };
  if (encoded.length === 0) return current;
  for (const coding of codings.slice(0, MAX_CODINGS).reverse()) {
    const next = await decodeOne(current.body, coding, maxBytes);
    current = { ...next, truncated: current.truncated ?? next.truncated };
    if (current.undecodable) break;
  }
  return current.body.length > maxBytes
    ? { ...current, body: current.body.subarray(0, maxBytes), truncated: 'length' }
    : current;
}

/** More layers than any server uses; each may multiply the size by a thousand. */
const MAX_CODINGS = 3;
/** Bytes up to which decoding on this thread costs less than handing it over. */
const SYNC_BYTES = 48 * 1024;
/** Bytes of output at once: most pages fit, and need not be put together. */
const OUTPUT_BYTES = 64 * 1024;
/** Bytes fed at once to a damaged stream: what its last piece held is lost, so small bodies get small pieces. */
const PIECE_BYTES = { least: 64, most: 4096, share: 1 / 64 };

interface OutputOptions {
  readonly maxOutputLength: number;
  readonly chunkSize: number;
}

interface Codec {
  /** Undefined for codings whose streams begin anyhow. */
  readonly looksEncoded: ((head: Uint8Array) => boolean) | undefined;
  readonly sync: (data: Uint8Array, options: OutputOptions) => Buffer;
  readonly threaded: (
    data: Uint8Array,
    options: OutputOptions,
    done: (error: Error | null, result: Buffer) => void,
  ) => void;
  /** A stream that does not mind a missing end. */
  readonly stream: () => Transform & { bytesWritten: number };
}

const lenientZlib = { finishFlush: constants.Z_SYNC_FLUSH };
/** RFC 9659: a decoder for Content-Encoding need not accept windows over 8 MB. */
const zstdParams = { [constants.ZSTD_d_windowLogMax]: 23 };

const GZIP: Codec = {
  looksEncoded: (head) => head[0] === 0x1f && head[1] === 0x8b,
  sync: gunzipSync,
  threaded: gunzip,
  stream: () => createGunzip(lenientZlib),
};
const ZLIB: Codec = {
  looksEncoded: looksLikeZlib,
  sync: inflateSync,
  threaded: inflate,
  stream: () => createInflate(lenientZlib),
};
const RAW_DEFLATE: Codec = {
  looksEncoded: undefined,
  sync: inflateRawSync,
  threaded: inflateRaw,
  stream: () => createInflateRaw(lenientZlib),
};
const BROTLI: Codec = {
  looksEncoded: undefined,
  sync: brotliDecompressSync,
  threaded: brotliDecompress,
  stream: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};
const ZSTD: Codec = {
  looksEncoded: (head) => head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd,
  sync: (data, options) => zstdDecompressSync(data, { ...options, params: zstdParams }),
  threaded: (data, options, done) => zstdDecompress(data, { ...options, params: zstdParams }, done),
  stream: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush, params: zstdParams }),
};

function codecOf(coding: string, data: Uint8Array): Codec | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return GZIP;
  if (coding === 'deflate') return looksLikeZlib(data) ? ZLIB : RAW_DEFLATE;
  if (coding === 'br') return BROTLI;
  return coding === 'zstd' ? ZSTD : undefined;
}

/** RFC 1950 §2.2: method 8, and a header that is a multiple of 31. */
function looksLikeZlib(head: Uint8Array): boolean {
  const [first = 0, second = 0] = head;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

async function decodeOne(data: Uint8Array, coding: string, maxBytes: number): Promise<DecodedBody> {
  const codec = codecOf(coding, data);
  if (codec === undefined || codec.looksEncoded?.(data) === false) return verbatim(data);
  const whole = await decodeWhole(codec, data, maxBytes);
  if (whole !== undefined) return { body: whole, truncated: undefined, undecodable: false };
  const part = await decodePart(codec, data, maxBytes);
  if (part.body.length > 0 || !part.damaged) return part;
  return codec.looksEncoded === undefined ? verbatim(data) : { ...part, undecodable: true };
}

/** The whole stream, undefined when it is damaged, cut or longer than the cap. */
async function decodeWhole(codec: Codec, data: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  const options = { maxOutputLength: Math.max(1, maxBytes), chunkSize: OUTPUT_BYTES };
  if (data.length > SYNC_BYTES) {
    return new Promise((resolve) =>
      codec.threaded(data, options, (error, result) => resolve(error === null ? result : undefined)),
    );
  }
  try {
    return codec.sync(data, options);
  } catch {
    return undefined;
  }
}

/** As much as comes out before the cap, the damage or the missing end. */
async function decodePart(codec: Codec, data: Uint8Array, maxBytes: number): Promise<Part> {
  if (codec !== GZIP) return drain(codec.stream(), data, maxBytes);
  // Node takes what follows a gzip member for another member: read the deflate stream inside by itself.
  const header = gzipHeaderLength(data);
  const part = await drain(createInflateRaw(lenientZlib), data.subarray(header), maxBytes);
  const isWhole =
    part.truncated === 'encoding' && !part.damaged && header + part.consumed + GZIP_TRAILER_BYTES <= data.length;
  return isWhole ? { ...part, truncated: undefined } : part;
}

interface Part extends DecodedBody {
  /** The stream held something else than its coding. */
  readonly damaged: boolean;
  /** Bytes of the input that belong to the stream. */
  readonly consumed: number;
}

function drain(stream: Transform & { bytesWritten: number }, data: Uint8Array, maxBytes: number): Promise<Part> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (truncated: 'length' | 'encoding', damaged: boolean): void => {
      stream.destroy();
      const body = Buffer.concat(chunks, bytes);
      resolve({ body, truncated, undecodable: false, damaged, consumed: stream.bytesWritten });
    };
    stream.on('data', (chunk: Buffer) => {
      if (bytes >= maxBytes) return;
      const kept = chunk.subarray(0, maxBytes - bytes);
      chunks.push(kept);
      bytes += kept.length;
      if (bytes >= maxBytes) finish('length', false);
    });
    stream.on('error', () => finish('encoding', true));
    stream.on('end', () => finish('encoding', false));
    feed(stream, data);
  });
}

const GZIP_TRAILER_BYTES = 8;

/** Bytes before the deflate stream of a gzip member (RFC 1952 §2.3). */
function gzipHeaderLength(data: Uint8Array): number {
  const flags = data[3] ?? 0;
  let length = 10;
  if ((flags & 4) !== 0) length += 2 + (data[length] ?? 0) + 256 * (data[length + 1] ?? 0);
  for (const zeroEnded of [8, 16]) {
    if ((flags & zeroEnded) === 0) continue;
    const zero = data.indexOf(0, length);
    length = zero < 0 ? data.length : zero + 1;
  }
  return (flags & 2) === 0 ? length : length + 2;
}

/** Writes `data` piece by piece, each after the one before was taken. */
function feed(stream: Transform, data: Uint8Array): void {
  const { least, most, share } = PIECE_BYTES;
  const pieceBytes = Math.min(most, Math.max(least, Math.ceil(data.length * share)));
  let offset = 0;
  const next = (): void => {
    if (stream.destroyed) return;
    if (offset >= data.length) {
      stream.end();
      return;
    }
    const piece = data.subarray(offset, offset + pieceBytes);
    offset += pieceBytes;
    stream.write(piece, () => next());
  };
  next();
}

/** A body that is not encoded as its header says: its own text, unless it is no text. */
function verbatim(data: Uint8Array): DecodedBody {
  return { body: data, truncated: undefined, undecodable: !looksLikeText(data) };
}

/** No control bytes that no text has, in the first kilobyte. */
function looksLikeText(data: Uint8Array): boolean {
  const end = Math.min(data.length, 1024);
  const utf16 = (data[0] === 0xff && data[1] === 0xfe) || (data[0] === 0xfe && data[1] === 0xff);
  for (let index = 0; index < end && !utf16; index++) {
    const byte = data[index] ?? 0;
    if (byte < 9 || byte === 11 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) return false;
  }
  return true;
}
