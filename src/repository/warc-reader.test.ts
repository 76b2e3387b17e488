import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { TEST_CAPTURE, testResponse } from './test-support.ts';
import { parseResponse } from './warc-parse.ts';
import { readWarcFile } from './warc-reader.ts';
import { buildCapture } from './warc-record.ts';

const folder = mkdtempSync(join(tmpdir(), 'winnow-reader-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const captures = ['first', 'second', 'third'].map((text) => buildCapture(testResponse({ text }), TEST_CAPTURE));
const whole = Buffer.concat(captures.map((capture) => capture.bytes));
const plain = gunzipSync(whole);

/** Bodies of the responses read, and what was reported. */
function read(bytes: Uint8Array, maxRecordBytes = 1 << 20): { bodies: string[]; problems: string[] } {
  const path = join(folder, 'test.warc.gz');
  writeFileSync(path, bytes);
  const bodies: string[] = [];
  const problems: string[] = [];
  for (const item of readWarcFile(path, { maxRecordBytes })) {
    if (item.kind === 'problem') problems.push(item.detail);
    else if (item.record.type === 'response')
      bodies.push(Buffer.from(parseResponse(item.record, 1 << 20)?.body ?? '').toString());
  }
  return { bodies, problems };
}

describe('reading WARC files', () => {
  it('W3: reads a file that is one gzip member, and one that is not compressed', () => {
    const bodies = ['first', 'second', 'third'];
    expect(read(gzipSync(plain))).toEqual({ bodies, problems: [] });
    expect(read(plain)).toEqual({ bodies, problems: [] });
    expect(read(whole)).toEqual({ bodies, problems: [] });
  });

  it('W6: a cut anywhere is reported and the records before it are kept', () => {
    for (const bytes of [whole, plain])
      fc.assert(
        fc.property(fc.integer({ min: 1, max: bytes.length - 5 }), (length) => {
          const { bodies, problems } = read(bytes.subarray(0, length));
          expect(['first', 'second', 'third'].slice(0, bodies.length)).toEqual(bodies);
          expect(bodies.length).toBeLessThan(4);
          expect(problems.length).toBeLessThan(3);
          if (bodies.length < 2) expect(length).toBeLessThan(bytes.length * 0.8);
        }),
        { numRuns: 60 },
      );
    const [first] = captures;
    const cut = read(whole.subarray(0, (first?.bytes.length ?? 0) + 20));
    expect(cut).toEqual({ bodies: ['first'], problems: ['the gzip member is cut off'] });
  });

  it.each(['WARC/1.0', 'WARC/1.0\r\n', 'WARC/1.0\r\nWARC-Type: response\r\n', ''])('W6: only %j', (text) => {
    expect(read(Buffer.from(text)).bodies).toEqual([]);
    expect(read(Buffer.from(text)).problems).toHaveLength(text === '' ? 0 : 1);
    expect(read(gzipSync(text)).bodies).toEqual([]);
  });

  it('W6: damage in the middle costs the records it hits and no others', () => {
    const members = Buffer.from(whole);
    members.fill(0x5a, (captures[0]?.bytes.length ?? 0) + 30, (captures[0]?.bytes.length ?? 0) + 90);
    expect(read(members)).toEqual({ bodies: ['first', 'third'], problems: [expect.any(String)] });
    const records = Buffer.from(plain);
    const second = records.lastIndexOf('WARC/1.1', records.indexOf('second'));
    records.fill(0x5a, second, second + 8);
    expect(read(records)).toEqual({ bodies: ['first', 'third'], problems: ['no WARC record starts here'] });
  });

  it('passes over a record above the limit and bombs of zeros', () => {
    const big = buildCapture(testResponse({ text: '0'.repeat(3_000_000) }), TEST_CAPTURE);
    const { bodies, problems } = read(Buffer.concat([big.bytes, whole]), 100_000);
    expect(bodies).toEqual(['first', 'second', 'third']);
    expect(problems.length).toBe(1);
  });

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, asMember) => {
        const { bodies } = read(asMember ? gzipSync(Buffer.concat([Buffer.from('WARC/1.1\r\n'), bytes])) : bytes);
        expect(bodies).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
