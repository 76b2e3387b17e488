import { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';

const SLICE = 64 * 1024;

/**
 * The bytes as they are, or inflated when they begin as gzip does, whatever name or header said; gzip in gzip too (a
 * server that compresses its .gz file once more). Yields what a cut or damaged stream still gives, then throws when it
 * is damaged. Memory does not grow with the inflated size.
 */
export async function* unzip(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* inflate(slices(bytes), 2);
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SLICE) yield bytes.subarray(start, start + SLICE);
}

async function* inflate(source: AsyncIterable<Uint8Array>, layers: number): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const whole = resume(first.value, iterator);
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!isGzip || layers === 0) yield* whole;
  else yield* inflate(Readable.from(whole).pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })), layers - 1);
}

async function* resume(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
