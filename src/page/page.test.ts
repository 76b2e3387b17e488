import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateMainContent } from '../evaluation/main-content.ts';
import { BLOCK_HIDDEN, BLOCK_MAIN, BLOCK_NOSCRIPT, type Page, type PageContext } from '../model/page.ts';
import { readPage } from './page.ts';
import { PAGE_OPTIONS } from './page-options.ts';
import { pageParts } from './page-parts.ts';

const read = (html: string, context: PageContext = { url: 'http://h/dir/page' }): Page =>
  readPage(new TextEncoder().encode(html), context, PAGE_OPTIONS);
const resolved = (page: Page): (string | undefined)[] =>
  page.links.map((link) => URL.parse(link.href, page.baseUrl)?.href);

describe('base', () => {
  it('H1: is resolved against the document URL', () => {
    const page = read('<base href="/forum/"><a href="index.php/fa/1/0/">', {
      url: 'https://s.de/forum/index.php/mv/7/0/',
    });
    expect(resolved(page)).toEqual(['https://s.de/forum/index.php/fa/1/0/']);
  });

  it('H2: a relative file name', () => {
    const page = read('<base href="myself.html"><a href="?param=value">', { url: 'http://example.com/myself.html' });
    expect(resolved(page)).toEqual(['http://example.com/myself.html?param=value']);
  });

  it('H3: an empty base is the document', () => {
    expect(read('<base href=""><a href=x>').baseUrl).toBe('http://h/dir/page');
  });

  it('H6: javascript: is ignored, the first base counts, also for links before it', () => {
    expect(read('<base href="javascript:1"><base href="/other/">').baseUrl).toBe('http://h/dir/page');
    const page = read('<a href=x>a</a><base target=_top><base href="/first/"><base href="/second/">');
    expect(resolved(page)).toEqual(['http://h/first/x']);
  });
});

describe('redirects', () => {
  const meta = (content: string): Page => read(`<meta http-equiv="Refresh" content="${content}">`);

  it('H7: quotes around the target are removed', () => {
    expect(meta("0;url='http://h/n'").redirect).toEqual({ by: 'meta', target: 'http://h/n', seconds: 0 });
    expect(meta("5; URL = 'n' trailing").redirect).toEqual({ by: 'meta', target: 'http://h/dir/n', seconds: 5 });
    expect(meta('0, n').redirect?.target).toBe('http://h/dir/n');
    expect(meta('.5;url=n').redirect?.seconds).toBe(0);
    expect(meta('x;url=n').redirect).toBeUndefined();
    expect(meta('0;url=javascript:alert(1)').redirect).toBeUndefined();
  });

  it('H10: a refresh without a target is the page itself and does not count', () => {
    const page = read(
      '<meta http-equiv="Refresh" content="4"><meta http-equiv="Refresh" content="4;url=/dir/page"><meta http-equiv=refresh content="1;/b">',
    );
    expect(page.redirect).toEqual({ by: 'meta', target: 'http://h/b', seconds: 1 });
  });

  it('reads Location, the Refresh header and plain scripts; noscript and comments do not count', () => {
    const url = 'http://h/dir/page';
    expect(read('', { url, status: 301, headers: { location: '/l' } }).redirect).toMatchObject({
      by: 'http',
      target: 'http://h/l',
    });
    expect(read('', { url, headers: { refresh: '3; url=/r' } }).redirect).toEqual({
      by: 'http',
      target: 'http://h/r',
      seconds: 3,
    });
    expect(read('<script>window.location.href = "/s";</script>').redirect).toMatchObject({
      by: 'script',
      target: 'http://h/s',
    });
    expect(read('<script>// go\nlocation.replace("/s")</script>').redirect).toMatchObject({
      by: 'script',
      target: 'http://h/s',
    });
    expect(read('<script>function f() { location = "/s" }</script>').redirect).toBeUndefined();
    expect(read(`<script>location = "/s"</script>${'<p>Many words stand here.'.repeat(50)}`).redirect).toBeUndefined();
    expect(read('<noscript><meta http-equiv=refresh content="0;/n"></noscript>').redirect).toBeUndefined();
    expect(read('<!-- <meta http-equiv=refresh content="0;/n"> -->').redirect).toBeUndefined();
  });
});

describe('canonical', () => {
  it('H12: two equal links are one', () => {
    const link = '<link rel=canonical href=http://h/r>';
    expect(read(link + link, { url: 'http://h/r' }).canonical).toBe('http://h/r');
  });

  it('H15: a meta property is no link', () => {
    expect(read('<meta property="canonical" href="http://h/c" content="http://h/c">').canonical).toBeUndefined();
  });

  it('H17: the Link header counts where no element does', () => {
    const headers = { link: '<http://h/x>; rel=next, <http://h/c>; title="a, b"; rel="canonical"' };
    expect(read('', { url: 'http://h/p.pdf', headers }).canonical).toBe('http://h/c');
    expect(read('<link rel="Canonical" href=e>', { url: 'http://h/p', headers }).canonical).toBe('http://h/e');
    expect(read('<link rel=canonical href="javascript:1">', { url: 'http://h/p' }).canonical).toBeUndefined();
  });
});

