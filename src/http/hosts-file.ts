import { isIP } from 'node:net';

/** Host name (WHATWG form, no trailing dot) → addresses in the order of the file. */
export type HostsMap = ReadonlyMap<string, readonly string[]>;

export interface HostsFile {
  readonly hosts: HostsMap;
  /** One sentence for every line that is not a hosts-file line; begins with `name:line:`. */
  readonly problems: readonly string[];
}

/**
 * Reads hosts-file lines (`address name…`, `#` starts a comment). A name met again adds its address, as the C library
 * does. `name` is the file's name for the messages.
 */
export function parseHostsFile(text: string, name: string): HostsFile {
  const hosts = new Map<string, string[]>();
  const problems: string[] = [];
  text.split(/\r\n|\n|\r/).forEach((line, index) => {
    const problem = readLine(line.replace(/^\uFEFF/, ''), hosts);
    if (problem !== undefined) problems.push(`${name}:${index + 1}: ${problem}`);
  });
  return { hosts, problems };
}

/** The form under which a host name is looked up: lower case, punycode, no trailing dot; undefined when it is no name. */
export function hostsKey(hostname: string): string | undefined {
  const parsed = URL.parse(`http://${hostname}/`);
  if (parsed === null || parsed.pathname !== '/' || parsed.port !== '' || parsed.search !== '') return undefined;
  return parsed.hostname.replace(/\.$/, '');
}

function readLine(line: string, hosts: Map<string, string[]>): string | undefined {
  const [address = '', ...names] = line.replace(/#.*/, '').split(/\s+/).filter(Boolean);
  if (address === '') return undefined;
  if (isIP(address.replace(/%.*/, '')) === 0) return `'${address}' is not an IP address (expected: ADDRESS NAME…)`;
  if (names.length === 0) return `no host name after '${address}' (expected: ADDRESS NAME…)`;
  for (const name of names) {
    const key = hostsKey(name);
    if (key === undefined || key === '') return `'${name}' is not a host name`;
    const known = hosts.get(key);
    if (known === undefined) hosts.set(key, [address]);
    else if (!known.includes(address)) known.push(address);
  }
  return undefined;
}
