/**
 * A directed graph in compressed rows: the targets of node i are `targets[offsets[i] … offsets[i + 1])`, without repeats.
 * 4 bytes an edge and 12 a node, 8 more an edge when weighted.
 */
export interface Graph {
  /** Ids of the nodes, ascending. */
  readonly ids: Float64Array;
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** Positive, one an edge; undefined = all equal. */
  readonly weights: Float64Array | undefined;
}

/** Position of an id among the nodes, -1 when it is none. */
export function nodeOf(graph: Graph, id: number): number {
  const node = lowerBound(graph.ids, id);
  return graph.ids[node] === id ? node : -1;
}

/** Collects edges by id and builds the graph. Sources may come in any order, and a pair more than once. */
export class GraphBuilder {
  #sources = new Float64Array(1024);
  #targets = new Float64Array(1024);
  #weights: Float64Array<ArrayBuffer> | undefined;
  #length = 0;

  add(source: number, target: number): void {
    if (this.#length === this.#sources.length) this.#grow();
    this.#sources[this.#length] = source;
    this.#targets[this.#length++] = target;
  }

  addWeighted(source: number, target: number, weight: number): void {
    this.add(source, target);
    this.#weights ??= new Float64Array(this.#sources.length).fill(1);
    this.#weights[this.#length - 1] = weight;
  }

  /** Edges of the same pair become one; their weights are added up. Loops are left out. */
  build(): Graph {
    const ids = sortedDistinct(this.#sources.subarray(0, this.#length), this.#targets.subarray(0, this.#length));
    const offsets = new Uint32Array(ids.length + 1);
    const from = new Uint32Array(this.#length);
    const to = new Uint32Array(this.#length);
    for (let i = 0; i < this.#length; i++) {
      from[i] = lowerBound(ids, this.#sources[i] ?? 0);
      to[i] = lowerBound(ids, this.#targets[i] ?? 0);
    }
    return compress({ ids, offsets, from, to, weights: this.#weights });
  }

  #grow(): void {
    this.#sources = grown(this.#sources);
    this.#targets = grown(this.#targets);
    if (this.#weights !== undefined) this.#weights = grown(this.#weights);
  }
}

/** The same graph with every edge turned round. */
export function reversed(graph: Graph): Graph {
  const { ids, targets, weights } = graph;
  const edges = targets.length;
  const from = new Uint32Array(edges);
  for (let node = 0; node < ids.length; node++) {
    from.fill(node, graph.offsets[node], graph.offsets[node + 1]);
  }
  return compress({ ids, offsets: new Uint32Array(ids.length + 1), from: targets, to: from, weights });
}

interface EdgeList {
  readonly ids: Float64Array;
  /** Filled here; all 0 at first. */
  readonly offsets: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly weights: Float64Array | undefined;
}

/** Counting sort by source, then each row sorted and repeats joined. */
function compress({ ids, offsets, from, to, weights }: EdgeList): Graph {
  const edges = from.length;
  for (let i = 0; i < edges; i++) offsets[(from[i] ?? 0) + 1] = (offsets[(from[i] ?? 0) + 1] ?? 0) + 1;
  for (let node = 0; node < ids.length; node++) offsets[node + 1] = (offsets[node + 1] ?? 0) + (offsets[node] ?? 0);
  const next = offsets.slice();
  const order = new Uint32Array(edges);
  for (let i = 0; i < edges; i++) {
    const node = from[i] ?? 0;
    const place = next[node] ?? 0;
    order[place] = i;
    next[node] = place + 1;
  }
  const targets = new Uint32Array(edges);
  const sums = weights === undefined ? undefined : new Float64Array(edges);
  let length = 0;
  for (let node = 0; node < ids.length; node++) {
    const row = order.subarray(offsets[node], offsets[node + 1]).sort((a, b) => (to[a] ?? 0) - (to[b] ?? 0));
    const start = length;
    for (const edge of row) {
      const target = to[edge] ?? 0;
      if (target === node) continue;
      if (length === start || targets[length - 1] !== target) targets[length++] = target;
      if (sums !== undefined) sums[length - 1] = (sums[length - 1] ?? 0) + (weights?.[edge] ?? 1);
    }
    offsets[node] = start;
  }
  offsets[ids.length] = length;
  return { ids, offsets, targets: targets.slice(0, length), weights: sums?.slice(0, length) };
}

function sortedDistinct(a: Float64Array, b: Float64Array): Float64Array {
  const all = new Float64Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  all.sort();
  let length = 0;
  for (let i = 0; i < all.length; i++) {
    const id = all[i] ?? 0;
    if (length === 0 || all[length - 1] !== id) all[length++] = id;
  }
  return all.slice(0, length);
}

/** First position whose value is not below `id`. */
function lowerBound(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function grown(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}
