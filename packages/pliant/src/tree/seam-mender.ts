import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import type { SplitInput } from './build-tree.ts';
import { longestAxis } from './median-split.ts';

/** Triangles that share two vertices with triangle t: neighbour[start[t] … start[t + 1]). */
export interface EdgeNeighbours {
  readonly start: Uint32Array;
  readonly neighbour: Uint32Array;
}

const LEFT = 1,
  RIGHT = 2;

/**
 * Divides a node that is in one piece into two that are: what hangs off goes to the other side, and as many triangles of
 * the seam come back, so that the tree stays a heap.
 */
export class SeamMender {
  readonly #neighbours: EdgeNeighbours;
  readonly #side: Uint8Array; // of triangles of this node, 0 elsewhere
  readonly #seen: Uint32Array; // stamps
  readonly #list: Uint32Array;
  #stamp = 0;

  constructor({ triangleCount }: TriangleMesh, neighbours: EdgeNeighbours) {
    this.#neighbours = neighbours;
    this.#side = new Uint8Array(triangleCount);
    this.#seen = new Uint32Array(triangleCount);
    this.#list = new Uint32Array(triangleCount);
  }

  /**
   * The first `wanted` triangles to one side, the others to the other one, until both are in one piece. Returns how many go
   * to the first child; 0 when more than a share `most` of them would have to change sides.
   */
  divide(input: SplitInput, first: number, count: number, wanted: number, most: number): number {
    const { order } = input;
    const side = this.#side;
    for (let s = 0; s < count; s++) side[order[first + s]] = s < wanted ? LEFT : RIGHT;
    const isMended = this.#mend(order, first, count, most * count);
    if (isMended) this.#balance(input, first, count, wanted);
    const left = isMended ? this.#gather(order, first, count) : 0;
    for (let s = first; s < first + count; s++) side[order[s]] = 0;
    return left;
  }

  /** True when both sides are in one piece in the end. */
  #mend(order: Uint32Array, first: number, count: number, most: number): boolean {
    for (let moved = 0; moved <= most; ) {
      const loose = this.#moveLoose(order, first, count, RIGHT) + this.#moveLoose(order, first, count, LEFT);
      if (loose === 0) return true;
      moved += loose;
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
        if (side[order[s]] === of && this.#canGo(order[s])) seam.push(order[s]);
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

  /** True for the tip of its side: what it leaves behind stays in one piece. */
  #canGo(t: number): boolean {
    const { start, neighbour } = this.#neighbours;
    let own = 0,
      others = 0;
    for (let e = start[t]; e < start[t + 1]; e++) {
      const side = this.#side[neighbour[e]];
      if (side === this.#side[t]) own++;
      else if (side !== 0) others++;
    }
    return own === 1 && others > 0;
  }

  /** Those on the left come first, otherwise they stay in order; returns how many. */
  #gather(order: Uint32Array, first: number, count: number): number {
    const here = order.subarray(first, first + count);
    const left = here.filter((t) => this.#side[t] === LEFT);
    const right = here.filter((t) => this.#side[t] === RIGHT);
    here.set(left);
    here.set(right, left.length);
    return left.length;
  }
}
