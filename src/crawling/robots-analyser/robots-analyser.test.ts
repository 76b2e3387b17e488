import { describe, expect, it } from 'vitest';
import type { FetchOutcome, FetchRequest, HttpResponse } from '../../model/fetch.ts';
import { RobotsAnalyser, type RobotsOptions, type RobotsRecord } from './robots-analyser.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const OPTIONS: RobotsOptions = {
  agent: 'winnow',
  lifeMs: DAY,
  copyMs: DAY,
  unreachableOpenMs: 30 * DAY,
  retryMs: MINUTE,
  maxRetryMs: 6 * HOUR,
  maxRedirects: 5,
  cacheBytes: 1 << 20,
};

function response(status: number, body = ''): HttpResponse {
  const bytes = Buffer.from(body);
  return {
    url: 'http://h/robots.txt',
    status,
    statusText: '',
    httpVersion: '1.1',
    rawHeaders: [],
    headers: {},
    encodedBody: bytes,
    body: bytes,
    hops: [],
    startedAt: 0,
    milliseconds: 1,
    wireBytes: bytes.length,
    requests: 1,
  };
}

const file = (body: string): FetchOutcome => ({ kind: 'page', response: response(200, body) });
const failed = (
  reason: 'timeout' | 'dns' | 'connect' | 'tls' | 'protocol' | 'redirect-loop' | 'redirect-limit',
): FetchOutcome => ({
  kind: 'failed',
  reason,
  detail: '',
  hops: [],
  requests: 1,
});
const status = (code: number): FetchOutcome => {
  const answer = response(code, 'User-agent: *\nDisallow: /');
  if (code === 404 || code === 410) return { kind: 'gone', response: answer };
  if (code === 429) return { kind: 'blocked', response: answer, why: 'rate-limited' };
  if (code === 403 || code === 401) return { kind: 'blocked', response: answer, why: 'forbidden' };
  const reason = code < 500 ? 'http-4xx' : 'http-5xx';
  return { kind: 'failed', reason, detail: '', response: answer, hops: [], requests: 1 };
};
const REFUSED: FetchOutcome = {
  kind: 'refused',
  reason: 'address',
  url: 'http://169.254.169.254/',
  detail: '',
  hops: [],
  requests: 1,
};

/** A web whose robots.txt and clock the test sets, and a store that outlives the analyser. */
class Web {
  now = 1_000_000;
  answer: FetchOutcome = file('');
  readonly asked: FetchRequest[] = [];
  readonly stored = new Map<string, RobotsRecord>();
  analyser = this.start();

  start(overridden = ''): RobotsAnalyser {
    this.analyser = new RobotsAnalyser(OPTIONS, {
      fetchRobots: async (request) => {
        this.asked.push(request);
        return this.answer;
      },
      now: () => this.now,
      load: async (origin) => this.stored.get(origin),
      save: async (record) => void this.stored.set(record.origin, record),
      isOverridden: (host) => host === overridden,
    });
    return this.analyser;
  }

  async allowed(url = 'http://h/x'): Promise<boolean> {
    return (await this.analyser.decide(url)).allowed;
  }
}

describe('what an answer means', () => {
  it.each([404, 410, 401, 403, 400, 451])('%i: no file, all allowed', async (code) => {
    const web = new Web();
    web.answer = status(code);
    expect(await web.analyser.decide('http://h/x')).toEqual({
      allowed: true,
      crawlDelay: null,
      because: `robots.txt answered ${code}`,
    });
  });

  it.each([429, 500, 503])('%i: all forbidden until asked again', async (code) => {
    const web = new Web();
    web.answer = status(code);
    expect(await web.analyser.decide('http://h/x')).toEqual({
      allowed: false,
      crawlDelay: null,
      because: `robots.txt answered ${code}`,
      retryAt: web.now + MINUTE,
    });
  });

  it.each(['timeout', 'dns', 'connect', 'tls', 'protocol'] as const)('%s: all forbidden', async (reason) => {
    const web = new Web();
    web.answer = failed(reason);
    expect(await web.allowed()).toBe(false);
  });

  it.each(['redirect-loop', 'redirect-limit'] as const)('%s: no file', async (reason) => {
    const web = new Web();
    web.answer = failed(reason);
    expect(await web.allowed()).toBe(true);
  });

  it('B15: a redirect to a refused address forbids, and is asked again soon', async () => {
    const web = new Web();
    web.answer = REFUSED;
    expect(await web.allowed()).toBe(false);
    web.answer = file('User-agent: *\nDisallow: /secret');
    web.now += MINUTE;
    expect(await web.allowed()).toBe(true);
    expect(await web.allowed('http://h/secret')).toBe(false);
  });

  it('follows five redirects and not a sixth', async () => {
    const web = new Web();
    await web.allowed();
    const follow = web.asked[0]?.followRedirect;
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => follow?.(`http://h/${n}`, `http://h/${n + 1}`)));
    expect(answers).toEqual([true, true, true, true, true, false]);
    web.answer = { kind: 'redirect', response: response(301), target: 'http://h/7' };
    expect(await web.allowed('http://other/')).toBe(true);
  });

  it('an answer of another type holds no rules and is asked again soon', async () => {
    const web = new Web();
    web.answer = { kind: 'other-type', response: response(200), mediaType: 'image/png' };
    expect(await web.analyser.decide('http://h/x')).toMatchObject({
      allowed: true,
      because: 'robots.txt is image/png',
    });
    web.answer = file('User-agent: *\nDisallow: /');
    web.now += MINUTE;
    expect(await web.allowed()).toBe(false);
  });
});

