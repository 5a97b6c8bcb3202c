import type { CageGraph } from './cage-graph.ts';
import { NONE } from './farthest-points.ts';
import { VertexHeap } from './vertex-heap.ts';

/**
 * For every vertex in a cell: how far the nearest of `sources` is that lies in another cell, or in none. Infinity
 * where there is none. One pass for all: every vertex keeps the two nearest sources from different cells
 * (Dijkstra's algorithm with two labels); farther ones cannot be the answer for anybody behind it.
 */
export function findRadii(
  graph: CageGraph,
  cell: Uint32Array,
  sources: Uint32Array,
  radius: Float64Array,
): void {
  const { vertexCount, start, neighbour, length } = graph;
  // Slot 2v is the nearer of the two of v, slot 2v + 1 the farther; every slot is an item of the heap.
  const distance = new Float64Array(2 * vertexCount).fill(Infinity);
  const label = new Uint32Array(2 * vertexCount).fill(NO_LABEL);
  const heap = new VertexHeap(distance);
  for (let i = 0; i < sources.length; i++) {
    const slot = 2 * sources[i];
    distance[slot] = 0;
    label[slot] = cell[sources[i]];
    heap.raise(slot);
  }
  while (heap.count > 0) {
    const slot = heap.pop();
    const own = label[slot],
      u = slot >> 1;
    for (let k = start[u]; k < start[u + 1]; k++) {
      const near = 2 * neighbour[k],
        d = distance[slot] + length[k];
      if (label[near] === own) {
        if (d >= distance[near]) continue;
        distance[near] = d;
        heap.raise(near);
      } else if (d < distance[near]) {
        // The former nearer one, which nobody has been told of yet, becomes the farther one: that only lowers the farther key.
        if (distance[near] < Infinity) {
          distance[near + 1] = distance[near];
          label[near + 1] = label[near];
          heap.raise(near + 1);
        }
        distance[near] = d;
        label[near] = own;
        heap.raise(near);
      } else if (d < distance[near + 1]) {
        distance[near + 1] = d;
        label[near + 1] = own;
        heap.raise(near + 1);
      }
    }
  }
  for (let v = 0; v < vertexCount; v++) {
    if (cell[v] === NONE) radius[v] = 0;
    else radius[v] = label[2 * v] === cell[v] ? distance[2 * v + 1] : distance[2 * v];
  }
}

const NO_LABEL = NONE - 1; // sources outside all cells have the label NONE
