import { PAGE_PARTS, type PartHashes } from '../../model/changes.ts';

export type ReadReport = { readonly url: string; readonly parts: PartHashes } | { readonly problem: string };

/** The JSON that the beacon sends, whatever its media type said. Fields that are not known are passed over. */
export function readReport(body: string): ReadReport {
  const value = parse(body);
  if (typeof value !== 'object' || value === null) return { problem: 'not a JSON object' };
  const fields = new Map<string, unknown>(Object.entries(value));
  const url = fields.get('url');
  if (typeof url !== 'string') return { problem: 'no url' };
  const hashes = PAGE_PARTS.map((part) => fields.get(part));
  if (!hashes.every(isHash)) return { problem: 'the hashes are not 32 hexadecimal digits each' };
  const [title = '', text = '', headings = '', links = '', images = '', metadata = ''] = hashes;
  return { url, parts: { title, text, headings, links, images, metadata } };
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not JSON: the caller says so.
    return undefined;
  }
}
