import { type Graph, nodeOf } from './graph.ts';

export interface RankOptions {
  /** Share of a node's rank that flows along its links. */
  readonly damping: number;
  /** Stops when a step changes all ranks together by less (L1 norm). */
  readonly tolerance: number;
  readonly maxIterations: number;
}

export interface Ranks {
  /** By position in the graph's `ids`; they add up to 1. */
  readonly values: Float64Array;
  readonly iterations: number;
  /** L1 norm of the last step's change. */
  readonly change: number;
}

/**
 * PageRank (Page, Brin, Motwani, Winograd 1999) by power iteration: p = (1−d)v + d(Pᵀp + dangling·v), v uniform.
 * The rank of nodes without links out is given to all.
 */
export function pageRank(graph: Graph, options: RankOptions): Ranks {
  const nodes = graph.ids.length;
  return propagate(graph, new Float64Array(nodes).fill(nodes === 0 ? 0 : 1 / nodes), options);
}

/**
 * TrustRank (Gyöngyi, Garcia-Molina, Pedersen, VLDB 2004): PageRank that starts from, and returns to, trusted nodes
 * only. Seeds that are no nodes are passed over; without any other every value is 0. On the reversed graph with
 * garbage as seeds it is Anti-TrustRank (Krishnan, Raj, AIRWeb 2006).
 */
export function trustRank(graph: Graph, seedIds: Iterable<number>, options: RankOptions): Ranks {
  const nodes = new Set<number>();
  for (const id of seedIds) nodes.add(nodeOf(graph, id));
  nodes.delete(-1);
  const teleport = new Float64Array(graph.ids.length);
  for (const node of nodes) teleport[node] = 1 / nodes.size;
  if (nodes.size === 0) return { values: teleport, iterations: 0, change: 0 };
  return propagate(graph, teleport, options);
}

function propagate(graph: Graph, teleport: Float64Array, options: RankOptions): Ranks {
  const { damping, tolerance, maxIterations } = options;
  const nodes = graph.ids.length;
  const outWeights = weightsOut(graph);
  let values = teleport.slice();
  let next = new Float64Array(nodes);
  let iterations = 0;
  let change = nodes === 0 ? 0 : Number.POSITIVE_INFINITY;
  while (iterations < maxIterations && change >= tolerance) {
    const dangling = spread(graph, outWeights, { values, next, damping });
    const returned = 1 - damping + damping * dangling;
    change = 0;
    for (let node = 0; node < nodes; node++) {
      const value = (next[node] ?? 0) + returned * (teleport[node] ?? 0);
      change += Math.abs(value - (values[node] ?? 0));
      next[node] = value;
    }
    [values, next] = [next, values];
    iterations++;
  }
  return { values, iterations, change };
}

interface Step {
  readonly values: Float64Array;
  /** Overwritten with what flows in along links. */
  readonly next: Float64Array;
  readonly damping: number;
}

/** One step along the links; the rank of nodes that have none. */
function spread(graph: Graph, outWeights: Float64Array, { values, next, damping }: Step): number {
  const { offsets, targets, weights } = graph;
  next.fill(0);
  let dangling = 0;
  for (let node = 0; node < values.length; node++) {
    const value = values[node] ?? 0;
    const total = outWeights[node] ?? 0;
    if (total === 0) {
      dangling += value;
      continue;
    }
    const share = (damping * value) / total;
    const end = offsets[node + 1] ?? 0;
    for (let edge = offsets[node] ?? 0; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      next[target] = (next[target] ?? 0) + (weights === undefined ? share : share * (weights[edge] ?? 0));
    }
  }
  return dangling;
}

function weightsOut({ ids, offsets, weights }: Graph): Float64Array {
  const sums = new Float64Array(ids.length);
  for (let node = 0; node < ids.length; node++) {
    const start = offsets[node] ?? 0;
    const end = offsets[node + 1] ?? 0;
    let sum = end - start;
    if (weights !== undefined) {
      sum = 0;
      for (let edge = start; edge < end; edge++) sum += weights[edge] ?? 0;
    }
    sums[node] = sum;
  }
  return sums;
}
