import type { FetchRequest } from '../model/fetch.ts';

export type Purpose = FetchRequest['purpose'];

/** accept: read the body; sniff: read it, then let its first bytes decide; refuse: not worth a byte. */
export type MediaDecision = 'accept' | 'sniff' | 'refuse';

/**
 * The essence (`type/subtype`, lower case) of a Content-Type header, '' when there is none or it is malformed. Of several
 * values the last well-formed one counts (Fetch standard, "extract a MIME type").
 */
export function mediaTypeOf(contentType: string | undefined): string {
  if (contentType === undefined) return '';
  let essence = '';
  for (const part of contentType.split(',')) {
    const match = /^\s*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)\s*(?:;|$)/.exec(part);
    if (match?.[1] !== undefined && match[1] !== '*/*') essence = match[1].toLowerCase();
  }
  return essence;
}

const HTML_TYPES = new Set(['text/html', 'application/xhtml+xml', 'application/vnd.wap.xhtml+xml']);
const MAYBE_HTML_TYPES = new Set([
  '',
  'application/xml',
  'text/xml',
  'application/x-unknown-content-type',
  'unknown/unknown',
]);
const BINARY_MEDIA = /^(?:audio|video|image|font)\//;

/** Whether a body of this media type is worth reading for this purpose. */
export function decideMediaType(mediaType: string, purpose: Purpose): MediaDecision {
  if (BINARY_MEDIA.test(mediaType)) return 'refuse';
  if (purpose !== 'page' && purpose !== 'probe') return 'accept';
  if (HTML_TYPES.has(mediaType)) return 'accept';
  return MAYBE_HTML_TYPES.has(mediaType) ? 'sniff' : 'refuse';
}

/**
 * Says what a body whose type was missing or plain XML is: 'text/html' when it may be shown as a page, else the type that
 * its beginning tells. Bytes that no text holds decide for binary (MIME Sniffing standard §7.1).
 */
export function sniffMediaType(body: Uint8Array, declared: string): string {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 1445)).toString('latin1');
  if (/<(?:!doctype\s+html|html|head|body|title)[\s>]/i.test(head)) return 'text/html';
  if (declared !== '' && /xml$/.test(declared)) return declared;
  if (/^\s*(?:\xEF\xBB\xBF)?<\?xml/.test(head)) return 'application/xml';
  const utf16 = head.startsWith('\xFE\xFF') || head.startsWith('\xFF\xFE');
  if (head.startsWith('%PDF-')) return 'application/pdf';
  return !utf16 && /[\x00-\x08\x0B\x0E-\x1A\x1C-\x1F]/.test(head) ? 'application/octet-stream' : 'text/html';
}
