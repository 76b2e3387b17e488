import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPage } from '../../page/page.ts';
import { PAGE_OPTIONS } from '../../page/page-options.ts';
import { pageFacts } from './content-analyser.ts';
import lists from './data/trade-words.json' with { type: 'json' };
import { tokenize } from './tokens.ts';
import { countTextTrades, countTrades, type TradeCount } from './trade-index.ts';

const count = (text: string) => countTrades(tokenize(text));

describe('trade words', () => {
  it.each([
    ['one word', 'Our casino', 1],
    ['a beginning', 'sportsbooks', 1],
    ['several words count each', 'buy followers today', 2],
    ['a name with a number behind it', 'blackjack21', 1],
    ['a compound of an unspaced script', 'オンラインカジノ', 9],
    ['Korean beginnings of two syllables', '토토사이트 추천', 1],
    ['in capitals', 'SLOT GACOR', 3],
  ])('%s', (_, text, all) => expect(count(text).all).toBe(all));

  it.each([
    ['"cialis" in "specialist"', 'a specialist for socialist thought'],
    ['"sex" in "Essex"', 'the Essex and Sussex coast'],
    ['a sequence broken by another word', 'buy three followers'],
    ['reading in Russian', 'читать книгу'],
    ['a surname', 'Anil Kumar'],
  ])('not %s', (_, text) => expect(count(text).all).toBe(0));

  it('ambiguous words and the calls of a shop are counted apart', () => {
    expect(count('weight loss')).toMatchObject({ all: 0, near: 2 });
    expect(count('free shipping, best price')).toMatchObject({ all: 0, selling: 4 });
  });

  it('the trade met most is named by its different entries', () => {
    expect(count('casino casino blackjack viagra')).toMatchObject({ top: 3, distinct: 2, all: 4 });
  });

  it('every list has words of several languages', () => {
    for (const [name, byLanguage] of Object.entries(lists)) {
      expect(Object.keys(byLanguage).length, name).toBeGreaterThan(1);
    }
  });

  it('a star stands behind a single word', () => {
    const texts = Object.values(lists).flatMap((byLanguage) =>
      Object.values<string>(byLanguage).join(', ').split(', '),
    );
    expect(texts.filter((text) => text.includes('*') && !/^[^\s*]+\*$/.test(text))).toEqual([]);
    expect(texts.filter((text) => tokenize(text).length === 0)).toEqual([]);
  });
});

/** Looks every entry up at every word. */
function naive(words: readonly string[]): TradeCount {
  const hits = new Map<string, number>();
  const distinct = new Map<string, Set<string>>();
  const add = (name: string, n: number, entry: string) => {
    hits.set(name, (hits.get(name) ?? 0) + n);
    distinct.set(name, (distinct.get(name) ?? new Set()).add(entry));
  };
  for (const [name, byLanguage] of Object.entries(lists)) {
    const texts = [...new Set(Object.values<string>(byLanguage).join(', ').split(', '))];
    const sequences = texts.filter((text) => !text.endsWith('*')).map((text) => tokenize(text));
    const beginnings = texts.filter((text) => text.endsWith('*')).map((text) => tokenize(text)[0] ?? '');
    words.forEach((word, at) => {
      const stem = /^(\p{L}{3,})\d+$/u.exec(word)?.[1] ?? '';
      const isWhole = sequences.some((entry) => entry.length === 1 && (entry[0] === word || entry[0] === stem));
      if (isWhole || beginnings.some((beginning) => word.startsWith(beginning))) add(name, 1, word);
      for (const entry of sequences) {
        if (entry.length > 1 && entry.every((part, i) => words[at + i] === part))
          add(name, entry.length, entry.join(' '));
      }
    });
  }
  const trades = Object.keys(lists).filter((name) => name !== 'near' && name !== 'selling');
  const top = trades.reduce((a, b) => ((hits.get(b) ?? 0) > (hits.get(a) ?? 0) ? b : a));
  const all = trades.reduce((sum, name) => sum + (hits.get(name) ?? 0), 0);
  return {
    top: hits.get(top) ?? 0,
    distinct: (hits.get(top) ?? 0) === 0 ? 0 : (distinct.get(top)?.size ?? 0),
    all,
    near: hits.get('near') ?? 0,
    selling: hits.get('selling') ?? 0,
  };
}

describe('against a naive twin', () => {
  const entries = Object.values(lists).flatMap((byLanguage) =>
    Object.values<string>(byLanguage).flatMap((text) => text.split(', ')),
  );
  const text = fc
    .array(fc.oneof(fc.constantFrom(...entries), fc.constantFrom('the', 'a', 'water', '水', '22', 'and')), {
      maxLength: 12,
    })
    .map((parts) => parts.join(' ').replaceAll('*', ''));

  it('counts the same', () => {
    fc.assert(
      fc.property(text, (given) => {
        const words = tokenize(given);
        const { distinct, ...rest } = countTrades(words);
        const { distinct: expected, ...others } = naive(words);
        expect(rest).toEqual(others);
        // Of trades met equally often either may be the one named.
        if (rest.top === rest.all) expect(distinct).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('counts the text of a page as its words', () => {
    fc.assert(
      fc.property(text, (given) => {
        const html = `<p>${given.replaceAll(/[<&]/g, ' ')}</p>`;
        const facts = pageFacts(readPage(new TextEncoder().encode(html), {}, PAGE_OPTIONS), {});
        expect(countTextTrades(facts)).toEqual(countTrades(facts.words));
      }),
      { numRuns: 60 },
    );
  });
});
