import { isPublicSuffix, registrableDomain } from '../../url/url.ts';

/**
 * Parts of the web that are judged as one, as text: '*.example.com' (a domain with all its hosts),
 * 'www.example.com/' (a host), 'www.example.com/blog/' (a path prefix).
 */
export function domainArea(domain: string): string {
  return `*.${domain}`;
}

export function hostArea(host: string): string {
  return `${host}/`;
}

/** Path prefixes of a page below its host's root, longest first. At most 8 folders deep. */
export function areasOf(host: string, path: string): string[] {
  const bare = path.split(/[?#]/, 1)[0] ?? '/';
  const folders = bare.split('/').slice(1, -1).slice(0, 8);
  const areas: string[] = [];
  for (let n = folders.length; n > 0; n--) areas.push(`${host}/${folders.slice(0, n).join('/')}/`);
  return areas;
}

/** Every area a page lies in, narrowest first: path prefixes, host, then the host's own and parent domains. */
export function enclosingAreas(host: string, path: string): string[] {
  const areas = [...areasOf(host, path), hostArea(host)];
  const domain = registrableDomain(host);
  let name = host;
  while (name.length > domain.length) {
    areas.push(domainArea(name));
    const dot = name.indexOf('.');
    if (dot < 0) break;
    name = name.slice(dot + 1);
  }
  areas.push(domainArea(domain));
  return areas;
}

/**
 * What an operator wrote: 'example.com' and '*.example.com' = the domain with all its hosts; 'example.com/shop/' = that
 * path prefix, 'example.com/~name' the same as with a slash behind; a URL stands for its host or, with a path, its prefix.
 * A page (a last segment with a dot or a query) stands for its folder. undefined when it names no host, or what nobody
 * registers ('com', 'co.uk').
 */
export function parseArea(text: string): string | undefined {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '');
  const slash = bare.indexOf('/');
  const host = (slash < 0 ? bare : bare.slice(0, slash)).replace(/^\*\./, '').replace(/:\d+$/, '');
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$|^\[[0-9a-f:.]+\]$/u.test(host)) return undefined;
  const ascii = URL.parse(`http://${host}/`)?.hostname;
  if (ascii === undefined || isPublicSuffix(ascii)) return undefined;
  if (slash < 0) return domainArea(ascii);
  const path = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .slice(slash);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const last = path.slice(folder.length);
  return ascii + (last === '' || /[.?#]/.test(last) ? folder : `${path}/`);
}

/** Registrable domain of an area. */
export function domainOfArea(area: string): string {
  const host = area.startsWith('*.') ? area.slice(2) : (area.split('/', 1)[0] ?? area);
  return registrableDomain(host);
}
