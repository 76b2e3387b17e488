import { describe, expect, it } from 'vitest';
import type { HeadLink, Link, Page, RobotsDirectives } from '../../model/page.ts';
import { compileKeyRules } from '../../url/url.ts';
import { type ExtractOptions, extractLinks } from './url-extractor.ts';

const OPTIONS: ExtractOptions = {
  keyRules: compileKeyRules({ dropParameters: ['sid', 'utm_*'] }),
  nofollow: 'strict',
  maxLinks: 1000,
  maxTextLength: 20,
};
const OPEN: RobotsDirectives = { index: true, follow: true, archive: true, snippet: true };

function link(href: string, more: Partial<Link> = {}): Link {
  const plain = {
    element: 'a',
    text: '',
    rel: [],
    title: '',
    position: 'main',
    block: 0,
    path: 0,
    hidden: false,
  } as const;
  return { ...plain, href, ...more };
}

function headLink(rel: string, href: string, more: Partial<HeadLink> = {}): HeadLink {
  return { rel: rel.split(' '), href, type: '', title: '', hreflang: '', ...more };
}

function page(more: Partial<Page>): Page {
  return {
    url: 'http://h/a/p.html',
    baseUrl: 'http://h/a/p.html',
    charset: 'utf-8',
    title: '',
    language: 'und',
    declaredLanguage: undefined,
    metas: [],
    headLinks: [],
    tagPaths: [],
    blocks: [],
    mainText: '',
    links: [],
    forms: [],
    looseControls: [],
    images: [],
    scripts: [],
    styles: [],
    jsonLd: [],
    canonical: undefined,
    robots: OPEN,
    redirect: undefined,
    counts: {
      bytes: 0,
      tags: 0,
      maxDepth: 0,
      comments: 0,
      commentLength: 0,
      iframes: 0,
      tinyFrames: 0,
      inlineScriptLength: 0,
      styleLength: 0,
      visibleLength: 0,
      hiddenLength: 0,
      byTag: {},
    },
    problems: [],
    ...more,
  };
}

function urls(more: Partial<Page>, options = OPTIONS): string[] {
  return extractLinks(page(more), options).links.map((found) => found.url);
}

describe('links', () => {
  it('H1, H2: the base decides', () => {
    expect(urls({ baseUrl: 'https://s.de/forum/', links: [link('index.php/fa/1/0/')] })).toEqual([
      'https://s.de/forum/index.php/fa/1/0/',
    ]);
    expect(
      urls({ url: 'http://h/x', baseUrl: 'http://example.com/myself.html', links: [link('?param=value')] }),
    ).toEqual(['http://example.com/myself.html?param=value']);
  });

  it('one link a key; the first stands, what makes it more visible is added', () => {
    const { links } = extractLinks(
      page({
        links: [
          link('/x?b=1&a=2', { position: 'nav', hidden: true, rel: ['nofollow'] }),
          link('/x?a=2&b=1&sid=9#top', { text: 'The text of the second link' }),
        ],
      }),
      OPTIONS,
    );
    expect(links).toEqual([
      {
        url: 'http://h/x?b=1&a=2',
        key: 'http://h/x?a=2&b=1',
        host: 'h',
        origin: 'http://h',
        kind: 'anchor',
        text: 'The text of the seco',
        rel: [],
        position: 'main',
        hidden: false,
        followed: true,
        credited: true,
      },
    ]);
  });

  it('leaves out the page itself and counts what is no page', () => {
    const links = ['#top', 'p.html?utm_source=x', 'mailto:a@b', 'javascript:void(0)', 'http://[', 'q.html'].map(
      (href) => link(href),
    );
    const extraction = extractLinks(page({ links }), OPTIONS);
    expect(extraction.links.map((found) => found.url)).toEqual(['http://h/a/q.html']);
    expect(extraction.refused).toEqual({ scheme: 2, invalid: 1 });
  });

  it('takes frames, next and prev, translations; not feeds, styles or prints of other types', () => {
    const extraction = extractLinks(
      page({
        headLinks: [
          headLink('next', '?page=2'),
          headLink('prev', '?page=0'),
          headLink('alternate', '/de/', { hreflang: 'de' }),
          headLink('alternate', '/feed', { type: 'application/rss+xml; charset=utf-8' }),
          headLink('alternate', '/api.json', { type: 'application/json' }),
          headLink('stylesheet', '/s.css'),
          headLink('alternate', 'android-app://x/y'),
        ],
        links: [link('?page=2', { element: 'link', rel: ['next'] }), link('f.html', { element: 'iframe' })],
      }),
      OPTIONS,
    );
    expect(extraction.links.map((found) => [found.kind, found.url])).toEqual([
      ['next', 'http://h/a/p.html?page=2'],
      ['prev', 'http://h/a/p.html?page=0'],
      ['alternate', 'http://h/de/'],
      ['frame', 'http://h/a/f.html'],
    ]);
    expect(extraction.feeds).toEqual(['http://h/feed']);
  });

  it('H7, H10: a refresh is a link to its target, a reload is not', () => {
    expect(urls({ redirect: { by: 'meta', target: 'http://h/n', seconds: 0 } })).toEqual(['http://h/n']);
    expect(urls({ redirect: { by: 'meta', target: '', seconds: 4 } })).toEqual([]);
  });

  it('M2, M6: strict and lenient nofollow', () => {
    const links = [
      link('/x', { rel: ['nofollow', 'ugc'] }),
      link('/y', { rel: ['sponsored'] }),
      link('/z', { rel: ['noopener'] }),
    ];
    const say = (options: ExtractOptions, robots = OPEN): unknown =>
      extractLinks(page({ links, robots }), options).links.map((found) => [found.followed, found.credited]);
    const lenient = { ...OPTIONS, nofollow: 'lenient' } as const;
    expect(say(OPTIONS)).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
    expect(say(lenient)).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ]);
    expect(say(OPTIONS, { ...OPEN, index: false })).toEqual(say(OPTIONS));
    expect(say(lenient, { ...OPEN, follow: false })).toEqual([
      [false, false],
      [false, false],
      [false, false],
    ]);
    expect(extractLinks(page({ links }), OPTIONS).refused).toEqual({ nofollow: 2 });
  });

  it('stops at the limit and says so; a hundred thousand links are no trouble', () => {
    const links = Array.from({ length: 100_000 }, (_, i) => link(`/${i}`));
    const extraction = extractLinks(page({ links }), OPTIONS);
    expect(extraction.links.length).toBe(1000);
    expect(extraction.refused).toEqual({ 'over-limit': 99_000 });
  });

  it('without any URL only absolute links count', () => {
    expect(urls({ url: undefined, baseUrl: undefined, links: [link('x'), link('http://k/')] })).toEqual(['http://k/']);
  });
});

describe('canonical', () => {
  const canonical = (href: string | undefined): string | undefined =>
    extractLinks(page({ canonical: href }), OPTIONS).canonical?.url;

  it('H12, H17: one resolved URL', () => {
    expect(canonical('http://h/r')).toBe('http://h/r');
    expect(canonical('../c#x')).toBe('http://h/c');
  });

  it('is nothing when it is empty or no web page', () => {
    for (const href of [undefined, '', ' ', 'mailto:a@b', 'http://[']) expect(canonical(href)).toBeUndefined();
  });
});
