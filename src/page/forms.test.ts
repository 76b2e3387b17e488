import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import type { Form, Page } from '../model/page.ts';
import { readPage } from './page.ts';
import { PAGE_OPTIONS } from './page-options.ts';

const read = (html: string): Page =>
  readPage(new TextEncoder().encode(html), { url: 'http://h/s?q=old&page=3' }, PAGE_OPTIONS);
const only = (html: string): Form => {
  const { forms } = read(html);
  expect(forms).toHaveLength(1);
  const [form] = forms;
  if (form === undefined) throw new Error('no form');
  return form;
};
const names = (form: Form | undefined): string[] => form?.controls.map((control) => control.name) ?? [];

describe('forms', () => {
  it('G1: a missing action is told from an empty one', () => {
    expect(only('<form method=get><input name=q></form>')).toMatchObject({
      action: undefined,
      method: 'get',
      methodGiven: true,
    });
    expect(only('<form action=""><input name=q></form>')).toMatchObject({
      action: '',
      method: 'get',
      methodGiven: false,
    });
    expect(only('<form method=PUT>').method).toBe('get');
    expect(only('<form method=" Post ">').method).toBe('post');
  });

  it('G3: controls of one name stay in tree order', () => {
    const form = only('<form><input name=t value=a><input name=t value=b></form>');
    expect(form.controls.map(({ name, value }) => name + '=' + value)).toEqual(['t=a', 't=b']);
  });

  it('G7: keeps what tells a search form', () => {
    const form = only(
      '<form class="search-form" id=s role=search action="/search"><input type=Search placeholder="Search…" aria-label=Find></form>',
    );
    expect(form).toMatchObject({ className: 'search-form', id: 's', role: 'search', action: '/search' });
    expect(form.controls[0]).toMatchObject({ type: 'search', placeholder: 'Search…', label: 'Find' });
  });

  it('G8: selects, check boxes and disabled controls', () => {
    const form = only(
      '<form><select name=cat><option value=1>One<option value=2 selected>Two</select><input type=checkbox name=c>' +
        '<input name=d disabled><fieldset disabled><legend><input name=e></legend><input name=f></fieldset></form>',
    );
    expect(form.controls.map(({ name, value, checked, disabled }) => [name, value, checked, disabled])).toEqual([
      ['cat', '2', false, false],
      ['c', 'on', false, false],
      ['d', '', false, true],
      ['e', '', false, false],
      ['f', '', false, true],
    ]);
  });

  it('a select without a mark takes its first enabled option, and text is a value where none is given', () => {
    const form = only(
      '<form><select name=s><option disabled>A<option> B  b </option><optgroup label=x><option value="">C</select></form>',
    );
    expect(form.controls[0]).toMatchObject({ type: 'select', value: 'B b' });
    expect(form.controls[0]?.options.map(({ value, text, selected }) => [value, text, selected])).toEqual([
      ['A', 'A', false],
      ['B b', 'B b', true],
      ['', 'C', false],
    ]);
  });

  it('G9: keeps accept-charset', () => {
    expect(only('<form accept-charset="iso-8859-1"><input name=q></form>').acceptCharset).toBe('iso-8859-1');
  });

  it('labels by for, by nesting and by button text', () => {
    const form = only(
      '<form><label for=a>Name <b>of</b> it</label><input id=a><label>Colour <select name=c><option>red</select></label>' +
        '<button name=g>Go <i>on</i></button><input type=submit value=Send></form>',
    );
    expect(form.controls.map((control) => control.label)).toEqual(['Name of it', 'Colour', 'Go on', 'Send']);
  });

  it('associates by the form attribute, wherever the control stands', () => {
    const page = read(
      '<input name=before form=f><form id=f><input name=in></form><form><input name=away form=f><input name=none form=zz></form>',
    );
    expect(page.forms.map(names)).toEqual([['before', 'in', 'away'], []]);
    expect(page.looseControls.map((control) => control.name)).toEqual(['none']);
  });

  it('keeps controls of forms misnested in tables, and ignores forms inside forms', () => {
    const table = read(
      '<table><tr><form action=a><td><input name=x></td></tr><tr><td><input name=y></td></form></tr></table><input name=z>',
    );
    expect(table.forms.map(names)).toEqual([['x', 'y']]);
    expect(table.looseControls.map((control) => control.name)).toEqual(['z']);
    const nested = read('<form action=a><input name=x><form action=b><input name=y></form><input name=z></form>');
    expect(nested.forms.map(names)).toEqual([['x', 'y']]);
    const unclosed = read('<div><form action=a><input name=x></div><p><input name=y></p></form><input name=z>');
    expect(unclosed.forms.map(names)).toEqual([['x', 'y']]);
  });

  it('gives the text, the links apart, and text areas; templates hold nothing', () => {
    const form = only(
      '<form><p>Write us <a href=h>help</a> now</p><textarea name=t>\nx <b></textarea><template><input name=no></template></form>',
    );
    expect(form).toMatchObject({ text: 'Write us now', linkTexts: ['help'] });
    expect(form.controls.map(({ name, value }) => [name, value])).toEqual([['t', 'x <b>']]);
  });
});

describe('against parse5', () => {
  const folders = ['../shared/data/forms', '../shared/data/main-content'].filter((folder) => existsSync(folder));
  it.skipIf(folders.length === 0)(
    'finds the same forms and controls on real pages (skipped without ../shared)',
    { timeout: 120_000 },
    () => {
      let pages = 0;
      const different: string[] = [];
      for (const file of folders.flatMap(htmlFiles).filter((_, index) => index % 8 === 0)) {
        const bytes = readFileSync(file);
        const html = bytes.toString('utf8');
        const ours = readPage(
          new TextEncoder().encode(html),
          { headers: { 'content-type': 'text/html;charset=utf-8' } },
          PAGE_OPTIONS,
        );
        pages++;
        const found = ours.forms.map((form) => (form.action ?? '') + '|' + form.controls.length).join('\n');
        const expected = formsOf(html).join('\n');
        if (found !== expected) different.push(file);
      }
      expect(pages).toBeGreaterThan(30);
      expect(different.length / pages, different.join('\n')).toBeLessThan(0.03);
    },
  );
});

function htmlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && !name.endsWith('expected.html'))
    .map((name) => join(folder, name));
}

const CONTROLS = new Set(['input', 'select', 'textarea', 'button']);

/** Per form in tree order its action and the number of controls: inside it, or after it where the parser moved it. */
function formsOf(html: string): string[] {
  const forms: { action: string; id: string; controls: number }[] = [];
  const owners: string[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node, form: number): void => {
    let own = form;
    if ('tagName' in node) {
      const attribute = (name: string): string | undefined => node.attrs.find((each) => each.name === name)?.value;
      if (node.tagName === 'form') {
        own = forms.push({ action: attribute('action') ?? '', id: attribute('id') ?? '', controls: 0 }) - 1;
      } else if (CONTROLS.has(node.tagName)) {
        const id = attribute('form');
        if (id !== undefined) owners.push(id);
        const owner = forms[own];
        if (id === undefined && owner !== undefined) owner.controls++;
      }
    }
    if ('childNodes' in node) for (const child of node.childNodes) walk(child, own);
  };
  walk(parse(html, { scriptingEnabled: false }), -1);
  for (const id of owners) {
    const owner = forms.find((form) => form.id === id);
    if (owner !== undefined) owner.controls++;
  }
  return forms.map((form) => form.action + '|' + form.controls);
}
