import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FetchOutcome, FetchRequest } from '../model/fetch.ts';
import type { HttpOptions } from './options.ts';
import { proxyFromEnvironment } from './proxy.ts';
import { type RawServer, startRawServer, testFetcher, textOf } from './test-support.ts';

/** Answers by path; the request's head is passed on. */
type Answer = (head: string, times: number) => string | Buffer | readonly (string | Buffer)[];

const HTML = 'Content-Type: text/html\r\n';
const ok = (body: string | Buffer, headers = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\n${HTML}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`),
    Buffer.from(body),
  ]);
const status = (line: string, headers = '', body = ''): string =>
  `HTTP/1.1 ${line}\r\n${HTML}${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
const redirect = (location: string, headers = ''): string => status('302 Found', `Location: ${location}\r\n${headers}`);

const answers: Record<string, Answer> = {};
let server: RawServer;

beforeAll(async () => {
  server = await startRawServer(
    (path, head, times) => answers[path]?.(head, times) ?? status('404 Not Found', '', 'no'),
  );
});
afterAll(() => server.close());

async function get(
  path: string,
  options: Partial<HttpOptions> = {},
  request: Partial<FetchRequest> = {},
): Promise<FetchOutcome> {
  const fetcher = testFetcher(options);
  try {
    return await fetcher.fetch({ url: server.url + path, purpose: 'page', ...request });
  } finally {
    await fetcher.close();
  }
}

function page(outcome: FetchOutcome): { text: string; truncated: string | undefined; requests: number } {
  if (outcome.kind !== 'page') throw new Error(`${outcome.kind}: ${JSON.stringify(outcome)}`);
  return {
    text: textOf(outcome.response.body),
    truncated: outcome.response.truncated,
    requests: outcome.response.requests,
  };
}

describe('bodies', () => {
  it('N1 keeps a plain body that is called gzip', async () => {
    answers['/n1'] = () => ok('<p>plain</p>', 'Content-Encoding: gzip\r\n');
    expect(page(await get('/n1'))).toEqual({ text: '<p>plain</p>', truncated: undefined, requests: 1 });
  });

  it('N2 ignores what follows the gzip member', async () => {
    answers['/n2'] = () =>
      ok(Buffer.concat([gzipSync('<p>one</p>'), Buffer.from('<!-- x -->')]), 'Content-Encoding: gzip\r\n');
    expect(page(await get('/n2'))).toMatchObject({ text: '<p>one</p>', truncated: undefined });
  });

  it('N3 keeps a cut gzip stream and flags it', async () => {
    answers['/n3'] = () => ok(gzipSync('<p>whole text</p>').subarray(0, -6), 'Content-Encoding: gzip\r\n');
    expect(page(await get('/n3'))).toMatchObject({ text: '<p>whole text</p>', truncated: 'encoding' });
  });

  it('N4 flags a chunked body that ends before its last chunk', async () => {
    answers['/n4'] = () => [`HTTP/1.1 200 OK\r\n${HTML}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, 'close'];
    expect(page(await get('/n4'))).toMatchObject({ text: 'hello', truncated: 'disconnect' });
  });

  it('N5 keeps the bytes of a body shorter than Content-Length', async () => {
    answers['/n5'] = () => [`HTTP/1.1 200 OK\r\n${HTML}Content-Length: 100\r\n\r\nhello`, 'close'];
    expect(page(await get('/n5'))).toMatchObject({ text: 'hello', truncated: 'disconnect' });
  });

  it('N5 nothing of the body: failed, not an empty page', async () => {
    answers['/n5-nothing'] = () => [`HTTP/1.1 200 OK\r\n${HTML}Content-Length: 100\r\n\r\n`, 'close'];
    expect(await get('/n5-nothing')).toMatchObject({ kind: 'failed', reason: 'protocol', response: { status: 200 } });
  });

  it('N6 takes no more than Content-Length and uses the connection no more', async () => {
    answers['/n6'] = () => `HTTP/1.1 200 OK\r\n${HTML}Content-Length: 3\r\n\r\nabcdef`;
    const fetcher = testFetcher({});
    const first = await fetcher.fetch({ url: `${server.url}/n6`, purpose: 'page' });
    const second = await fetcher.fetch({ url: `${server.url}/n6`, purpose: 'page' });
    expect([page(first).text, page(second).text]).toEqual(['abc', 'abc']);
    expect(fetcher.counters().connections).toBe(2);
    await fetcher.close();
  });

  it.each([
    ['both lengths', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', '5\r\nhello\r\n0\r\n\r\n'],
    ['both lengths, the other order', 'Transfer-Encoding: chunked\r\nContent-Length: 3\r\n', '5\r\nhello\r\n0\r\n\r\n'],
    ['two equal lengths', 'Content-Length: 5\r\nContent-Length: 5\r\n', 'hello'],
  ])('N7 %s: fetched', async (_name, framing, body) => {
    answers['/n7'] = () => `HTTP/1.1 200 OK\r\n${HTML}${framing}\r\n${body}`;
    expect(page(await get('/n7'))).toMatchObject({ text: 'hello', truncated: undefined, requests: 2 });
  });

  it('N7 two different lengths: protocol', async () => {
    answers['/n7-different'] = () => `HTTP/1.1 200 OK\r\n${HTML}Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello`;
    expect(await get('/n7-different')).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  it.each([
    ['bare line feeds', `HTTP/1.1 200 OK\nContent-Type: text/html\n\nhello`],
    ['lower case', 'http/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['header without colon', 'HTTP/1.1 200 OK\r\nbroken header\r\n\r\nhello'],
    ['header cut', 'HTTP/1.1 200 OK\r\nContent-Ty'],
  ])('N8 %s: protocol', async (_name, bytes) => {
    answers['/n8'] = () => [bytes, 'close'];
    expect(await get('/n8')).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  it('N9 reads a header of 20,000 bytes', async () => {
    answers['/n9'] = () => ok('fine', `X-Long: ${'x'.repeat(20_000)}\r\n`);
    expect(page(await get('/n9')).text).toBe('fine');
  });

  it('N9 headers over the limit: protocol', async () => {
    answers['/n9-more'] = () => ok('fine', `X-Long: ${'x'.repeat(200_000)}\r\n`);
    expect(await get('/n9-more')).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  it('R6 stops at the decompressed limit and flags it', async () => {
    answers['/r6'] = () => ok(gzipSync(Buffer.alloc(1024 * 1024)), 'Content-Encoding: gzip\r\n');
    const outcome = await get('/r6', { maxBodyBytes: 4096 });
    expect(page(outcome).truncated).toBe('length');
    expect(outcome.kind === 'page' && outcome.response.body.length).toBe(4096);
  });

  it('R7 R9 takes Content-Length as that of the encoded form, decodes once', async () => {
    const text = 'x'.repeat(2941);
    answers['/r9'] = () => ok(gzipSync(text), 'Content-Encoding: gzip\r\n');
    const outcome = await get('/r9');
    expect(page(outcome)).toMatchObject({ text, truncated: undefined });
    expect(outcome.kind === 'page' && outcome.response.encodedBody.length).toBe(gzipSync(text).length);
  });

  it('cuts a body at the encoded limit', async () => {
    answers['/long'] = () => ok('y'.repeat(10_000));
    const outcome = await get('/long', { maxEncodedBytes: 1000 });
    expect(page(outcome)).toMatchObject({ text: 'y'.repeat(1000), truncated: 'length' });
  });

  it('does not ask for a body announced as far too large', async () => {
    answers['/huge'] = () => `HTTP/1.1 200 OK\r\n${HTML}Content-Length: 99999999\r\n\r\nstart`;
    expect(await get('/huge')).toMatchObject({ kind: 'failed', reason: 'too-large', response: { status: 200 } });
  });

  it('reads a body that ends with the connection', async () => {
    answers['/eof'] = () => [`HTTP/1.0 200 OK\r\n${HTML}\r\nhello`, 'close'];
    expect(page(await get('/eof'))).toMatchObject({ text: 'hello', truncated: undefined });
  });

  it('gives an empty page for 204', async () => {
    answers['/204'] = () => 'HTTP/1.1 204 No Content\r\n\r\n';
    expect(page(await get('/204')).text).toBe('');
  });
});

describe('time', () => {
  const drip =
    (every: number): Answer =>
    () => [`HTTP/1.1 200 OK\r\n${HTML}\r\n`, `drip ${every}`];

  it('N11 R14 ends a drip, other hosts are not held up', async () => {
    answers['/drip'] = drip(50);
    answers['/fast'] = () => ok('fast');
    const fetcher = testFetcher({ graceMs: 300, minBytesPerSecond: 1000 });
    const slow = fetcher.fetch({ url: `${server.url}/drip`, purpose: 'page' });
    expect(page(await fetcher.fetch({ url: `${server.url}/fast`, purpose: 'page' })).text).toBe('fast');
    expect(await slow).toMatchObject({ kind: 'failed', reason: 'timeout', response: { truncated: 'time' } });
    await fetcher.close();
  });

  it('N11 the total time ends what the rate allows; what came is kept', async () => {
    answers['/drip-long'] = drip(20);
    const outcome = await get('/drip-long', { totalTimeoutMs: 400, minBytesPerSecond: 0 });
    expect(page(outcome).truncated).toBe('time');
    expect(page(outcome).text).toMatch(/^\.+$/);
  });

  it('N11 a page that came and then hangs is kept, flagged', async () => {
    answers['/hang'] = () => [`HTTP/1.1 200 OK\r\n${HTML}Content-Length: 9000\r\n\r\n${'z'.repeat(2000)}`, 'hang'];
    expect(page(await get('/hang', { graceMs: 300, minBytesPerSecond: 1000 }))).toMatchObject({
      text: 'z'.repeat(2000),
      truncated: 'time',
    });
  });

  it('ends a wait for headers', async () => {
    answers['/silent'] = () => ['hang'];
    expect(await get('/silent', { headersTimeoutMs: 200 })).toMatchObject({
      kind: 'failed',
      reason: 'timeout',
      requests: 1,
    });
  });

  it('an aborted signal rejects, before and during', async () => {
    answers['/silent'] = () => ['hang'];
    const fetcher = testFetcher({});
    const request: FetchRequest = { url: `${server.url}/silent`, purpose: 'page' };
    await expect(fetcher.fetch(request, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    const controller = new AbortController();
    const waiting = fetcher.fetch(request, controller.signal);
    setTimeout(() => controller.abort(new Error('stop')), 50);
    await expect(waiting).rejects.toThrow('stop');
    await fetcher.close();
  });

  it('close ends what is under way', async () => {
    answers['/silent'] = () => ['hang'];
    const fetcher = testFetcher({});
    const waiting = fetcher.fetch({ url: `${server.url}/silent`, purpose: 'page' });
    setTimeout(() => fetcher.close(), 50);
    expect(await waiting).toMatchObject({ kind: 'failed', reason: 'connect' });
    expect(await fetcher.fetch({ url: `${server.url}/silent`, purpose: 'page' })).toMatchObject({ kind: 'failed' });
  });
});

describe('redirects', () => {
  it('R1 a cookie set on the way is sent: 200 in two requests', async () => {
    answers['/r1'] = (head) => (/cookie: k=1/i.test(head) ? ok('in') : redirect('/r1', 'Set-Cookie: k=1\r\n'));
    expect(page(await get('/r1'))).toEqual({ text: 'in', truncated: undefined, requests: 2 });
  });

  it('R17 an Expires that cannot be read does not drop the cookie', async () => {
    answers['/r17'] = (head) =>
      /cookie: k=1/i.test(head) ? ok('in') : redirect('/r17', 'Set-Cookie: k=1; expires=31-12-2001 10:00\r\n');
    expect(page(await get('/r17')).text).toBe('in');
  });

  it('cookies end with the chain and stay with their host', async () => {
    const other = await startRawServer((_path, head) => ok(/cookie/i.test(head) ? 'leaked' : 'clean'), '127.0.0.2');
    answers['/set'] = () => redirect(`${other.url}/`, 'Set-Cookie: k=1\r\n');
    answers['/look'] = (head) => ok(/cookie/i.test(head) ? 'leaked' : 'clean');
    const fetcher = testFetcher({});
    expect(page(await fetcher.fetch({ url: `${server.url}/set`, purpose: 'page' })).text).toBe('clean');
    expect(page(await fetcher.fetch({ url: `${server.url}/look`, purpose: 'page' })).text).toBe('clean');
    await fetcher.close();
    await other.close();
  });

  it.each([
    ['R3 A to B to A', { '/a': '/b', '/b': '/a' }, '/a', 2],
    ['R3 A to A', { '/self': '/self' }, '/self', 1],
  ])('%s: redirect-loop', async (_name, edges, start, requests) => {
    for (const [from, to] of Object.entries(edges)) answers[from] = () => redirect(to);
    expect(await get(start)).toMatchObject({ kind: 'failed', reason: 'redirect-loop', requests });
  });

  it('R1 R3 without progress a chain ends at the limit', async () => {
    answers['/count'] = (_head, times) => redirect('/count', `Set-Cookie: n=${times}\r\n`);
    const outcome = await get('/count');
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'redirect-limit', requests: 21 });
  });

  it('robots.txt is followed over five redirects, not six', async () => {
    for (let step = 0; step < 6; step++) answers[`/robots-${step}`] = () => redirect(`/robots-${step + 1}`);
    answers['/robots-6'] = () => ok('User-agent: *');
    expect((await get('/robots-1', {}, { purpose: 'robots' })).kind).toBe('page');
    expect(await get('/robots-0', {}, { purpose: 'robots' })).toMatchObject({
      kind: 'failed',
      reason: 'redirect-limit',
    });
  });

  it('N10 a Location of raw UTF-8 bytes', async () => {
    answers['/n10'] = () => Buffer.from(redirect('/café?q=é'), 'utf8');
    answers['/caf%C3%A9?q=%C3%A9'] = () => ok('café');
    expect(page(await get('/n10')).text).toBe('café');
  });

  it('hops are told; fragments go', async () => {
    answers['/from'] = () => redirect('to?x=1#part');
    answers['/to?x=1'] = () => ok('there');
    const outcome = await get('/from');
    expect(outcome).toMatchObject({
      kind: 'page',
      response: {
        url: `${server.url}/to?x=1`,
        hops: [{ url: `${server.url}/from`, status: 302, target: `${server.url}/to?x=1` }],
      },
    });
  });

  it('asks before following; a refusal is a redirect outcome', async () => {
    let asked = 0;
    answers['/out'] = () => redirect('/inner');
    answers['/inner'] = () => {
      asked++;
      return ok('inner');
    };
    const seen: string[] = [];
    const outcome = await get(
      '/out',
      {},
      {
        followRedirect: (from, target) => {
          seen.push(`${from} ${target}`);
          return false;
        },
      },
    );
    expect(outcome).toMatchObject({
      kind: 'redirect',
      target: `${server.url}/inner`,
      response: { status: 302, hops: [] },
    });
    expect(seen).toEqual([`${server.url}/out ${server.url}/inner`]);
    expect(asked).toBe(0);
  });

  it.each([
    ['302 without Location', '302 Found'],
    ['300 without Location', '300 Multiple Choices'],
    ['304 nobody asked for', '304 Not Modified'],
  ])('%s: protocol, with the response', async (_name, line) => {
    answers['/odd'] = () => status(line);
    expect(await get('/odd')).toMatchObject({
      kind: 'failed',
      reason: 'protocol',
      response: { status: Number(line.slice(0, 3)) },
    });
  });

  it('300 with Location is followed', async () => {
    answers['/300'] = () => status('300 Multiple Choices', 'Location: /chosen\r\n');
    answers['/chosen'] = () => ok('chosen');
    expect(page(await get('/300')).text).toBe('chosen');
  });

  it.each(['javascript:alert(1)', 'mailto:a@b.example', 'ftp://a.example/', 'file:///etc/passwd', 'data:text/html,x'])(
    'Location %s: refused scheme',
    async (location) => {
      answers['/scheme'] = () => redirect(location);
      expect(await get('/scheme')).toMatchObject({ kind: 'refused', reason: 'scheme', requests: 1, hops: [] });
    },
  );

  it('a POST is not replayed on 302, and is on 307', async () => {
    const echo: Answer = (head) => ok(`${head.slice(0, head.indexOf(' '))} ${/content-length: 3/i.test(head)}`);
    answers['/echo'] = echo;
    answers['/post-302'] = () => redirect('/echo');
    answers['/post-307'] = () => status('307 Temporary Redirect', 'Location: /echo\r\n');
    const request: Partial<FetchRequest> = {
      method: 'POST',
      body: Buffer.from('q=1'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      purpose: 'search',
    };
    expect(page(await get('/post-302', {}, request)).text).toBe('GET false');
    expect(page(await get('/post-307', {}, request)).text).toBe('POST true');
  });
});

describe('address guard', () => {
  it.each([
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::ffff:7f00:1]/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://localhost/',
    'http://169.254.169.254/latest/',
  ])('U17 %s is refused before any connection', async (url) => {
    const fetcher = testFetcher({ allowPrivate: false });
    expect(await fetcher.fetch({ url, purpose: 'page' })).toMatchObject({
      kind: 'refused',
      reason: 'address',
      requests: 0,
    });
    expect(fetcher.counters()).toEqual({ requests: 0, wireBytes: 0, connections: 0 });
    await fetcher.close();
  });

  it('names mapped by the hosts map are checked, one private address is enough', async () => {
    const hosts = new Map([
      ['shop.example', ['127.0.0.1']],
      ['mixed.example', ['203.0.113.1', '10.0.0.1']],
    ]);
    const fetcher = testFetcher({ allowPrivate: false }, hosts);
    for (const name of hosts.keys()) {
      const outcome = await fetcher.fetch({ url: `http://${name}/`, purpose: 'page' });
      expect(outcome).toMatchObject({ kind: 'refused', reason: 'address' });
    }
    await fetcher.close();
  });

  it.each([
    'http://169.254.169.254/',
    'http://0x7f.1/',
    'http://[::ffff:7f00:1]/robots.txt',
    'http://mapped.example/robots.txt',
    '//10.0.0.1/robots.txt',
  ])('B15 robots.txt redirected to %s is refused', async (location) => {
    // A proxy is the one way to a public address that stays on this machine; the guard treats its targets like others.
    const proxy = await startRawServer((path) => (path.endsWith('/robots.txt') ? redirect(location) : ok('secret')));
    const settings = proxyFromEnvironment({ http_proxy: proxy.url });
    const fetcher = testFetcher({ allowPrivate: false, proxy: settings }, new Map([['mapped.example', ['127.0.0.1']]]));
    const outcome = await fetcher.fetch({ url: 'http://8.8.8.8/robots.txt', purpose: 'robots' });
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: 'address',
      requests: 1,
      hops: [{ url: 'http://8.8.8.8/robots.txt', status: 302 }],
    });
    await fetcher.close();
    await proxy.close();
  });

  it('U12 both spellings of a host are one', async () => {
    answers['/u12'] = (head) => ok(/host: (\S+)/i.exec(head)?.[1]?.replace(/:.*/, '') ?? '');
    const fetcher = testFetcher({}, new Map([['xn--example-hya.org', ['127.0.0.1']]]));
    for (const host of ['ExAmpleé.org', 'xn--example-hya.org']) {
      const outcome = await fetcher.fetch({ url: `http://${host}:${server.port}/u12`, purpose: 'page' });
      expect(page(outcome).text).toBe('xn--example-hya.org');
    }
    expect(fetcher.counters().connections).toBe(1);
    await fetcher.close();
  });
});

