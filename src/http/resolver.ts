import { Resolver as DnsClient, lookup as osLookup } from 'node:dns/promises';
import { codeOf } from './failure.ts';
import { type HostsMap, hostsKey } from './hosts-file.ts';
import { Slots } from './slots.ts';

export interface ResolverOptions {
  /** Fixed addresses; they win over DNS. */
  readonly hosts: HostsMap;
  /** DNS servers (`address` or `address:port`); empty = the system's. */
  readonly servers: readonly string[];
  /** Seconds; shorter and longer times to live are clamped to these. */
  readonly minTtlSeconds: number;
  readonly maxTtlSeconds: number;
  /** Seconds a failed look-up is remembered. */
  readonly negativeTtlSeconds: number;
  /** Names remembered; the oldest go first. */
  readonly cacheSize: number;
  /** Look-ups under way at once. */
  readonly concurrency: number;
  /** Milliseconds of one DNS query, and how often it is sent. */
  readonly timeoutMs: number;
  readonly tries: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Addresses of a name, or why there are none. */
export type Lookup =
  | { readonly addresses: readonly string[] }
  | { readonly addresses: readonly []; readonly error: string };

interface CacheEntry {
  readonly lookup: Lookup;
  readonly until: number;
}

/**
 * Name look-ups with a cache by TTL. Order: hosts map, DNS (A, then AAAA when there is no A), then the operating system
 * (which reads its hosts file and whatever else is configured). Two look-ups of a name under way are one.
 */
export class Resolver {
  readonly #options: ResolverOptions;
  readonly #dns: DnsClient;
  readonly #slots: Slots;
  readonly #cache = new Map<string, CacheEntry>();
  readonly #pending = new Map<string, Promise<Lookup>>();

  constructor(options: ResolverOptions) {
    this.#options = options;
    this.#dns = new DnsClient({ timeout: options.timeoutMs, tries: options.tries });
    if (options.servers.length > 0) this.#dns.setServers(options.servers);
    this.#slots = new Slots(options.concurrency);
  }

  /** Never rejects. `hostname` is a name, not an address literal. */
  lookup(hostname: string): Promise<Lookup> {
    const name = hostsKey(hostname) ?? hostname;
    const known = this.known(name);
    if (known !== undefined) return Promise.resolve(known);
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    const started = this.#ask(name).finally(() => this.#pending.delete(name));
    this.#pending.set(name, started);
    return started;
  }

  /** TXT records of a name, their strings joined; never remembered. Never rejects. */
  async lookupText(name: string): Promise<{ readonly texts: readonly string[]; readonly error?: string }> {
    try {
      return { texts: (await this.#dns.resolveTxt(name)).map((strings) => strings.join('')) };
    } catch (error) {
      return { texts: [], error: codeOf(error) ?? String(error) };
    }
  }

  /** What is known of a name without asking anybody; undefined = nothing, or no longer. */
  known(hostname: string): Lookup | undefined {
    const name = hostsKey(hostname) ?? hostname;
    const fixed = this.#options.hosts.get(name);
    if (fixed !== undefined) return { addresses: fixed };
    const entry = this.#cache.get(name);
    if (entry === undefined) return undefined;
    if (entry.until > this.#options.now()) return entry.lookup;
    this.#cache.delete(name);
    return undefined;
  }

  /** Whether the hosts map says where a name is. */
  isFixed(hostname: string): boolean {
    return this.#options.hosts.has(hostsKey(hostname) ?? hostname);
  }

  close(): void {
    this.#dns.cancel();
  }

  async #ask(name: string): Promise<Lookup> {
    const free = await this.#slots.take();
    try {
      const fromDns = await this.#askDns(name);
      if (fromDns !== undefined) return this.#remember(name, { addresses: fromDns.addresses }, fromDns.ttl);
      const addresses = await askSystem(name);
      if (typeof addresses !== 'string') return this.#remember(name, { addresses }, this.#options.minTtlSeconds);
      return this.#remember(name, { addresses: [], error: addresses }, this.#options.negativeTtlSeconds);
    } finally {
      free();
    }
  }

  async #askDns(name: string): Promise<{ addresses: string[]; ttl: number } | undefined> {
    const v4 = await settle(this.#dns.resolve4(name, { ttl: true }));
    const records = v4.length > 0 ? v4 : await settle(this.#dns.resolve6(name, { ttl: true }));
    if (records.length === 0) return undefined;
    const { minTtlSeconds, maxTtlSeconds } = this.#options;
    const ttl = Math.min(...records.map((record) => record.ttl));
    return {
      addresses: records.map((record) => record.address),
      ttl: Math.min(Math.max(ttl, minTtlSeconds), maxTtlSeconds),
    };
  }

  #remember(name: string, lookup: Lookup, seconds: number): Lookup {
    this.#cache.delete(name);
    this.#cache.set(name, { lookup, until: this.#options.now() + seconds * 1000 });
    while (this.#cache.size > this.#options.cacheSize) {
      const oldest = this.#cache.keys().next();
      if (oldest.done === true) break;
      this.#cache.delete(oldest.value);
    }
    return lookup;
  }
}

/** Records, none when the query failed: the operating system is asked next whatever the failure was. */
function settle<Record>(query: Promise<Record[]>): Promise<Record[]> {
  return query.catch(() => []);
}

/** Addresses, or the error code. */
async function askSystem(name: string): Promise<string[] | string> {
  try {
    const found = await osLookup(name, { all: true, order: 'ipv4first' });
    return found.map((entry) => entry.address);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'ENOTFOUND';
  }
}
