import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Graph, GraphBuilder, nodeOf, reversed } from './graph.ts';
import { pageRank, trustRank } from './rank.ts';

const OPTIONS = { damping: 0.85, tolerance: 1e-10, maxIterations: 500 };

type Pair = readonly [number, number, number];

const pairs = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 5 })),
  {
    maxLength: 60,
  },
);

function build(edges: readonly Pair[]): Graph {
  const builder = new GraphBuilder();
  for (const [source, target] of edges) builder.add(source, target);
  return builder.build();
}

function buildWeighted(edges: readonly Pair[]): Graph {
  const builder = new GraphBuilder();
  for (const [source, target, weight] of edges) builder.addWeighted(source, target, weight);
  return builder.build();
}

/** source → target → summed weight, without loops: what the compressed graph has to hold. */
function naiveGraph(edges: readonly Pair[]): Map<number, Map<number, number>> {
  const graph = new Map<number, Map<number, number>>();
  for (const [source, target, weight] of edges) {
    if (!graph.has(source)) graph.set(source, new Map());
    if (!graph.has(target)) graph.set(target, new Map());
    const row = graph.get(source);
    if (source !== target) row?.set(target, (row.get(target) ?? 0) + weight);
  }
  return new Map([...graph].sort(([a], [b]) => a - b));
}

/** The formula by its letters, with a matrix, 250 steps (.85^250 < 1e-17). */
function naiveRank(graph: Map<number, Map<number, number>>, teleport: Map<number, number>): Map<number, number> {
  let ranks = new Map(teleport);
  for (let step = 0; step < 250; step++) {
    const next = new Map<number, number>();
    for (const id of graph.keys()) {
      let value = (1 - OPTIONS.damping) * (teleport.get(id) ?? 0);
      for (const [source, row] of graph) {
        const total = [...row.values()].reduce((sum, weight) => sum + weight, 0);
        const share = total === 0 ? (teleport.get(id) ?? 0) : (row.get(id) ?? 0) / total;
        value += OPTIONS.damping * (ranks.get(source) ?? 0) * share;
      }
      next.set(id, value);
    }
    ranks = next;
  }
  return ranks;
}

function unweighted(edges: readonly Pair[]): Map<number, Map<number, number>> {
  const graph = naiveGraph(edges);
  for (const row of graph.values()) for (const target of row.keys()) row.set(target, 1);
  return graph;
}

function expectClose(graph: Graph, values: Float64Array, expected: Map<number, number>): void {
  expect([...graph.ids]).toEqual([...expected.keys()]);
  for (const [id, value] of expected) expect(values[nodeOf(graph, id)]).toBeCloseTo(value, 7);
}

describe('the compressed graph', () => {
  it('holds each pair once, rows sorted, without loops', () => {
    fc.assert(
      fc.property(pairs, (edges) => {
        const graph = buildWeighted(edges);
        const expected = naiveGraph(edges);
        const rows = [...graph.ids].map((id, node) => {
          const [start, end] = [graph.offsets[node] ?? 0, graph.offsets[node + 1] ?? 0];
          const targets = [...graph.targets.subarray(start, end)].map((target) => graph.ids[target] ?? 0);
          expect(targets).toEqual(targets.toSorted((a, b) => a - b));
          return [id, new Map(targets.map((target, i) => [target, graph.weights?.[start + i] ?? 1]))] as const;
        });
        expect(new Map(rows)).toEqual(expected);
      }),
    );
  });

  it('turned round twice is itself', () => {
    fc.assert(
      fc.property(pairs, (edges) => {
        const graph = buildWeighted(edges);
        expect(reversed(reversed(graph))).toEqual(graph);
        expect(reversed(graph)).toEqual({ ...buildWeighted(edges.map(([a, b, w]) => [b, a, w])), ids: graph.ids });
      }),
    );
  });

  it('finds no node for an id it does not have', () => {
    const graph = build([[3, 9, 1]]);
    expect([1, 3, 5, 9, 10].map((id) => nodeOf(graph, id))).toEqual([-1, 0, -1, 1, -1]);
  });
});