describe('conditional requests', () => {
  it('E4 sends the ETag unchanged; E6 takes a 304 without Content-Type', async () => {
    answers['/cond'] = (head) =>
      /if-none-match: W\/"abc-gzip"\r\n/i.test(head) &&
      /if-modified-since: Mon, 30 Nov 2026 10:00:00 GMT\r\n/i.test(head)
        ? 'HTTP/1.1 304 Not Modified\r\n\r\n'
        : ok('full');
    const outcome = await get('/cond', {}, { etag: 'W/"abc-gzip"', lastModified: 'Mon, 30 Nov 2026 10:00:00 GMT' });
    expect(outcome).toMatchObject({ kind: 'not-modified', response: { status: 304 } });
    expect(page(await get('/cond')).text).toBe('full');
  });

  it('validators do not go along a redirect, nor with line breaks', async () => {
    answers['/moved'] = () => redirect('/landing');
    answers['/landing'] = (head) => ok(/if-none-match/i.test(head) ? 'sent' : 'not sent');
    expect(page(await get('/moved', {}, { etag: '"x"' })).text).toBe('not sent');
    expect(page(await get('/landing', {}, { etag: '"x"\r\nX-Evil: 1' })).text).toBe('not sent');
  });
});

describe('statuses', () => {
  it.each([
    ['404 Not Found', { kind: 'gone' }],
    ['410 Gone', { kind: 'gone' }],
    ['401 Unauthorized', { kind: 'blocked', why: 'forbidden' }],
    ['403 Forbidden', { kind: 'blocked', why: 'forbidden' }],
    ['407 Proxy Authentication Required', { kind: 'blocked', why: 'forbidden' }],
    ['451 Unavailable For Legal Reasons', { kind: 'blocked', why: 'forbidden' }],
    ['418 I am a teapot', { kind: 'blocked', why: 'bot-wall' }],
    ['999 Request denied', { kind: 'blocked', why: 'bot-wall' }],
    ['429 Too Many Requests', { kind: 'blocked', why: 'rate-limited' }],
    ['400 Bad Request', { kind: 'failed', reason: 'http-4xx' }],
    ['406 Not Acceptable', { kind: 'failed', reason: 'http-4xx' }],
    ['500 Internal Server Error', { kind: 'failed', reason: 'http-5xx' }],
    ['503 Service Unavailable', { kind: 'failed', reason: 'http-5xx' }],
  ])('R12 R15 %s', async (line, expected) => {
    answers['/status'] = () => status(line, '', '<script>document.title="real content"</script>');
    const outcome = await get('/status');
    expect(outcome).toMatchObject({ ...expected, response: { status: Number(line.slice(0, 3)) } });
  });

  it.each([
    ['429 Too Many Requests', '120', 120_000],
    ['503 Service Unavailable', '120', 120_000],
    ['503 Service Unavailable', 'Mon, 30 Nov 2026 10:02:00 GMT', 120_000],
    ['429 Too Many Requests', '99999999', 24 * 3600 * 1000],
  ])('R16 %s with Retry-After: %s', async (line, value, wait) => {
    const now = Date.UTC(2026, 10, 30, 10, 0, 0);
    answers['/retry'] = () => status(line, `Retry-After: ${value}\r\n`);
    const outcome = await get('/retry', { now: () => now });
    expect(outcome).toMatchObject({ kind: 'blocked', why: 'rate-limited', retryAt: now + wait });
  });

  it('R16 a 502 keeps its Retry-After', async () => {
    const now = Date.UTC(2026, 10, 30);
    answers['/retry-502'] = () => status('502 Bad Gateway', 'Retry-After: 30\r\n');
    const outcome = await get('/retry-502', { now: () => now });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'http-5xx', retryAt: now + 30_000 });
  });

  it.each([
    ['403 Forbidden', 'Server: cloudflare\r\ncf-mitigated: challenge\r\n'],
    ['503 Service Unavailable', 'Server: cloudflare\r\n'],
  ])('R13 %s from Cloudflare: bot-wall', async (line, headers) => {
    const body = '<html><head><title>Just a moment...</title></head><script>window._cf_chl_opt={}</script></html>';
    answers['/r13'] = () => status(line, headers, body);
    expect(await get('/r13')).toMatchObject({ kind: 'blocked', why: 'bot-wall' });
  });
});

