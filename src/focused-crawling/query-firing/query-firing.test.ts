import { describe, expect, it } from 'vitest';
import { readPage } from '../../page/page.ts';
import { PAGE_OPTIONS } from '../../page/page-options.ts';
import { fillTemplate, resultLinks, submission } from './query-firing.ts';

const URL_OF_PAGE = 'http://h/s?q=old&page=3';

/** The request for `q=value` typed into the page's only form. */
function fire(html: string, value: string, field = 'q') {
  const page = readPage(new TextEncoder().encode(`<meta charset=utf-8>${html}`), { url: URL_OF_PAGE }, PAGE_OPTIONS);
  const [form] = page.forms;
  if (form === undefined) throw new Error('the test page has no form');
  const request = submission({ ...form, type: 'search' }, page, new Map([[field, value]]));
  if (request === undefined) return undefined;
  const body = request.body === undefined ? undefined : Buffer.from(request.body).toString('latin1');
  return { ...request, body };
}

describe('requests as browsers make them', () => {
  it('G1: a GET replaces the query of the action', () => {
    expect(fire('<form method=get><input name=q></form>', 'new')?.url).toBe('http://h/s?q=new');
    expect(fire('<form action="/f?a=1#x"><input name=q></form>', 'new')?.url).toBe('http://h/f?q=new');
  });

  it('G3: controls of one name are all sent, in tree order', () => {
    const html = '<form><input type=hidden name=t value=a><input name=q><input type=hidden name=t value=b></form>';
    expect(fire(html, 'x')?.url).toBe('http://h/s?t=a&q=x&t=b');
  });

  it('G8: selects by default, unchecked and disabled controls left out', () => {
    const html = `<form><input name=q><select name=cat><option value=1>a<option value=2 selected>b</select>
      <select name=all multiple><option value=1>a</select><input type=checkbox name=c><input type=checkbox name=d checked>
      <input name=e value=1 disabled><input type=radio name=r value=1><input type=radio name=r value=2 checked></form>`;
    expect(fire(html, 'x')?.url).toBe('http://h/s?q=x&cat=2&d=on&r=2');
    expect(fire('<form><input name=q><select name=c><option disabled>no<option>yes</select></form>', 'x')?.url).toBe(
      'http://h/s?q=x&c=yes',
    );
  });

  it('G9: accept-charset decides the bytes; what it does not have becomes a character reference', () => {
    const html = '<form accept-charset="nonsense iso-8859-1"><input name=q></form>';
    expect(fire(html, 'café')?.url).toBe('http://h/s?q=caf%E9');
    expect(fire(html, 'Пo')?.url).toBe('http://h/s?q=%26%231055%3Bo');
    expect(fire('<form accept-charset=shift_jis><input name=q></form>', '島 a')?.url).toBe('http://h/s?q=%93%87+a');
  });

  it('the default button is sent, others are not; an image button gives coordinates', () => {
    expect(
      fire('<form><input name=q><button name=go value=1>a</button><button name=no value=2>b</button></form>', 'x')?.url,
    ).toBe('http://h/s?q=x&go=1');
    expect(fire('<form><input name=q><input type=image name=i></form>', 'x')?.url).toBe('http://h/s?q=x&i.x=0&i.y=0');
  });

  it('POST keeps the query of the action and carries a body by enctype', () => {
    const form = (attributes: string) => `<form action="/f?a=1" method=post ${attributes}><input name=q></form>`;
    expect(fire(form(''), 'a b&c')).toMatchObject({
      method: 'POST',
      url: 'http://h/f?a=1',
      body: 'q=a+b%26c',
      contentType: 'application/x-www-form-urlencoded',
    });
    const parts = fire(form('enctype=multipart/form-data'), 'x');
    expect(parts?.contentType).toMatch(/^multipart\/form-data; boundary=/);
    expect(parts?.body).toContain('Content-Disposition: form-data; name="q"\r\n\r\nx\r\n--');
    expect(fire(form('enctype=text/plain'), 'x')?.body).toBe('q=x\r\n');
  });

  it('actions that are no http URL, and dialogs, are not requested', () => {
    expect(fire('<form action="javascript:go()"><input name=q></form>', 'x')).toBeUndefined();
    expect(fire('<form action="mailto:a@b.example"><input name=q></form>', 'x')).toBeUndefined();
    expect(fire('<form method=dialog><input name=q></form>', 'x')).toBeUndefined();
  });
});

it('templates: the keyword is escaped, optional parameters vanish, OpenSearch defaults are filled in', () => {
  expect(fillTemplate('http://h/?q={searchTerms}&p={startPage?}&x={foo?}', 'searchTerms', 'a&b c')).toBe(
    'http://h/?q=a%26b+c&p=1&x=',
  );
});

describe('result links', () => {
  const link = (path: string, position: 'main' | 'nav' = 'main') => ({
    url: `http://h${path}`,
    key: `http://h${path}`,
    position,
    hidden: false,
  });
  const page = { url: 'http://h/', redirected: false, links: [link('/about', 'nav'), link('/popular')] };
  const nonsense = { url: 'http://h/s?q=xqz', redirected: false, links: [link('/about', 'nav'), link('/help')] };

  it('furniture is what nonsense gets too and what stands in the navigation of the seed page', () => {
    const links = [link('/about', 'nav'), link('/help'), link('/popular'), link('/b1'), link('/s?q=tide&page=2')];
    const found = resultLinks({ url: 'http://h/s?q=tide', redirected: false, links }, { page, nonsense });
    expect(found.map(({ url }) => url)).toEqual(['http://h/popular', 'http://h/b1']);
  });

  it('without an answer to nonsense every link of the seed page is furniture', () => {
    const answer = { url: 'http://h/s?q=tide', redirected: false, links: [link('/popular'), link('/b1')] };
    expect(resultLinks(answer, { page, nonsense: undefined }).map(({ url }) => url)).toEqual(['http://h/b1']);
  });

  it('a search that sends on to its only hit has found that page', () => {
    const answer = { url: 'http://h/book/7', redirected: true, links: [link('/other')] };
    expect(resultLinks(answer, { page, nonsense })).toEqual([{ url: 'http://h/book/7' }]);
  });
});
