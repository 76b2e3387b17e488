import type { Scope } from '../../model/lists.ts';
import { hostName, registrableDomain } from '../../url/url.ts';

/** Says whether a key lies within `scope` of the seeds. Constant time in the number of seeds. */
export function compileScope(scope: Scope, seeds: readonly string[]): (key: string, host: string) => boolean {
  switch (scope) {
    case 'any':
      return () => true;
    case 'host': {
      const hosts = new Set(seeds.map(hostName));
      return (_key, host) => hosts.has(host);
    }
    case 'domain': {
      const domains = new Set(seeds.map((seed) => registrableDomain(hostName(seed))));
      return (_key, host) => domains.has(registrableDomain(host));
    }
    case 'prefix': {
      const prefixes = new Set(seeds.map((seed) => prefixOf(seed)));
      return (key) => isUnder(key, prefixes);
    }
  }
}

/** Authority and path up to the last `/`, without scheme: a site moves to https as a whole. */
function prefixOf(url: string): string {
  const path = withoutScheme(url);
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function withoutScheme(url: string): string {
  const end = url.search(/[?#]/);
  return url.slice(url.indexOf('://') + 3, end < 0 ? undefined : end);
}

function isUnder(key: string, prefixes: ReadonlySet<string>): boolean {
  const path = withoutScheme(key);
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    if (prefixes.has(path.slice(0, slash + 1))) return true;
  }
  return false;
}