describe('media types', () => {
  it('R5 an endless audio stream is cut before its body', async () => {
    answers['/r5'] = () => ['HTTP/1.1 200 OK\r\nContent-Type: audio/aacp\r\n\r\n', 'drip 1'];
    const outcome = await get('/r5');
    expect(outcome).toMatchObject({ kind: 'other-type', mediaType: 'audio/aacp', response: { wireBytes: 0 } });
  });

  it.each([
    ['application/pdf', 'x', 'application/pdf'],
    ['text/plain; charset=utf-8', 'x', 'text/plain'],
    ['', '%PDF-1.7', 'application/pdf'],
    ['application/xml', '<?xml version="1.0"?><rss></rss>', 'application/xml'],
  ])('%j with %j is %s, no page', async (type, body, mediaType) => {
    answers['/type'] = () =>
      `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await get('/type')).toMatchObject({ kind: 'other-type', mediaType });
  });

  it.each([
    ['', '<p>hi'],
    ['TEXT/HTML ; charset=x', 'hi'],
    ['text/html, text/html', 'hi'],
    ['application/xhtml+xml', '<html/>'],
    ['text/xml', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>'],
  ])('%j with %j is a page', async (type, body) => {
    answers['/type'] = () =>
      `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(page(await get('/type')).text).toBe(body);
  });

  it('robots.txt and sitemaps may have any text type', async () => {
    answers['/any'] = () => 'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 1\r\n\r\nx';
    for (const purpose of ['robots', 'sitemap', 'search'] as const) {
      expect((await get('/any', {}, { purpose })).kind).toBe('page');
    }
  });
});