describe('robots', () => {
  it('M1: comments are not obeyed', () => {
    const html =
      '<!-- <META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"> --><META NAME="ROBOTS" CONTENT="INDEX, FOLLOW" />';
    expect(read(html).robots).toMatchObject({ index: true, follow: true });
  });

  it('M2: noindex,follow still gives links', () => {
    const page = read('<meta name=robots content="noindex,follow"><a href=/b>b</a>');
    expect(page.robots).toMatchObject({ index: false, follow: true });
    expect(page.links.map((link) => link.href)).toEqual(['/b']);
  });

  it('M3: X-Robots-Tag with a date', () => {
    for (const date of ['25 Jun 2010 15:00:00 PST', 'Friday, 25-Jun-10 15:00:00 PST']) {
      const { robots } = read('', { headers: { 'x-robots-tag': `noindex, unavailable_after: ${date}` } });
      expect(robots).toMatchObject({ index: false, unavailableAfter: Date.UTC(2010, 5, 25, 23) });
    }
  });

  it('M5: whole tokens only', () => {
    for (const content of ['max-image-preview:none', 'nonexistent']) {
      expect(read(`<meta name=robots content="${content}">`).robots).toMatchObject({ index: true, follow: true });
    }
    expect(read('<meta name=winnow content=noindex>').robots.index).toBe(false);
    expect(read('<meta name=otherbot content=noindex>').robots.index).toBe(true);
  });
});

describe('main text', () => {
  it('X1: a dialog longer than the article is not the article', () => {
    const cookies =
      '<p>We and our partners store cookies on your device, and with your consent we read them. </p>'.repeat(8);
    const article = '<article><h1>News</h1><p>The bridge over the river opens on Monday, the mayor said.</p></article>';
    for (const dialog of [
      'div class="cookie-consent"',
      'div role=dialog',
      'dialog open',
      'div id=CookieBanner aria-modal=true',
    ]) {
      const page = read(`<body>${article}<${dialog}>${cookies}</${dialog.split(' ')[0]}>`);
      expect(page.mainText).toContain('The bridge over the river');
      expect(page.mainText).not.toContain('partners');
    }
  });

  it('X2: words of class names are compared whole', () => {
    const text = 'This paragraph is the reason why people come to this page, and it has to be kept as it is.';
    for (const name of [
      'widget widget_sow-editor textwidget',
      'banner',
      'shadow-box',
      'has-sidebar',
      'commentary-free-reads',
      'madness',
    ]) {
      expect(read(`<div class="${name}"><p>${text}</p></div>`).mainText).toContain(text);
    }
  });

  it('X3: a dialogue of one-line paragraphs is kept', () => {
    const lines = ['“Who is there?”', '“Me.”', '“Come in.”', '“Thanks.”', '“Sit.”'];
    const long =
      '<p>The night was long, and nobody in the old house by the sea could sleep because of the wind that blew.</p>';
    const page = read(`<main>${long}${lines.map((line) => `<p>${line}</p>`).join('')}${long}</main>`);
    for (const line of lines) expect(page.mainText).toContain(line);
  });

  it('keeps short pages, documentation and forum posts', () => {
    expect(read('<p>Closed on Sundays.</p>').mainText).toBe('Closed on Sundays.');
    const toc = Array.from({ length: 12 }, (_, i) => `<li><a href=c${i}>Chapter number ${i} of the manual</a>`).join(
      '',
    );
    expect(read(`<div class=body><h1>Manual</h1><ul>${toc}</ul></div>`).mainText).toContain('Chapter number 7');
    const post = (i: number) =>
      `<div class=comment><p>Post ${i}: I have the same trouble with my printer, and restarting it did not help at all.</p></div>`;
    const forum = read(`<div id=comments>${[0, 1, 2, 3, 4].map(post).join('')}</div>`);
    for (const i of [0, 4]) expect(forum.mainText).toContain(`Post ${i}`);
  });

  it('keeps what many popups hold, and pages that stand in a header altogether', () => {
    const text = 'The award goes to a young company that builds bicycles out of bamboo in a former brewery.';
    const articles = `<article><div class=listPopup><p>${text}</p></div></article>`.repeat(5);
    expect(read(`<body>${articles}<p>Nothing much.</p>`).mainText).toContain('bamboo');
    expect(read('<header><h1>Soon</h1><p>We open in May.</p></header>').mainText).toContain('We open in May.');
  });

  it('leaves out navigation, and what ASP.NET wraps in a form is no form', () => {
    const text =
      '<p>The museum shows two hundred paintings of the last century, most of them never seen before.</p>'.repeat(3);
    const page = read(
      `<form id=aspnetForm><nav><a href=/>Start</a></nav><div>${text}</div><footer>Imprint</footer></form>`,
    );
    expect(page.mainText).toContain('two hundred paintings');
    expect(page.mainText).not.toMatch(/Start|Imprint/);
    expect(page.links[0]?.position).toBe('nav');
  });

  const folder = '../shared/data/main-content';
  it.skipIf(!existsSync(folder))(
    'agrees with real articles: mean F1 ≥ 0.90 (skipped without ../shared)',
    { timeout: 60_000 },
    () => {
      expect(evaluateMainContent(folder, PAGE_OPTIONS).f1).toBeGreaterThanOrEqual(0.95);
    },
  );
});