it('a bot wall that answers 200 is not taken for a failing server', async () => {
  const web = new Web();
  web.answer = { kind: 'blocked', response: response(200, '<html>'), why: 'bot-wall' };
  expect(await web.allowed()).toBe(true);
});

describe('time', () => {
  it('B16: an HTML page in place of the file leaves the last copy in force for a day', async () => {
    const web = new Web();
    web.answer = file('User-agent: *\nDisallow: /secret');
    await web.allowed();
    web.answer = file('<!doctype html><p>Are you human?');
    web.now += DAY;
    expect(await web.allowed('http://h/secret')).toBe(false);
    expect(await web.allowed('http://h/open')).toBe(true);
    web.now += DAY + 1;
    expect(await web.allowed('http://h/secret')).toBe(true);
    web.answer = file('User-agent: *\nDisallow: /');
    web.now += 6 * HOUR;
    expect(await web.allowed()).toBe(false);
  });

  it('a copy lasts a day while the server fails; then all is forbidden; after 30 days all is allowed', async () => {
    const web = new Web();
    web.answer = file('User-agent: *\nDisallow: /secret\nCrawl-delay: 7');
    await web.allowed();
    web.answer = status(503);
    web.now += DAY;
    expect(await web.analyser.decide('http://h/x')).toMatchObject({ allowed: true, crawlDelay: 7 });
    expect(await web.allowed('http://h/secret')).toBe(false);
    web.now += DAY + 1;
    expect(await web.allowed()).toBe(false);
    web.now += 29 * DAY;
    expect(await web.allowed()).toBe(true);
  });

  it('asks again after 1, 2, 4, … minutes, at most 6 hours, or when the server says', async () => {
    const web = new Web();
    web.answer = failed('timeout');
    const waits: number[] = [];
    for (let n = 0; n < 12; n++) {
      const { retryAt = 0 } = await web.analyser.decide('http://h/x');
      waits.push((retryAt - web.now) / MINUTE);
      web.now = retryAt;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]);
    web.answer = { kind: 'blocked', response: response(429), why: 'rate-limited', retryAt: web.now + 10 * HOUR };
    expect(await web.analyser.decide('http://h/x')).toMatchObject({ retryAt: web.now + 10 * HOUR });
    expect(web.asked.length).toBe(13);
  });

  it('a file counts for 24 hours', async () => {
    const web = new Web();
    web.answer = file('User-agent: *\nDisallow: /');
    await web.allowed();
    web.answer = file('');
    web.now += DAY - 1;
    expect(await web.allowed()).toBe(false);
    web.now += 1;
    expect(await web.allowed()).toBe(true);
  });
});

describe('cache', () => {
  it('one request for all who ask at once, one an origin', async () => {
    const web = new Web();
    await Promise.all(['http://h/a', 'http://h/b', 'https://h/', 'http://h:8080/'].map((url) => web.allowed(url)));
    await web.allowed('http://h/c');
    expect(web.asked.map((request) => request.url)).toEqual([
      'http://h/robots.txt',
      'https://h/robots.txt',
      'http://h:8080/robots.txt',
    ]);
  });

  it('U12: both spellings of a host are one origin', async () => {
    const web = new Web();
    await web.allowed('http://ExAmpleé.org/');
    await web.allowed('http://xn--example-hya.org/');
    expect(web.asked.map((request) => request.url)).toEqual(['http://xn--example-hya.org/robots.txt']);
  });

  it('a new analyser goes on with what was stored', async () => {
    const web = new Web();
    web.answer = file('User-agent: *\nDisallow: /');
    await web.allowed();
    web.start();
    expect(await web.allowed()).toBe(false);
    expect(web.asked.length).toBe(1);
  });

  it('holds no more files than its bytes allow, and stays right', async () => {
    const web = new Web();
    web.answer = file(`User-agent: *\nDisallow: /\n${'# filler\n'.repeat(20_000)}`);
    for (const host of ['a', 'b', 'a']) expect(await web.allowed(`http://${host}/x`)).toBe(false);
    expect(web.asked.length).toBe(2);
  });

  it('a fetch that rejects is not remembered', async () => {
    const web = new Web();
    const analyser = new RobotsAnalyser(OPTIONS, {
      fetchRobots: async (request) => {
        web.asked.push(request);
        if (web.asked.length === 1) throw new Error('aborted');
        return file('');
      },
      now: () => web.now,
      load: async () => undefined,
      save: async () => undefined,
      isOverridden: () => false,
    });
    await expect(analyser.decide('http://h/')).rejects.toThrow('aborted');
    expect((await analyser.decide('http://h/')).allowed).toBe(true);
  });
});

it('an overridden host is not asked', async () => {
  const web = new Web();
  web.start('own.example');
  expect(await web.analyser.decide('http://own.example:81/x')).toMatchObject({ allowed: true });
  expect(web.asked).toEqual([]);
});

it('sitemaps are absolute', async () => {
  const web = new Web();
  web.answer = file('Sitemap: /a.xml\nSitemap: https://cdn/b.xml\nSitemap: http://[');
  expect(await web.analyser.sitemaps('http://h/deep/page')).toEqual(['http://h/a.xml', 'https://cdn/b.xml']);
  expect((await web.analyser.file('http://h/')).lints).toEqual([]);
});
