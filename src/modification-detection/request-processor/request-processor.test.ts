import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageStanding } from '../../model/changes.ts';
import { compileKeyRules } from '../../url/url.ts';
import { readReport } from './read-report.ts';
import { RequestProcessor, siteOf } from './request-processor.ts';
import { SiteSet } from './site-set.ts';
import { blockOf, Visitors } from './visitors.ts';

const OPTIONS = { newEnoughMs: 100, standingMs: 0, standingEntries: 10, maxLookups: 2, maxUrlLength: 200 };
const STANDING: PageStanding = { known: true, signalled: false, disputed: false, confirmedAt: undefined };
const NOW = 1_000;

function processor(standingOf: (key: string) => Promise<PageStanding>): RequestProcessor {
  const made = new RequestProcessor(OPTIONS, {
    keyRules: compileKeyRules({ dropParameters: ['utm_*'] }),
    visitorKey: new Uint8Array(32),
    standingOf: (page) => standingOf(page.key),
    now: () => NOW,
  });
  const site = { url: 'https://a.example/blog/', addedAt: 0, token: '', verifiedAt: undefined };
  made.setSites([{ ...site, site: 'a.example/blog/' }]);
  return made;
}

function body(url: unknown, hash = '0123456789abcdef'.repeat(2)): string {
  return JSON.stringify({ url, title: hash, text: hash, headings: hash, links: hash, images: hash, metadata: hash });
}

describe('who is asked to look at a page', () => {
  const asks = (change: Partial<PageStanding>): Promise<boolean> =>
    processor(async () => ({ ...STANDING, ...change })).wantsReport('https://a.example/blog/x');

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
      expect(await never.wantsReport(referer)).toBe(false);
  });

  it('nobody while too many are waiting for an answer', async () => {
    let answer = (_: PageStanding): void => undefined;
    const slow = new Promise<PageStanding>((resolve) => {
      answer = resolve;
    });
    const busy = processor(() => slow);
    const waiting = [busy.wantsReport('https://a.example/blog/1'), busy.wantsReport('https://a.example/blog/2')];
    expect(await busy.wantsReport('https://a.example/blog/3')).toBe(false);
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

  it('have other names under another key, and none shows the address', () => {
    const one = new Visitors(new Uint8Array(32)).nameOf('192.0.2.1');
    expect(one).toBe(new Visitors(new Uint8Array(32)).nameOf('192.0.2.9'));
    expect(one).not.toBe(new Visitors(new Uint8Array(32).fill(1)).nameOf('192.0.2.1'));
    expect(one).not.toContain('192');
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