describe('PageRank', () => {
  it('equals the naive computation and adds up to 1', () => {
    fc.assert(
      fc.property(pairs, (edges) => {
        const graph = build(edges);
        const naive = unweighted(edges);
        const { values } = pageRank(graph, OPTIONS);
        expectClose(graph, values, naiveRank(naive, new Map([...naive.keys()].map((id) => [id, 1 / naive.size]))));
        if (edges.length > 0) expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
      }),
      { numRuns: 40 },
    );
  });

  it('follows weights', () => {
    fc.assert(
      fc.property(pairs, (edges) => {
        const graph = buildWeighted(edges);
        const naive = naiveGraph(edges);
        const { values } = pageRank(graph, OPTIONS);
        expectClose(graph, values, naiveRank(naive, new Map([...naive.keys()].map((id) => [id, 1 / naive.size]))));
      }),
      { numRuns: 40 },
    );
  });

  it('of two pages that link to each other is one half each, whatever the damping', () => {
    const { values, iterations } = pageRank(
      build([
        [1, 2, 1],
        [2, 1, 1],
      ]),
      { ...OPTIONS, damping: 0.5 },
    );
    expect([...values]).toEqual([0.5, 0.5]);
    expect(iterations).toBe(1);
  });

  it('of a page and the one it links to, by hand: x = .15/2 + .85·y/2, y = x + .85·x, x + y = 1', () => {
    const { values } = pageRank(build([[1, 2, 1]]), OPTIONS);
    expect(values[0]).toBeCloseTo(1 / 2.85, 9);
    expect(values[1]).toBeCloseTo(1.85 / 2.85, 9);
  });

  it('of no page is empty', () => {
    expect(pageRank(build([]), OPTIONS)).toEqual({ values: new Float64Array(0), iterations: 0, change: 0 });
  });

  it('stops at the bound on iterations and says how far it is', () => {
    const ranks = pageRank(
      build([
        [1, 2, 1],
        [2, 3, 1],
        [3, 1, 1],
        [1, 3, 1],
      ]),
      { ...OPTIONS, maxIterations: 2 },
    );
    expect(ranks.iterations).toBe(2);
    expect(ranks.change).toBeGreaterThan(OPTIONS.tolerance);
  });
});

describe('trust', () => {
  it('equals the naive computation', () => {
    const seeds = fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(pairs, seeds, (edges, seedIds) => {
        const graph = build(edges);
        const naive = unweighted(edges);
        const known = seedIds.filter((id) => naive.has(id));
        const teleport = new Map([...naive.keys()].map((id) => [id, known.includes(id) ? 1 / known.length : 0]));
        expectClose(graph, trustRank(graph, seedIds, OPTIONS).values, naiveRank(naive, teleport));
      }),
      { numRuns: 40 },
    );
  });

  it('reaches nothing that seeds do not lead to, and is 0 without seeds', () => {
    const graph = build([
      [1, 2, 1],
      [2, 1, 1],
      [8, 9, 1],
    ]);
    const { values } = trustRank(graph, [1], OPTIONS);
    expect([values[nodeOf(graph, 8)], values[nodeOf(graph, 9)]]).toEqual([0, 0]);
    expect(values[nodeOf(graph, 2)]).toBeGreaterThan(0.4);
    expect([...trustRank(graph, [77], OPTIONS).values]).toEqual([0, 0, 0, 0]);
  });

  it('on the reversed graph runs from garbage to those that link to it', () => {
    const graph = build([
      [1, 2, 1],
      [3, 4, 1],
    ]);
    const distrust = trustRank(reversed(graph), [2], OPTIONS).values;
    expect(distrust[nodeOf(graph, 1)]).toBeGreaterThan(0);
    expect([distrust[nodeOf(graph, 3)], distrust[nodeOf(graph, 4)]]).toEqual([0, 0]);
  });
});
