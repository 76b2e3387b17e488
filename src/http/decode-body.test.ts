import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBody } from './decode-body.ts';

const TEXT = `<html><body>${Array.from({ length: 12_000 }, (_, at) => `<p>Paragraph ${at * 7919} of the text</p>`).join('')}</body></html>`;
const ENCODERS: Record<string, (data: Buffer) => Buffer> = {
  gzip: (data) => gzipSync(data),
  'x-gzip': (data) => gzipSync(data),
  deflate: (data) => deflateSync(data),
  br: (data) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (data) => zstdCompressSync(data),
};
const CAP = 10_000_000;

async function decode(
  data: Uint8Array,
  coding: string,
  cap = CAP,
): Promise<{ text: string; truncated: string | undefined; undecodable: boolean }> {
  const { body, truncated, undecodable } = await decodeBody(data, coding, cap);
  return { text: Buffer.from(body).toString(), truncated, undecodable };
}

const whole = (text: string): object => ({ text, truncated: undefined, undecodable: false });

describe('decodeBody', () => {
  it.each(Object.keys(ENCODERS))('R8 %s, small and large', async (coding) => {
    const encode = ENCODERS[coding] ?? Buffer.from;
    expect(await decode(encode(Buffer.from('hello')), coding.toUpperCase())).toEqual(whole('hello'));
    const random = Buffer.from(Array.from({ length: 90_000 }, (_, at) => 32 + ((at * at * 31) % 91)));
    expect(await decode(encode(random), ` ${coding} `)).toEqual(whole(random.toString()));
  });

  it('deflate without the zlib wrapper', async () => {
    expect(await decode(deflateRawSync(TEXT), 'deflate')).toEqual(whole(TEXT));
  });

  it('several codings are undone from the last', async () => {
    expect(await decode(brotliCompressSync(gzipSync(TEXT)), 'gzip, br')).toEqual(whole(TEXT));
    expect(await decode(gzipSync(gzipSync(TEXT)), 'gzip, gzip')).toEqual(whole(TEXT));
  });

  it.each(['identity', '', 'none', 'utf-8', 'unheard-of'])('%j leaves text as it is', async (coding) => {
    expect(await decode(Buffer.from(TEXT), coding)).toEqual(whole(TEXT));
  });

  it.each([...Object.keys(ENCODERS), 'gzip, br'])('N1 plain text called %s is kept', async (coding) => {
    expect(await decode(Buffer.from('<p>plain</p>'), coding)).toEqual(whole('<p>plain</p>'));
  });

  it.each(Object.keys(ENCODERS))('N2 %s: what follows the stream is ignored', async (coding) => {
    const encode = ENCODERS[coding] ?? Buffer.from;
    for (const junk of ['<!-- x -->', '\0\0\0', '\x1f\x8b broken member', 'j'.repeat(100_000)]) {
      expect(await decode(Buffer.concat([encode(Buffer.from(TEXT)), Buffer.from(junk, 'latin1')]), coding)).toEqual(
        whole(TEXT),
      );
    }
  });

  it('two gzip members are one text; optional header fields are passed over', async () => {
    expect(await decode(Buffer.concat([gzipSync('one '), gzipSync('two')]), 'gzip')).toEqual(whole('one two'));
    const plain = gzipSync('named');
    const named = Buffer.concat([
      plain.subarray(0, 3),
      Buffer.from([8 | 4]),
      plain.subarray(4, 10),
      Buffer.from('\x02\0xxname\0'),
      plain.subarray(10),
    ]);
    expect(await decode(Buffer.concat([named, Buffer.from('junk')]), 'gzip')).toEqual(whole('named'));
  });

  it.each(Object.keys(ENCODERS))('N3 %s: a cut stream gives what it held', async (coding) => {
    const encoded = (ENCODERS[coding] ?? Buffer.from)(Buffer.from(TEXT));
    const { text, truncated, undecodable } = await decode(
      encoded.subarray(0, Math.floor(encoded.length * 0.7)),
      coding,
    );
    expect({ truncated, undecodable }).toEqual({ truncated: 'encoding', undecodable: false });
    expect(text.length).toBeGreaterThan(TEXT.length / 4);
    expect(TEXT.startsWith(text)).toBe(true);
  });

  it('N3 a gzip trailer cut short loses nothing, and is flagged', async () => {
    for (const missing of [1, 6, 8]) {
      expect(await decode(gzipSync(TEXT).subarray(0, -missing), 'gzip')).toEqual({
        text: TEXT,
        truncated: 'encoding',
        undecodable: false,
      });
    }
  });

  it('a stream damaged in its middle gives its beginning', async () => {
    const encoded = gzipSync(TEXT);
    encoded.fill(0xff, encoded.length / 2);
    const { text, truncated } = await decode(encoded, 'gzip');
    expect(truncated).toBe('encoding');
    expect(text.length).toBeGreaterThan(TEXT.length / 4);
    expect(TEXT.startsWith(text.slice(0, TEXT.length / 4))).toBe(true);
  });

  it('gzip of nothing is nothing', async () => {
    expect(await decode(gzipSync(''), 'gzip')).toEqual(whole(''));
    expect(await decode(Buffer.alloc(0), 'gzip')).toEqual(whole(''));
  });

  it('says so when bytes are neither decodable nor text', async () => {
    const noise = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff, 1, 2, 3]);
    expect((await decode(noise, 'gzip')).undecodable).toBe(true);
    expect((await decode(Buffer.from([0xff, 0, 1, 2, 0xff, 0xfe, 3, 4]), 'br')).undecodable).toBe(true);
  });

  it.each(Object.keys(ENCODERS))('R6 %s: output ends at the cap, memory stays flat', async (coding) => {
    const bomb = (ENCODERS[coding] ?? Buffer.from)(Buffer.alloc(100_000_000));
    const before = process.memoryUsage().rss;
    const { body, truncated } = await decodeBody(bomb, coding, 4096);
    expect([body.length, truncated]).toEqual([4096, 'length']);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('a bomb inside a bomb is cut at each layer', async () => {
    const { body, truncated } = await decodeBody(gzipSync(gzipSync(Buffer.alloc(50_000_000))), 'gzip, gzip', 4096);
    expect(truncated).toBe('length');
    expect(body.length).toBeLessThanOrEqual(4096);
  });

  it('any bytes under any coding give an answer within the cap', async () => {
    const coding = fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'gzip, br', 'x');
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), coding, async (bytes, name) => {
        const magic = name === 'gzip' ? Buffer.concat([gzipSync('abc').subarray(0, 10), bytes]) : bytes;
        expect((await decodeBody(magic, name, 1000)).body.length).toBeLessThanOrEqual(1000);
      }),
      { numRuns: 300 },
    );
  });
});
