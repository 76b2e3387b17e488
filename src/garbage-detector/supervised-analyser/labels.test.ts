import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../kit/sqlite.ts';
import { LABELS } from '../../model/lists.ts';
import { formatLabels, parseLabels } from './label-file.ts';
import { LabelStore, labelQueue } from './label-store.ts';

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

describe('stored labels', () => {
  const store = () =>
    new LabelStore(openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 }));

  it('the last label of a URL holds; export is importable', async () => {
    const labels = store();
    await labels.putMany([
      { url: 'http://a.example/', label: 'ham', at: 1 },
      { url: 'http://a.example/', label: 'spam', at: 2 },
    ]);
    const csv = await labels.exportCsv();
    const other = store();
    expect(await other.importCsv(csv, 5)).toEqual({ added: 1, problems: [] });
    expect(await other.all()).toMatchObject([{ url: 'http://a.example/', label: 'spam', at: 5 }]);
  });

  it('a file with a bad line changes nothing', async () => {
    const labels = store();
    const answer = await labels.importCsv('url,label\nhttp://a.example/,ham\nnot a url,spam\n', 1);
    expect(answer).toMatchObject({ added: 0, problems: [{ line: 3 }] });
    expect(await labels.all()).toEqual([]);
  });
});

it('the queue asks for the pages nearest to a threshold, two of a host at most', () => {
  const page = (url: string, spam: number) => ({
    url,
    host: 'a.example',
    probability: { spam, 'soft-404': 0.001 },
    threshold: { spam: 0.9, 'soft-404': 0.9 },
  });
  const pages = [page('far', 0.1), page('near', 0.89), page('nearer', 0.9), page('done', 0.9), page('middle', 0.7)];
  expect(labelQueue(pages, new Set(['done']), 10).map(({ url }) => url)).toEqual(['nearer', 'near']);
});
