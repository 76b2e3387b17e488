import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageContext } from '../../model/page.ts';
import { readPage } from '../../page/page.ts';
import { PAGE_OPTIONS } from '../../page/page-options.ts';
import { analyse, HEURISTICS, heuristicsFor, pageFacts, pageTerms } from './content-analyser.ts';
import { firstText } from './page-facts.ts';
import { bestCover, isWholePhrase } from './phrase-index.ts';
import { tokenize } from './tokens.ts';

function facts(html: string, context: PageContext = {}) {
  return pageFacts(readPage(new TextEncoder().encode(html), context, PAGE_OPTIONS), context);
}

const features = (html: string, context?: PageContext) => analyse(facts(html, context), HEURISTICS);

const TRACE = '<pre>java.lang.RuntimeException: no tide\n\tat org.tides.Table.row(Table.java:12)</pre>';

describe('words', () => {
  it.each([
    ['It’s 3.14, naïve CAFÉ', ['it’s', '3', '14', 'naïve', 'café']],
    ['東京タワー', ['東京', '京タ', 'タワ', 'ワー']],
    ['字', ['字']],
    ['𝐒𝐋𝐎𝐓 gacor', ['slot', 'gacor']],
    ['', []],
  ])('%s', (text, words) => expect(tokenize(text)).toEqual(words));

  it('words have boundaries: "cialis" is not in "specialist"', () => {
    expect([...pageTerms(facts('<title>Our specialist</title>'))]).not.toContain('t:cialis');
  });

  it('are bounded on hostile pages', () => {
    expect(tokenize('a '.repeat(100_000), [], 500)).toHaveLength(500);
    expect(tokenize('x'.repeat(100_000))[0]?.length).toBeLessThan(100);
  });
});

describe('what a page says of itself', () => {
  const page = (title: string, body: string) => `<title>${title}</title><body>${body}</body>`;

  it.each([
    ['code and phrase in title and heading', page('403 Forbidden', '<h1>403 Forbidden</h1>'), 2],
    ['the code behind, beside other words of HTTP', page('x', '<h1>HTTP error: Bad Gateway (502)</h1>'), 1],
    ['a phrase of several words alone, twice', page('Service Unavailable', '<h1>Service Unavailable</h1>'), 1],
    ['a phrase of another code', page('404 Forbidden', ''), 0],
    ['a phrase in a sentence', page('What 404 Not Found means', ''), 0],
    ['one word alone on a page of 26 words', page('Gone', `<p>${'tide '.repeat(26)}</p>`), 0],
  ])('status lines: %s', (_, html, lines) => expect(features(html)['status_lines']).toBe(lines));

  it.each([
    ['whole', '<h1>Dieses Thema existiert noch nicht</h1>', 1],
    ['with as many other words', '<h1>Dieses Thema existiert noch nicht: Ebbe und Flut im Hafen</h1>', 0.5],
    ['not at all', '<h1>Dieses Thema existiert schon lange</h1>', 0],
  ])('a notice that there is no such page: %s', (_, body, share) =>
    expect(features(page('Wiki', body))['absent_notice']).toBe(share),
  );

  it.each([
    ['under a status line', page('500 Internal Server Error', TRACE), {}, 1],
    ['under the path asked for', page('KeyError at /tides/7', TRACE), { url: 'http://a.example/tides/7' }, 1],
    ['in an article', page('How to read a stack trace', TRACE), { url: 'http://a.example/tides/7' }, 0],
    ['missing', page('500 Internal Server Error', ''), {}, 0],
  ])('a stack trace %s', (_, html, context, shown) => expect(features(html, context)['stack_report']).toBe(shown));

  it('words in long blocks: 24 are none, 25 are all', () => {
    const block = (words: number) => `<p>${'tide '.repeat(words)}</p>`;
    expect(features(page('x', block(24)))['long_block_words']).toBe(0);
    expect(features(page('x', block(25) + block(30)))['long_block_words']).toBe(55);
  });
});

describe('table of heuristics', () => {
  it('names are unique and every one has definition and source', () => {
    const names = HEURISTICS.flatMap((heuristic) => heuristic.names);
    expect(new Set(names).size).toBe(names.length);
    for (const { definition, source } of HEURISTICS)
      expect(Math.min(definition.length, source.length)).toBeGreaterThan(2);
  });

  it('each gives as many values as names, on any page', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.boolean(), (text, known) => {
        const context = known ? { url: 'http://a.example/p/q?x=1', status: 200, redirects: 0 } : {};
        const measured = facts(`<title>${text}</title><a href="${text}">${text}</a><script>${text}</script>`, context);
        for (const heuristic of HEURISTICS) {
          const values = heuristic.compute(measured);
          expect(values).toHaveLength(heuristic.names.length);
          for (const value of values) expect(value === undefined || Number.isFinite(value)).toBe(true);
        }
      }),
    );
  });

  it('fast leaves out what costs more', () => {
    const fast = heuristicsFor(['spam'], 'A').flatMap(({ names }) => names);
    expect(fast).not.toContain('compress_ratio');
    expect(heuristicsFor(['spam'], 'B').flatMap(({ names }) => names)).toContain('compress_ratio');
  });
});

