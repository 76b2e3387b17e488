import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../kit/random.ts';
import { NOW, TestCorpus, type TestPage } from './corpus.suite.ts';
import { SEARCH_OPTIONS } from './options.suite.ts';
import { find } from './search.ts';

async function found(pages: readonly TestPage[], query: string): Promise<string[]> {
  const corpus = await TestCorpus.of(pages);
  try {
    return await corpus.urls(query);
  } finally {
    corpus.database.close();
  }
}

describe('languages and names (cases/queries)', () => {
  const pages: TestPage[] = [
    { url: 'http://x.test/go', text: 'A Go-based server for everyone.' },
    { url: 'http://x.test/cue', text: 'Set CUE_DEBUG_TOOLS_FLOW to see the flow.' },
    {
      url: 'http://x.test/cue2',
      text: 'The cue tools: how to debug the flow of tools, and cue debug output, flow by flow.',
    },
    { url: 'http://x.test/ed', text: 'Los Éditeurs de la computación moderna.', language: 'es' },
    { url: 'http://x.test/ru', text: 'Великий русский язык.', language: 'ru' },
    { url: 'http://x.test/ja', text: 'これは学生向けの案内です。カタカナ', language: 'ja' },
    { url: 'http://x.test/cpp', text: 'Learn C++ in a day. Node.js and .NET too; see os.path.join for paths.' },
    { url: 'http://x.test/c', text: 'Learn C in a day.' },
  ];
  let corpus: TestCorpus;
  beforeAll(async () => void (corpus = await TestCorpus.of(pages)));
  afterAll(() => corpus.database.close());

  it.each([
    ['Q2', 'Go-based', 'go'],
    ['Q2', '"Go-based"', 'go'],
    ['Q2 by part', 'based', 'go'],
    ['Q3', 'CUE_DEBUG_TOOLS_FLOW', 'cue'],
    ['Q5', 'editeurs', 'ed'],
    ['Q5', 'computacion', 'ed'],
    ['Q5', 'e\u0301diteurs', 'ed'],
    ['Q5', 'COMPUTACIÓN', 'ed'],
    ['Q6', 'русский', 'ru'],
    ['Q6', '学生向け', 'ja'],
    ['Q6', 'カタカナ', 'ja'],
    ['Q6', 'ｶﾀｶﾅ', 'ja'],
    ['Q6', 'Ｃ＋＋', 'cpp'],
    ['C++', 'C++', 'cpp'],
    ['C', 'c', 'c'],
    ['.NET', '.NET', 'cpp'],
    ['node.js', 'node.js', 'cpp'],
    ['dotted', 'os.path.join', 'cpp'],
    ['dotted part', 'path.join', 'cpp'],
  ])('%s: %s', async (_, query, path) => {
    expect((await corpus.urls(query))[0]).toBe(`http://x.test/${path}`);
  });

  it('Q5: highlights keep the original spelling', async () => {
    const { hits } = await corpus.search('editeurs computacion');
    const hit = hits[0];
    expect(hit?.highlights.map(([from, to]) => hit.snippet.slice(from, to))).toEqual(['Éditeurs', 'computación']);
  });

  it.each([
    'message: "*jobs*"',
    '"unbalanced',
    '((a',
    'a AND',
    '-',
    '*',
    'site:',
    'doi:* keyword:arXiv',
    '',
    '"',
    '-"',
    '😀',
  ])('Q4, Q10: any text is a query: %s', async (query) => {
    const { hits, total } = await corpus.search(query);
    expect(total).toBeGreaterThanOrEqual(hits.length);
  });

  it('Q4: an unbalanced quotation mark is literal', async () => {
    expect((await corpus.urls('"Learn C++'))[0]).toBe('http://x.test/cpp');
  });

  it('X6: markup in a query comes back as text, found nowhere', async () => {
    const query = '"><script>alert(1)</script>';
    const result = await corpus.search(query);
    expect([result.query, result.total]).toEqual([query, 0]);
  });
});

