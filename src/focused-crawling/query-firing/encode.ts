import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';

/**
 * The encoding a form is sent in: the first label of accept-charset that is known, else the page's own charset; UTF-16
 * becomes UTF-8 (HTML standard, "pick an encoding for the form").
 */
export function formEncoding(acceptCharset: string, pageCharset: string): string {
  const labels = [...acceptCharset.split(/[\s,]+/), pageCharset];
  const known = labels.map((label) => normalizeEncoding(label)).find((name) => name !== null && name !== undefined);
  return known === undefined || known.startsWith('utf-16') || known === 'replacement' ? 'utf-8' : known;
}

/** Bytes of a text; a character outside the encoding becomes its decimal character reference, as browsers do. */
export function encodeText(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  const encode = encoderOf(encoding);
  const parts = Array.from(text.toWellFormed(), (character) => {
    const bytes = encode(character);
    return bytes ?? new TextEncoder().encode(`&#${character.codePointAt(0)};`);
  });
  return Buffer.concat(parts);
}

/** application/x-www-form-urlencoded (URL standard §5.2). */
export function urlEncode(pairs: readonly (readonly [string, string])[], encoding: string): string {
  return pairs.map(([name, value]) => `${escaped(name, encoding)}=${escaped(value, encoding)}`).join('&');
}

/** One name or value, percent-encoded with + for the space. */
export function escaped(text: string, encoding: string): string {
  let out = '';
  for (const byte of encodeText(text, encoding)) {
    const character = String.fromCharCode(byte);
    if (byte === 0x20) out += '+';
    else if (/[A-Za-z0-9*\-._]/.test(character)) out += character;
    else out += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

type Encoder = (character: string) => Uint8Array | undefined;

const MULTIBYTE: ReadonlySet<string> = new Set([
  'gbk',
  'gb18030',
  'big5',
  'euc-jp',
  'iso-2022-jp',
  'shift_jis',
  'euc-kr',
]);

function encoderOf(encoding: string): Encoder {
  const encode = MULTIBYTE.has(encoding) ? createMultibyteEncoder(encoding) : createSinglebyteEncoder(encoding);
  return (character) => {
    try {
      return encode(character);
    } catch {
      // The encoder's only way to say that the encoding does not have the character.
      return undefined;
    }
  };
}
