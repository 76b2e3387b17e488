import { afterEach, describe, expect, it } from 'vitest';
import { startDns, stopDns, type Zone } from './dns-test-support.ts';
import { Resolver, type ResolverOptions } from './resolver.ts';
import { testResolverOptions } from './test-support.ts';

afterEach(stopDns);

function resolverFor(server: string, changes: Partial<ResolverOptions> = {}): Resolver {
  return new Resolver(testResolverOptions({ servers: [server], timeoutMs: 1000, ...changes }));
}

describe('Resolver', () => {
  it('gives every A record; AAAA when there is none; the error when there is neither', async () => {
    const { server, asked } = await startDns({
      'two.test': { ttl: 300, a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8:0:0:0:0:0:1'] },
      'six.test': { ttl: 300, aaaa: ['2001:db8:0:0:0:0:0:6'] },
    });
    const resolver = resolverFor(server);
    expect((await resolver.lookup('two.test')).addresses.toSorted()).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(await resolver.lookup('six.test')).toEqual({ addresses: ['2001:db8::6'] });
    expect(await resolver.lookup('none.test')).toMatchObject({ addresses: [], error: expect.any(String) });
    expect(asked.filter((question) => question.startsWith('two.test'))).toEqual(['two.test A']);
  });

  it('keeps answers for their time to live, clamped', async () => {
    const { server, asked } = await startDns({
      'short.test': { ttl: 1, a: ['192.0.2.1'] },
      'usual.test': { ttl: 300, a: ['192.0.2.2'] },
      'long.test': { ttl: 1_000_000, a: ['192.0.2.3'] },
    });
    let now = 0;
    const resolver = resolverFor(server, { now: () => now });
    const askAt = async (seconds: number, name: string): Promise<number> => {
      now = seconds * 1000;
      const before = asked.length;
      await resolver.lookup(name);
      return asked.length - before;
    };
    for (const [name, clamped] of [
      ['short.test', 60],
      ['usual.test', 300],
      ['long.test', 3600],
    ] as const) {
      expect(await askAt(0, name)).toBe(1);
      expect(await askAt(clamped - 1, name)).toBe(0);
      expect(await askAt(clamped + 1, name)).toBe(1);
    }
  });

  it('remembers that there is no such name', async () => {
    const { server, asked } = await startDns({});
    let now = 0;
    const resolver = resolverFor(server, { now: () => now });
    await resolver.lookup('none.test');
    const first = asked.length;
    await resolver.lookup('none.test');
    expect(asked.length).toBe(first);
    now = 61_000;
    await resolver.lookup('none.test');
    expect(asked.length).toBe(2 * first);
  });

  it('asks once for many who wait, and for no more names at once than allowed', async () => {
    const zone: Record<string, Zone[string]> = {};
    for (let index = 0; index < 30; index++) zone[`n${index}.test`] = { ttl: 300, a: ['192.0.2.1'] };
    const { server, asked, most } = await startDns(zone);
    const resolver = resolverFor(server, { concurrency: 3 });
    await Promise.all(
      Object.keys(zone).flatMap((name) => [resolver.lookup(name), resolver.lookup(name.toUpperCase())]),
    );
    expect(asked.length).toBe(30);
    expect(most()).toBe(3);
  });

  it('the hosts map wins; a trailing dot and case do not matter; U12 spellings are one', async () => {
    const hosts = new Map([['xn--example-hya.org', ['127.0.0.7']]]);
    const { server, asked } = await startDns({ 'xn--example-hya.org': { ttl: 1, a: ['192.0.2.1'] } });
    const resolver = resolverFor(server, { hosts });
    for (const name of ['xn--example-hya.org', 'XN--example-HYA.org.', 'ExAmpleé.org']) {
      expect(await resolver.lookup(name)).toEqual({ addresses: ['127.0.0.7'] });
      expect(resolver.known(name)).toEqual({ addresses: ['127.0.0.7'] });
    }
    expect(asked).toEqual([]);
  });

  it('falls back to the operating system, whose hosts file knows localhost', async () => {
    const { server } = await startDns({});
    expect((await resolverFor(server).lookup('localhost')).addresses).toContain('127.0.0.1');
  });

  it('knows nothing before it was asked, and forgets the oldest', async () => {
    const { server, asked } = await startDns({
      'a.test': { ttl: 300, a: ['192.0.2.1'] },
      'b.test': { ttl: 300, a: ['192.0.2.2'] },
    });
    const resolver = resolverFor(server, { cacheSize: 1 });
    expect(resolver.known('a.test')).toBeUndefined();
    await resolver.lookup('a.test');
    expect(resolver.known('a.test')).toEqual({ addresses: ['192.0.2.1'] });
    await resolver.lookup('b.test');
    expect(resolver.known('a.test')).toBeUndefined();
    expect(asked).toEqual(['a.test A', 'b.test A']);
  });

  it('gives the TXT records of a name, and the error when there are none', async () => {
    const { server } = await startDns({ '_winnow.a.test': { ttl: 300, txt: ['token one', 'token two'] } });
    const resolver = resolverFor(server);
    const { texts } = await resolver.lookupText('_winnow.a.test');
    expect(texts.toSorted()).toEqual(['token one', 'token two']);
    expect(await resolver.lookupText('_winnow.b.test')).toEqual({ texts: [], error: 'ENOTFOUND' });
  });
});