describe('the order of results', () => {
  const filler = 'words that say nothing about it at all '.repeat(8);
  it.each<[string, string, TestPage[]]>([
    [
      'a title says more than the text',
      'granite',
      [
        { url: 'http://1/', title: 'Granite', text: filler },
        { url: 'http://2/', title: 'Rocks', text: `granite ${filler}` },
      ],
    ],
    [
      'a heading says more than the text',
      'granite',
      [
        { url: 'http://1/', headings: ['Granite'], text: filler },
        { url: 'http://2/', headings: ['Rocks'], text: `granite ${filler}` },
      ],
    ],
    [
      'what others call a page says more than the page',
      'granite',
      [
        { url: 'http://1/', text: filler, anchors: [{ text: 'granite', sources: 5 }] },
        { url: 'http://2/', text: `granite ${filler}` },
      ],
    ],
    [
      'many sources beat one',
      'granite',
      [
        { url: 'http://1/', text: filler, anchors: [{ text: 'granite', sources: 6 }] },
        { url: 'http://2/', text: filler, anchors: [{ text: 'granite', sources: 1 }] },
      ],
    ],
    [
      'the page comes before the list that links to it',
      'granite quarry',
      [
        { url: 'http://1/', text: `The granite quarry is open. ${filler}` },
        { url: 'http://2/', linkList: ['granite quarry', 'granite quarry tours', 'granite quarry map'] },
      ],
    ],
    [
      'words side by side beat words far apart',
      'solar panel',
      [
        { url: 'http://1/', text: `the solar panel ${filler}` },
        { url: 'http://2/', text: `a panel of judges ${filler} looked at solar` },
      ],
    ],
    [
      'a short page about it beats a long one that mentions it',
      'granite',
      [
        { url: 'http://1/', text: 'granite is a rock' },
        { url: 'http://2/', text: `granite ${filler.repeat(10)}` },
      ],
    ],
    [
      'an exact title beats a longer one',
      'user guide',
      [
        { url: 'http://1/', title: 'User guide', text: filler },
        { url: 'http://2/', title: 'User guide to everything else and more', text: filler },
      ],
    ],
    [
      'of equal pages the one that matters more by links',
      'granite',
      [
        { url: 'http://1/', text: 'granite', prior: 8 },
        { url: 'http://2/', text: 'granite', prior: 0.2 },
      ],
    ],
    [
      'of equal pages the one less likely garbage',
      'granite',
      [
        { url: 'http://1/', text: 'granite' },
        { url: 'http://2/', text: 'granite', facts: { garbage: 0.4 } },
      ],
    ],
    [
      'demoted pages come late',
      'granite',
      [
        { url: 'http://1/', text: `granite ${filler}` },
        { url: 'http://2/', title: 'Granite', text: 'granite', facts: { demoted: true } },
      ],
    ],
    [
      'words of the address count',
      'granite',
      [
        { url: 'http://x.test/docs/granite.html', text: `granite ${filler}` },
        { url: 'http://x.test/p/17.html', text: `granite ${filler}` },
      ],
    ],
    [
      'the whole name beats its parts',
      'os.path',
      [
        { url: 'http://1/', text: `use os.path ${filler}` },
        { url: 'http://2/', text: `use os path ${filler}` },
      ],
    ],
  ])('%s', async (_, query, pages) => {
    const better = pages[0]?.url;
    expect((await found(pages, query))[0]).toBe(better);
    expect((await found([...pages].reverse(), query))[0]).toBe(better);
  });
});

