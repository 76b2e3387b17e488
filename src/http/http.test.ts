import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FetchRequest } from '../model/fetch.ts';
import { proxyFromEnvironment } from './proxy.ts';
import { HTML, ok, page, redirect, Site, startRawServer, status, testFetcher } from './test-support.ts';

let site: Site;
beforeAll(async () => {
  site = await Site.start();
});
afterAll(() => site.server.close());

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
    site.answers['/u12'] = (head) => ok(/host: (\S+)/i.exec(head)?.[1]?.replace(/:.*/, '') ?? '');
    const fetcher = testFetcher({}, new Map([['xn--example-hya.org', ['127.0.0.1']]]));
    for (const host of ['ExAmpleé.org', 'xn--example-hya.org']) {
      const outcome = await fetcher.fetch({ url: `http://${host}:${site.server.port}/u12`, purpose: 'page' });
      expect(page(outcome).text).toBe('xn--example-hya.org');
    }
    expect(fetcher.counters().connections).toBe(1);
    await fetcher.close();
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
    site.answers['/status'] = () => status(line, '', '<script>document.title="real content"</script>');
    const outcome = await site.get('/status');
    expect(outcome).toMatchObject({ ...expected, response: { status: Number(line.slice(0, 3)) } });
  });

  it.each([
    ['429 Too Many Requests', '120', 120_000],
    ['503 Service Unavailable', '120', 120_000],
    ['503 Service Unavailable', 'Mon, 30 Nov 2026 10:02:00 GMT', 120_000],
    ['429 Too Many Requests', '99999999', 24 * 3600 * 1000],
  ])('R16 %s with Retry-After: %s', async (line, value, wait) => {
    const now = Date.UTC(2026, 10, 30, 10, 0, 0);
    site.answers['/retry'] = () => status(line, `Retry-After: ${value}\r\n`);
    const outcome = await site.get('/retry', { now: () => now });
    expect(outcome).toMatchObject({ kind: 'blocked', why: 'rate-limited', retryAt: now + wait });
  });

  it('R16 a 502 keeps its Retry-After', async () => {
    const now = Date.UTC(2026, 10, 30);
    site.answers['/retry-502'] = () => status('502 Bad Gateway', 'Retry-After: 30\r\n');
    const outcome = await site.get('/retry-502', { now: () => now });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'http-5xx', retryAt: now + 30_000 });
  });

  it.each([
    ['403 Forbidden', 'Server: cloudflare\r\ncf-mitigated: challenge\r\n'],
    ['503 Service Unavailable', 'Server: cloudflare\r\n'],
  ])('R13 %s from Cloudflare: bot-wall', async (line, headers) => {
    const body = '<html><head><title>Just a moment...</title></head><script>window._cf_chl_opt={}</script></html>';
    site.answers['/r13'] = () => status(line, headers, body);
    expect(await site.get('/r13')).toMatchObject({ kind: 'blocked', why: 'bot-wall' });
  });
});

describe('media types', () => {
  it('R5 an endless audio stream is cut before its body', async () => {
    site.answers['/r5'] = () => ['HTTP/1.1 200 OK\r\nContent-Type: audio/aacp\r\n\r\n', 'drip 1'];
    const outcome = await site.get('/r5');
    expect(outcome).toMatchObject({ kind: 'other-type', mediaType: 'audio/aacp', response: { wireBytes: 0 } });
  });

  it.each([
    ['application/pdf', 'x', 'application/pdf'],
    ['text/plain; charset=utf-8', 'x', 'text/plain'],
    ['', '%PDF-1.7', 'application/pdf'],
    ['application/xml', '<?xml version="1.0"?><rss></rss>', 'application/xml'],
  ])('%j with %j is %s, no page', async (type, body, mediaType) => {
    site.answers['/type'] = () =>
      `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await site.get('/type')).toMatchObject({ kind: 'other-type', mediaType });
  });

  it.each([
    ['', '<p>hi'],
    ['TEXT/HTML ; charset=x', 'hi'],
    ['text/html, text/html', 'hi'],
    ['application/xhtml+xml', '<html/>'],
    ['text/xml', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>'],
  ])('%j with %j is a page', async (type, body) => {
    site.answers['/type'] = () =>
      `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(page(await site.get('/type')).text).toBe(body);
  });

  it('robots.txt and sitemaps may have any text type', async () => {
    site.answers['/any'] = () =>
      'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 1\r\n\r\nx';
    for (const purpose of ['robots', 'sitemap', 'search'] as const) {
      expect((await site.get('/any', {}, { purpose })).kind).toBe('page');
    }
  });
});

