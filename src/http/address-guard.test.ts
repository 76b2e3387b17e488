import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { literalAddress, nonPublicKind } from './address-guard.ts';

/** The host a browser makes of it, then its kind. */
function kindOfUrl(url: string): string | undefined {
  return nonPublicKind(new URL(url).hostname);
}

describe('address guard', () => {
  it.each([
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::ffff:7f00:1]/',
    'http://0177.0.0.1/',
    'http://0x7f000001/',
    'http://127.1/',
    'http://127.0.1/',
    'http://127.0.0.1./',
    'http://%31%32%37.0.0.1/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[::ffff:0:127.0.0.1]/',
  ])('U17 %s is loopback', (url) => {
    expect(kindOfUrl(url)).toBe('loopback');
  });

  it.each([
    ['0.0.0.0', 'unspecified'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'shared'],
    ['100.127.255.255', 'shared'],
    ['169.254.169.254', 'link-local'],
    ['192.0.0.8', 'protocol-assignment'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'reserved'],
    ['::', 'unspecified'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['fec0::1', 'private'],
    ['fc00::1', 'unique-local'],
    ['fdff::1', 'unique-local'],
    ['ff02::1', 'multicast'],
    ['100::1', 'discard'],
    ['64:ff9b:1::1', 'private'],
    ['64:ff9b::a01:203', 'private'],
    ['2002:a01:203::1', 'private'],
    ['2001:0:c0a8:101::', 'private'],
    ['2001:0:808:808::f5fe:fdfc', 'private'],
    ['2606:4700::5efe:192.168.1.1', 'private'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['not an address', 'reserved'],
    ['', 'reserved'],
  ])('%s is %s', (address, kind) => {
    expect(nonPublicKind(address)).toBe(kind);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::1',
    '2001:4860:4860::8888',
  ])('%s is public', (address) => {
    expect(nonPublicKind(address)).toBeUndefined();
  });

  it('says the same of every IPv4 address as a list of subnets', () => {
    const list = new BlockList();
    const subnets =
      '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3';
    for (const subnet of subnets.split(' ')) {
      const [network = '', bits] = subnet.split('/');
      list.addSubnet(network, Number(bits));
    }
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(nonPublicKind(address) !== undefined).toBe(list.check(address));
        expect(nonPublicKind(`::ffff:${address}`) !== undefined).toBe(list.check(address));
      }),
      { numRuns: 2000 },
    );
  });

  it('gives every spelling of an IPv6 address one kind', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const host = URL.parse(`http://[${address}]/`)?.hostname;
        if (host !== undefined) expect(nonPublicKind(host)).toBe(nonPublicKind(address));
      }),
      { numRuns: 2000 },
    );
  });

  it('tells literals from names', () => {
    expect(literalAddress('[::1]')).toBe('::1');
    expect(literalAddress('1.2.3.4')).toBe('1.2.3.4');
    expect(literalAddress('a.example')).toBeUndefined();
    expect(literalAddress('1.2.3.4.example')).toBeUndefined();
  });
});
