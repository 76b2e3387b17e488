import { isIP } from 'node:net';

/**
 * A seed as a person types it: 'example.org' means https://example.org/.
 * @param maxLength characters of the URL, fragment left out; longer ones are not crawled anyway (crawl.maxUrlLength)
 */
export function parseSeed(text: string, maxLength: number): { readonly url: string } | { readonly problem: string } {
  const trimmed = text.trim();
  const explicit = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const parsed = URL.parse(explicit ? trimmed : `https://${trimmed}`);
  if (parsed === null) return { problem: /\s/.test(trimmed) ? 'it holds white space' : 'it is malformed' };
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return { problem: `only http and https are crawled, not ${parsed.protocol.slice(0, -1)}` };
  }
  if (!explicit && !looksLikeHost(parsed.hostname)) return { problem: 'neither a scheme nor a host name was found' };
  parsed.hash = '';
  if (parsed.href.length > maxLength) {
    return { problem: `it has ${parsed.href.length} characters, and URLs of more than ${maxLength} are not crawled` };
  }
  if (!fitsDns(parsed.hostname)) return { problem: 'its host name is longer than names can be' };
  return { url: parsed.href };
}

/** RFC 1035 2.3.4: 63 characters a label, 253 in all without the root's dot. */
function fitsDns(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every((label) => label.length <= 63);
}

function looksLikeHost(host: string): boolean {
  return host === 'localhost' || host.includes('.') || host.startsWith('[') || isIP(host) !== 0;
}
