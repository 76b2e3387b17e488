import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FetchRequest } from '../model/fetch.ts';
import { type Answer, HTML, ok, page, Site, testFetcher } from './test-support.ts';

let site: Site;
beforeAll(async () => {
  site = await Site.start();
});
afterAll(() => site.server.close());

describe('bodies', () => {
  it('N1 keeps a plain body that is called gzip', async () => {
    site.answers['/n1'] = () => ok('<p>plain</p>', 'Content-Encoding: gzip\r\n');
    expect(page(await site.get('/n1'))).toEqual({ text: '<p>plain</p>', truncated: undefined, requests: 1 });
  });

  it('N2 ignores what follows the gzip member', async () => {
    site.answers['/n2'] = () =>
      ok(Buffer.concat([gzipSync('<p>one</p>'), Buffer.from('<!-- x -->')]), 'Content-Encoding: gzip\r\n');
    expect(page(await site.get('/n2'))).toMatchObject({ text: '<p>one</p>', truncated: undefined });
  });

  it('N3 keeps a cut gzip stream and flags it', async () => {
    site.answers['/n3'] = () => ok(gzipSync('<p>whole text</p>').subarray(0, -6), 'Content-Encoding: gzip\r\n');
    expect(page(await site.get('/n3'))).toMatchObject({ text: '<p>whole text</p>', truncated: 'encoding' });
  });

  it('N4 flags a chunked body that ends before its last chunk', async () => {
    site.answers['/n4'] = () => [`HTTP/1.1 200 OK\r\n${HTML}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, 'close'];
    expect(page(await site.get('/n4'))).toMatchObject({ text: 'hello', truncated: 'disconnect' });
  });

  it('N5 keeps the bytes of a body shorter than Content-Length', async () => {
    site.answers['/n5'] = () => [`HTTP/1.1 200 OK\r\n${HTML}Content-Length: 100\r\n\r\nhello`, 'close'];
    expect(page(await site.get('/n5'))).toMatchObject({ text: 'hello', truncated: 'disconnect' });
  });

  it('N5 nothing of the body: failed, not an empty page', async () => {
    site.answers['/n5-nothing'] = () => [`HTTP/1.1 200 OK\r\n${HTML}Content-Length: 100\r\n\r\n`, 'close'];
    expect(await site.get('/n5-nothing')).toMatchObject({
      kind: 'failed',
      reason: 'protocol',
      response: { status: 200 },
    });
  });

  it('N6 takes no more than Content-Length and uses the connection no more', async () => {
    site.answers['/n6'] = () => `HTTP/1.1 200 OK\r\n${HTML}Content-Length: 3\r\n\r\nabcdef`;
    const fetcher = testFetcher({});
    const first = await fetcher.fetch({ url: `${site.server.url}/n6`, purpose: 'page' });
    const second = await fetcher.fetch({ url: `${site.server.url}/n6`, purpose: 'page' });
    expect([page(first).text, page(second).text]).toEqual(['abc', 'abc']);
    expect(fetcher.counters().connections).toBe(2);
    await fetcher.close();
  });

  it.each([
    ['both lengths', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', '5\r\nhello\r\n0\r\n\r\n'],
    ['both lengths, the other order', 'Transfer-Encoding: chunked\r\nContent-Length: 3\r\n', '5\r\nhello\r\n0\r\n\r\n'],
    ['two equal lengths', 'Content-Length: 5\r\nContent-Length: 5\r\n', 'hello'],
  ])('N7 %s: fetched', async (_name, framing, body) => {
    site.answers['/n7'] = () => `HTTP/1.1 200 OK\r\n${HTML}${framing}\r\n${body}`;
    expect(page(await site.get('/n7'))).toMatchObject({ text: 'hello', truncated: undefined, requests: 2 });
  });

  it.each([1, 7, 1000])('N7 in pieces of %i bytes', async (size) => {
    const text = 'some text '.repeat(50);
    const chunks = text.replace(/.{1,23}/g, (part) => `${part.length.toString(16)};x=y\r\n${part}\r\n`);
    const bytes = `HTTP/1.1 200 OK\r\n${HTML}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
    const pieces = bytes.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    site.answers['/n7-pieces'] = () => pieces.flatMap((piece) => [piece, 'pause 0']);
    expect(page(await site.get('/n7-pieces'))).toMatchObject({ text, truncated: undefined });
    expect(page(await site.get('/n7-pieces', { maxEncodedBytes: 100 }))).toMatchObject({
      text: text.slice(0, 100),
      truncated: 'length',
    });
  });

  it('N7 cut and dripping bodies are flagged as they are otherwise', async () => {
    const head = `HTTP/1.1 200 OK\r\n${HTML}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`;
    site.answers['/n7-cut'] = () => [`${head}5\r\nhello\r\n9\r\nwor`, 'close'];
    expect(page(await site.get('/n7-cut'))).toMatchObject({ text: 'hellowor', truncated: 'disconnect' });
    site.answers['/n7-hang'] = () => [`${head}5\r\nhello\r\n`, 'hang'];
    expect(page(await site.get('/n7-hang', { totalTimeoutMs: 400 }))).toMatchObject({
      text: 'hello',
      truncated: 'time',
    });
  });

  it('N7 two different lengths: protocol', async () => {
    site.answers['/n7-different'] = () =>
      `HTTP/1.1 200 OK\r\n${HTML}Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello`;
    expect(await site.get('/n7-different')).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  it.each([
    ['bare line feeds', `HTTP/1.1 200 OK\nContent-Type: text/html\n\nhello`],
    ['lower case', 'http/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['header without colon', 'HTTP/1.1 200 OK\r\nbroken header\r\n\r\nhello'],
    ['header cut', 'HTTP/1.1 200 OK\r\nContent-Ty'],
  ])('N8 %s: protocol', async (_name, bytes) => {
    site.answers['/n8'] = () => [bytes, 'close'];
    expect(await site.get('/n8')).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  it('N9 reads a header of 20,000 bytes', async () => {
    site.answers['/n9'] = () => ok('fine', `X-Long: ${'x'.repeat(20_000)}\r\n`);
    expect(page(await site.get('/n9')).text).toBe('fine');
  });

  it('N9 headers over the limit: protocol', async () => {
    site.answers['/n9-more'] = () => ok('fine', `X-Long: ${'x'.repeat(200_000)}\r\n`);
    expect(await site.get('/n9-more')).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  it('R6 stops at the decompressed limit and flags it', async () => {
    site.answers['/r6'] = () => ok(gzipSync(Buffer.alloc(1024 * 1024)), 'Content-Encoding: gzip\r\n');
    const outcome = await site.get('/r6', { maxBodyBytes: 4096 });
    expect(page(outcome).truncated).toBe('length');
    expect(outcome.kind === 'page' && outcome.response.body.length).toBe(4096);
  });

  it('R7 R9 takes Content-Length as that of the encoded form, decodes once', async () => {
    const text = 'x'.repeat(2941);
    site.answers['/r9'] = () => ok(gzipSync(text), 'Content-Encoding: gzip\r\n');
    const outcome = await site.get('/r9');
    expect(page(outcome)).toMatchObject({ text, truncated: undefined });
    expect(outcome.kind === 'page' && outcome.response.encodedBody.length).toBe(gzipSync(text).length);
  });

  it('cuts a body at the encoded limit', async () => {
    site.answers['/long'] = () => ok('y'.repeat(10_000));
    const outcome = await site.get('/long', { maxEncodedBytes: 1000 });
    expect(page(outcome)).toMatchObject({ text: 'y'.repeat(1000), truncated: 'length' });
  });

  it('does not ask for a body announced as far too large', async () => {
    site.answers['/huge'] = () => `HTTP/1.1 200 OK\r\n${HTML}Content-Length: 99999999\r\n\r\nstart`;
    expect(await site.get('/huge')).toMatchObject({ kind: 'failed', reason: 'too-large', response: { status: 200 } });
  });

  it('reads a body that ends with the connection', async () => {
    site.answers['/eof'] = () => [`HTTP/1.0 200 OK\r\n${HTML}\r\nhello`, 'close'];
    expect(page(await site.get('/eof'))).toMatchObject({ text: 'hello', truncated: undefined });
  });

  it('gives an empty page for 204', async () => {
    site.answers['/204'] = () => 'HTTP/1.1 204 No Content\r\n\r\n';
    expect(page(await site.get('/204')).text).toBe('');
  });
});

describe('time', () => {
  const drip =
    (every: number): Answer =>
    () => [`HTTP/1.1 200 OK\r\n${HTML}\r\n`, `drip ${every}`];

  it('N11 R14 ends a drip, other hosts are not held up', async () => {
    site.answers['/drip'] = drip(50);
    site.answers['/fast'] = () => ok('fast');
    const fetcher = testFetcher({ graceMs: 300, minBytesPerSecond: 1000 });
    const slow = fetcher.fetch({ url: `${site.server.url}/drip`, purpose: 'page' });
    expect(page(await fetcher.fetch({ url: `${site.server.url}/fast`, purpose: 'page' })).text).toBe('fast');
    expect(await slow).toMatchObject({ kind: 'failed', reason: 'timeout', response: { truncated: 'time' } });
    await fetcher.close();
  });

  it('N11 the total time ends what the rate allows; what came is kept', async () => {
    site.answers['/drip-long'] = drip(20);
    const outcome = await site.get('/drip-long', { totalTimeoutMs: 400, minBytesPerSecond: 0 });
    expect(page(outcome).truncated).toBe('time');
    expect(page(outcome).text).toMatch(/^\.+$/);
  });

  it('N11 a page that came and then hangs is kept, flagged', async () => {
    site.answers['/hang'] = () => [`HTTP/1.1 200 OK\r\n${HTML}Content-Length: 9000\r\n\r\n${'z'.repeat(2000)}`, 'hang'];
    expect(page(await site.get('/hang', { graceMs: 300, minBytesPerSecond: 1000 }))).toMatchObject({
      text: 'z'.repeat(2000),
      truncated: 'time',
    });
  });

  it('ends a wait for headers', async () => {
    site.answers['/silent'] = () => ['hang'];
    expect(await site.get('/silent', { headersTimeoutMs: 200 })).toMatchObject({
      kind: 'failed',
      reason: 'timeout',
      requests: 1,
    });
  });

  it('an aborted signal rejects, before and during', async () => {
    site.answers['/silent'] = () => ['hang'];
    const fetcher = testFetcher({});
    const request: FetchRequest = { url: `${site.server.url}/silent`, purpose: 'page' };
    await expect(fetcher.fetch(request, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    const controller = new AbortController();
    const waiting = fetcher.fetch(request, controller.signal);
    setTimeout(() => controller.abort(new Error('stop')), 50);
    await expect(waiting).rejects.toThrow('stop');
    await fetcher.close();
  });

  it('close ends what is under way', async () => {
    site.answers['/silent'] = () => ['hang'];
    const fetcher = testFetcher({});
    const waiting = fetcher.fetch({ url: `${site.server.url}/silent`, purpose: 'page' });
    setTimeout(() => fetcher.close(), 50);
    expect(await waiting).toMatchObject({ kind: 'failed', reason: 'connect' });
    expect(await fetcher.fetch({ url: `${site.server.url}/silent`, purpose: 'page' })).toMatchObject({
      kind: 'failed',
    });
  });
});
