import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LABELS } from '../../model/lists.ts';
import { formatLabels, parseLabels } from './label-file.ts';

describe('labels files', () => {
  it('reads quoted fields, any order of columns, CRLF and a byte order mark', () => {
    const { lines, problems } = parseLabels('\uFEFFurl,kind,label\r\n"http://a.example/?x=1,2","say ""hi""",spam\r\n');
    expect(problems).toEqual([]);
    expect(lines).toMatchObject([{ line: 2, url: 'http://a.example/?x=1,2', kind: 'say "hi"', label: 'spam' }]);
  });

  it('names the line of each mistake and keeps the others', () => {
    const text =
      'file,label,status\na.html,ham,200\nb.html,hamm,\n,spam,\nc.html,spam\nd.html,spam,abc\ne.html,parked,\n';
    const { lines, problems } = parseLabels(text);
    expect(lines.map(({ file }) => file)).toEqual(['a.html', 'e.html']);
    expect(problems.map(({ line }) => line)).toEqual([3, 4, 5, 6]);
    expect(problems[0]?.problem).toContain('unknown label "hamm"');
  });

  it('a header without label or page is refused', () => {
    expect(parseLabels('url,kind\nx,y\n').problems).toMatchObject([{ line: 1 }]);
  });

  it('what is written is read back', () => {
    const text = fc.string().map((value) => value.replaceAll(/[\r\0]/g, '').trim());
    const entry = fc.record({
      url: text.filter((value) => value !== ''),
      label: fc.constantFrom(...LABELS),
      kind: text,
    });
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const { lines, problems } = parseLabels(formatLabels(entries));
        expect(problems).toEqual([]);
        expect(lines.map(({ url, label, kind }) => ({ url, label, kind: kind ?? '' }))).toEqual(entries);
      }),
    );
  });
});
