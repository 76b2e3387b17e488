import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { Resolver, type ResolverOptions } from './resolver.ts';
import { testResolverOptions } from './test-support.ts';

interface Zone {
  readonly [name: string]: { readonly ttl: number; readonly a?: readonly string[]; readonly aaaa?: readonly string[] };
}

const A = 1;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A DNS server for `zone`; other names get NXDOMAIN. `asked` lists the questions. */
async function startDns(zone: Zone): Promise<{ server: string; asked: string[]; most: () => number }> {
  const asked: string[] = [];
  let open = 0;
  let most = 0;
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (message, from) => {
    const { name, type, end } = readQuestion(message);
    asked.push(`${name} ${type === A ? 'A' : 'AAAA'}`);
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      socket.send(reply(message, end, zone[name], type), from.port, from.address);
    }, 10);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { server: `127.0.0.1:${socket.address().port}`, asked, most: () => most };
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = message[offset] ?? 0; length > 0; length = message[offset] ?? 0) {
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(offset + 1), end: offset + 5 };
}

function reply(question: Buffer, end: number, entry: Zone[string] | undefined, type: number): Buffer {
  const addresses = (type === A ? entry?.a : entry?.aaaa) ?? [];
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(entry === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const data = type === A ? Buffer.from(address.split('.').map(Number)) : v6Bytes(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(entry?.ttl ?? 0, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, question.subarray(12, end), ...records]);
}

/** Eight words written out in full. */
function v6Bytes(address: string): Buffer {
  return Buffer.from(
    address.split(':').flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]),
  );
}

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
});
