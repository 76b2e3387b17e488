import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { INDEX_OPTIONS, SEARCH_OPTIONS } from '../searching/options.suite.ts';
import { evaluateSearch, type RetrievalCollection } from './search.ts';

const OPTIONS = { index: INDEX_OPTIONS, search: SEARCH_OPTIONS };
const DATA = join(import.meta.dirname, '../../../shared/data/retrieval');

it('scores a small collection by hand', async () => {
  const figures = await evaluateSearch(
    {
      documents: [
        { id: 'a', title: 'Granite', text: 'Granite is a rock' },
        { id: 'b', title: 'Basalt', text: 'Basalt is a rock as well' },
        { id: 'c', title: 'Tea', text: 'Tea is a drink' },
      ],
      queries: [
        { id: '1', text: 'granite' },
        { id: '2', text: 'a drink' },
        { id: '3', text: 'not judged' },
      ],
      judgements: new Map([
        ['1', new Map([['a', 1]])],
        ['2', new Map([['b', 1]])],
      ]),
    },
    OPTIONS,
  );
  expect(figures).toEqual({ queries: 2, map: 0.5, ndcg10: 0.5, p10: 0.05, r100: 0.5, mrr: 0.5 });
});

/** The figures of Lucene 9 on the same files are the least. */
describe.skipIf(!existsSync(DATA))('not below Lucene (needs ../shared beside the project)', () => {
  it.each([
    ['cacm', 'map', 0.3113],
    ['cran', 'ndcg10', 0.3675],
    ['cisi', 'map', 0.2083],
  ] as const)('%s %s ≥ %d', async (name, figure, least) => {
    const figures = await evaluateSearch(read(name), OPTIONS);
    expect(figures[figure]).toBeGreaterThanOrEqual(least);
  });
});

function read(name: string): RetrievalCollection {
  const lines = (file: string): string[] =>
    readFileSync(join(DATA, name, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  const judgements = new Map<string, Map<string, number>>();
  for (const line of lines('qrels.tsv')) {
    const [query = '', document = '', gain = ''] = line.split('\t');
    judgements.set(query, (judgements.get(query) ?? new Map<string, number>()).set(document, Number(gain)));
  }
  return {
    documents: lines('docs.jsonl').map((line) => JSON.parse(line)),
    queries: lines('queries.jsonl').map((line) => JSON.parse(line)),
    judgements,
  };
}