describe('search', () => {
  const pages: TestPage[] = Array.from({ length: 25 }, (_, i) => ({
    url: `http://${i % 2 === 0 ? 'a' : 'b'}.test/${i}`,
    text: i < 12 ? `tea kettle number ${i}` : i < 20 ? `tea number ${i}` : `copper wire ${i}`,
    language: i % 5 === 0 ? 'de' : 'en',
    facts: { time: NOW - i * 86_400_000 * 3 },
  }));
  let corpus: TestCorpus;
  beforeAll(async () => void (corpus = await TestCorpus.of(pages)));
  afterAll(() => corpus.database.close());

  it('all words when ten documents have them', async () => {
    expect(await corpus.search('tea kettle')).toMatchObject({ total: 12, relaxed: false });
  });
  it('any word when fewer have them all; those with more come first', async () => {
    const result = await corpus.search('copper kettle wire', { limit: 25 });
    expect(result).toMatchObject({ total: 17, relaxed: true });
    expect(result.hits.slice(0, 5).every((hit) => hit.snippet.includes('copper'))).toBe(true);
  });
  it('nothing is relaxed when that finds no more', async () => {
    expect(await corpus.search('copper wire')).toMatchObject({ total: 5, relaxed: false });
  });
  it('pages through without gaps or repeats', async () => {
    const all = (await corpus.search('tea', { limit: 20 })).hits.map((hit) => hit.url);
    const first = (await corpus.search('tea', { limit: 7 })).hits.map((hit) => hit.url);
    const second = (await corpus.search('tea', { limit: 13, offset: 7 })).hits.map((hit) => hit.url);
    expect([...first, ...second]).toEqual(all);
    expect(new Set(all).size).toBe(20);
  });
  it('site and exclusion', async () => {
    expect((await corpus.search('tea site:a.test')).total).toBe(10);
    expect((await corpus.search('tea site:test -kettle')).total).toBe(8);
    expect((await corpus.search('tea -site:a.test')).total).toBe(10);
  });
  it('facets count sites, languages, types and times', async () => {
    const { facets } = await corpus.search('tea');
    expect(facets.site).toEqual([
      { value: 'a.test', count: 10 },
      { value: 'b.test', count: 10 },
    ]);
    expect(facets.language).toEqual([
      { value: 'en', count: 16 },
      { value: 'de', count: 4 },
    ]);
    expect(facets.type).toEqual([{ value: 'html', count: 20 }]);
    expect(facets.time).toEqual([
      { value: 'year', count: 9 },
      { value: 'month', count: 8 },
      { value: 'week', count: 2 },
      { value: 'day', count: 1 },
    ]);
  });
  it('explains scores on demand', async () => {
    const { hits } = await corpus.search('tea', { explain: true });
    expect(hits[0]?.explanation).toMatchObject({ coverage: 1, discount: 1 });
    expect((await corpus.search('tea')).hits[0]).not.toHaveProperty('explanation');
  });
  it('leaves out hits whose page is gone', async () => {
    const context = { ...corpus.context(), loadDocuments: async () => [] };
    const { search } = await import('./search.ts');
    expect((await search({ query: 'tea', limit: 10, offset: 0, explain: false }, context)).hits).toEqual([]);
  });
});

it('suggests known words for unknown ones', async () => {
  const corpus = await TestCorpus.of([{ url: 'http://x.test/', title: 'Compression of archives', text: 'zip' }]);
  expect((await corpus.search('compresion archives')).suggestion).toBe('compression archives');
  expect((await corpus.search('ocmpression')).suggestion).toBe('compression');
  expect((await corpus.search('compression')).suggestion).toBeUndefined();
  expect((await corpus.search('qqqqqqqq')).suggestion).toBeUndefined();
  corpus.database.close();
});

it('nosnippet and max-snippet are obeyed', async () => {
  const text = `granite ${'rock and stone '.repeat(40)}`;
  const corpus = await TestCorpus.of([
    { url: 'http://1/', text, stored: { snippet: false } },
    { url: 'http://2/', text, stored: { maxSnippet: 30 } },
    { url: 'http://3/', text, stored: { maxSnippet: 0 } },
    { url: 'http://4/', text, stored: { flagged: 'spam', duplicates: 3, changedAt: NOW } },
  ]);
  const byUrl = new Map((await corpus.search('granite')).hits.map((hit) => [hit.url, hit]));
  expect(byUrl.get('http://1/')).toMatchObject({ snippet: '', highlights: [] });
  expect(byUrl.get('http://2/')?.snippet.length).toBeLessThanOrEqual(30);
  expect(byUrl.get('http://3/')?.snippet).toBe('');
  expect(byUrl.get('http://4/')).toMatchObject({
    flagged: 'spam',
    duplicates: 3,
    changedAt: new Date(NOW).toISOString(),
  });
  corpus.database.close();
});

