import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import type { SplitInput } from './build-tree.ts';
import { longestAxis, splitAtMedian } from './median-split.ts';

/** Triangles that share two vertices with triangle t: neighbour[start[t] … start[t + 1]). */
export interface EdgeNeighbours {
  readonly start: Uint32Array;
  readonly neighbour: Uint32Array;
}

/** When more than this share of the triangles hangs off, the surface folds back, and a straight cut is a bad one. */
const MOST_LOOSE = 1 / 16;
const MOST_ROUNDS = 4;
/** Fans with more triangles are not searched. */
const MOST_AROUND = 32;
const LEFT = 1,
  RIGHT = 2;

/**
 * Divides a node that is in one piece as the plain tree would, at the median of its longest side, then mends the seam:
 * what hangs off goes to the other side, and as many triangles of the seam come back, so that the tree stays a heap.
 */
export class StraightCutter {
  readonly #triangles: Uint32Array;
  readonly #around: TriangleMesh['adjacency'];
  readonly #neighbours: EdgeNeighbours;
  readonly #side: Uint8Array; // of triangles of this node, 0 elsewhere
  readonly #seen: Uint32Array; // stamps
  readonly #list: Uint32Array;
  #stamp = 0;

  constructor({ triangles, triangleCount, adjacency }: TriangleMesh, neighbours: EdgeNeighbours) {
    this.#triangles = triangles;
    this.#around = adjacency;
    this.#neighbours = neighbours;
    this.#side = new Uint8Array(triangleCount);
    this.#seen = new Uint32Array(triangleCount);
    this.#list = new Uint32Array(triangleCount);
  }

  /** How many go to the first child; 0 when the node has to be divided in another way. */
  cut(input: SplitInput, first: number, count: number): number {
    const { order } = input;
    const side = this.#side;
    const wanted = splitAtMedian(input, first, count);
    for (let s = 0; s < count; s++) side[order[first + s]] = s < wanted ? LEFT : RIGHT;
    const isMended = this.#mend(order, first, count);
    if (isMended) this.#balance(input, first, count, wanted);
    const left = isMended ? this.#gather(order, first, count) : 0;
    for (let s = first; s < first + count; s++) side[order[s]] = 0;
    return left;
  }

  /** True when both sides are in one piece in the end. */
  #mend(order: Uint32Array, first: number, count: number): boolean {
    let moved = 0;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const loose = this.#moveLoose(order, first, count, LEFT) + this.#moveLoose(order, first, count, RIGHT);
      if (loose === 0) return true;
      moved += loose;
      if (moved > MOST_LOOSE * count) return false;
    }
    return false;
  }

  /** All but the largest piece of a side goes to the other one; returns how many triangles that are. */
  #moveLoose(order: Uint32Array, first: number, count: number, of: number): number {
    const side = this.#side,
      seen = this.#seen,
      list = this.#list,
      stamp = ++this.#stamp;
    const { start, neighbour } = this.#neighbours;
    let end = 0,
      largest = 0,
      from = 0,
      to = 0;
    for (let s = first; s < first + count; s++) {
      if (side[order[s]] !== of || seen[order[s]] === stamp) continue;
      const begin = end;
      seen[order[s]] = stamp;
      list[end++] = order[s];
      for (let k = begin; k < end; k++) {
        const t = list[k];
        for (let e = start[t]; e < start[t + 1]; e++) {
          const u = neighbour[e];
          if (side[u] !== of || seen[u] === stamp) continue;
          seen[u] = stamp;
          list[end++] = u;
        }
      }
      if (end - begin > largest) {
        largest = end - begin;
        from = begin;
        to = end;
      }
    }
    for (let k = 0; k < from; k++) side[list[k]] = LEFT + RIGHT - of;
    for (let k = to; k < end; k++) side[list[k]] = LEFT + RIGHT - of;
    return end - largest;
  }

  /** Triangles of the seam change sides until there are as many as wanted, those closest to the cut first. */
  #balance(input: SplitInput, first: number, count: number, wanted: number): void {
    const { order, centroids } = input;
    const side = this.#side;
    let left = 0;
    for (let s = first; s < first + count; s++) if (side[order[s]] === LEFT) left++;
    const of = left > wanted ? LEFT : RIGHT;
    let excess = Math.abs(left - wanted);
    if (excess === 0) return;
    const axis = longestAxis(input, first, count);
    const direction = of === LEFT ? -1 : 1;
    while (excess > 0) {
      const seam: number[] = [];
      for (let s = first; s < first + count; s++) {
        if (side[order[s]] === of && this.#touchesOther(order[s])) seam.push(order[s]);
      }
      seam.sort((s, t) => direction * (centroids[3 * s + axis] - centroids[3 * t + axis]) || s - t);
      const before = excess;
      for (const t of seam) {
        if (excess === 0) break;
        if (!this.#canGo(t)) continue;
        side[t] = LEFT + RIGHT - of;
        excess--;
      }
      if (excess === before) return; // as near as it gets
    }
  }

  #touchesOther(t: number): boolean {
    const { start, neighbour } = this.#neighbours;
    const other = LEFT + RIGHT - this.#side[t];
    for (let e = start[t]; e < start[t + 1]; e++) if (this.#side[neighbour[e]] === other) return true;
    return false;
  }

  /** True when what a triangle leaves behind stays in one piece: its neighbours there hang together without it. */
  #canGo(t: number): boolean {
    const { start, neighbour } = this.#neighbours;
    const of = this.#side[t];
    let u = -1;
    for (let e = start[t]; e < start[t + 1]; e++) {
      const v = neighbour[e];
      if (this.#side[v] !== of || v === u) continue;
      if (u >= 0 && !this.#areJoined(u, v, t)) return false;
      u = v;
    }
    return u >= 0;
  }

  /** Whether one leads to the other around a corner of t, on this side and not through t. */
  #areJoined(u: number, v: number, t: number): boolean {
    const { start, neighbour } = this.#neighbours;
    const side = this.#side,
      of = side[t];
    for (let k = 0; k < 3; k++) {
      const corner = this.#triangles[3 * t + k];
      const around = this.#around;
      if (!this.#has(u, corner) || !this.#has(v, corner)) continue;
      if (around.start[corner + 1] - around.start[corner] > MOST_AROUND) continue;
      const found = [u];
      for (let i = 0; i < found.length; i++) {
        if (found[i] === v) return true;
        for (let e = start[found[i]]; e < start[found[i] + 1]; e++) {
          const w = neighbour[e];
          if (w !== t && side[w] === of && this.#has(w, corner) && !found.includes(w)) found.push(w);
        }
      }
    }
    return false;
  }

  #has(t: number, vertex: number): boolean {
    const all = this.#triangles;
    return all[3 * t] === vertex || all[3 * t + 1] === vertex || all[3 * t + 2] === vertex;
  }

  /** Those on the left come first, otherwise they stay in order; returns how many. */
  #gather(order: Uint32Array, first: number, count: number): number {
    const list = this.#list;
    let left = 0,
      right = count;
    for (let s = 0; s < count; s++) {
      const t = order[first + s];
      if (this.#side[t] === LEFT) list[left++] = t;
      else list[--right] = t;
    }
    order.set(list.subarray(0, left), first);
    for (let s = left; s < count; s++) order[first + s] = list[count - 1 - (s - left)];
    return left;
  }
}
