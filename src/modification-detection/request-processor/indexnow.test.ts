import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsKey, readSubmission } from './indexnow.ts';

const KEY = '0123456789abcdef';

/** Status of what the protocol refuses, the key file of what it allows. */
function check(fields: unknown): number | string {
  const read = readSubmission(fields);
  return 'problem' in read ? read.status : read.keyUrl;
}

describe('IndexNow submissions', () => {
  it('one URL by GET, many by POST', () => {
    expect(check({ url: 'https://a.example/x', key: KEY })).toBe(`https://a.example/${KEY}.txt`);
    const list = { host: 'a.example', key: KEY, urlList: ['https://a.example/x', 'https://a.example/y'] };
    expect(check(list)).toBe(`https://a.example/${KEY}.txt`);
    expect(check({ ...list, host: 'A.EXAMPLE' })).toBe(`https://a.example/${KEY}.txt`);
  });

  it('a key file elsewhere vouches for what lies below its folder', () => {
    const keyLocation = 'https://a.example/blog/key.txt';
    expect(check({ url: 'https://a.example/blog/x', key: KEY, keyLocation })).toBe(keyLocation);
    expect(check({ url: 'https://a.example/x', key: KEY, keyLocation })).toBe(422);
    expect(check({ url: 'https://a.example/blog/../x', key: KEY, keyLocation })).toBe(422);
    expect(check({ url: 'https://a.example/x', key: KEY, keyLocation: 'https://b.example/key.txt' })).toBe(422);
  });

  it('pages of another host are refused with all the others', () => {
    const urlList = ['https://a.example/x', 'https://b.example/y'];
    expect(check({ host: 'a.example', key: KEY, urlList })).toBe(422);
    expect(check({ host: 'b.example', key: KEY, urlList: urlList.slice(0, 1) })).toBe(422);
  });

  it('what is malformed is refused as such', () => {
    const url = 'https://a.example/';
    for (const fields of [null, 5, 'x', [], {}, { url }, { key: KEY }, { url, key: 'short' }, { url: 'x', key: KEY }])
      expect(check(fields)).toBe(400);
    expect(check({ url: 'ftp://a.example/', key: KEY })).toBe(400);
    expect(check({ url, key: `${KEY}/../x` })).toBe(400);
    expect(check({ key: KEY, urlList: [url] })).toBe(400);
    expect(check({ host: 'a.example', key: KEY, urlList: [] })).toBe(400);
    expect(check({ host: 'a.example', key: KEY, urlList: Array(10_001).fill(url) })).toBe(400);
    expect(check({ url, key: KEY, keyLocation: 7 })).toBe(400);
  });

  it('anything at all gives an answer', () => {
    const field = fc.oneof(fc.webUrl(), fc.string(), fc.anything());
    const fields = fc.record({ url: field, host: field, key: field, keyLocation: field, urlList: fc.array(field) });
    fc.assert(fc.property(fc.oneof(fields, fc.anything()), (any) => void readSubmission(any)));
  });

  it('a key file holds the key as a word of its own', () => {
    expect(holdsKey(`${KEY}\n`, KEY)).toBe(true);
    expect(holdsKey(`other\r\n${KEY}`, KEY)).toBe(true);
    expect(holdsKey(`${KEY}0`, KEY)).toBe(false);
    expect(holdsKey('', KEY)).toBe(false);
  });
});
