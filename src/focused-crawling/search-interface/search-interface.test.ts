import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPage } from '../../page/page.ts';
import { PAGE_OPTIONS } from '../../page/page-options.ts';
import { classifyForm, findInterfaces, parseOpenSearch } from './search-interface.ts';

function pageOf(html: string) {
  return readPage(new TextEncoder().encode(`<meta charset=utf-8>${html}`), { url: 'http://h/' }, PAGE_OPTIONS);
}

function typeOf(form: string): string | undefined {
  const [found] = pageOf(form).forms;
  return found === undefined ? undefined : classifyForm(found).type;
}

describe('G7: what a form is for', () => {
  it.each([
    ['<form action="/search"><input name=x></form>', 'search'],
    ['<form id=search-form><input name=term></form>', 'search'],
    ['<form role=search><input name=x></form>', 'search'],
    ['<form><input name=x placeholder="Search…"></form>', 'search'],
    ['<form method=post action=/suche><input name=wort><button>Suche</button></form>', 'search'],
    [
      '<form action=/newsletter method=post><input type=email name=email><button>Subscribe</button></form>',
      'mailing-list',
    ],
    ['<form action=/login method=post><input name=user><input type=password name=p></form>', 'login'],
    [
      '<form method=post><input name=n><input type=password name=p><input type=password name=p2></form>',
      'registration',
    ],
    ['<form method=post><textarea name=message></textarea><input type=email name=from></form>', 'contact'],
    ['<form method=post>Forgot your password?<input name=mail></form>', 'password-recovery'],
    ['<form method=post action=/cart/add><button>Add to cart</button></form>', 'order'],
    ['<form method=post><input type=checkbox name=ok></form>', 'other'],
  ])('%s is %s', (form, type) => {
    expect(typeOf(form)).toBe(type);
  });

  it('a password outweighs every word of searching', () => {
    expect(typeOf('<form action=/find><input name=user><input type=password name=p></form>')).toBe('login');
  });
});

describe('interfaces of a page', () => {
  it('a form with its field; forms for other purposes are none', () => {
    const page = pageOf(
      '<form action=/s role=search><input type=hidden name=c value=1><input name=words></form><form action=/n method=post><input type=email name=e></form>',
    );
    expect(findInterfaces(page)).toMatchObject([{ kind: 'form', field: 'words', form: { action: '/s' } }]);
  });

  it('descriptions and SearchActions come before forms', () => {
    const page = pageOf(`<link rel=search type="application/opensearchdescription+xml" href=/os.xml>
      <script type="application/ld+json">{"@graph":[{"@type":"WebSite","potentialAction":{"@type":"SearchAction",
      "target":{"@type":"EntryPoint","urlTemplate":"http://h/?s={search_term_string}"},"query-input":"required name=search_term_string"}}]}</script>
      <script type="application/ld+json">{broken</script><form role=search><input name=q></form>`);
    expect(findInterfaces(page)).toMatchObject([
      { kind: 'search-action', template: 'http://h/?s={search_term_string}', parameter: 'search_term_string' },
      { kind: 'opensearch', description: 'http://h/os.xml' },
      { kind: 'form', field: 'q' },
    ]);
  });

  it('a box without a name or without a form needs a browser', () => {
    expect(findInterfaces(pageOf('<form id=f role=search><input></form>'))).toEqual([{ kind: 'browser', field: 'f' }]);
    expect(findInterfaces(pageOf('<input type=search id=box>'))).toEqual([{ kind: 'browser', field: 'box' }]);
  });

  it('OpenSearch: the first URL of HTML results, parameters of a GET in its query', () => {
    const xml = `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><Url type="application/json" template="http://h/j?q={searchTerms}"/>
      <Url type="text/html" template="http://h/s"><Param name="q" value="{searchTerms}"/></Url></OpenSearchDescription>`;
    expect(parseOpenSearch(xml)).toEqual({ method: 'GET', template: 'http://h/s?q={searchTerms}', fields: [] });
    expect(parseOpenSearch('<OpenSearchDescription><Url type="text/html" template="http://h/s"/>')).toBeUndefined();
    expect(parseOpenSearch('no xml')).toBeUndefined();
  });
});

const FORMS = resolve(import.meta.dirname, '../../../../shared/data/forms');

describe.skipIf(!existsSync(FORMS))('on the judged forms beside the project (skipped without them)', () => {
  it('almost nothing that is no search form is taken for one', () => {
    let search = 0;
    let others = 0;
    for (const line of readFileSync(join(FORMS, 'forms.jsonl'), 'utf8').split('\n').filter(Boolean)) {
      const { file, url, forms } = JSON.parse(line);
      const page = readPage(readFileSync(join(FORMS, file)), { url }, PAGE_OPTIONS);
      if (page.forms.length !== forms.length) continue;
      page.forms.forEach((form, at) => {
        if (!'slrpmcbo'.includes(forms[at]) || classifyForm(form).type !== 'search') return;
        if (forms[at] === 's') search++;
        else others++;
      });
    }
    expect(search).toBeGreaterThanOrEqual(265);
    expect(others).toBeLessThanOrEqual(2);
  });
});
