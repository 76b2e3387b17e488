import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { analyseAnchors, analyseDocument } from '../indexing/indexing.ts';
import { openDatabase } from '../kit/sqlite.ts';
import { BLOCK_MAIN } from '../model/page.ts';
import { InvertedIndex } from './inverted-index.ts';
import type { MatchQuery } from './match-query.ts';

const folder = mkdtempSync(join(tmpdir(), 'winnow-index-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = { matched: 100, candidates: 100, linkCandidates: 100, maxScored: 1000 };
const FACTS = { type: 'html', time: 0, garbage: 0, demoted: false };

function open(path: string): { index: InvertedIndex; close: () => void } {
  const database = openDatabase(path, { readOnly: false, busyTimeoutMs: 100, cacheBytes: 4_000_000 });
  return { index: new InvertedIndex(database, OPTIONS), close: () => database.close() };
}

function row(id: number, text: string, site = 'example.org') {
  const blocks = [{ text, flags: BLOCK_MAIN, linkLength: 0, tag: 'p' }];
  const document = analyseDocument({ title: '', blocks, language: 'und', description: '' }, `http://${site}/`);
  return { id, document, facts: FACTS };
}

function query(words: readonly string[], more: Partial<MatchQuery> = {}): MatchQuery {
  const clauses = words.map((word) => ({ alternatives: [[word]], phrase: false }));
  return { clauses, excluded: [], sites: [], excludedSites: [], ...more };
}

const idsOf = (index: InvertedIndex, match: MatchQuery): number[] =>
  index
    .matchAll(match)
    .candidates.map(({ id }) => id)
    .sort((a, b) => a - b);

const WORDS = ['ant', 'bee', 'cat', 'dog', 'eel'];

type Operation =
  | { readonly do: 'put'; readonly id: number; readonly words: readonly string[] }
  | { readonly do: 'anchors'; readonly id: number; readonly words: readonly string[] }
  | { readonly do: 'remove'; readonly id: number }
  | { readonly do: 'reopen' };

const id = fc.integer({ min: 1, max: 8 });
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('put' as const), id, words }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('anchors' as const), id, words }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), id }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
);

describe('random adding, replacing, removing and reopening', () => {
  it('equals a map', async () => {
    let file = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
        const path = join(folder, `model-${file++}.db`);
        let { index, close } = open(path);
        const texts = new Map<number, readonly string[]>();
        const anchors = new Map<number, readonly string[]>();
        for (const step of operations) {
          if (step.do === 'put') {
            texts.set(step.id, step.words);
            await index.putMany([row(step.id, step.words.join(' '))]);
          } else if (step.do === 'anchors') {
            anchors.set(step.id, step.words);
            const document = analyseAnchors([{ text: step.words.join(' '), sources: 1 }], 'und');
            await index.putAnchors([{ id: step.id, anchors: document }]);
          } else if (step.do === 'remove') {
            texts.delete(step.id);
            anchors.delete(step.id);
            await index.removeMany([step.id]);
          } else {
            close();
            ({ index, close } = open(path));
          }
        }
        compare(index, texts, anchors);
        close();
      }),
      { numRuns: 40 },
    );
  });

  function compare(
    index: InvertedIndex,
    texts: ReadonlyMap<number, readonly string[]>,
    anchors: ReadonlyMap<number, readonly string[]>,
  ): void {
    const lengths = [...texts.values()].reduce((sum, list) => sum + list.length, 0);
    const statistics = index.statistics();
    expect(statistics.documents).toBe(texts.size);
    expect(statistics.averageLengths[2]).toBeCloseTo(lengths / Math.max(1, texts.size));
    for (const first of WORDS) {
      for (const second of WORDS) {
        const fits = [...texts].filter(([at, list]) => {
          const held = new Set([...list, ...(anchors.get(at) ?? [])]);
          return held.has(first) && held.has(second);
        });
        expect(idsOf(index, query([first, second]))).toEqual(fits.map(([at]) => at).sort((a, b) => a - b));
        expect(index.matchAll(query([first, second])).total).toBe(fits.length);
      }
    }
  }
});

describe('documentFrequency', () => {
  it('follows the documents', async () => {
    const { index, close } = open(join(folder, 'df.db'));
    await index.putMany([row(1, 'tea pot'), row(2, 'tea tea'), row(3, 'pot')]);
    expect(index.documentFrequency('tea')).toBe(2);
    await index.removeMany([2]);
    expect(index.documentFrequency('tea')).toBe(1);
    await index.putMany([row(3, 'tea')]);
    expect(index.documentFrequency('tea')).toBe(2);
    expect(index.documentFrequency('pot')).toBe(1);
    close();
  });
});

