import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../kit/sqlite.ts';
import type { LinkPosition } from '../model/page.ts';
import { packEdges, unpackEdges } from './edges.ts';
import { LinkGraph, nodeOf, type PageLink, type PageLinks } from './link-graph.ts';

const OPTIONS = { textCacheEntries: 3, maxTextLength: 20 };

function open(): LinkGraph {
  return new LinkGraph(openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 2 ** 20 }), OPTIONS);
}

const position = fc.constantFrom<LinkPosition>('main', 'nav', 'header', 'footer', 'aside', 'form', 'other');

/** Pages 1–6 on two hosts: page n is on host 1 + n % 2. */
const link: fc.Arbitrary<PageLink> = fc
  .record({
    target: fc.integer({ min: 1, max: 6 }),
    text: fc.constantFrom('', 'a', 'b', 'Home', 'é'),
    nofollow: fc.boolean(),
    position,
  })
  .map(({ target, ...rest }) => ({ targetId: target, targetHost: 1 + (target % 2), ...rest }));

const page: fc.Arbitrary<PageLinks> = fc
  .record({ sourceId: fc.integer({ min: 1, max: 6 }), links: fc.array(link, { maxLength: 8 }) })
  .map(({ sourceId, links }) => ({ sourceId, sourceHost: 1 + (sourceId % 2), links }));

type Operation = { readonly put: readonly PageLinks[] } | { readonly remove: readonly number[] };

const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    fc.record({ put: fc.array(page, { maxLength: 4 }) }),
    fc.record({ remove: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }) }),
  ),
  { maxLength: 12 },
);

/** Links that count, as triples (source page, its host, link). */
function followed(pages: Map<number, PageLinks>): { source: PageLinks; link: PageLink }[] {
  return [...pages.values()].flatMap((source) =>
    source.links
      .filter(({ nofollow, targetId }) => !nofollow && targetId !== source.sourceId)
      .map((counted) => ({ source, link: counted })),
  );
}

function naiveAnchors(pages: Map<number, PageLinks>, target: number): object[] {
  const links = followed(pages).filter((edge) => edge.link.targetId === target && edge.link.text !== '');
  return [...new Set(links.map((edge) => edge.link.text))].map((text) => {
    const same = links.filter((edge) => edge.link.text === text);
    const distinct = (edges: typeof links) => new Set(edges.map((edge) => edge.source.sourceId)).size;
    return {
      text,
      pages: distinct(same),
      main: distinct(same.filter((edge) => edge.link.position === 'main')),
      hosts: new Set(same.map((edge) => edge.source.sourceHost)).size,
    };
  });
}

function naiveInDegree(pages: Map<number, PageLinks>, target: number): object {
  const sources = followed(pages)
    .filter((edge) => edge.link.targetId === target)
    .map((edge) => edge.source);
  return { pages: new Set(sources.map((s) => s.sourceId)).size, hosts: new Set(sources.map((s) => s.sourceHost)).size };
}

function naiveHostLinks(pages: Map<number, PageLinks>, from: number): object[] {
  const across = followed(pages).filter(
    ({ source, link: { targetHost } }) => source.sourceHost === from && targetHost !== from,
  );
  const links = new Set(across.map((edge) => `${edge.source.sourceId} ${edge.link.targetId}`)).size;
  return links === 0 ? [] : [{ hostId: 3 - from, links }];
}

function bySize(anchors: readonly object[]): string[] {
  return anchors.map((anchor) => JSON.stringify(anchor)).sort();
}

describe('link graph', () => {
  it('equals a map of pages under random puts and removals', async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (steps) => {
        const graph = open();
        const model = new Map<number, PageLinks>();
        for (const step of steps) {
          if ('put' in step) {
            await graph.putMany(step.put);
            for (const entry of step.put) model.set(entry.sourceId, entry);
          } else {
            await graph.removeMany(step.remove);
            for (const id of step.remove) model.delete(id);
          }
        }
        const ids = [1, 2, 3, 4, 5, 6];
        const anchors = await graph.anchorsOf(ids, 100);
        for (const [i, id] of ids.entries()) {
          expect(await graph.linksOf(id)).toEqual(model.get(id)?.links ?? []);
          expect(bySize(anchors[i] ?? [])).toEqual(bySize(naiveAnchors(model, id)));
        }
        expect(await graph.inDegrees(ids)).toEqual(ids.map((id) => naiveInDegree(model, id)));
        for (const host of [1, 2]) {
          expect(await graph.hostsLinkedFrom(host)).toEqual(naiveHostLinks(model, host));
          expect(await graph.hostsLinkingTo(3 - host)).toEqual(
            naiveHostLinks(model, host).map((row) => ({ ...row, hostId: host })),
          );
        }
        expectSameEdges(graph, model);
      }),
      { numRuns: 150 },
    );
  });

  it('changes nothing when the same page is put again', async () => {
    const graph = open();
    const links = [{ targetId: 2, targetHost: 1, text: 'two', nofollow: false, position: 'main' as const }];
    for (let i = 0; i < 3; i++) await graph.putMany([{ sourceId: 1, sourceHost: 1, links }]);
    expect(await graph.anchorsOf([2], 5)).toEqual([[{ text: 'two', pages: 1, main: 1, hosts: 1 }]]);
  });

  it('puts texts of many hosts first, then of many pages, and gives no more than asked for', async () => {
    const graph = open();
    const put = (sourceId: number, sourceHost: number, text: string) => {
      const links = [{ targetId: 99, targetHost: 9, text, nofollow: false, position: 'nav' as const }];
      return graph.putMany([{ sourceId, sourceHost, links }]);
    };
    for (const id of [1, 2, 3]) await put(id, 1, 'three pages');
    for (const id of [4, 5]) await put(id, id, 'two hosts');
    await put(6, 6, 'one page');
    const [anchors] = await graph.anchorsOf([99], 2);
    expect(anchors?.map((anchor) => anchor.text)).toEqual(['two hosts', 'three pages']);
  });

  it('cuts long texts, not inside a character', async () => {
    const graph = open();
    const text = `${'x'.repeat(19)}😀${'y'.repeat(30)}`;
    const links = [{ targetId: 2, targetHost: 1, text, nofollow: false, position: 'main' as const }];
    await graph.putMany([{ sourceId: 1, sourceHost: 1, links }]);
    expect((await graph.linksOf(1)).map((found) => found.text)).toEqual(['x'.repeat(19)]);
  });
});

describe('packed edges', () => {
  it('give back what was packed, ids and hosts of any size below 2^48', () => {
    const id = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 48 }));
    const edge = fc.record({ targetId: id, targetHost: id, textId: id, nofollow: fc.boolean(), position });
    fc.assert(
      fc.property(fc.array(edge), id, (edges, host) => {
        expect(unpackEdges(packEdges(edges, host), host)).toEqual(edges);
      }),
    );
  });
});

function expectSameEdges(graph: LinkGraph, model: Map<number, PageLinks>): void {
  const compressed = graph.pageGraph();
  const expected = new Set(followed(model).map((edge) => `${edge.source.sourceId} ${edge.link.targetId}`));
  const found = new Set<string>();
  for (const id of compressed.ids) {
    const node = nodeOf(compressed, id);
    for (const target of compressed.targets.subarray(compressed.offsets[node], compressed.offsets[node + 1])) {
      found.add(`${id} ${compressed.ids[target]}`);
    }
  }
  expect(found).toEqual(expected);
}
