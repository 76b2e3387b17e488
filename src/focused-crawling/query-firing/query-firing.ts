import type { Control, Form, Page } from '../../model/page.ts';
import { encodeText, escaped, formEncoding, urlEncode } from './encode.ts';
import { multipart } from './multipart.ts';

export { nonsenseWord } from './nonsense.ts';
export { foreignTarget } from './query-target.ts';
export { resultLinks, type SearchAnswer } from './result-links.ts';

/** A request that puts a query to a site. */
export interface Submission {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
}

/** The type asks for a form that was found to be for searching: no other kind can be submitted. */
export type SearchForm = Form & { readonly type: 'search' };

export interface FormPlace extends Pick<Page, 'url' | 'baseUrl' | 'charset'> {}

/**
 * The request a browser makes when the keyword is typed into `field` and Enter is pressed (HTML standard, form
 * submission algorithm): successful controls in tree order with their defaults, the default button included. undefined
 * when the action is no http(s) URL.
 */
export function submission(
  form: SearchForm,
  place: FormPlace,
  values: ReadonlyMap<string, string>,
): Submission | undefined {
  const action = actionUrl(form, place);
  if (action === undefined || form.method === 'dialog') return undefined;
  const encoding = formEncoding(form.acceptCharset, place.charset);
  const entries = entryList(form, values, encoding);
  if (form.method === 'get') {
    action.search = urlEncode(entries, encoding);
    return { method: 'GET', url: action.href };
  }
  return { method: 'POST', url: action.href, ...bodyOf(entries, form.enctype, encoding) };
}

/** The URL of a template in which parameters stand in braces; `parameter` is the one for the keyword. */
export function fillTemplate(template: string, parameter: string, keyword: string): string | undefined {
  const filled = template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const plain = name.replace(/\?$/, '');
    if (plain === parameter) return escaped(keyword, 'utf-8');
    return TEMPLATE_DEFAULTS[plain] ?? '';
  });
  return URL.parse(filled)?.href;
}

/** Defaults of the OpenSearch 1.1 parameters. */
const TEMPLATE_DEFAULTS: Readonly<Record<string, string>> = {
  count: '10',
  startIndex: '1',
  startPage: '1',
  language: '*',
  inputEncoding: 'UTF-8',
  outputEncoding: 'UTF-8',
};

function actionUrl(form: Form, { url, baseUrl }: FormPlace): URL | undefined {
  const written = form.action?.trim() ?? '';
  const parsed = written === '' ? URL.parse(url ?? '') : URL.parse(written, baseUrl ?? url);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined;
  parsed.hash = '';
  return parsed;
}

type Entry = readonly [name: string, value: string];

function entryList(form: Form, values: ReadonlyMap<string, string>, encoding: string): Entry[] {
  const button = form.controls.find((control) => control.type === 'submit' || control.type === 'image');
  const filled = new Set<string>();
  const entries: Entry[] = [];
  for (const control of form.controls) {
    if (control.disabled) continue;
    if (control.type === 'image' && control === button) entries.push(...clicked(control));
    if (control.name === '' || (isButton(control) && (control !== button || control.type !== 'submit'))) continue;
    const value = isTypable(control) && !filled.has(control.name) ? values.get(control.name) : undefined;
    if (value === undefined) entries.push(...defaultsOf(control, encoding));
    else entries.push([control.name, value]);
    if (value !== undefined) filled.add(control.name);
  }
  return entries.map(([name, value]) => [newlines(name), newlines(value)]);
}

function isButton({ type }: Control): boolean {
  return type === 'submit' || type === 'button' || type === 'reset' || type === 'image';
}

function isTypable({ type }: Control): boolean {
  return type !== 'hidden' && type !== 'select' && type !== 'checkbox' && type !== 'radio' && type !== 'submit';
}

/** Coordinates of an image button pressed by the keyboard. */
function clicked({ name }: Control): Entry[] {
  const prefix = name === '' ? '' : `${name}.`;
  return [
    [`${prefix}x`, '0'],
    [`${prefix}y`, '0'],
  ];
}

function defaultsOf(control: Control, encoding: string): Entry[] {
  const { type, name, value } = control;
  switch (type) {
    case 'checkbox':
    case 'radio':
      return control.checked ? [[name, value]] : [];
    case 'select':
      return control.options
        .filter((option) => option.selected && !option.disabled)
        .map((option) => [name, option.value]);
    case 'file':
      return [[name, '']];
    case 'hidden':
      return [[name, name.toLowerCase() === '_charset_' ? browserName(encoding) : value]];
    default:
      return [[name, value]];
  }
}

/** Names as the Encoding standard writes them in `_charset_`. */
function browserName(encoding: string): string {
  return encoding === 'utf-8' ||
    encoding.startsWith('iso-') ||
    encoding.startsWith('euc-') ||
    encoding.startsWith('koi8-')
    ? encoding.toUpperCase()
    : encoding;
}

function newlines(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

function bodyOf(
  entries: readonly Entry[],
  enctype: string,
  encoding: string,
): Pick<Submission, 'body' | 'contentType'> {
  const kind = enctype.trim().toLowerCase();
  if (kind === 'multipart/form-data') return multipart(entries, encoding);
  if (kind === 'text/plain') {
    const text = entries.map(([name, value]) => `${name}=${value}\r\n`).join('');
    return { body: encodeText(text, encoding), contentType: 'text/plain' };
  }
  const body = new TextEncoder().encode(urlEncode(entries, encoding));
  return { body, contentType: 'application/x-www-form-urlencoded' };
}
