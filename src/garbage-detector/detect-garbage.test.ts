import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DetectorName, Verdict } from '../model/lists.ts';
import type { PageContext } from '../model/page.ts';
import { readPage } from '../page/page.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { createDetector } from './detect-garbage.ts';
import { ModelStore, SHIPPED_MODELS } from './model-store/model-store.ts';
import { isDetectorModel } from './supervised-analyser/detector-model.ts';

const store = new ModelStore('', SHIPPED_MODELS, isDetectorModel);
const shipped = (name: DetectorName) => {
  const model = store.load(name);
  if (model === undefined) throw new Error(`no model ${name}`);
  return model;
};
const detector = createDetector({
  models: { spam: shipped('spam'), 'soft-404': shipped('soft-404') },
  sureHam: 0.02,
  sureGarbage: 0.98,
});

function judge(html: string, context: PageContext = {}) {
  const page = readPage(new TextEncoder().encode(html), context, PAGE_OPTIONS);
  return detector.judge(page, context, { level: 'standard', host: {}, size: 'full' });
}

const verdictOf = (html: string, context?: PageContext): Verdict => judge(html, context).verdict;

const document = (title: string, body: string, head = '') =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;

/** An article with the given opening, about as long as real help pages. */
function article(title: string, opening: string): string {
  const paragraphs = [
    'Check the address first: most of these messages come from a mistyped word or a letter in the wrong case. Correct it in the address bar and press Enter again.',
    'If you followed a link, go up one folder at a time by removing the part behind the last slash. Often the document was moved to a neighbouring section and the overview there names the new place.',
    'Site owners look into the server log, list the addresses that visitors ask for in vain and write redirect rules for them. In Apache this is a line with RedirectPermanent in the configuration, in nginx a return statement inside a location block.',
    'Clear the cache of the browser when the page opens on another computer. A stored redirect lives longer than the mistake that caused it, and a hard reload fetches everything anew.',
    'Search engines drop such addresses after some weeks. Ask for a new crawl once the redirects are in place, and keep a helpful error page with a search box for the rest.',
    'Finally, test the result with a command line tool that shows the status line of the answer. The number 200 should be seen on pages that exist and on no others.',
  ];
  return document(
    title,
    `<header><nav><a href="/">Home</a> <a href="/guides">Guides</a> <a href="/about">About</a></nav></header>
     <main><article><h1>${title}</h1><p>${opening}</p>${paragraphs.map((text) => `<p>${text}</p>`).join('')}
     <h2>Related guides</h2><ul><li><a href="/guides/redirects">Redirects explained</a></li><li><a href="/guides/logs">Reading server logs</a></li></ul></article></main>
     <footer><p>Written by the help team, last revised in March.</p></footer>`,
    '<meta name="description" content="What the message means and how visitors and site owners get rid of it.">',
  );
}

describe('cases', () => {
  it('F3: a 200 answer that only echoes the path asked for is soft-404', () => {
    const context = { url: 'http://h.example/requested/path', status: 200 };
    expect(verdictOf('ERR:/requested/path', context)).toBe('soft-404');
    expect(verdictOf('ERR:/some/other-page.html', { url: 'http://h.example/some/other-page.html', status: 200 })).toBe(
      'soft-404',
    );
  });

  it('F4: a redirect to ww1. with an offer to sell is parked, whatever its robots meta says', () => {
    const html = document(
      'h.example',
      '<h1>h.example</h1><p>This website is for sale!</p>',
      '<meta name="robots" content="index,follow">',
    );
    const context = {
      url: 'http://ww1.h.example/',
      status: 200,
      redirectedFrom: 'http://h.example/page',
      redirects: 1,
    };
    expect(judge(html, context)).toMatchObject({ verdict: 'parked', kinds: ['parked'] });
  });

  it('F6: a help article about the error is not the error', () => {
    const html = article(
      'How to fix a 404 Page not found error',
      'A page that cannot be found is annoying for visitors and for owners alike.',
    );
    expect(verdictOf(html)).toBe('keep');
    expect(verdictOf(html, { url: 'https://help.example/guides/fix-404-page-not-found', status: 200 })).toBe('keep');
  });
});

