import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageStanding } from '../../model/changes.ts';
import { compileKeyRules } from '../../url/url.ts';
import { readReport } from './read-report.ts';
import { RequestProcessor, type RequestProcessorOptions, siteOf, type Visit } from './request-processor.ts';
import { SiteSet } from './site-set.ts';
import { blockOf, Visitors } from './visitors.ts';

const ROOMY = { burst: 1e9, perSecond: 0, maxKeys: 10 };
const OPTIONS: RequestProcessorOptions = {
  ...{ newEnoughMs: 100, standingMs: 0, standingLength: 1_000, maxLookups: 2, maxUrlLength: 200 },
  ...{ visitorKeyMs: 1e9, visitorLimit: ROOMY, siteLimit: ROOMY },
};
const STANDING: PageStanding = { known: true, signalled: false, disputed: false, confirmedAt: undefined };
const NOW = 1_000;

interface Circumstances {
  readonly options?: Partial<RequestProcessorOptions>;
  readonly now?: () => number;
  readonly isBusy?: () => boolean;
}

function processor(
  standingOf: (key: string) => Promise<PageStanding>,
  { options = {}, now = () => NOW, isBusy = () => false }: Circumstances = {},
): RequestProcessor {
  const made = new RequestProcessor(
    { ...OPTIONS, ...options },
    {
      keyRules: compileKeyRules({ dropParameters: ['utm_*'] }),
      newVisitorKey: () => new Uint8Array(32),
      standingOf: (page) => standingOf(page.key),
      isBusy,
      now,
    },
  );
  const site = { url: 'https://a.example/blog/', addedAt: 0, token: '', verifiedAt: undefined };
  made.setSites([{ ...site, site: 'a.example/blog/' }]);
  return made;
}

function body(url: unknown, hash = '0123456789abcdef'.repeat(2)): string {
  return JSON.stringify({ url, title: hash, text: hash, headings: hash, links: hash, images: hash, metadata: hash });
}

const visit = (referer: string | undefined, address = '192.0.2.1'): Visit => ({ referer, address });

describe('who is asked to look at a page', () => {
  const asks = (change: Partial<PageStanding>): Promise<boolean> =>
    processor(async () => ({ ...STANDING, ...change })).wantsReport(visit('https://a.example/blog/x'));

  it('the visitor of a crawled page that nobody confirmed, or not lately, or that is disputed', async () => {
    expect(await asks({})).toBe(true);
    expect(await asks({ confirmedAt: NOW - 100 })).toBe(true);
    expect(await asks({ confirmedAt: NOW - 99 })).toBe(false);
    expect(await asks({ confirmedAt: NOW - 1, disputed: true })).toBe(true);
  });

  it('nobody, when the page was never crawled or is about to be crawled again', async () => {
    expect(await asks({ known: false })).toBe(false);
    expect(await asks({ signalled: true, disputed: true })).toBe(false);
  });

  it('nobody outside the registered sites, and nothing is looked up for them', async () => {
    const never = processor(() => Promise.reject(new Error('looked up')));
    const long = `https://a.example/blog/${'x'.repeat(300)}`;
    const others = ['https://a.example/', 'https://b.example/blog/x', 'https://a.example:444/blog/x', 'javascript:1'];
    for (const referer of [undefined, '', 'nonsense', long, ...others])
      expect(await never.wantsReport(visit(referer))).toBe(false);
  });

  it('nobody while too many are waiting for an answer', async () => {
    let answer = (_: PageStanding): void => undefined;
    const slow = new Promise<PageStanding>((resolve) => {
      answer = resolve;
    });
    const busy = processor(() => slow);
    const waiting = [
      busy.wantsReport(visit('https://a.example/blog/1')),
      busy.wantsReport(visit('https://a.example/blog/2')),
    ];
    expect(await busy.wantsReport(visit('https://a.example/blog/3'))).toBe(false);
    answer(STANDING);
    expect(await Promise.all(waiting)).toEqual([true, true]);
  });
});