/** BM25F by the book over the words of random pages, no index. */
describe('scores equal a scorer that reads every document', () => {
  const { ranking } = SEARCH_OPTIONS;
  const options = {
    ...SEARCH_OPTIONS,
    relaxBelow: 1,
    ranking: { ...ranking, proximity: 0, titleMatch: 0, anchorMatch: 0, coverage: 0, prior: 0 },
  };
  const vocabulary = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen'];

  it('for random corpora', async () => {
    const random = seededRandom(7);
    const some = (most: number): string[] =>
      Array.from(
        { length: Math.floor(random.next() * most) },
        () => vocabulary[Math.floor(random.next() ** 2 * 8)] ?? '',
      );
    for (let round = 0; round < 12; round++) {
      const pages = Array.from({ length: 30 }, (_, i) => ({
        url: `http://x.test/${i}`,
        language: 'und',
        fields: {
          title: some(3),
          headings: some(5),
          body: some(40),
          aside: some(3),
          anchors: some(4),
        },
      }));
      const corpus = await TestCorpus.of(
        pages.map(({ url, language, fields }) => ({
          url,
          language,
          title: fields.title.join(' '),
          headings: [fields.headings.join(' ')],
          text: fields.body.join(' '),
          linkList: [fields.aside.join(' ')],
          anchors: [{ text: fields.anchors.join(' '), sources: 1 }],
        })),
      );
      for (const query of ['ant', 'bee cat', 'hen fox', 'ant bee cat dog']) {
        const { ranked } = find(query, corpus.index, options);
        const expected = bruteForce(
          query.split(' '),
          pages.map(({ fields }) => fields),
        );
        expect(ranked.length, query).toBe(expected.length);
        for (const { candidate, score } of ranked) {
          expect(score).toBeCloseTo(expected.find(({ id }) => id === candidate.id)?.score ?? Number.NaN, 9);
        }
      }
      corpus.database.close();
    }
  });

  type Fields = Readonly<Record<'title' | 'headings' | 'body' | 'aside' | 'anchors', readonly string[]>>;
  const CAPS = { title: 3, headings: 7, body: 255, aside: 3, anchors: 1 };

  function bruteForce(terms: readonly string[], documents: readonly Fields[]): { id: number; score: number }[] {
    const names = ['title', 'headings', 'body', 'aside', 'anchors'] as const;
    const count = (list: readonly string[], term: string): number => list.filter((word) => word === term).length;
    const average = (name: (typeof names)[number]): number => {
      const held = name === 'anchors' ? documents.filter((document) => document.anchors.length > 0) : documents;
      return Math.max(1, held.reduce((sum, document) => sum + document[name].length, 0) / Math.max(1, held.length));
    };
    const inText = (document: Fields, term: string): boolean =>
      names.some((name) => name !== 'anchors' && document[name].includes(term));
    return documents.flatMap((document, i) => {
      if (!terms.every((term) => inText(document, term) || document.anchors.includes(term))) return [];
      let score = 0;
      for (const term of terms) {
        const holding = documents.filter((other) => inText(other, term)).length;
        const idf = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
        let frequency = 0;
        for (const name of names) {
          const b = ranking.b[name];
          const length = document[name].length / average(name);
          const tf = Math.min(CAPS[name], count(document[name], term));
          frequency += (ranking.weights[name] * tf) / (1 - b + b * length);
        }
        score += (idf * frequency) / (ranking.k1 + frequency);
      }
      return [{ id: i + 1, score }];
    });
  }
});
