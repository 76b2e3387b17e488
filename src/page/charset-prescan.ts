import { normalizeEncoding } from '@exodus/bytes/encoding.js';

/** Bytes looked at (HTML standard). */
const PRESCAN_BYTES = 1024;

/**
 * The encoding that the first 1,024 bytes declare in a meta element (HTML standard, "prescan a byte stream to determine
 * its encoding"): WHATWG name in lower case, or undefined. UTF-16 declared this way is UTF-8.
 */
export function prescanCharset(bytes: Uint8Array): string | undefined {
  const text = latin1(bytes.subarray(0, PRESCAN_BYTES));
  let at = 0;
  while (at < text.length) {
    at = text.indexOf('<', at);
    if (at < 0) return undefined;
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 2);
      if (end < 0) return undefined;
      at = end + 3;
    } else if (META_START.test(text.slice(at, at + 6))) {
      const meta = readMeta(text, at + 5);
      if (meta.charset !== undefined) return meta.charset;
      at = meta.end;
    } else if (TAG_START.test(text.slice(at, at + 3))) {
      at = skipTag(text, at);
    } else if (MARKUP_START.test(text.slice(at, at + 2))) {
      const end = text.indexOf('>', at + 1);
      if (end < 0) return undefined;
      at = end + 1;
    } else {
      at++;
    }
  }
  return undefined;
}

const META_START = /^<meta[\t\n\f\r /]$/i;
const TAG_START = /^<\/?[a-z]/i;
const MARKUP_START = /^<[!/?]/;
const SPACE = /[\t\n\f\r ]/;

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

function readMeta(text: string, start: number): { charset: string | undefined; end: number } {
  const seen = new Set<string>();
  let pragma = false;
  let needsPragma: boolean | undefined;
  let charset: string | null = null;
  let at = start;
  for (;;) {
    const attribute = readAttribute(text, at);
    at = attribute.end;
    if (attribute.name === '') break;
    if (seen.has(attribute.name)) continue;
    seen.add(attribute.name);
    if (attribute.name === 'http-equiv') pragma = attribute.value === 'content-type';
    if (attribute.name === 'content' && charset === null) {
      charset = labelInContent(attribute.value);
      if (charset !== null) needsPragma = true;
    }
    if (attribute.name === 'charset') {
      charset = normalizeEncoding(attribute.value);
      needsPragma = false;
    }
  }
  if (needsPragma === undefined || (needsPragma && !pragma) || charset === null) return { charset: undefined, end: at };
  return { charset: asMeta(charset), end: at };
}

function asMeta(charset: string): string {
  if (charset.startsWith('utf-16')) return 'utf-8';
  return charset === 'x-user-defined' ? 'windows-1252' : charset;
}

function skipTag(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !SPACE.test(text.charAt(at)) && text.charAt(at) !== '>') at++;
  for (;;) {
    const attribute = readAttribute(text, at);
    at = attribute.end;
    if (attribute.name === '') return at;
  }
}

/** "Get an attribute" of the standard; an empty name when there is none left. */
function readAttribute(text: string, start: number): Attribute {
  let at = start;
  while (at < text.length && (SPACE.test(text.charAt(at)) || text.charAt(at) === '/')) at++;
  if (at >= text.length || text.charAt(at) === '>') return { name: '', value: '', end: at };
  const nameStart = at;
  while (at < text.length && !/[\t\n\f\r />]/.test(text.charAt(at)) && (text.charAt(at) !== '=' || at === nameStart))
    at++;
  const name = text.slice(nameStart, at).toLowerCase();
  at = skipSpace(text, at);
  if (text.charAt(at) !== '=') return { name, value: '', end: at };
  at = skipSpace(text, at + 1);
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, at + 1);
    if (close < 0) return { name: '', value: '', end: text.length };
    return { name, value: text.slice(at + 1, close).toLowerCase(), end: close + 1 };
  }
  const valueStart = at;
  while (at < text.length && !SPACE.test(text.charAt(at)) && text.charAt(at) !== '>') at++;
  return { name, value: text.slice(valueStart, at).toLowerCase(), end: at };
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && SPACE.test(text.charAt(at))) at++;
  return at;
}

/** "Algorithm for extracting a character encoding from a meta element". */
function labelInContent(content: string): string | null {
  let at = 0;
  for (;;) {
    at = content.indexOf('charset', at);
    if (at < 0) return null;
    at = skipSpace(content, at + 7);
    if (content.charAt(at) === '=') break;
  }
  at = skipSpace(content, at + 1);
  const quote = content.charAt(at);
  if (quote === '"' || quote === "'") {
    const close = content.indexOf(quote, at + 1);
    return close < 0 ? null : normalizeEncoding(content.slice(at + 1, close));
  }
  const label = /^[^\t\n\f\r ;]*/.exec(content.slice(at))?.[0] ?? '';
  return label === '' ? null : normalizeEncoding(label);
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
