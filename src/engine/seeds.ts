import { isIP } from 'node:net';

/** A seed as a person types it: 'example.org' means https://example.org/. */
export function parseSeed(text: string): { readonly url: string } | { readonly problem: string } {
  const trimmed = text.trim();
  const explicit = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const parsed = URL.parse(explicit ? trimmed : `https://${trimmed}`);
  if (parsed === null) return { problem: /\s/.test(trimmed) ? 'it holds white space' : 'it is malformed' };
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return { problem: `only http and https are crawled, not ${parsed.protocol.slice(0, -1)}` };
  }
  if (!explicit && !looksLikeHost(parsed.hostname)) return { problem: 'neither a scheme nor a host name was found' };
  parsed.hash = '';
  return { url: parsed.href };
}

function looksLikeHost(host: string): boolean {
  return host === 'localhost' || host.includes('.') || host.startsWith('[') || isIP(host) !== 0;
}
