import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArffError, asDataset, parseArff } from './arff.ts';

const TEXT = `% a comment
@RELATION 'two words'

@attribute x NUMERIC
@attribute 'a colour' {red, 'dark green', "it\\'s"}
@attribute size real
@attribute class { no , yes }

@DATA
1, red, 2.5e1, no
?,'dark green',-3,yes
% another
2,"it\\'s",?,?
{0 7, 3 yes}
`;

describe('parseArff', () => {
  const table = parseArff(TEXT);

  it('reads names, quotes, comments, missing cells and sparse rows', () => {
    expect(table.relation).toBe('two words');
    expect(table.attributes).toEqual([
      { name: 'x', kind: 'numeric' },
      { name: 'a colour', kind: 'nominal', values: ['red', 'dark green', "it's"] },
      { name: 'size', kind: 'numeric' },
      { name: 'class', kind: 'nominal', values: ['no', 'yes'] },
    ]);
    expect(table.columns.map((column) => Array.from(column))).toEqual([
      [1, Number.NaN, 2, 7],
      [0, 1, 2, 0],
      [25, -3, Number.NaN, 0],
      [0, 1, Number.NaN, 1],
    ]);
  });

  it.each([
    ['@relation r\n@attribute x numeric\n@data\n1\nred\n', 5, /"red" is no value of attribute x/],
    ['@relation r\n@attribute x {a}\n@data\nb\n', 4, /"b" is no value/],
    ['@relation r\n@attribute x numeric\n@attribute y numeric\n@data\n1\n', 5, /1 values for 2 attributes/],
    ['@relation r\n@attribute x string\n@data\n', 2, /type "string"/],
    ['@relation r\nrubbish\n', 2, /expected @relation/],
    ['@relation r\n@attribute x numeric\n', 3, /no @data/],
  ])('says which line is wrong: %j', (text, line, message) => {
    const read = () => parseArff(text);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ line }));
  });

  it('throws nothing but ArffError whatever it is given', () => {
    const pieces = fc.constantFrom(
      '@relation r\n',
      '@attribute x numeric\n',
      "@attribute 'y' {a,'b\\'}\n",
      '@data\n',
      '1,a\n',
      '{0 1}\n',
      "'",
      '{',
      '?',
      ',',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        try {
          parseArff(parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(ArffError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('asDataset', () => {
  it('takes the last attribute and its last value unless told otherwise, and leaves unlabelled rows out', () => {
    const data = asDataset(parseArff(TEXT));
    expect(data.attributes.map(({ name }) => name)).toEqual(['x', 'a colour', 'size']);
    expect(Array.from(data.labels)).toEqual([0, 1, 1]);
    expect([data.classes, data.positive]).toEqual([['no', 'yes'], 1]);
    expect(asDataset(parseArff(TEXT), 'a colour', 'red')).toMatchObject({
      positive: 0,
      classes: ['red', 'dark green', "it's"],
    });
  });

  it('refuses a class that is numeric or unknown, and an unknown value', () => {
    expect(() => asDataset(parseArff(TEXT), 'x')).toThrow(/no nominal attribute/);
    expect(() => asDataset(parseArff(TEXT), 'z')).toThrow(/z is no nominal/);
    expect(() => asDataset(parseArff(TEXT), 'class', 'maybe')).toThrow(/no value maybe: no, yes/);
  });
});