describe('matching', () => {
  const { index, close } = open(':memory:');
  afterAll(close);

  it('putting twice is putting once', async () => {
    const rows = [
      row(1, 'the blue whale', 'a.example.org'),
      row(2, 'a whale so blue', 'b.example.org'),
      row(3, 'the blue whale and the shark', 'example.com'),
    ];
    await index.putMany(rows);
    await index.putMany(rows);
    expect(index.statistics().documents).toBe(3);
    expect(idsOf(index, query(['whale']))).toEqual([1, 2, 3]);
  });

  it('phrases, exclusions, sites and the domains above them', () => {
    const phrase = { alternatives: [['blue', 'whale']], phrase: true };
    const shark = { alternatives: [['shark']], phrase: false };
    expect(idsOf(index, query([], { clauses: [phrase] }))).toEqual([1, 3]);
    expect(idsOf(index, query(['whale'], { excluded: [shark] }))).toEqual([1, 2]);
    expect(idsOf(index, query(['whale'], { sites: ['example.org'] }))).toEqual([1, 2]);
    expect(idsOf(index, query(['whale'], { sites: ['b.example.org'] }))).toEqual([2]);
    expect(idsOf(index, query(['whale'], { sites: ['ample.org'] }))).toEqual([]);
    expect(idsOf(index, query(['whale'], { excludedSites: ['example.org'] }))).toEqual([3]);
  });

  it('a site is no word of the text', () => {
    expect(idsOf(index, query(['example.com']))).toEqual([]);
  });

  it('what links say counts for phrases, exclusions and sites too', async () => {
    const rows = [row(11, 'nothing here', 'x.test'), row(12, 'gossip', 'y.test')];
    await index.putMany(rows);
    const anchors = analyseAnchors([{ text: 'killer bees', sources: 2 }], 'und');
    await index.putAnchors([
      { id: 11, anchors },
      { id: 12, anchors },
    ]);
    const bees = { alternatives: [['killer', 'bees']], phrase: true };
    const gossip = { alternatives: [['gossip']], phrase: false };
    const reversed = { alternatives: [['bees', 'killer']], phrase: true };
    expect(idsOf(index, query([], { clauses: [bees] }))).toEqual([11, 12]);
    expect(idsOf(index, query([], { clauses: [bees], excluded: [gossip] }))).toEqual([11]);
    expect(idsOf(index, query(['bees'], { sites: ['y.test'] }))).toEqual([12]);
    expect(idsOf(index, query([], { clauses: [reversed] }))).toEqual([]);
    expect(idsOf(index, query(['bees', 'nothing']))).toEqual([11]);
    expect(idsOf(index, query(['whale'], { excluded: [bees] }))).toEqual([1, 2, 3]);
  });

  it('counts beyond what it loads', async () => {
    const small = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1_000_000 });
    const few = new InvertedIndex(small, { matched: 5, candidates: 2, linkCandidates: 2, maxScored: 1000 });
    await few.putMany(Array.from({ length: 12 }, (_, i) => row(i + 1, 'common')));
    const { total, ids, candidates } = few.matchAll(query(['common']));
    expect([total, ids.length, candidates.length]).toEqual([12, 5, 2]);
    expect(few.groupsOf(ids)).toHaveLength(5);
    small.close();
  });

  it('all: of very many documents those with the words in title or heading, all of them counted', async () => {
    const database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1_000_000 });
    const tight = new InvertedIndex(database, { matched: 50, candidates: 3, linkCandidates: 3, maxScored: 5 });
    const titled = (id: number, title: string) => {
      const blocks = [{ text: 'common', flags: BLOCK_MAIN, linkLength: 0, tag: 'p' }];
      return { id, document: analyseDocument({ title, blocks, language: 'und', description: '' }, ''), facts: FACTS };
    };
    await tight.putMany(Array.from({ length: 20 }, (_, i) => titled(i + 1, i % 5 === 0 ? 'common' : 'other')));
    const found = tight.matchAll(query(['common']));
    expect([...found.ids].sort((a, b) => a - b)).toEqual([1, 6, 11, 16]);
    expect([found.total, found.candidates.length]).toEqual([20, 3]);
    database.close();
  });

  it('any: of words too common to be scored the rarest remain', async () => {
    const database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1_000_000 });
    const tight = new InvertedIndex(database, { matched: 50, candidates: 50, linkCandidates: 50, maxScored: 4 });
    await tight.putMany(Array.from({ length: 10 }, (_, i) => row(i + 1, i < 3 ? 'rare common' : 'common')));
    expect(tight.matchAny(query(['common', 'rare'])).total).toBe(3);
    database.close();
  });
});

it('a reader on a connection of its own sees what was committed', async () => {
  const path = join(folder, 'reader.db');
  const writer = open(path);
  await writer.index.putMany([row(1, 'tea')]);
  const database = openDatabase(path, { readOnly: true, busyTimeoutMs: 100, cacheBytes: 1_000_000 });
  const reader = new InvertedIndex(database, OPTIONS);
  expect(idsOf(reader, query(['tea']))).toEqual([1]);
  await writer.index.putMany([row(2, 'tea')]);
  expect(idsOf(reader, query(['tea']))).toEqual([1, 2]);
  database.close();
  writer.close();
});
