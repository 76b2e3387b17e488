import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStopWord } from './stop-words.ts';
import { analyse, fold } from './text.ts';

/** Terms in sequence, names kept whole after a bar, each found at its offsets. */
function check(text: string, language: string, words: string, extra = ''): void {
  const tokens = analyse(text, language);
  const list = (wanted: boolean): string =>
    tokens
      .filter((token) => token.extra === wanted)
      .map((token) => token.term)
      .join(' ');
  expect([list(false), list(true)]).toEqual([words, extra]);
}

describe('names with signs', () => {
  it('keeps C++, C#, F# whole and apart from C', () => check('C++, C# or F# (not C)', 'en', 'c++ c# or f# not c'));
  it('Q6: full-width letters and signs are the plain ones', () => check('Ｃ＋＋', 'und', 'c++'));
  it('finds .NET with and without the dot', () => check('use .NET, ASP.NET', 'en', 'use net asp net', '.net asp.net'));
  it('finds Node.js and dotted names whole and by parts', () =>
    check('os.path.join in Node.js', 'und', 'os path join in node js', 'os.path.join node.js'));
  it('Q2: Go-based whole and by parts', () => check('Go-based', 'und', 'go based', 'go-based'));
  it('Q3: CUE_DEBUG_TOOLS_FLOW whole and by parts', () =>
    check('CUE_DEBUG_TOOLS_FLOW', 'und', 'cue debug tools flow', 'cue_debug_tools_flow'));
  it('leading and trailing underscores belong to the name', () =>
    check('__init__ and _x', 'und', 'init and x', '__init__ _x'));
  it('options keep their hyphens', () => check('run --no-remove', 'und', 'run no remove', '--no-remove'));
  it('versions', () => check('v3.11.2 and 3.14', 'und', 'v3 11 2 and 3 14', 'v3.11.2 3.14'));
  it('C++ scopes', () => check('std::vector', 'und', 'std vector', 'std::vector'));
  it('a sentence end is no joiner', () => check('The end. Next one', 'und', 'the end next one'));
  it('signs alone give nothing', () => check('— … ++ # _ . -- "', 'en', ''));
  it('typographic hyphens and apostrophes are the plain ones', () => {
    check('Go\u2011based', 'und', 'go based', 'go-based');
    check('don\u2019t', 'en', 'dont');
  });
});

describe('apostrophes', () => {
  it('drops the possessive', () => check("James's and dog's", 'und', 'james and dog'));
  it('joins contractions', () => check("don't we've", 'und', 'dont weve'));
  it('separates elided articles', () => check("l'avion d'O'Reilly", 'und', 'l avion d o reilly'));
});

describe('folding', () => {
  it('N15: İ folds to i in one unit', () => {
    expect(fold('İstanbul')).toBe('istanbul');
    check('İstanbul', 'und', 'istanbul');
    check('İSTANBUL', 'tr', analyse('istanbul', 'tr')[0]?.term ?? 'nothing');
  });
  it.each([
    ['é', 'e'],
    ['e\u0301', 'e'],
    ['Straße', 'strasse'],
    ['Æsir', 'aesir'],
    ['Łódź', 'lodz'],
    ['Ørsted', 'orsted'],
    ['ﬁle', 'file'],
    ['ℌ', 'h'],
    ['ё', 'е'],
    ['Ｃ', 'c'],
    ['soft\u00adhyphen', 'softhyphen'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ])('%s → %s', (from, to) => expect(fold(from)).toBe(to));
  it('keeps vowel signs of Indic scripts', () => expect(fold('हिन्दी')).toBe('हिन्दी'));
  it('keeps voicing marks of Kana', () => expect(fold('ガ')).toBe('ガ'));
  it('Q5: accented and plain spelling meet in a common form', () => {
    for (const [accented, plain, language] of [
      ['Éditeurs', 'editeurs', 'fr'],
      ['computación', 'computacion', 'es'],
      ['E\u0301diteurs', 'editeurs', 'fr'],
      ['Häuser', 'hauser', 'de'],
      ['opções', 'opcoes', 'pt'],
      ['città', 'citta', 'it'],
    ] as const) {
      const forms = analyse(accented, language).map((token) => token.term);
      expect(
        analyse(plain, language).some((token) => forms.includes(token.term)),
        accented,
      ).toBe(true);
    }
  });
});

describe('scripts without spaces', () => {
  it('Q6: Japanese as pairs of characters', () => check('学生向け', 'ja', '学生 生向 向け'));
  it('a lone character is a term', () => check('a 学 b', 'und', 'a 学 b'));
  it('half-width Kana with marks of their own', () => check('ｶﾞｷﾞ', 'ja', 'ガギ'));
  it('Hangul', () => check('검색엔진', 'ko', '검색 색엔 엔진'));
  it('characters beyond the basic plane', () => check('𠮷野家', 'ja', '𠮷野 野家'));
  it('Thai by dictionary', () => check('สวัสดีชาวโลก', 'th', 'สวัสดี ชาว โลก'));
  it('Latin beside Han', () => check('C言語 Linux入門', 'ja', 'c 言語 linux 入門'));
});

describe('stemming', () => {
  it('by language', () => {
    check('running databases', 'en', 'run databas');
    check('Häuser', 'de', 'haus');
    check('русские', 'ru', 'русск');
  });
  it('unknown languages are not stemmed', () => check('running', 'und', 'running'));
  it('numbers and identifiers with digits are not stemmed', () => check('utf8s x2ings', 'en', 'utf8s x2ings'));
});

describe('bounds', () => {
  it('long runs without spaces take linear time and short terms', () => {
    for (const text of [
      'a'.repeat(1e6),
      'a.'.repeat(5e5),
      '_'.repeat(1e6),
      '学'.repeat(2e5),
      "a'".repeat(5e5),
      '-'.repeat(1e6),
    ]) {
      const longest = analyse(text, 'en').reduce((most, token) => Math.max(most, token.term.length), 0);
      expect(longest).toBeLessThanOrEqual(100);
    }
  });
  it('offsets lie in the text, ascend, and every term is folded', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.constantFrom('en', 'fr', 'tr', 'ja', 'und'),
        (text, language) => {
          let last = 0;
          for (const token of analyse(text, language)) {
            expect(token.end).toBeGreaterThan(token.start);
            expect(token.end).toBeLessThanOrEqual(text.length);
            if (!token.extra) expect(token.start).toBeGreaterThanOrEqual(last);
            if (!token.extra) last = token.start;
            expect(token.term).not.toBe('');
            expect(token.term).not.toMatch(/[\s"@]/);
          }
        },
      ),
    );
  });
  it('words separated by spaces are found each at its place', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-zäöß]{1,10}$/), { maxLength: 20 }), (words) => {
        const text = words.join(' ');
        const tokens = analyse(text, 'und').filter((token) => !token.extra);
        expect(tokens.map((token) => text.slice(token.start, token.end))).toEqual(words);
      }),
    );
  });
});

it('stop words are known by language, in folded form', () => {
  expect(isStopWord('the', 'en')).toBe(true);
  expect(isStopWord('fur', 'de')).toBe(true);
  expect(isStopWord('the', 'de')).toBe(false);
  expect(isStopWord('linux', 'en')).toBe(false);
});