describe('connections', () => {
  it('are used again, and asked again once when the server closed them meanwhile', async () => {
    site.answers['/keep'] = () => ok('kept');
    const fetcher = testFetcher({});
    const request: FetchRequest = { url: `${site.server.url}/keep`, purpose: 'page' };
    for (let round = 0; round < 5; round++) expect(page(await fetcher.fetch(request)).text).toBe('kept');
    expect(fetcher.counters()).toMatchObject({ requests: 5, connections: 1 });
    site.server.closeAfterNextRequest();
    expect(page(await fetcher.fetch(request)).text).toBe('kept');
    await fetcher.close();
  });

  it('are bounded in each origin', async () => {
    site.answers['/bounded'] = () => ['pause 50', ok('x')];
    const fetcher = testFetcher({ connectionsPerOrigin: 2 });
    const all = Array.from({ length: 10 }, () => fetcher.fetch({ url: `${site.server.url}/bounded`, purpose: 'page' }));
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
    site.answers['/hangup'] = () => ['close'];
    expect(await site.get('/hangup')).toMatchObject({ kind: 'failed', reason: 'connect' });
  });

  it('a name with a dead address is reached by its other one', async () => {
    site.answers['/two'] = () => ok('reached');
    const fetcher = testFetcher({}, new Map([['two.example', ['127.0.0.77', '127.0.0.1']]]));
    const outcome = await fetcher.fetch({ url: `http://two.example:${site.server.port}/two`, purpose: 'page' });
    expect(outcome).toMatchObject({ kind: 'page', response: { address: '127.0.0.1' } });
    await fetcher.close();
  });

  it('a body sent byte by byte costs its length, not an object a byte', async () => {
    const bytes = 300_000;
    site.answers['/bytes'] = () =>
      `HTTP/1.1 200 OK\r\n${HTML}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(bytes)}0\r\n\r\n`;
    const outcome = await site.get('/bytes');
    expect(page(outcome).text.length).toBe(bytes);
  });

  it('tells the address that answered and what was sent', async () => {
    site.answers['/head'] = (head) => ok(head);
    const outcome = await site.get('/head', { userAgent: 'winnow/1 (+me@site.example)' });
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

it('whatever bytes a server sends, an outcome comes of them', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 302 Found\r\nLocation: /next\r\n',
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n',
      'Content-Type: text/html\r\n',
      'Content-Length: 5\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Transfer-Encoding: gzip\r\n',
      'Content-Encoding: gzip\r\n',
      'Connection: close\r\n',
      'Set-Cookie: a=b; Path\r\n',
      '\r\n',
      '\n',
      '5\r\nhello\r\n',
      '0\r\n\r\n',
      'ffffffff\r\n',
      '\x1f\x8b\x08\0',
    ),
    fc.string({ maxLength: 20, unit: 'binary' }),
  );
  const fetcher = testFetcher({ headersTimeoutMs: 300, totalTimeoutMs: 600 });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      site.answers['/fuzz'] = () => [Buffer.from(pieces.join(''), 'latin1'), 'close'];
      const outcome = await fetcher.fetch({ url: `${site.server.url}/fuzz`, purpose: 'page' });
      expect(['page', 'other-type', 'gone', 'failed']).toContain(outcome.kind);
    }),
    { numRuns: 400 },
  );
  await fetcher.close();
});
