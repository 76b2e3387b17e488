/**
 * The URL that a Location header leads to, without fragment and without user and password, or undefined when it is
 * missing or no URL. `value` is the latin-1 reading of the bytes received: servers send raw UTF-8 there, and
 * percent-encoding every high byte is right for both UTF-8 and any other charset.
 */
export function redirectTarget(value: string | undefined, base: string): string | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const encoded = value.replace(/[\x80-\xFF]/g, (byte) => '%' + byte.charCodeAt(0).toString(16).toUpperCase());
  const target = URL.parse(encoded, base);
  if (target === null) return undefined;
  target.hash = '';
  if (target.protocol === 'http:' || target.protocol === 'https:') {
    target.username = '';
    target.password = '';
  }
  return target.href;
}