describe('values', () => {
  it('keyword stuffing: occurrences of meta keywords over all words', () => {
    const html = '<meta name="keywords" content="red, shoes"><p>red shoes and blue shoes</p>';
    expect(features(html)).toMatchObject({ meta_keywords_n: 2, keyword_in_body: 0.6 });
  });

  it('links: own domain from the URL, relative links inside', () => {
    const html =
      '<a href="/a">a</a><a href="https://b.site.example/">b</a><a href="//x.test/">x</a><a href="#top">t</a>';
    expect(features(html, { url: 'https://www.site.example/' })).toMatchObject({
      links_internal: 2,
      links_external: 1,
      external_domains: 1,
      empty_links: 1,
    });
  });

  it('script redirects and evaluated code', () => {
    const html = '<p>x</p><script>eval("location.href=1");window.location.replace("/x");setTimeout("go()",5)</script>';
    expect(features(html)).toMatchObject({ eval_count: 2, eval_len: 15, js_redirect: 2 });
  });

  it('repetition: the same five words again and again', () => {
    const value = features(`<p>${'buy cheap red shoes online '.repeat(60)}</p>`);
    expect(value['repeated_phrases']).toBeGreaterThan(0.95);
    expect(value['top_word_frac']).toBeCloseTo(0.2, 2);
    expect(value['compress_ratio']).toBeGreaterThan(10);
  });

  it('error codes as words only: 404 in a heading, not in a telephone number or a price', () => {
    expect(features('<h1>Error 404</h1>')['code_heading']).toBe(1);
    expect(features('<h1>Call 4045551234 or 1404</h1>')['code_heading']).toBe(0);
  });

  it('a domain name as title', () => {
    expect(features('<title>example-shop.com</title>')['domain_in_title']).toBe(1);
    expect(features('<title>Shoes and bags</title>')['domain_in_title']).toBe(0);
  });
});

describe('error messages', () => {
  it('a whole message with little else, in any of the locales', () => {
    expect(isWholePhrase(tokenize('404: Bladsy nie gevind nie'))).toBe(true);
    expect(isWholePhrase(tokenize(`Bladsy nie gevind nie ${'en nog baie meer '.repeat(5)}`))).toBe(false);
  });

  it('cover is one for the message itself and small for other text', () => {
    expect(bestCover(tokenize('Bladsy nie gevind nie'))).toBeCloseTo(1, 5);
    expect(bestCover(tokenize('Fresh bread every morning'))).toBeLessThan(0.3);
    expect(bestCover([])).toBe(0);
  });
});

it('the first text ends where the sample does, in the middle of a block too', () => {
  const text = firstText(facts(`<p>${'a'.repeat(15_000)}</p><p>${'b'.repeat(15_000)}</p>`));
  expect(text).toHaveLength(20_000);
  expect(text.endsWith('b')).toBe(true);
});

it('of endless titles, descriptions, blocks and addresses no more than a beginning is looked at', () => {
  const measured = (length: number) => {
    const long = '🎰7|A ★'.repeat(length / 7);
    const html = `<title>${long}</title><meta name="description" content="${long}"><p>${long}</p><img src="http://a.org/${long}">`;
    const names = [
      'title_emoji',
      'title_separators',
      'desc_emoji',
      'emoji_per_100',
      'separators_per_100',
      'digits_frac',
    ];
    const found = features(html);
    return names.map((name) => found[name]);
  };
  expect(measured(700_000)).toEqual(measured(70_000));
});

it('a page of 100,000 links and 10 MB of text costs bounded work', () => {
  const html = `<title>x</title>${'<a href="/very/long/path">word</a> '.repeat(100_000)}${'text '.repeat(1_000_000)}`;
  const measured = facts(html);
  expect(measured.words.length).toBeLessThanOrEqual(20_000);
  expect(pageTerms(measured).size).toBeLessThan(20_000);
  expect(Object.keys(analyse(measured, HEURISTICS)).length).toBeGreaterThan(50);
}, 30_000);
