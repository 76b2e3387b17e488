import type { FetchRequest } from '../model/fetch.ts';

export interface HeaderOptions {
  readonly userAgent: string;
  /** Accept-Language; '' = not sent. */
  readonly acceptLanguage: string;
}

const ACCEPT: Readonly<Record<FetchRequest['purpose'], string>> = {
  page: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  probe: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  robots: 'text/plain,text/*;q=0.9,*/*;q=0.5',
  sitemap: 'application/xml,text/xml,application/rss+xml,application/atom+xml,text/plain;q=0.9,*/*;q=0.5',
  search: 'text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.9,*/*;q=0.8',
};

/**
 * Headers of one hop, names and values alternating, in the order browsers use (the client writes Host and Connection
 * before them). Validators go only with the URL they were given for.
 */
export function requestHeaders(
  request: FetchRequest,
  options: HeaderOptions,
  hop: { readonly isFirst: boolean; readonly method: 'GET' | 'POST'; readonly cookie: string },
): string[] {
  const headers = ['User-Agent', options.userAgent, 'Accept', ACCEPT[request.purpose]];
  if (options.acceptLanguage !== '') headers.push('Accept-Language', options.acceptLanguage);
  headers.push('Accept-Encoding', 'gzip, deflate, br, zstd');
  if (hop.isFirst && hop.method === 'GET') {
    if (request.etag !== undefined && isFieldValue(request.etag)) headers.push('If-None-Match', request.etag);
    if (request.lastModified !== undefined && isFieldValue(request.lastModified)) {
      headers.push('If-Modified-Since', request.lastModified);
    }
  }
  addExtra(headers, request.headers ?? {}, hop);
  if (hop.cookie !== '') headers.push('Cookie', hop.cookie);
  return headers;
}

/** Whether a 304 may answer this request. */
export function isConditional(headers: readonly string[]): boolean {
  return headers.some((name, index) => index % 2 === 0 && /^if-(?:none-match|modified-since)$/i.test(name));
}

/** Values come from earlier answers: control characters would split the request. */
function isFieldValue(value: string): boolean {
  return value !== '' && /^[\t\x20-\x7E\x80-\xFF]*$/.test(value);
}

/** Extra headers win over ours of the same name; those of a body go when the body goes. */
function addExtra(
  headers: string[],
  extra: Readonly<Record<string, string>>,
  hop: { readonly isFirst: boolean; readonly method: 'GET' | 'POST' },
): void {
  for (const [name, value] of Object.entries(extra)) {
    if (name.startsWith('content-') && hop.method === 'GET') continue;
    if (!hop.isFirst && (name === 'authorization' || name === 'cookie')) continue;
    const known = headers.findIndex((other, index) => index % 2 === 0 && other.toLowerCase() === name);
    if (known >= 0) headers[known + 1] = value;
    else headers.push(name, value);
  }
}