describe('connections', () => {
  it('are used again, and asked again once when the server closed them meanwhile', async () => {
    answers['/keep'] = () => ok('kept');
    const fetcher = testFetcher({});
    const request: FetchRequest = { url: `${server.url}/keep`, purpose: 'page' };
    for (let round = 0; round < 5; round++) expect(page(await fetcher.fetch(request)).text).toBe('kept');
    expect(fetcher.counters()).toMatchObject({ requests: 5, connections: 1 });
    server.closeAfterNextRequest();
    expect(page(await fetcher.fetch(request)).text).toBe('kept');
    await fetcher.close();
  });

  it('are bounded in each origin', async () => {
    answers['/bounded'] = () => ['pause 50', ok('x')];
    const fetcher = testFetcher({ connectionsPerOrigin: 2 });
    const all = Array.from({ length: 10 }, () => fetcher.fetch({ url: `${server.url}/bounded`, purpose: 'page' }));
    expect((await Promise.all(all)).every((outcome) => outcome.kind === 'page')).toBe(true);
    expect(fetcher.counters().connections).toBe(2);
    await fetcher.close();
  });

  it('a host that refuses them: connect; a name that does not exist: dns', async () => {
    const fetcher = testFetcher({});
    expect(await fetcher.fetch({ url: 'http://127.0.0.1:9/', purpose: 'page' })).toMatchObject({
      kind: 'failed',
      reason: 'connect',
    });
    expect(await fetcher.fetch({ url: 'http://nowhere.invalid/', purpose: 'page' })).toMatchObject({
      kind: 'failed',
      reason: 'dns',
    });
    await fetcher.close();
  });

  it('a server that hangs up without a word: connect', async () => {
    answers['/hangup'] = () => ['close'];
    expect(await get('/hangup')).toMatchObject({ kind: 'failed', reason: 'connect' });
  });

  it('tells the address that answered and what was sent', async () => {
    answers['/head'] = (head) => ok(head);
    const outcome = await get('/head', { userAgent: 'winnow/1 (+me@site.example)' });
    expect(outcome).toMatchObject({ response: { address: '127.0.0.1', requests: 1 } });
    expect(
      page(outcome)
        .text.split('\r\n')
        .map((line) => line.split(':')[0]?.toLowerCase()),
    ).toEqual([
      'get /head http/1.1',
      'host',
      'connection',
      'user-agent',
      'accept',
      'accept-language',
      'accept-encoding',
      '',
      '',
    ]);
  });
});
