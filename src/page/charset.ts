import { TextDecoder as BytesDecoder, normalizeEncoding } from '@exodus/bytes/encoding.js';
import { detectCharset } from './charset-detection.ts';
import { prescanCharset } from './charset-prescan.ts';
import { countSequences, isUtf8, type Utf8Check } from './utf8-check.ts';

export interface CharsetHints {
  /** The Content-Type header as received. */
  readonly contentType?: string | undefined;
  /** Last label of the host name, for pages that nothing else decides. */
  readonly topLevelDomain?: string | undefined;
}

export interface DecodedText {
  readonly text: string;
  /** WHATWG name in lower case. */
  readonly charset: string;
  /** What decided. */
  readonly source: 'bom' | 'header' | 'meta' | 'xml' | 'utf-8' | 'statistics' | 'default';
  readonly problems: readonly string[];
}

type Choice = Pick<DecodedText, 'charset' | 'source'>;

/**
 * Decodes a page: byte-order mark, Content-Type, meta prescan, XML declaration, valid UTF-8, statistics, then the
 * default of the top-level domain or windows-1252 (HTML standard, "determining the character encoding"; unlike it, the
 * statistics are asked). Bytes labelled as a Latin alphabet that are UTF-8 with at least one sequence are read as UTF-8.
 */
export function decodeText(bytes: Uint8Array, hints: CharsetHints): DecodedText {
  const problems: string[] = [];
  const utf8 = isUtf8(bytes);
  const choice = repaired(bytes, chooseCharset(bytes, { hints, utf8, problems }), { utf8, problems });
  return { text: decode(bytes, choice.charset), ...choice, problems };
}

function chooseCharset(bytes: Uint8Array, known: { hints: CharsetHints; utf8: Utf8Check; problems: string[] }): Choice {
  const mark = markOf(bytes);
  if (mark !== undefined) return { charset: mark, source: 'bom' };
  const headerLabel = charsetParameter(known.hints.contentType ?? '');
  if (headerLabel !== undefined) {
    const charset = normalizeEncoding(headerLabel);
    if (charset !== null) return { charset, source: 'header' };
    known.problems.push('unknown-charset-label');
  }
  const meta = prescanCharset(bytes);
  if (meta !== undefined) return { charset: meta, source: 'meta' };
  const xml = xmlDeclaration(bytes);
  if (xml !== undefined) return { charset: xml, source: 'xml' };
  if (known.utf8 === 'multibyte') return { charset: 'utf-8', source: 'utf-8' };
  const usual = DOMAIN_DEFAULTS.get(known.hints.topLevelDomain ?? '');
  const detected = detectCharset(bytes, usual);
  if (detected !== undefined) return { charset: detected, source: 'statistics' };
  return { charset: usual ?? 'windows-1252', source: 'default' };
}

/** Labels that servers send without looking: one sequence of UTF-8 among valid ones is enough against them. */
const LATIN: ReadonlySet<string> = new Set([
  'windows-1252',
  'iso-8859-15',
  'iso-8859-2',
  'windows-1250',
  'windows-1254',
]);
/** Multi-byte sequences that are never all valid UTF-8 by chance in another encoding. */
const ENOUGH_SEQUENCES = 12;

function repaired(bytes: Uint8Array, choice: Choice, known: { utf8: Utf8Check; problems: string[] }): Choice {
  const { source, charset } = choice;
  if (source === 'bom' || charset === 'utf-8' || known.utf8 !== 'multibyte' || charset.startsWith('utf-16'))
    return choice;
  if (!LATIN.has(charset) && countSequences(bytes, ENOUGH_SEQUENCES) < ENOUGH_SEQUENCES) return choice;
  known.problems.push('charset-label-wrong');
  return { charset: 'utf-8', source: 'utf-8' };
}

/** The WHATWG table of fallback encodings by locale, read by top-level domain. */
const DOMAIN_DEFAULTS = new Map<string, string>(
  Object.entries({
    'windows-1251': 'ru ua by bg rs mk kz kg mn su',
    'windows-1250': 'cz hu pl sk si hr ro ba',
    'windows-1253': 'gr cy',
    'windows-1254': 'tr az',
    'windows-1255': 'il',
    'windows-1256': 'sa ae eg iq ir sy jo lb ly ma dz tn kw qa om ye',
    'windows-1257': 'lt lv ee',
    'windows-1258': 'vn',
    'windows-874': 'th',
    shift_jis: 'jp',
    'euc-kr': 'kr',
    gb18030: 'cn',
    big5: 'tw hk',
  }).flatMap(([charset, domains]) => domains.split(' ').map((domain): [string, string] => [domain, charset])),
);

/** Never throws: `charset` is a WHATWG name, and malformed sequences become U+FFFD. */
function decode(bytes: Uint8Array, charset: string): string {
  const wide = charset === 'gbk' ? 'gb18030' : charset;
  if (wide === 'replacement') return bytes.length === 0 ? '' : '�';
  if (wide === 'utf-8' || wide === 'utf-16le') return new TextDecoder(wide).decode(bytes);
  return new BytesDecoder(wide).decode(bytes);
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** The charset parameter of a Content-Type, its name in any case, the value bare or quoted. The first one counts. */
export function charsetParameter(contentType: string): string | undefined {
  for (const parameter of contentType.split(/[;,]/).slice(1)) {
    const equals = parameter.indexOf('=');
    if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== 'charset') continue;
    const value = parameter.slice(equals + 1).trim();
    const bare = value.replace(/^["']|["']$/g, '').trim();
    if (bare !== '') return bare;
  }
  return undefined;
}

function xmlDeclaration(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== 0x3c || bytes[1] !== 0x3f) return undefined;
  const head = String.fromCharCode(...bytes.subarray(0, 256));
  const match = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']{1,40})["']/.exec(head);
  const name = match?.[1] === undefined ? null : normalizeEncoding(match[1]);
  if (name === null) return undefined;
  return name.startsWith('utf-16') ? 'utf-8' : name;
}
