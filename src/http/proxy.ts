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
  const credentials = `${percentDecoded(proxy.username)}:${percentDecoded(proxy.password)}`;
  return `Basic ${Buffer.from(credentials, 'latin1').toString('base64')}`;
}

function proxyUrl(text: string): URL | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
}

/** `*`, an address, `host`, `.domain` or `*.domain` (names below them too); all but addresses with an optional port. */
function isExcepted(entry: string, target: URL): boolean {
  if (entry === '*') return true;
  const literal = literalAddress(entry);
  if (literal !== undefined) return literal === literalAddress(target.hostname);
  const [name = '', port] = entry.split(':');
  if (port !== undefined && port !== portOf(target)) return false;
  const suffix = name.replace(/^\*?\./, '');
  const host = target.hostname.replace(/\.$/, '');
  return host === suffix || host.endsWith(`.${suffix}`);
}

/** Bytes as latin-1; what is no escape stays as it is. */
function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The port of an http or https URL, defaults filled in. */
export function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'https:' ? '443' : '80';
}
