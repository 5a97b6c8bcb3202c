import type { CageGraph } from './cage-graph.ts';
import { VertexHeap } from './vertex-heap.ts';

/** Grows cells into regions that overlap with their neighbours. */
export class RegionGrower {
  readonly #graph: CageGraph;
  readonly #key: Float64Array;
  readonly #heap: VertexHeap;
  readonly #found: Uint32Array;

  constructor(graph: CageGraph) {
    this.#graph = graph;
    this.#key = new Float64Array(graph.vertexCount).fill(Infinity);
    this.#heap = new VertexHeap(this.#key);
    this.#found = new Uint32Array(graph.vertexCount);
  }

  /**
   * All vertices nearer to some u of the cell than radius[u], ascending: the union of open balls. One search from the
   * whole cell, in which u begins with -radius[u], ends at 0. Valid until the next call.
   */
  grow(cell: Uint32Array, radius: Float64Array): Uint32Array {
    const { start, neighbour, length } = this.#graph;
    const key = this.#key,
      heap = this.#heap,
      found = this.#found;
    let count = 0;
    for (let i = 0; i < cell.length; i++) {
      key[cell[i]] = -radius[cell[i]];
      heap.raise(cell[i]);
    }
    while (heap.count > 0) {
      const u = heap.pop();
      found[count++] = u;
      for (let k = start[u]; k < start[u + 1]; k++) {
        const w = neighbour[k],
          reached = key[u] + length[k];
        if (reached >= 0 || reached >= key[w]) continue;
        key[w] = reached;
        heap.raise(w);
      }
    }
    for (let i = 0; i < count; i++) key[found[i]] = Infinity;
    return found.subarray(0, count).sort();
  }
}
