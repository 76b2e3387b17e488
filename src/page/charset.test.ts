import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateCharsets } from '../evaluation/charset.ts';
import { charsetParameter, decodeText } from './charset.ts';

const bytesOf = (...parts: (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...part].map((character) => character.charCodeAt(0)) : part)),
  );
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** `text` in a single-byte encoding. */
function encode(text: string, charset: string): Uint8Array {
  const decoder = new TextDecoder(charset);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from([...text].map((character) => bytes.get(character) ?? 0x3f));
}

describe('declared encodings', () => {
  it('C1: a script in front of the meta element does not hide it', () => {
    const head =
      '<script charset="utf-8" src=t.js></script><meta http-equiv=Content-Type content="text/html; charset=ISO-8859-15">';
    const { text, charset } = decodeText(bytesOf(head, [0xe9, 0xa4]), {});
    expect([charset, text.slice(-2)]).toEqual(['iso-8859-15', 'é€']);
  });

  it('C4: gb2312 is read as gb18030, whatever the case of the parameter name', () => {
    // 0xe94c is a traditional character that GBK has and GB 2312 has not.
    const { text } = decodeText(bytesOf([0xe9, 0x4c]), { contentType: 'text/html; Charset=gb2312' });
    expect(text).toBe(new TextDecoder('gb18030').decode(Uint8Array.from([0xe9, 0x4c])));
    expect(text).not.toContain('\ufffd');
  });

  it('C5: æ of ISO-8859-1', () => {
    const { text } = decodeText(bytesOf('s', [0xe6], 'r'), { contentType: 'text/html; charset=iso-8859-1' });
    expect(text).toBe('sær');
  });

  it('C8: UTF-8 labelled ISO-8859-1', () => {
    const decoded = decodeText(utf8('æøå'), { contentType: 'text/html;charset=ISO-8859-1' });
    expect(decoded).toMatchObject({ text: 'æøå', charset: 'utf-8', problems: ['charset-label-wrong'] });
  });

  it('C9: a byte-order mark beats the header', () => {
    const bytes = bytesOf([0xef, 0xbb, 0xbf], [0xc3, 0xa9]);
    expect(decodeText(bytes, { contentType: 'text/html; charset=windows-1252' })).toMatchObject({
      text: 'é',
      charset: 'utf-8',
      source: 'bom',
    });
  });

  it('C10: a meta element behind the first 1,024 bytes is not seen, one that says UTF-16 means UTF-8', () => {
    const late = bytesOf(' '.repeat(1100), '<meta charset=koi8-r>');
    expect(decodeText(late, {}).source).not.toBe('meta');
    expect(decodeText(bytesOf('<meta charset=utf-16>'), {})).toMatchObject({ charset: 'utf-8', source: 'meta' });
  });

  it('N12: labels of ISO-8859-1 and ASCII mean windows-1252', () => {
    for (const label of ['iso-8859-1', 'windows-1252', 'latin1', 'us-ascii']) {
      const { text } = decodeText(bytesOf([0x93, 0x80, 0x94, 0x92]), { contentType: `text/html; charset=${label}` });
      expect(text).toBe('\u201c\u20ac\u201d\u2019');
    }
  });

  it('N13: gbk decodes what gb18030 does', () => {
    const { text } = decodeText(bytesOf([0x81, 0x30, 0x81, 0x30]), { contentType: 'text/html; charset=gbk' });
    expect(text).toBe('\u0080');
  });

  it('N14: unknown labels fall through, iso-2022-kr is the replacement encoding', () => {
    const meta = bytesOf('<meta charset=koi8-r>', [0xd4]);
    for (const label of ['iso-8859-17', 'none', '']) {
      expect(decodeText(meta, { contentType: `text/html; charset=${label}` }).charset).toBe('koi8-r');
    }
    expect(decodeText(bytesOf('abc'), { contentType: 'text/html; charset=iso-2022-kr' })).toMatchObject({
      text: '\ufffd',
      charset: 'replacement',
    });
  });

  it('reads quoted and repeated parameters', () => {
    expect(charsetParameter('text/html; charset="utf-8"')).toBe('utf-8');
    expect(charsetParameter("text/html;a=b ; CHARSET = 'koi8-r'; charset=x")).toBe('koi8-r');
    expect(charsetParameter('text/html')).toBeUndefined();
  });

  it('ignores what is commented out and pragmas without a pragma', () => {
    expect(decodeText(bytesOf('<!-- <meta charset=koi8-r> --><p>'), {}).source).toBe('default');
    expect(decodeText(bytesOf('<meta content="text/html; charset=koi8-r">'), {}).source).toBe('default');
    expect(decodeText(bytesOf('<meta http-equiv=content-type content="charset">'), {}).source).toBe('default');
    expect(decodeText(bytesOf('<a title="<meta charset=koi8-r>">'), {}).source).toBe('default');
  });

  it('reads the XML declaration', () => {
    const { charset, source } = decodeText(bytesOf('<?xml version="1.0" encoding="koi8-r"?><html>'), {});
    expect([charset, source]).toEqual(['koi8-r', 'xml']);
  });
});

describe('undeclared encodings', () => {
  it('knows UTF-8, also when the last character was cut', () => {
    expect(decodeText(utf8('Ünïcödé'), {}).charset).toBe('utf-8');
    expect(decodeText(utf8('Ünïcödé').subarray(0, -1), {}).charset).toBe('utf-8');
  });

  it('tells the Cyrillic encodings apart, also behind much markup', () => {
    const russian = 'Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. ';
    for (const charset of ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic']) {
      const bytes = [...encode(russian.repeat(3), charset)];
      expect(decodeText(Uint8Array.from(bytes), {})).toMatchObject({ charset, text: russian.repeat(3) });
      expect(decodeText(bytesOf('<p class=x>'.repeat(500), bytes), {}).charset).toBe(charset);
    }
  });

  it('falls back on the top-level domain, then windows-1252', () => {
    expect(decodeText(bytesOf([0xe9]), { topLevelDomain: 'ru' }).charset).toBe('windows-1251');
    expect(decodeText(bytesOf('ab'), {}).charset).toBe('windows-1252');
  });

  it('never throws and gives a name that decodes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, label) => {
        const { text, charset } = decodeText(bytes, { contentType: `text/html; charset=${label}` });
        expect(text.isWellFormed()).toBe(true);
        expect(charset).toBe(charset.toLowerCase());
      }),
    );
  });

  const folder = '../shared/data/charset';
  it.skipIf(!existsSync(folder))('finds the encoding of 85 % of the texts of 1 KB (skipped without ../shared)', () => {
    expect(evaluateCharsets(folder, 1000).accuracy).toBeGreaterThanOrEqual(0.95);
  });
});
