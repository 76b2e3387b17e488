/**
 * Path patterns of robots.txt (RFC 9309 §2.2.2, §2.2.3) compiled to runs of literals between wildcards.
 *
 * Percent-encoding: a Disallow is compared after full normalisation (every escape of an unreserved character decoded,
 * RFC 9309's table). An Allow is compared as Google does, letters and digits as written, so that in doubt nothing is
 * fetched; the marks `-._~` are still equal to their escapes.
 */
export interface Pattern {
  readonly allow: boolean;
  /** Literals between `*`; the first is anchored at the start of the path. */
  readonly parts: readonly string[];
  /** The rule ended in `$`. */
  readonly anchored: boolean;
  /** Octets of the normalised rule: the longest match wins. */
  readonly length: number;
  /** Fewest octets a matching path has. */
  readonly minimum: number;
  /** As the file writes it, for explanations: 'Disallow: /private'. */
  readonly text: string;
}

/** A path in the two forms that patterns are compared with. */
export interface NormalizedPath {
  readonly asWritten: string;
  readonly decoded: string;
}

/** @param value latin-1 view of the file's octets, trimmed. */
export function compilePattern(allow: boolean, value: string, text: string): Pattern {
  const octets = escapeHighOctets(value);
  const decoded = decodeUnreserved(octets);
  const compared = allow ? decodeMarks(octets) : decoded;
  const anchored = compared.endsWith('$');
  const parts = (anchored ? compared.slice(0, -1) : compared).replace(/\*+/g, '*').split('*');
  const minimum = parts.reduce((sum, part) => sum + part.length, 0);
  return { allow, parts, anchored, length: decoded.length, minimum, text };
}

/**
 * The path with query of a path or absolute URL, without fragment; '' is '/'. Octets outside ASCII are escaped for
 * comparing with Disallow; an Allow is only granted to a path that is written as a URL is (Google).
 */
export function normalizePath(pathOrUrl: string): NormalizedPath {
  const path = pathOf(pathOrUrl);
  const isAscii = !/[^\x00-\x7f]/.test(path);
  const octets = isAscii ? path : escapeHighOctets(Buffer.from(path, 'utf8').toString('latin1'));
  return { asWritten: isAscii ? decodeMarks(path) : path, decoded: decodeUnreserved(octets) };
}

/** Leftmost greedy placement of each literal decides a `*` pattern without going back: time linear in the path. */
export function matches(pattern: Pattern, path: NormalizedPath): boolean {
  const subject = pattern.allow ? path.asWritten : path.decoded;
  const { parts, anchored } = pattern;
  const first = parts[0] ?? '';
  if (pattern.minimum > subject.length || !subject.startsWith(first)) return false;
  let position = first.length;
  const last = parts.length - 1;
  if (last === 0) return !anchored || position === subject.length;
  for (let i = 1; i < (anchored ? last : last + 1); i++) {
    const part = parts[i] ?? '';
    const found = subject.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  if (!anchored) return true;
  const end = parts[last] ?? '';
  return subject.length - end.length >= position && subject.endsWith(end);
}

function pathOf(pathOrUrl: string): string {
  const hash = pathOrUrl.indexOf('#');
  const whole = hash < 0 ? pathOrUrl : pathOrUrl.slice(0, hash);
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(whole);
  if (scheme === null) return whole.startsWith('/') ? whole : `/${whole}`;
  const rest = whole.slice(scheme[0].length);
  const start = rest.search(/[/?;]/);
  if (start < 0) return '/';
  return rest[start] === '/' ? rest.slice(start) : `/${rest.slice(start)}`;
}

function escapeHighOctets(latin1: string): string {
  return latin1.replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decodeUnreserved(text: string): string {
  return decodeEscapes(text, /[\w.~-]/);
}

function decodeMarks(text: string): string {
  return decodeEscapes(text, /[_.~-]/);
}

function decodeEscapes(text: string, decodable: RegExp): string {
  if (!text.includes('%')) return text;
  return text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return decodable.test(char) ? char : code.toUpperCase();
  });
}