describe('hidden text', () => {
  const hiddenText = (html: string): string =>
    read(html)
      .blocks.filter((block) => (block.flags & BLOCK_HIDDEN) !== 0)
      .map((block) => block.text)
      .join('|');

  it.each([
    'display:none',
    'DISPLAY : NONE !important',
    'visibility:hidden',
    'opacity:0',
    'font-size:1px',
    'font-size:0',
    'text-indent:-9999px',
    'position:absolute;left:-5000px',
    'position:fixed; top:-100em',
    'position:absolute;clip:rect(0 0 0 0)',
    'color:#fff;background:#ffffff',
    'color:white;background-color:rgb(255, 255, 255)',
    'overflow:hidden;height:1px',
  ])('%s', (style) => {
    expect(hiddenText(`<p>seen</p><div style="${style}"><p>unseen</p></div>`)).toBe('unseen');
    expect(hiddenText(`<style>.q{${style}}</style><p>seen <span class="a q">unseen</span></p>`)).toBe('unseen');
    expect(hiddenText(`<p>seen</p><div id=z>unseen</div><style>body > #z{${style}}</style>`)).toBe('unseen');
  });

  it.each([
    '<div aria-hidden=true>x</div>',
    '<div style="opacity:0.5;font-size:12px;text-indent:-10px">x</div>',
    '<style>@media print{.a{display:none}}</style><div class=a>x</div>',
    '<style>.a{display:none}.a.on{display:block}</style><div class="a on">x</div>',
    '<style>body{visibility:hidden}</style><body><div>x</div>',
    '<noscript><style>.a{display:none}</style></noscript><div class=a>x</div>',
    '<style>.a:not(.b){display:none}</style><div class="a b">x</div>',
    '<table style="font-size:0"><tr><td style="font-size:14px">x</table>',
    '<style>.a{display:none}</style><div class=ab>x</div>',
  ])('is seen: %s', (html) => {
    expect(hiddenText(html)).toBe('');
  });

  it('keeps the visible block whole around a hidden inline element, and knows hidden and noscript', () => {
    const page = read('<p>one <b style="display:none">spam</b>two</p><p hidden>three</p><noscript>four</noscript>');
    expect(page.blocks.map(({ text, flags }) => [text, flags & (BLOCK_HIDDEN | BLOCK_NOSCRIPT)])).toEqual([
      ['one two', 0],
      ['spam', BLOCK_HIDDEN],
      ['three', BLOCK_HIDDEN],
      ['four', BLOCK_NOSCRIPT],
    ]);
  });

  it('marks links in hidden places', () => {
    const page = read(
      '<a href=a>a</a><div style="display:none"><a href=b>b</a></div><i class=q><a href=c>c</a></i><style>.q{display:none}</style>',
    );
    expect(page.links.map((link) => link.hidden)).toEqual([false, true, true]);
  });
});

