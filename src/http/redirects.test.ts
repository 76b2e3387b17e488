import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FetchRequest } from '../model/fetch.ts';
import { type Answer, ok, page, redirect, Site, startRawServer, status, testFetcher } from './test-support.ts';

let site: Site;
beforeAll(async () => {
  site = await Site.start();
});
afterAll(() => site.server.close());

describe('redirects', () => {
  it('R1 a cookie set on the way is sent: 200 in two requests', async () => {
    site.answers['/r1'] = (head) => (/cookie: k=1/i.test(head) ? ok('in') : redirect('/r1', 'Set-Cookie: k=1\r\n'));
    expect(page(await site.get('/r1'))).toEqual({ text: 'in', truncated: undefined, requests: 2 });
  });

  it('R17 an Expires that cannot be read does not drop the cookie', async () => {
    site.answers['/r17'] = (head) =>
      /cookie: k=1/i.test(head) ? ok('in') : redirect('/r17', 'Set-Cookie: k=1; expires=31-12-2001 10:00\r\n');
    expect(page(await site.get('/r17')).text).toBe('in');
  });

  it('cookies end with the chain and stay with their host', async () => {
    const other = await startRawServer((_path, head) => ok(/cookie/i.test(head) ? 'leaked' : 'clean'), '127.0.0.2');
    site.answers['/set'] = () => redirect(`${other.url}/`, 'Set-Cookie: k=1\r\n');
    site.answers['/look'] = (head) => ok(/cookie/i.test(head) ? 'leaked' : 'clean');
    const fetcher = testFetcher({});
    expect(page(await fetcher.fetch({ url: `${site.server.url}/set`, purpose: 'page' })).text).toBe('clean');
    expect(page(await fetcher.fetch({ url: `${site.server.url}/look`, purpose: 'page' })).text).toBe('clean');
    await fetcher.close();
    await other.close();
  });

  it.each([
    ['R3 A to B to A', { '/a': '/b', '/b': '/a' }, '/a', 2],
    ['R3 A to A', { '/self': '/self' }, '/self', 1],
  ])('%s: redirect-loop', async (_name, edges, start, requests) => {
    for (const [from, to] of Object.entries(edges)) site.answers[from] = () => redirect(to);
    expect(await site.get(start)).toMatchObject({ kind: 'failed', reason: 'redirect-loop', requests });
  });

  it('R1 R3 without progress a chain ends at the limit', async () => {
    site.answers['/count'] = (_head, times) => redirect('/count', `Set-Cookie: n=${times}\r\n`);
    const outcome = await site.get('/count');
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'redirect-limit', requests: 21 });
  });

  it('robots.txt is followed over five redirects, not six', async () => {
    for (let step = 0; step < 6; step++) site.answers[`/robots-${step}`] = () => redirect(`/robots-${step + 1}`);
    site.answers['/robots-6'] = () => ok('User-agent: *');
    expect((await site.get('/robots-1', {}, { purpose: 'robots' })).kind).toBe('page');
    expect(await site.get('/robots-0', {}, { purpose: 'robots' })).toMatchObject({
      kind: 'failed',
      reason: 'redirect-limit',
    });
  });

  it('N10 a Location of raw UTF-8 bytes', async () => {
    site.answers['/n10'] = () => Buffer.from(redirect('/café?q=é'), 'utf8');
    site.answers['/caf%C3%A9?q=%C3%A9'] = () => ok('café');
    expect(page(await site.get('/n10')).text).toBe('café');
  });

  it('hops are told; fragments go', async () => {
    site.answers['/from'] = () => redirect('to?x=1#part');
    site.answers['/to?x=1'] = () => ok('there');
    const outcome = await site.get('/from');
    expect(outcome).toMatchObject({
      kind: 'page',
      response: {
        url: `${site.server.url}/to?x=1`,
        hops: [{ url: `${site.server.url}/from`, status: 302, target: `${site.server.url}/to?x=1` }],
      },
    });
  });

  it('asks before following; a refusal is a redirect outcome', async () => {
    let asked = 0;
    site.answers['/out'] = () => redirect('/inner');
    site.answers['/inner'] = () => {
      asked++;
      return ok('inner');
    };
    const seen: string[] = [];
    const outcome = await site.get(
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
      target: `${site.server.url}/inner`,
      response: { status: 302, hops: [] },
    });
    expect(seen).toEqual([`${site.server.url}/out ${site.server.url}/inner`]);
    expect(asked).toBe(0);
  });

  it.each([
    ['302 without Location', '302 Found'],
    ['300 without Location', '300 Multiple Choices'],
    ['304 nobody asked for', '304 Not Modified'],
  ])('%s: protocol, with the response', async (_name, line) => {
    site.answers['/odd'] = () => status(line);
    expect(await site.get('/odd')).toMatchObject({
      kind: 'failed',
      reason: 'protocol',
      response: { status: Number(line.slice(0, 3)) },
    });
  });

  it('300 with Location is followed', async () => {
    site.answers['/300'] = () => status('300 Multiple Choices', 'Location: /chosen\r\n');
    site.answers['/chosen'] = () => ok('chosen');
    expect(page(await site.get('/300')).text).toBe('chosen');
  });

  it.each(['javascript:alert(1)', 'mailto:a@b.example', 'ftp://a.example/', 'file:///etc/passwd', 'data:text/html,x'])(
    'Location %s: refused scheme',
    async (location) => {
      site.answers['/scheme'] = () => redirect(location);
      expect(await site.get('/scheme')).toMatchObject({ kind: 'refused', reason: 'scheme', requests: 1, hops: [] });
    },
  );

  it('a POST is not replayed on 302, and is on 307', async () => {
    const echo: Answer = (head) => ok(`${head.slice(0, head.indexOf(' '))} ${/content-length: 3/i.test(head)}`);
    site.answers['/echo'] = echo;
    site.answers['/post-302'] = () => redirect('/echo');
    site.answers['/post-307'] = () => status('307 Temporary Redirect', 'Location: /echo\r\n');
    const request: Partial<FetchRequest> = {
      method: 'POST',
      body: Buffer.from('q=1'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      purpose: 'search',
    };
    expect(page(await site.get('/post-302', {}, request)).text).toBe('GET false');
    expect(page(await site.get('/post-307', {}, request)).text).toBe('POST true');
  });
});

describe('conditional requests', () => {
  it('E4 sends the ETag unchanged; E6 takes a 304 without Content-Type', async () => {
    site.answers['/cond'] = (head) =>
      /if-none-match: W\/"abc-gzip"\r\n/i.test(head) &&
      /if-modified-since: Mon, 30 Nov 2026 10:00:00 GMT\r\n/i.test(head)
        ? 'HTTP/1.1 304 Not Modified\r\n\r\n'
        : ok('full');
    const outcome = await site.get(
      '/cond',
      {},
      { etag: 'W/"abc-gzip"', lastModified: 'Mon, 30 Nov 2026 10:00:00 GMT' },
    );
    expect(outcome).toMatchObject({ kind: 'not-modified', response: { status: 304 } });
    expect(page(await site.get('/cond')).text).toBe('full');
  });

  it('validators do not go along a redirect, nor with line breaks', async () => {
    site.answers['/moved'] = () => redirect('/landing');
    site.answers['/landing'] = (head) => ok(/if-none-match/i.test(head) ? 'sent' : 'not sent');
    expect(page(await site.get('/moved', {}, { etag: '"x"' })).text).toBe('not sent');
    expect(page(await site.get('/landing', {}, { etag: '"x"\r\nX-Evil: 1' })).text).toBe('not sent');
  });
});
