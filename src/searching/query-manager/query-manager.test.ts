import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchExpression } from '../../inverted-index/match-query.ts';
import { parseQuery, readQuery } from './query-manager.ts';

const words = (text: string): string[] =>
  parseQuery(text).groups.map((group) => group.map((part) => part.text).join('|'));

describe('parseQuery', () => {
  it('words, phrases, exclusions, sites', () => {
    const parsed = parseQuery('big "blue whale" -shark -"white shark" site:Docs.Example.org -site:old.example.org');
    expect(parsed.groups).toEqual([[{ text: 'big', phrase: false }], [{ text: 'blue whale', phrase: true }]]);
    expect(parsed.excluded).toEqual([
      { text: 'shark', phrase: false },
      { text: 'white shark', phrase: true },
    ]);
    expect(parsed.sites).toEqual(['docs.example.org']);
    expect(parsed.excludedSites).toEqual(['old.example.org']);
  });

  it.each([
    ['Q4', 'message: "*jobs*"', ['message:', '*jobs*']],
    ['Q4', '"unbalanced', ['"unbalanced']],
    ['Q4', '((a', ['((a']],
    ['Q4', 'a AND', ['a']],
    ['Q4', '-', ['-']],
    ['Q4', '*', ['*']],
    ['Q4', 'site:', []],
    ['Q10', 'doi:* keyword:arXiv', ['doi:*', 'keyword:arXiv']],
    ['or', 'a OR b c', ['a|b', 'c']],
    ['and', 'a AND b', ['a', 'b']],
    ['lower-case operators are words', 'a or b', ['a', 'or', 'b']],
    ['nothing but operators', 'AND', ['AND']],
    ['leading OR', 'OR a', ['a']],
    ['options are not exclusions', '--force -x', ['--force', '-x']],
    ['typographic quotes', '“a b” c', ['a b', 'c']],
    ['quote inside a word', 'say"hi there', ['say"hi', 'there']],
    ['phrase glued to a word', 'say"hi there"', ['say', 'hi there']],
    ['empty phrase', '"" a', ['a']],
    ['ideographic space', '東京\u3000大学', ['東京', '大学']],
    ['only spaces', '  \t ', []],
  ])('%s: %s', (_, text, expected) => expect(words(text)).toEqual(expected));

  it('NOT excludes the next word', () => {
    expect(parseQuery('a NOT b').excluded).toEqual([{ text: 'b', phrase: false }]);
  });

  it.each([
    ['site:https://www.example.org/path?x', 'www.example.org'],
    ['site:*.example.org', 'example.org'],
    ['(site:example.org:8080)', 'example.org'],
    ['SITE:Example.ORG.', 'example.org'],
  ])('%s', (text, site) => expect(parseQuery(text).sites).toEqual([site]));

  it('takes any text', () => {
    const pieces = fc.constantFrom(
      '"',
      '-',
      'site:',
      'AND',
      'OR',
      'NOT',
      '(',
      ')',
      '*',
      ' ',
      'a',
      '\u0000',
      '😀',
      'x:',
      '\\',
      "'",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => void readQuery(parts.join(''), ['en', 'ja'])),
    );
  });
});

describe('readQuery', () => {
  it('leaves stop words out of what must match, and counts them', () => {
    const query = readQuery('the size of a page', ['en']);
    expect(query.match.clauses.map((clause) => clause.alternatives)).toEqual([[['size']], [['page']]]);
    expect(query.terms.filter((term) => term.stopWord).map((term) => term.terms[0])).toEqual(['the', 'of', 'a']);
  });
  it('a query of stop words looks for them', () => {
    expect(readQuery('to be or not to be', ['en']).match.clauses).toHaveLength(6);
  });
  it('phrases keep stop words', () => {
    expect(readQuery('"to be"', ['en']).match.clauses).toEqual([{ alternatives: [['to', 'be']], phrase: true }]);
  });
  it('one alternative per language', () => {
    const [clause] = readQuery('running', ['en', 'und']).match.clauses;
    expect(clause?.alternatives).toEqual([['run'], ['running']]);
  });
  it('Q2: a name with a hyphen is its parts side by side, and counted whole as well', () => {
    const query = readQuery('Go-based', ['und']);
    expect(query.match.clauses[0]?.alternatives).toEqual([['go', 'based']]);
    expect(query.terms.map(({ terms, whole }) => [terms[0], whole])).toEqual([
      ['go', false],
      ['based', false],
      ['go-based', true],
    ]);
  });
  it('a repeated word weighs more', () => {
    expect(readQuery('tea tea', ['und']).terms).toMatchObject([{ terms: ['tea'], weight: 2 }]);
  });
  it('exclusions alone find nothing', () => expect(readQuery('-apples', ['en']).empty).toBe(true));
  it('terms never break out of the expression', () => {
    const query = readQuery('a"b NEAR(x) OR* {title}: c^2 "d\u0000"" e', ['en']);
    const outside = matchExpression(query.match, 'AND').replace(/"[^"]*"/g, 'Q');
    expect(outside).toMatch(/^[Q()]+(?: (?:AND|OR) [Q()]+)*$/);
  });
});
