import { describe, expect, it } from 'vitest';
import { keywordCounter, learnFrequentWords, parseKeywords } from './keywords.ts';

it('keyword lines: repetitions drop, what is no keyword is named with its line', () => {
  const lines = ['Tides', 'tides', '—', 'x'.repeat(201), 'New York'].map((text, i) => ({ text, line: i + 1 }));
  expect(parseKeywords(lines)).toEqual({
    keywords: ['Tides', 'New York'],
    problems: [
      { line: 3, detail: 'holds no word' },
      { line: 4, detail: 'longer than 200 characters' },
    ],
  });
});

describe('counting', () => {
  const count = keywordCounter([
    { name: 'names', weight: 2, keywords: ['Müller', 'De La Cruz'] },
    { name: 'cities', weight: 1, keywords: ['New York', 'York'] },
  ]);

  it('whole words in sequence, case and diacritics folded', () => {
    expect(count('MULLER met Ms de la cruz in New-York; muller again. Mullers not.')).toEqual([
      { keyword: 'Müller', category: 'names', weight: 2, times: 2 },
      { keyword: 'De La Cruz', category: 'names', weight: 2, times: 1 },
      { keyword: 'New York', category: 'cities', weight: 1, times: 1 },
      { keyword: 'York', category: 'cities', weight: 1, times: 1 },
    ]);
    expect(count('de la')).toEqual([]);
  });
});

describe('learning by frequency', () => {
  it('the most frequent words of more than one page; no stop words, numbers or known words', () => {
    const texts = [
      { text: 'The gauge and the tides: a gauge reads 12 tides', language: 'en' },
      { text: 'The harbour has a gauge', language: 'en' },
      { text: 'harbour, harbour, lighthouse lighthouse lighthouse', language: 'en' },
    ];
    expect(learnFrequentWords(texts, { known: ['tides'], count: 5 })).toEqual([
      { word: 'gauge', score: 3 },
      { word: 'harbour', score: 3 },
    ]);
  });
});