describe('what is accepted', () => {
  const accept = (text: string, origin?: string): string => {
    const outcome = processor(async () => STANDING).accept(text, { origin, address: '192.0.2.1' });
    return outcome.kind === 'refused' ? outcome.reason : outcome.kind;
  };

  it('reports of pages of registered sites, under their key and the server’s clock', () => {
    const from = { origin: 'https://a.example', address: '192.0.2.1' };
    const outcome = processor(async () => STANDING).accept(body('https://a.example/blog/x?utm_source=y#z'), from);
    expect(outcome).toMatchObject({
      kind: 'accepted',
      report: { key: 'https://a.example/blog/x', site: 'a.example/blog/', at: NOW },
    });
  });

  it('never pages outside them, nor those of another origin', () => {
    expect(accept(body('https://a.example/'))).toBe('not-registered');
    expect(accept(body('https://b.example/blog/'))).toBe('not-registered');
    expect(accept(body('https://a.example/blog/../x'))).toBe('not-registered');
    expect(accept(body('https://a.example/blog/x'), 'https://b.example')).toBe('foreign-origin');
    expect(accept(body('https://a.example/blog/x'), 'null')).toBe('accepted');
    expect(accept(body('https://a.example/blog/x'))).toBe('accepted');
  });

  it('nothing malformed', () => {
    for (const text of ['', 'x', 'null', '[]', '{}', body(1), body('https://a.example/blog/', 'short'), '{"url":"x"}'])
      expect(accept(text)).toBe('malformed');
  });

  it('any text at all gives an answer', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readReport(text)));
  });
});

describe('visitors', () => {
  it('are told apart by the /24 of IPv4 and the /48 of IPv6', () => {
    expect(blockOf('192.0.2.200')).toBe(blockOf('192.0.2.1'));
    expect(blockOf('::ffff:192.0.2.200')).toBe(blockOf('192.0.2.1'));
    expect(blockOf('192.0.3.1')).not.toBe(blockOf('192.0.2.1'));
    expect(blockOf('2001:db8:1:2::1')).toBe(blockOf('2001:0db8:0001:ffff::2'));
    expect(blockOf('2001:db8:2::1')).not.toBe(blockOf('2001:db8:1::1'));
    expect(blockOf('2001::1')).toBe(blockOf('2001:0:0:5::'));
    expect(blockOf('fe80::1%eth0')).toBe('fe80:0:0');
  });

  const visitors = (key: number): Visitors =>
    new Visitors({ newKey: () => new Uint8Array(32).fill(key), keyMs: 1, now: () => 0 });

  it('have other names under another key, and none shows the address', () => {
    const one = visitors(0).nameOf('192.0.2.1');
    expect(one).toBe(visitors(0).nameOf('192.0.2.9'));
    expect(one).not.toBe(visitors(1).nameOf('192.0.2.1'));
    expect(one).not.toContain('192');
  });

  it('get another name when a day has passed', () => {
    let now = 0;
    let keys = 0;
    const day = 86_400_000;
    const daily = new Visitors({ newKey: () => new Uint8Array(32).fill(keys++), keyMs: day, now: () => now });
    const names = [0, day - 1, day, 2 * day - 1, 2 * day].map((time) => {
      now = time;
      return daily.nameOf('192.0.2.1');
    });
    expect(names[0]).toBe(names[1]);
    expect(names[2]).toBe(names[3]);
    expect(new Set(names).size).toBe(3);
    expect(keys).toBe(3);
  });
});

