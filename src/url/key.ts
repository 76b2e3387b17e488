/** Which parts of a URL name a visitor or a campaign and not a document. */
export interface KeyRules {
  /** Names of query and path parameters, any case; a final `*` matches any ending. */
  readonly dropParameters: readonly string[];
}

export interface CompiledKeyRules {
  readonly names: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

/** To be done once: the result is asked for every parameter of every link. */
export function compileKeyRules(rules: KeyRules): CompiledKeyRules {
  const lower = rules.dropParameters.map((name) => name.toLowerCase());
  return {
    names: new Set(lower.filter((name) => !name.endsWith('*'))),
    prefixes: lower.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1)),
  };
}

/**
 * The dedupe key of an http(s) URL in WHATWG form without fragment: unreserved escapes decoded (RFC 3986 §6.2.2.2),
 * hex digits upper case, a lone `%` as `%25`, session and tracking parameters removed from path and query, parameters
 * sorted by name stably, empty parameters and an empty query dropped. Idempotent; linear in the length but for the sort.
 */
export function keyOf(url: string, rules: CompiledKeyRules): string {
  const pathStart = url.indexOf('/', url.indexOf('://') + 3);
  if (pathStart < 0) return url;
  const queryStart = url.indexOf('?', pathStart);
  const rawPath = queryStart < 0 ? url.slice(pathStart) : url.slice(pathStart, queryStart);
  const path = dropPathSessions(normalizeEscapes(rawPath), rules);
  const query = queryStart < 0 ? '' : normalizeQuery(url.slice(queryStart + 1), rules);
  const authority = url.slice(0, pathStart);
  return query === '' ? authority + path : `${authority}${path}?${query}`;
}

/** RFC 3986 §6.2.2: decodes escapes of unreserved characters only, upper-cases the others, mends a `%` without hex. */
export function normalizeEscapes(text: string): string {
  let percent = text.indexOf('%');
  if (percent < 0) return text;
  let out = '';
  let copied = 0;
  while (percent >= 0) {
    const code = hexValue(text.charCodeAt(percent + 1)) * 16 + hexValue(text.charCodeAt(percent + 2));
    out += text.slice(copied, percent);
    if (code < 0) {
      out += '%25';
      copied = percent + 1;
    } else {
      out += isUnreserved(code) ? String.fromCharCode(code) : text.slice(percent, percent + 3).toUpperCase();
      copied = percent + 3;
    }
    percent = text.indexOf('%', copied);
  }
  return out + text.slice(copied);
}

/** Does a parameter of this name belong to a session or a campaign? */
function isDropped(name: string, rules: CompiledKeyRules): boolean {
  const lower = name.toLowerCase();
  if (rules.names.has(lower)) return true;
  for (const prefix of rules.prefixes) if (lower.startsWith(prefix)) return true;
  return false;
}

/** Far below zero for no hex digit (NaN beyond the end included), so that a sum with it stays negative. */
function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 65 && code <= 70) return code - 55;
  if (code >= 97 && code <= 102) return code - 87;
  return -1000;
}

function isUnreserved(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 46 ||
    code === 95 ||
    code === 126
  );
}

/** ASP.NET keeps its session in a path segment of its own: `/(S(24 characters))/`. */
const ASP_SESSION = /\/\((?:[A-Z]\([a-z0-9]{24}\))+\)(?=\/)/g;

function dropPathSessions(path: string, rules: CompiledKeyRules): string {
  const withoutAsp = path.includes('/(') ? path.replace(ASP_SESSION, '') : path;
  if (!withoutAsp.includes(';')) return withoutAsp;
  return withoutAsp
    .split('/')
    .map((segment) => dropSegmentParameters(segment, rules))
    .join('/');
}

function dropSegmentParameters(segment: string, rules: CompiledKeyRules): string {
  if (!segment.includes(';')) return segment;
  const [name = '', ...parameters] = segment.split(';');
  const kept = parameters.filter((parameter) => !isDropped(parameterName(parameter), rules));
  const result = [name, ...kept].join(';');
  // `..;jsessionid=1` must not become a dot segment: the key would name another document when read again.
  return result === '.' || result === '..' ? segment : result;
}

function parameterName(parameter: string): string {
  const equals = parameter.indexOf('=');
  return equals < 0 ? parameter : parameter.slice(0, equals);
}

function normalizeQuery(raw: string, rules: CompiledKeyRules): string {
  const query = normalizeEscapes(raw);
  if (!query.includes('&')) return query === '' || isDropped(parameterName(query), rules) ? '' : query;
  const kept: { name: string; text: string }[] = [];
  for (const text of query.split('&')) {
    if (text === '') continue;
    const name = parameterName(text);
    if (!isDropped(name, rules)) kept.push({ name, text });
  }
  kept.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return kept.map((parameter) => parameter.text).join('&');
}