describe('blocks and links', () => {
  it('cuts at block-level boundaries only', () => {
    const page = read('<p>a<br>b <i>c</i>\n d<p>e<table><tr><td>f<td>g</table><pre>h  i</pre><li>j');
    expect(page.blocks.map((block) => block.text)).toEqual(['a b c d', 'e', 'f', 'g', 'h i', 'j']);
    expect(page.blocks.map((block) => block.tag)).toEqual(['p', 'p', 'td', 'td', 'pre', 'li']);
  });

  it('gives lengths, headings and paths', () => {
    const page = read('<body id=x><div class="m n" id=y><h2>Go <a href=u>there</a></h2><p><b>now</b> then</div>');
    expect(page.blocks).toMatchObject([
      { text: 'Go there', headingLevel: 2, linkLength: 5 },
      { text: 'now then', headingLevel: 0, strongLength: 3 },
    ]);
    expect(page.tagPaths[page.links[0]?.path ?? -1]).toBe('html body#x div.m.n h2 a');
  });

  it('finds links of every kind with text, rel and block', () => {
    const page = read(
      '<link rel=next href=n><link rel="alternate stylesheet" href=s><p>x <a href=" a&amp;b " rel="NoFollow ugc" title=t>te<b>x</b>t</a>' +
        '<a name=q>no</a><a href=i><img alt="picture here"></a><iframe src=f></iframe><map><area href=r alt=area></map>',
    );
    expect(page.links.map(({ element, href, text }) => [element, href, text])).toEqual([
      ['link', 'n', ''],
      ['a', ' a&b ', 'text'],
      ['a', 'i', 'picture here'],
      ['iframe', 'f', ''],
      ['area', 'r', 'area'],
    ]);
    expect(page.tagPaths[page.links[4]?.path ?? -1]).toBe('html body p map area');
    expect(page.links[1]).toMatchObject({ rel: ['nofollow', 'ugc'], title: 't', block: 0 });
  });

  it('takes the first title outside SVG and the declared language', () => {
    const page = read('<html lang=pt-BR><svg><title>icon</title></svg><title> A\n&amp; B </title><title>C</title>');
    expect([page.title, page.declaredLanguage, page.language]).toEqual(['A & B', 'pt', 'pt']);
  });

  it('tells languages from the text', () => {
    const german = 'Die Brücke über den Fluss wird am Montag wieder geöffnet, wie der Bürgermeister mitteilte.';
    expect(read(`<html lang=en><p>${german}`).language).toBe('de');
    expect(read('<p>1234 5678').language).toBe('und');
    const indonesian = 'Kami tidak bisa menerima pesanan karena toko sedang tutup untuk sementara waktu.';
    expect(read(`<p>${indonesian}`).language).toBe('id');
    const malay = 'Kami tidak boleh menerima pesanan kerana kedai sedang tutup buat sementara waktu.';
    expect(read(`<p>${malay}`).language).toBe('ms');
  });
});

it('gives the parts of a page for change detection', () => {
  const page = read(
    '<title>T</title><meta name=description content=D><h1>H</h1><p>Text</p><a href=l>L</a><img src=i alt=a>',
  );
  expect(pageParts(page)).toMatchObject({ title: 'T', headings: '1 H', links: 'l L', images: 'i a' });
  expect(pageParts(page).metadata).toContain('description: D');
});

describe('any input', () => {
  const pieces = fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      '<a href=x>',
      '</a>',
      '<table>',
      '<tr><td>',
      '</table>',
      '<form>',
      '</form>',
      '<input>',
      '<select>',
      '<option>',
    ],
    ...[
      '<b>',
      '</b>',
      '<div class="a b" style="display:none">',
      '</div>',
      '<svg>',
      '</svg>',
      '<template>',
      '<script>',
      '</script>',
    ],
    ...[
      '<style>.a{display:none}',
      '</style>',
      '<!--',
      '-->',
      '<title>',
      '<noscript>',
      '</noscript>',
      'word ',
      '&amp;',
      '&#xD800;',
      '<',
      '"',
    ],
    ...[
      '<button>',
      '<label for=q>',
      '</label>',
      '<textarea>',
      '<li>',
      '<h1>',
      '</h2>',
      '<br/>',
      '<body>',
      '</body>',
      '<frameset>',
      '\0',
      '<x-y>',
    ],
  );

  it('gives a page whose numbers agree', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 60 }), (soup) => {
        const page = read(soup.join(''));
        for (const block of page.blocks) {
          expect(block.text).not.toBe('');
          expect(block.text).toBe(block.text.trim());
          expect(block.linkLength).toBeLessThanOrEqual(block.text.length);
          expect(page.tagPaths[block.path]).toBeDefined();
        }
        for (const link of page.links) {
          expect(link.block).toBeLessThan(page.blocks.length);
          expect(page.tagPaths[link.path]).toBeDefined();
        }
        const main = page.blocks.filter((block) => (block.flags & BLOCK_MAIN) !== 0).map((block) => block.text);
        expect(page.mainText).toBe(main.join('\n'));
      }),
      { numRuns: 300 },
    );
  });

  it('reads bytes that are no text', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        (bytes) => readPage(bytes, {}, PAGE_OPTIONS).counts.bytes === bytes.length,
      ),
    );
  });

  it.each([
    ['<b>', 'nested'],
    ['<div class=a>x', 'blocks'],
    ['<a href=/a>link</a> ', 'links'],
    ['<input name=q>', 'controls'],
    ['<table><tr><td>', 'tables'],
  ])('keeps a megabyte of %s bounded', (piece) => {
    const page = read(piece.repeat(1_000_000 / piece.length));
    expect(page.counts.maxDepth).toBeLessThanOrEqual(512);
    expect(page.links.length).toBeLessThanOrEqual(PAGE_OPTIONS.maxLinks);
    expect(page.blocks.length).toBeLessThanOrEqual(PAGE_OPTIONS.maxBlocks);
  });
});
