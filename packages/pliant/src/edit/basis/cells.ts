import type { CageGraph } from './cage-graph.ts';
import { NONE } from './farthest-points.ts';
import { VertexHeap } from './vertex-heap.ts';

/** Which vertices have which label, those with NONE in no list. */
export function listByLabel(label: Uint32Array, count: number): { start: Uint32Array; vertex: Uint32Array } {
  const start = new Uint32Array(count + 1);
  let used = 0;
  for (let v = 0; v < label.length; v++) {
    if (label[v] === NONE) continue;
    start[label[v] + 1]++;
    used++;
  }
  for (let c = 0; c < count; c++) start[c + 1] += start[c];
  const next = start.slice(0, count);
  const vertex = new Uint32Array(used);
  for (let v = 0; v < label.length; v++) if (label[v] !== NONE) vertex[next[label[v]]++] = v;
  return { start, vertex };
}

/** Samples and splits cells, one after another. Distances inside a cell are along edges that stay in it. */
export class CellSampler {
  readonly #graph: CageGraph;
  readonly #distance: Float64Array;
  readonly #site: Uint32Array;
  readonly #heap: VertexHeap;

  constructor(graph: CageGraph) {
    this.#graph = graph;
    this.#distance = new Float64Array(graph.vertexCount);
    this.#site = new Uint32Array(graph.vertexCount);
    this.#heap = new VertexHeap(this.#distance);
  }

  /**
   * Up to `most` vertices of a cell, each as far as possible from what lies outside, from manipulators and from those
   * before; manipulators (with a level other than 255) are never taken. Ties go to the smaller vertex.
   */
  sample(cell: Uint32Array, label: Uint32Array, own: number, level: Uint8Array, most: number): number[] {
    const distance = this.#distance,
      heap = this.#heap;
    const chosen: number[] = [];
    for (let i = 0; i < cell.length; i++) {
      const u = cell[i];
      distance[u] = level[u] !== 255 ? 0 : this.#distanceOut(u, label, own);
      if (distance[u] < Infinity) heap.raise(u);
    }
    this.#spread(label, own);
    while (chosen.length < most) {
      let best = NONE,
        far = 0;
      for (let i = 0; i < cell.length; i++) {
        if (distance[cell[i]] <= far) continue;
        far = distance[cell[i]];
        best = cell[i];
      }
      if (best === NONE) break;
      chosen.push(best);
      distance[best] = 0;
      heap.raise(best);
      this.#spread(label, own);
    }
    return chosen;
  }

  /** Writes `first + k` to `target` for every vertex of the cell whose nearest site is the k-th; ties go to the first. */
  split(
    cell: Uint32Array,
    label: Uint32Array,
    own: number,
    sites: readonly number[],
    first: number,
    target: Uint32Array,
  ): void {
    const { start, neighbour, length } = this.#graph;
    const distance = this.#distance,
      site = this.#site,
      heap = this.#heap;
    for (let i = 0; i < cell.length; i++) distance[cell[i]] = Infinity;
    for (let k = 0; k < sites.length; k++) {
      distance[sites[k]] = 0;
      site[sites[k]] = k;
      heap.raise(sites[k]);
    }
    while (heap.count > 0) {
      const u = heap.pop();
      target[u] = first + site[u];
      for (let k = start[u]; k < start[u + 1]; k++) {
        const w = neighbour[k];
        if (label[w] !== own) continue;
        const d = distance[u] + length[k];
        if (d > distance[w]) continue;
        if (d === distance[w]) site[w] = Math.min(site[w], site[u]);
        else {
          distance[w] = d;
          site[w] = site[u];
          heap.raise(w);
        }
      }
    }
  }

  #distanceOut(u: number, label: Uint32Array, own: number): number {
    const { start, neighbour, length } = this.#graph;
    let least = Infinity;
    for (let k = start[u]; k < start[u + 1]; k++) {
      if (label[neighbour[k]] !== own && length[k] < least) least = length[k];
    }
    return least;
  }

  #spread(label: Uint32Array, own: number): void {
    const { start, neighbour, length } = this.#graph;
    const distance = this.#distance,
      heap = this.#heap;
    while (heap.count > 0) {
      const u = heap.pop();
      for (let k = start[u]; k < start[u + 1]; k++) {
        const w = neighbour[k];
        if (label[w] !== own) continue;
        const d = distance[u] + length[k];
        if (d >= distance[w]) continue;
        distance[w] = d;
        heap.raise(w);
      }
    }
  }
}