describe('pages without content', () => {
  it.each([
    [
      'en',
      document(
        '404 Not Found',
        '<h1>Not Found</h1><p>The requested URL was not found on this server.</p><hr><address>Apache/2.4 Server</address>',
      ),
    ],
    [
      'de',
      document(
        'Seite nicht gefunden',
        '<h1>404</h1><p>Die angeforderte Seite wurde nicht gefunden.</p><a href="/">Zur Startseite</a>',
      ),
    ],
    [
      'fr',
      document('Page non trouvée', '<h1>Page introuvable</h1><p>Désolé, la page que vous cherchez n’existe pas.</p>'),
    ],
    [
      'ja',
      document(
        'ページが見つかりません',
        '<h1>404</h1><p>お探しのページは見つかりませんでした。</p><a href="/">ホーム</a>',
      ),
    ],
  ])('a not-found page in %s is soft-404', (_, html) => {
    expect(judge(html)).toMatchObject({ verdict: 'soft-404', kinds: ['soft-404'] });
  });

  const error = (title: string, body: string) =>
    `<html><head><title>${title}</title></head><body>${body}</body></html>`;
  it.each([
    ['nginx 404', error('404 Not Found', '<center><h1>404 Not Found</h1></center><hr><center>nginx/1.22.1</center>')],
    ['nginx 502', error('502 Bad Gateway', '<center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center>')],
    ['lighttpd', error('404 Not Found', '<h1>404 Not Found</h1>')],
    [
      'Apache 403',
      error(
        '403 Forbidden',
        "<h1>Forbidden</h1><p>You don't have permission to access this resource.</p><hr><address>Apache/2.4.62 (Debian) Server at h.example Port 80</address>",
      ),
    ],
    [
      'Tomcat',
      error(
        'HTTP Status 404 – Not Found',
        '<h1>HTTP Status 404 – Not Found</h1><p><b>Type</b> Status Report</p><p><b>Message</b> The requested resource [/nix] is not available</p>',
      ),
    ],
    ['Python', error('Error response', '<h1>Error response</h1><p>Error code: 404</p><p>Message: File not found.</p>')],
    [
      'PHP',
      error(
        '404 Not Found',
        '<h1>Not Found</h1><p>The requested resource <code>/nix</code> was not found on this server.</p>',
      ),
    ],
    [
      'WordPress',
      document(
        'Page not found – My Blog',
        '<header><a href="/">My Blog</a></header><main><h1>Oops! That page can’t be found.</h1><p>It looks like nothing was found at this location. Maybe try a search?</p><form role="search"><input type="search" name="s"></form></main><footer>Proudly powered by WordPress</footer>',
      ),
    ],
    [
      'Jetty',
      error(
        'Error 404 Not Found',
        '<h2>HTTP ERROR 404 Not Found</h2><table><tr><th>URI:</th><td>/nix</td></tr></table>',
      ),
    ],
  ])('what %s answers to an unknown address', (_, html) => {
    expect(verdictOf(html, { url: 'http://h.example/nix', status: 200 })).toBe('soft-404');
  });

  it.each([
    ['a refusal of few words', document('403 Forbidden', '<h1>403 Forbidden</h1><p>Request forbidden.</p>')],
    ['a page that may be written', document('Wiki', '<h1>Esta página</h1><h1>Este tema no existe todavía</h1>')],
  ])('%s is soft-404', (_, html) => expect(verdictOf(html)).toBe('soft-404'));

  it('three paragraphs under the words of an error are kept', () => {
    const text =
      'The page you are looking for could not be found: nobody likes to read that sentence, and yet it stands on almost every site. We asked thirty readers of the catalogue what they did next, and most of them went back.';
    const body = `<h1>404 Not Found: a better page</h1>${`<p>${text}</p>`.repeat(4)}`;
    expect(verdictOf(document('Writing a page for 404 Not Found', body))).toBe('keep');
  });

  it('an untouched server is a default page', () => {
    const html = document(
      'Welcome to nginx!',
      '<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and working. Further configuration is required.</p>',
    );
    expect(verdictOf(html)).toBe('default-page');
  });
});

