import { describe, expect, it } from 'vitest';
import { BREAK, CountTable, decodeSequence, sequenceHash, TermTable, termHash } from '../inverted-index/forward.ts';
import { FIELDS } from '../inverted-index/index-document.ts';
import { BLOCK_CHROME, BLOCK_HEADING, BLOCK_HIDDEN, BLOCK_MAIN } from '../model/page.ts';
import { analyseAnchors, analyseDocument } from './indexing.ts';

const block = (text: string, flags = BLOCK_MAIN, more: { tag?: string; linkLength?: number } = {}) => ({
  text,
  flags,
  tag: more.tag ?? 'p',
  linkLength: more.linkLength ?? 0,
});

const page = {
  title: 'The Blue Whale',
  language: 'en',
  description: 'About whales',
  blocks: [
    block('Sizes of whales', BLOCK_MAIN | BLOCK_HEADING),
    block('The blue whale is large.'),
    block('krill', BLOCK_MAIN, { tag: 'dt' }),
    block('krill, shrimp, plankton', BLOCK_MAIN, { linkLength: 20 }),
    block('Outside of the main part', 0),
    block('Home Products', BLOCK_CHROME),
    block('secret', BLOCK_MAIN | BLOCK_HIDDEN),
  ],
};

describe('analyseDocument', () => {
  const document = analyseDocument(page, 'https://www.example.org/animals/blue-whale.html?id=7');

  it('puts words into fields', () => {
    expect(document.columns).toEqual({
      title: 'the blue whale',
      headings: 'size of whale krill',
      body: 'the blue whale is larg',
      aside: 'krill shrimp plankton outsid of the main part about whale',
      url: 'anim blue whale',
    });
    expect(document.lengths).toEqual([3, 4, 5, 10, 3]);
    expect(document.site).toBe('www.example.org');
  });

  it('counts every term per field', () => {
    const table = new TermTable(document.terms);
    const counts = (term: string): number[] => FIELDS.map((field) => table.count(table.find(termHash(term)), field));
    expect(counts('whale')).toEqual([1, 1, 1, 1, 1]);
    expect(counts('krill')).toEqual([0, 1, 0, 1, 0]);
    expect(table.find(termHash('home'))).toBe(-1);
  });

  it('keeps the order of words, without lists of links and addresses', () => {
    const table = new TermTable(document.terms);
    const place = (term: string): number => table.find(termHash(term));
    const sequence = [...decodeSequence(document.sequence)];
    expect(sequence.slice(0, 8)).toEqual([
      ...['the', 'blue', 'whale'].map(place),
      BREAK,
      ...['size', 'of', 'whale'].map(place),
      BREAK,
    ]);
    expect(sequence).not.toContain(place('shrimp'));
  });

  it('knows the title as a whole and its words as typed', () => {
    expect(document.titleHash).toBe(sequenceHash(['the', 'blue', 'whale']));
    expect(document.words).toEqual(['blue', 'whale', 'sizes', 'whales']);
  });

  it('names kept whole stand behind the words', () => {
    const { columns, lengths } = analyseDocument({ ...page, title: 'Using Node.js', blocks: [] }, '');
    expect(columns.title).toBe('use node js @ node.js');
    expect(lengths[0]).toBe(3);
  });

  it('survives a structured clone', () => {
    expect(structuredClone(document)).toEqual(document);
  });

  it('reads odd addresses', () => {
    for (const [url, words] of [
      ['http://x.test/%E0%A4%A', 'e0 a4 a'],
      ['not a url', ''],
      ['http://x.test/Caf%C3%A9', 'cafe'],
    ] as const) {
      expect(analyseDocument({ ...page, title: '', language: 'und' }, url).columns.url).toBe(words);
    }
  });

  it('bounds what it takes from a huge page', () => {
    const many = Array.from({ length: 3_000 }, (_, i) =>
      block(`${Array.from({ length: 40 }, (_, j) => `w${i}x${j}`).join(' ')}`),
    );
    const huge = analyseDocument({ ...page, blocks: many }, '');
    expect(new TermTable(huge.terms).size).toBeLessThanOrEqual(60_000);
    expect(decodeSequence(huge.sequence).length).toBeLessThanOrEqual(16_000);
  });
});

describe('analyseAnchors', () => {
  it('counts sources per term and per text, each text up to a cap', () => {
    const anchors = analyseAnchors(
      [
        { text: 'Blue whale', sources: 2 },
        { text: 'whales', sources: 100 },
        { text: '…', sources: 5 },
      ],
      'en',
    );
    const terms = new CountTable(anchors.terms);
    expect(terms.get(termHash('whale'))).toBe(10);
    expect(terms.get(termHash('blue'))).toBe(2);
    expect(new CountTable(anchors.texts).get(sequenceHash(['blue', 'whale']))).toBe(2);
    expect(anchors.length).toBe(3);
    expect(anchors.column).toBe('whale @ blue whale');
  });
  it('nothing from nothing', () => expect(analyseAnchors([], 'en').length).toBe(0));
});
