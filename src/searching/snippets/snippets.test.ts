import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutSnippet, makeSnippet, type SoughtTerm } from './snippets.ts';

const sought = (...terms: string[]): SoughtTerm[] => terms.map((term) => ({ terms: [term], idf: 3 }));

/** The snippet with its highlights in brackets. */
function marked(text: string, terms: readonly SoughtTerm[], maxLength = 240, language = 'und'): string {
  const snippet = makeSnippet({ text, language, sought: terms, maxLength });
  let out = '';
  let last = 0;
  for (const [from, to] of snippet.highlights) {
    out += `${snippet.text.slice(last, from)}[${snippet.text.slice(from, to)}]`;
    last = to;
  }
  return out + snippet.text.slice(last);
}

const filler = 'Lorem ipsum dolor sit amet. '.repeat(30);

describe('makeSnippet', () => {
  it('shows a short text whole', () => {
    expect(marked('The blue whale.', sought('whale'))).toBe('The blue [whale].');
  });
  it('X1: shows the passage that matches, wherever it stands', () => {
    expect(marked(`${filler}Here is the granite quarry. ${filler}`, sought('granite', 'quarry'))).toContain(
      'Here is the [granite] [quarry].',
    );
  });
  it('marks every occurrence, and sets lines apart that end without a stop', () => {
    expect(
      marked(
        'Supported gauges\nFloat gauges, pressure gauges and radar gauges.\nOther',
        [{ terms: ['gaug'], idf: 3 }],
        240,
        'en',
      ),
    ).toBe('Supported [gauges] · Float [gauges], pressure [gauges] and radar [gauges]. Other');
  });
  it('two passages when no one passage has all words', () => {
    const text = `${filler}First granite. ${filler}Then basalt. ${filler}`;
    const shown = marked(text, sought('granite', 'basalt'));
    expect(shown).toMatch(/\[granite\].* … .*\[basalt\]/);
  });
  it('prefers words side by side', () => {
    const text = `granite and some more words and then at last a quarry. ${filler}The granite quarry. ${filler}`;
    expect(marked(text, sought('granite', 'quarry'), 60)).toContain('[granite] [quarry]');
  });
  it('prefers the rarer word', () => {
    const text = `A common thing. ${filler}A rare thing. ${filler}`;
    const terms = [
      { terms: ['common'], idf: 0.5 },
      { terms: ['rare'], idf: 5 },
    ];
    expect(marked(text, terms, 60)).toContain('[rare]');
  });
  it('Q5: marks the original spelling', () => {
    expect(marked('Los Éditeurs de computación', sought('editeurs'))).toBe('Los [Éditeurs] de computación');
    expect(marked('les E\u0301diteurs', sought('editeurs'))).toBe('les [E\u0301diteurs]');
  });
  it('Q6: marks overlapping pairs as one', () => {
    expect(marked('これは学生向けです', sought('学生', '生向', '向け'))).toBe('これは[学生向け]です');
  });
  it('marks a name kept whole once', () => {
    expect(marked('call os.path.join here', sought('os', 'path', 'join', 'os.path.join'))).toContain('[os.path.join]');
  });
  it('X3: joins one-line paragraphs', () => {
    expect(marked('“Yes.”\n“No.”\n“Granite?”', sought('granite'))).toBe('“Yes.” “No.” “[Granite]?”');
  });
  it('the head of the text when nothing matches', () => {
    const shown = marked(filler, sought('granite'), 60);
    expect(shown.startsWith('Lorem ipsum')).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(60);
  });
  it('finds a word far down', () => {
    expect(marked(`${filler.repeat(50)}granite ${filler}`, sought('granite'))).toContain('[granite]');
  });
  it('nothing from nothing', () => {
    expect(makeSnippet({ text: '', language: 'en', sought: sought('a'), maxLength: 240 })).toEqual({
      text: '',
      highlights: [],
    });
  });
  it('leaves markup as text: escaping is for who shows it', () => {
    expect(marked('a <b>granite</b> & more', sought('granite'))).toBe('a <b>[granite]</b> & more');
  });

  it('always: within the length, highlights inside, ascending, apart, no half characters', () => {
    const word = fc.constantFrom(
      'tea',
      'kettle',
      'x',
      '学生向け',
      '😀',
      'é',
      'a-b',
      '.',
      '\n',
      'longwordwithoutanyspace'.repeat(20),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), fc.integer({ min: 0, max: 300 }), (words, maxLength) => {
        const text = words.join(' ');
        const snippet = makeSnippet({
          text,
          language: 'und',
          sought: sought('tea', 'kettle', '学生', 'a-b'),
          maxLength,
        });
        expect(snippet.text.length).toBeLessThanOrEqual(maxLength);
        expect(snippet.text.isWellFormed()).toBe(true);
        let last = -1;
        for (const [from, to] of snippet.highlights) {
          expect(from).toBeGreaterThan(last);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(snippet.text.length);
          expect(['tea', 'kettle', '学生', 'a-b']).toContain(snippet.text.slice(from, to));
          last = to;
        }
      }),
    );
  });
});

it('cutSnippet cuts at words and drops highlights beyond', () => {
  const snippet = {
    text: 'one two three four',
    highlights: [
      [4, 7],
      [14, 18],
    ] as const,
  };
  expect(cutSnippet(snippet, 9)).toEqual({ text: 'one two', highlights: [[4, 7]] });
  expect(cutSnippet(snippet, 0)).toEqual({ text: '', highlights: [] });
});
