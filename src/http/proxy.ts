import { literalAddress } from './address-guard.ts';

export interface ProxySettings {
  /** Proxy URLs (http: or https:) for targets of each scheme; undefined = direct. */
  readonly http: URL | undefined;
  readonly https: URL | undefined;
  /** Entries of NO_PROXY, lower case. */
  readonly except: readonly string[];
}

/** Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; the lower-case names win, as in curl. Values that are no URL count as unset. */
export function proxyFromEnvironment(environment: Readonly<Record<string, string | undefined>>): ProxySettings {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  return {
    http: proxyUrl(read('HTTP_PROXY')),
    https: proxyUrl(read('HTTPS_PROXY')),
    except: read('NO_PROXY')
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((entry) => entry.toLowerCase()),
  };
}

/** The proxy to use for a target, undefined = direct. */
export function proxyFor(settings: ProxySettings, target: URL): URL | undefined {
  const proxy = target.protocol === 'https:' ? settings.https : settings.http;
  if (proxy === undefined) return undefined;
  return settings.except.some((entry) => isExcepted(entry, target)) ? undefined : proxy;
}

/** `Proxy-Authorization` for the user and password in the proxy's URL, '' when it has none. */
export function proxyAuthorization(proxy: URL): string {
  if (proxy.username === '') return '';
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function proxyUrl(text: string): URL | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
}

/** `*`, `host`, `.domain` or `*.domain` (names below it too), each with an optional port. */
function isExcepted(entry: string, target: URL): boolean {
  if (entry === '*') return true;
  const [, name = entry, port] =
    /^(.*?)(?::(\d+))?$/.exec(literalAddress(entry) === undefined ? entry : entry.replace(/^\[|\]$/g, '')) ?? [];
  if (port !== undefined && literalAddress(entry) === undefined && port !== portOf(target)) return false;
  const host = literalAddress(target.hostname) ?? target.hostname.replace(/\.$/, '');
  const suffix = name.replace(/^\*?\./, '');
  return host === literalAddress(entry) || host === suffix || host.endsWith(`.${suffix}`);
}

/** The port of an http or https URL, defaults filled in. */
export function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'https:' ? '443' : '80';
}