describe('limits', () => {
  const page = (n: number): string => `https://a.example/blog/${n}`;
  const from = (address: string): { origin: undefined; address: string } => ({ origin: undefined, address });
  const few = { burst: 2, perSecond: 1, maxKeys: 10 };

  it('a visitor gets so many scripts and has so many reports taken; others are not hindered', async () => {
    let now = NOW;
    const one = processor(async () => STANDING, { options: { visitorLimit: few }, now: () => now });
    const scripts = async (address: string): Promise<boolean[]> =>
      await Promise.all([1, 2].map((n) => one.wantsReport(visit(page(n), address))));
    expect(await scripts('192.0.2.1')).toEqual([true, true]);
    expect(await scripts('192.0.2.77')).toEqual([false, false]);
    expect(await scripts('198.51.100.1')).toEqual([true, true]);
    const kinds = [1, 2, 3].map((n) => one.accept(body(page(n)), from('192.0.2.1')).kind);
    expect(kinds).toEqual(['accepted', 'accepted', 'shed']);
    expect(one.accept(body(page(1)), from('198.51.100.1')).kind).toBe('accepted');
    now += 1_000;
    expect(one.accept(body(page(1)), from('192.0.2.1')).kind).toBe('accepted');
    expect(one.counters()).toMatchObject({ scripts: 4, shedVisitor: 2, accepted: 4, reportsShedVisitor: 1 });
  });

  it('so many pages of a site are looked up, and so many reports of it taken', async () => {
    let lookups = 0;
    const one = processor(
      async () => {
        lookups++;
        return STANDING;
      },
      { options: { siteLimit: few } },
    );
    for (let n = 0; n < 9; n++) await one.wantsReport(visit(page(n), `198.51.${n}.1`));
    for (let n = 0; n < 9; n++) one.accept(body(page(n)), from(`198.51.${n}.1`));
    expect(lookups).toBe(2);
    expect(one.counters()).toMatchObject({ scripts: 2, shedSite: 7, accepted: 2, reportsShedSite: 7 });
  });

  it('when it is too much all are answered emptily, and nothing is taken', async () => {
    const busy = processor(() => Promise.reject(new Error('looked up')), { isBusy: () => true });
    expect(busy.isPlainlyEmpty(page(1))).toBe(true);
    expect(await busy.wantsReport(visit(page(1)))).toBe(false);
    expect(busy.accept(body(page(1)), from('192.0.2.1'))).toEqual({ kind: 'shed', reason: 'load' });
    expect(busy.counters()).toMatchObject({ visits: 2, shedLoad: 2, reports: 1, reportsShedLoad: 1 });
  });

  it('every visit and every report is counted once', async () => {
    const one = processor(async (key) => ({ ...STANDING, known: key.endsWith('1') }), { options: { standingMs: 9 } });
    for (const referer of [page(1), page(2), page(2), 'https://b.example/', undefined]) {
      if (!one.isPlainlyEmpty(referer)) await one.wantsReport(visit(referer));
    }
    for (const text of ['x', body(page(1)), body('https://b.example/')]) one.accept(text, from('192.0.2.1'));
    one.accept(body(page(1)), { origin: 'https://b.example', address: '192.0.2.1' });
    const { visits, scripts, newEnough, notRegistered, ...rest } = one.counters();
    expect([visits, scripts, newEnough, notRegistered]).toEqual([5, 1, 2, 2]);
    expect(rest).toMatchObject({ reports: 4, accepted: 1, malformed: 1, reportsNotRegistered: 1, foreignOrigin: 1 });
  });
});

it('a site is a host with port and a folder', () => {
  expect(siteOf('https://a.example')).toBe('a.example/');
  expect(siteOf('http://a.example:8080/blog/index.html?x')).toBe('a.example:8080/blog/');
  expect(siteOf('ftp://a.example/')).toBeUndefined();
  expect(siteOf('a.example')).toBeUndefined();
});

it('a page belongs to the narrowest of the registered sites that hold it', () => {
  const names = ['a.example/', 'a.example/blog/old/', 'a.example/blog/'];
  const sites = new SiteSet(names.map((site) => ({ site, url: '', addedAt: 0, token: '', verifiedAt: undefined })));
  expect(sites.siteWith('https://a.example/blog/old/x')).toBe('a.example/blog/old/');
  expect(sites.siteWith('https://a.example/blog/x')).toBe('a.example/blog/');
  expect(sites.siteWith('https://a.example/x')).toBe('a.example/');
  expect(sites.siteWith('https://b.example/x')).toBeUndefined();
});
