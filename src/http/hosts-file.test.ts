import { describe, expect, it } from 'vitest';
import { parseHostsFile } from './hosts-file.ts';

describe('parseHostsFile', () => {
  it('reads addresses, several names, comments and any line end', () => {
    const { hosts, problems } = parseHostsFile(
      '\uFEFF# test\r\n127.0.0.2 Shop.Example www.shop.example # both\n\n\t::1\tsix.example\r127.0.0.3 shop.example.',
      'h',
    );
    expect(problems).toEqual([]);
    expect([...hosts]).toEqual([
      ['shop.example', ['127.0.0.2', '127.0.0.3']],
      ['www.shop.example', ['127.0.0.2']],
      ['six.example', ['::1']],
    ]);
  });

  it('U12 keeps names in the form in which URLs have them', () => {
    expect([...parseHostsFile('127.0.0.1 ExAmpleé.org', 'h').hosts.keys()]).toEqual(['xn--example-hya.org']);
  });

  it('names file and line of what it cannot read, and reads the rest', () => {
    const { hosts, problems } = parseHostsFile(
      'shop.example 127.0.0.1\n127.0.0.1\n127.0.0.1 a/b\n127.0.0.4 ok.example\n300.1.1.1 x.example',
      'my-hosts',
    );
    expect([...hosts.keys()]).toEqual(['ok.example']);
    expect(problems.map((problem) => problem.split(': ')[0])).toEqual([
      'my-hosts:1',
      'my-hosts:2',
      'my-hosts:3',
      'my-hosts:5',
    ]);
  });
});
