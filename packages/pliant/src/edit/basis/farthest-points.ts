import type { CageGraph } from './cage-graph.ts';
import { VertexHeap } from './vertex-heap.ts';

/** Marks a vertex, node or group that is not there. */
export const NONE = 0xffffffff;

/**
 * Vertices far from each other, and which of them every vertex is nearest to. Distances are along edges (Dijkstra);
 * ties go to the one chosen first, then to the vertex with the smaller number.
 */
export class FarthestPoints {
  readonly chosen: number[] = [];
  /** Per vertex: the place in `chosen` of the nearest. */
  readonly nearest: Uint32Array;
  readonly #graph: CageGraph;
  readonly #distance: Float64Array;
  readonly #heap: VertexHeap;

  constructor(graph: CageGraph) {
    this.#graph = graph;
    this.nearest = new Uint32Array(graph.vertexCount).fill(NONE);
    this.#distance = new Float64Array(graph.vertexCount).fill(Infinity);
    this.#heap = new VertexHeap(this.#distance);
  }

  /** The vertex farthest from all chosen ones, NONE when all are chosen; a part without any comes first. */
  farthest(): number {
    const distance = this.#distance;
    let best = NONE,
      most = 0;
    for (let v = 0; v < distance.length; v++) {
      if (distance[v] <= most) continue;
      most = distance[v];
      best = v;
    }
    return best;
  }

  /** True when every vertex is connected to a chosen one. */
  get hasAllParts(): boolean {
    return !this.#distance.includes(Infinity);
  }

  add(vertex: number): void {
    const { start, neighbour, length } = this.#graph;
    const distance = this.#distance,
      nearest = this.nearest,
      heap = this.#heap,
      own = this.chosen.length;
    this.chosen.push(vertex);
    distance[vertex] = 0;
    nearest[vertex] = own;
    heap.raise(vertex);
    while (heap.count > 0) {
      const u = heap.pop();
      for (let k = start[u]; k < start[u + 1]; k++) {
        const w = neighbour[k],
          d = distance[u] + length[k];
        if (d >= distance[w]) continue;
        distance[w] = d;
        nearest[w] = own;
        heap.raise(w);
      }
    }
  }
}

/** A vertex at an end of the shape: the farthest from vertex 0 among those it is connected to. */
export function endOf(graph: CageGraph): number {
  const { start, neighbour, length } = graph;
  const distance = new Float64Array(graph.vertexCount).fill(Infinity);
  const heap = new VertexHeap(distance);
  distance[0] = 0;
  heap.raise(0);
  let last = 0;
  while (heap.count > 0) {
    const u = heap.pop();
    if (distance[u] > distance[last] || (distance[u] === distance[last] && u < last)) last = u;
    for (let k = start[u]; k < start[u + 1]; k++) {
      const w = neighbour[k],
        d = distance[u] + length[k];
      if (d >= distance[w]) continue;
      distance[w] = d;
      heap.raise(w);
    }
  }
  return last;
}
