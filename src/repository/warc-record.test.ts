import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMember } from './gzip-members.ts';
import { TEST_CAPTURE, testResponse } from './test-support.ts';
import { parseRecord, parseResponse, type StoredResponse, type WarcRecord } from './warc-parse.ts';
import { buildCapture, buildRevisit, sha1, type WarcCapture } from './warc-record.ts';

function recordsOf(capture: WarcCapture): WarcRecord[] {
  const records: WarcRecord[] = [];
  let rest = Buffer.from(capture.bytes);
  while (rest.length > 0) {
    const member = readMember(rest, 1 << 24);
    if (member.kind !== 'member') throw new Error(member.kind);
    const parsed = parseRecord(member.content, 0);
    if (parsed.kind !== 'record') throw new Error(parsed.kind);
    expect(parsed.end).toBe(member.content.length);
    records.push(parsed.record);
    rest = rest.subarray(member.length);
  }
  return records;
}

function readBack(capture: WarcCapture): StoredResponse {
  const [record] = recordsOf(capture);
  const response = record && parseResponse(record, 1 << 20);
  if (response === undefined) throw new Error('no response');
  return response;
}

describe('a captured answer', () => {
  it('W1: a chunked answer is stored without its chunks, Transfer-Encoding renamed, the length told', () => {
    const capture = buildCapture(
      testResponse({
        text: 'hello',
        rawHeaders: ['transfer-encoding', 'chunked', 'X-Odd', 'caf\u00e9'],
        headers: { 'transfer-encoding': 'chunked', 'x-odd': 'caf\u00e9' },
      }),
      TEST_CAPTURE,
    );
    const [record, request] = recordsOf(capture);
    expect(record?.block.toString('latin1')).toBe(
      'HTTP/1.1 200 OK\r\nX-Crawler-transfer-encoding: chunked\r\nX-Odd: caf\u00e9\r\nContent-Length: 5\r\n\r\nhello',
    );
    // SHA-1 of 'hello' in base 32, from the known digest aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d.
    expect(record?.fields.get('warc-payload-digest')).toBe('sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N');
    expect(record?.fields.get('warc-ip-address')).toBe('127.0.0.2');
    expect(request?.fields.get('warc-concurrent-to')).toBe(`<${capture.recordId}>`);
    expect(request?.block.toString()).toBe(
      'GET /a?b=1 HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: winnow-test\r\n\r\n',
    );
  });

  it('keeps a Content-Length that is right and renames one that is not', () => {
    const head = (value: string) =>
      recordsOf(buildCapture(testResponse({ text: 'abc', rawHeaders: ['Content-Length', value] }), TEST_CAPTURE))[0]
        ?.block.toString()
        .split('\r\n')
        .slice(1, -2);
    expect(head('3')).toEqual(['Content-Length: 3']);
    expect(head('900')).toEqual(['X-Crawler-Content-Length: 900', 'Content-Length: 3']);
  });

  it('cannot be made to hold forged fields by line ends in what the server sent', () => {
    const capture = buildCapture(
      testResponse({ statusText: 'OK\r\nX-A: 1', rawHeaders: ['B', 'c\r\n\r\nd'], address: '1\r\nX: y' }),
      TEST_CAPTURE,
    );
    expect(readBack(capture).rawHeaders).toEqual(['B', 'c d', 'Content-Length', '20']);
    expect(recordsOf(capture)[0]?.fields.has('x')).toBe(false);
  });

  it.each(['length', 'time', 'disconnect', 'encoding'] as const)('says that it was cut: %s', (truncated) => {
    const capture = buildCapture(testResponse({ truncated }), TEST_CAPTURE);
    const record = recordsOf(capture)[0];
    // WARC 1.1 §5.13 knows the first three; a body with a broken coding is whole.
    expect(record?.fields.get('warc-truncated')).toBe(truncated === 'encoding' ? undefined : truncated);
    expect(readBack(capture).truncated).toBe(truncated);
  });

  it('gives back any bytes, and the body decoded', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 3000 }),
        fc.constantFrom('', 'gzip', 'zstd', 'zstd, gzip'),
        (bytes, coding) => {
          const zstd = coding.includes('zstd') ? zstdCompressSync(bytes) : bytes;
          const encoded = coding.includes('gzip') ? gzipSync(zstd) : zstd;
          const rawHeaders = coding === '' ? [] : ['Content-Encoding', coding];
          const stored = readBack(buildCapture(testResponse({ encodedBody: encoded, rawHeaders }), TEST_CAPTURE));
          expect(Buffer.compare(stored.encodedBody, encoded)).toBe(0);
          expect(Buffer.compare(stored.body, bytes)).toBe(0);
        },
      ),
    );
  });

  it('gives what can be decoded of a cut gzip body, and the raw bytes of a broken one', () => {
    const gzip = gzipSync(Buffer.from('many words '.repeat(2000)));
    const read = (encodedBody: Uint8Array) =>
      readBack(buildCapture(testResponse({ encodedBody, rawHeaders: ['content-encoding', 'gzip'] }), TEST_CAPTURE));
    expect(Buffer.from(read(gzip.subarray(0, gzip.length - 12)).body).toString()).toMatch(/^many words many/);
    const broken = read(Buffer.from('not gzip at all'));
    expect(Buffer.from(broken.body).toString()).toBe('not gzip at all');
    expect(broken.problems).toHaveLength(1);
  });
});

describe('a revisit', () => {
  const original = buildCapture(testResponse({ text: 'same' }), TEST_CAPTURE);
  const target = { ...original, url: 'http://shop.example/a?b=1' };

  it('W4: has the profile of WARC 1.1 for a body with the same digest', () => {
    const [record] = recordsOf(buildRevisit(testResponse({ text: 'same' }), target, TEST_CAPTURE));
    expect(record?.type).toBe('revisit');
    expect(record?.fields.get('warc-profile')).toBe('http://netpreserve.org/warc/1.1/revisit/identical-payload-digest');
    expect(record?.fields.get('warc-refers-to')).toBe(`<${original.recordId}>`);
    expect(record?.fields.get('warc-refers-to-date')).toBe(original.date);
    expect(record?.fields.get('warc-payload-digest')).toBe(sha1(Buffer.from('same')));
    expect(record?.block.toString()).toBe('HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n');
  });

  it('W4: names the other profile for a 304', () => {
    const [record] = recordsOf(
      buildRevisit(testResponse({ status: 304, statusText: 'Not Modified' }), target, TEST_CAPTURE),
    );
    expect(record?.fields.get('warc-profile')).toBe('http://netpreserve.org/warc/1.1/revisit/server-not-modified');
  });
});