describe('parked domains', () => {
  const offer = '<h1>h.example</h1><p>This domain is for sale.</p>';
  const searches =
    '<p>Related searches</p><ul><li><a href="/?kw=a">Hotels</a></li><li><a href="/?kw=b">Loans</a></li></ul>';

  it('two independent signs make it certain', () => {
    const judgement = judge(document('h.example', offer + searches), { url: 'http://h.example/', status: 200 });
    expect(judgement.verdict).toBe('parked');
    expect(judgement.probability['soft-404']).toBeGreaterThan(0.99);
    expect(judgement.reasons.join(' ')).toContain('several signs of a parked domain');
  });

  it('an article on selling domains and a shop with related searches are kept', () => {
    expect(verdictOf(article('How to sell a domain', 'A notice such as "this domain is for sale" helps.'))).toBe(
      'keep',
    );
    const shop = article('Lamps of brass and glass', 'Made by hand in three sizes.').replace(
      '</main>',
      `${searches}</main>`,
    );
    expect(verdictOf(shop, { url: 'http://shop.example/lamps', status: 200 })).toBe('keep');
  });
});

describe('judgements', () => {
  it('explain themselves and name what they used', () => {
    const judgement = judge(document('404 Not Found', '<h1>Not Found</h1>'));
    expect(judgement.reasons.length).toBeGreaterThan(2);
    expect(judgement.reasons.every((reason) => reason.length > 8)).toBe(true);
    expect(judgement.trees).toEqual(['spam/standard/full', 'soft-404/standard/full']);
    expect(judgement.features['code_title']).toBe(1);
  });

  it('unknown URL, status and headers are missing, not zero', () => {
    const { features } = judge(document('A title', '<p>Some text</p>'));
    for (const name of ['url_length', 'url_depth', 'status', 'redirects', 'parking_host', 'echoes_url'])
      expect(features).not.toHaveProperty(name);
  });

  it('an empty page and a broken one are judged all the same', () => {
    for (const html of ['', '<', '<html><p', '\0\0\0', '<table><tr><td>'.repeat(2000)]) {
      const { probability } = judge(html);
      expect(probability.spam).toBeGreaterThanOrEqual(0);
      expect(probability['soft-404']).toBeLessThanOrEqual(1);
    }
  });

  it('probabilities are numbers between 0 and 1 whatever the page is made of', () => {
    const piece = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<a href="',
        '">',
        '<script>',
        '</script>',
        '<!--',
        '<img src=x>',
        '<title>',
        '<h1>',
        '404',
        '\0',
      ],
      ...[
        'not found ',
        '<meta name=keywords content="',
        '<div style="display:none">',
        '<iframe src=//a.example>',
        'ตัว',
        '𝐒',
      ],
      ...[
        '{"@type":"Offer"}',
        '<table><tr><td>',
        '&#x0;',
        'word ',
        '<meta http-equiv=refresh content="0;url=',
        '<style>',
      ],
    );
    const soup = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 20 })), { maxLength: 40 })
      .map((parts) => parts.join(''));
    const contexts = fc.constantFrom<PageContext>({}, { url: 'http://h.example/a/b', status: 200, redirects: 1 });
    const levels = fc.constantFrom('fast' as const, 'standard' as const, 'auto' as const);
    fc.assert(
      fc.property(
        soup,
        contexts,
        levels,
        fc.constantFrom('full' as const, 'reduced' as const),
        (html, context, level, size) => {
          const page = readPage(new TextEncoder().encode(html), context, PAGE_OPTIONS);
          const host = { sameAnswers: 3, errorPageSimilarity: 0.9 };
          const { probability, threshold } = detector.judge(page, context, { level, host, size });
          for (const value of [...Object.values(probability), ...Object.values(threshold)]) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('what the host said elsewhere counts, but not against prose, and alone it condemns nothing', () => {
    const judged = (html: string, host: object) => {
      const page = readPage(new TextEncoder().encode(html), {}, PAGE_OPTIONS);
      return detector.judge(page, {}, { level: 'standard', host, size: 'full' });
    };
    const excuse = document('Garden club', '<main><p>That page is not here. Try the overview.</p></main>');
    const alone = judged(excuse, {}).probability['soft-404'];
    const known = judged(excuse, { errorPageSimilarity: 1 });
    expect(known.probability['soft-404']).toBeGreaterThan(alone);
    expect(known.reasons.join(' ')).toContain('its host says the same at other addresses');
    const gallery = document(
      'Harbour at dusk',
      '<main><h1>Harbour at dusk</h1><p>Photograph by Ada Lind, 12 × 18 cm</p></main>',
    );
    expect(judged(gallery, { sameAnswers: 20 }).verdict).toBe('keep');
    const prose = article('How to prune roses', 'Roses want a clean cut above an eye.');
    const withHost = judged(prose, { sameAnswers: 20, errorPageSimilarity: 1 });
    expect(withHost.probability['soft-404']).toBe(judged(prose, {}).probability['soft-404']);
  });

  it('auto stops at the fast trees when these are sure', () => {
    const html = document('404 Not Found', '<h1>Not Found</h1><p>The requested URL was not found on this server.</p>');
    const page = readPage(new TextEncoder().encode(html), {}, PAGE_OPTIONS);
    const auto = (sureGarbage: number) =>
      createDetector({
        models: { spam: shipped('spam'), 'soft-404': shipped('soft-404') },
        sureHam: 0,
        sureGarbage,
      }).judge(page, {}, { level: 'auto', host: {}, size: 'full' }).trees[0];
    expect(auto(0.5)).toBe('spam/fast/full');
    expect(auto(1)).toBe('spam/standard/full');
  });
});

describe('evidence of spam that no labelled page teaches', () => {
  const moving = (target: string) =>
    document(
      'Please wait',
      `<p>You are being moved.</p><script>setTimeout(() => { location.href = "${target}"; }, 3)</script>`,
    );

  it('a page of hardly a word that sends its reader to a trade', () => {
    const judgement = judge(moving('https://pills.example/cialis.html?aff=14'), { url: 'http://club.example/' });
    expect(judgement).toMatchObject({ verdict: 'spam', kinds: ['redirection'] });
    expect(judgement.reasons.join(' ')).toContain('little but a redirect');
  });

  it.each([
    ['its own site by a path that elsewhere pays', 'https://www.club.example/go/members?tag=2'],
    ['another site of no trade', 'https://choir.example/autumn'],
  ])('not one that sends it to %s', (_, target) => {
    const judgement = judge(moving(target), { url: 'http://club.example/' });
    expect(judgement.verdict).toBe('keep');
    expect(judgement.features).toMatchObject({ redirect_trade: 0, redirect_paid: 0 });
  });

  it('pictures of nine other sites without a link to them, not of eight', () => {
    const gallery = (sites: number) => {
      const images = Array.from(
        { length: sites },
        (_, at) => `<img src="https://photos${at}.example${at}.org/a.jpg" alt="">`,
      );
      return judge(document('Bedrooms', `<p>Many ideas for a room.</p>${images.join('')}`));
    };
    const [eight, nine] = [gallery(8), gallery(9)];
    expect(nine.reasons.join(' ')).toContain('pictures of 9 other sites');
    expect(eight.reasons.join(' ')).not.toContain('other sites without a link');
    expect(nine.probability.spam).toBeGreaterThan(eight.probability.spam);
  });
});
