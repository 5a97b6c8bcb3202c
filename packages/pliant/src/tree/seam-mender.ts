import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import type { SplitInput } from './build-tree.ts';
import { longestAxis } from './median-split.ts';
import { largestOf, type PieceFinder } from './pieces.ts';

const LEFT = 1,
  RIGHT = 2;

/**
 * Divides a node that is in one piece into two that are: what hangs off goes to the other side, and as many triangles of
 * the seam come back, so that the tree stays a heap.
 */
export class SeamMender {
  readonly #finder: PieceFinder;
  readonly #side: Uint8Array; // of triangles of this node, 0 elsewhere

  constructor({ triangleCount }: TriangleMesh, finder: PieceFinder) {
    this.#finder = finder;
    this.#side = new Uint8Array(triangleCount);
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

  /**
   * True when both sides are in one piece in the end. They are after one round: what is left of a side is one piece, and
   * pieces of the other side, which only it keeps apart, touch it.
   */
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
    const pieces = this.#finder.find(order, first, count, this.#side, of);
    const largest = largestOf(pieces);
    let moved = 0;
    for (const { from, count: size } of pieces) {
      if (from === largest.from) continue;
      for (let k = from; k < from + size; k++) this.#side[this.#finder.list[k]] = LEFT + RIGHT - of;
      moved += size;
    }
    return moved;
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
    const { start, neighbour } = this.#finder.neighbours;
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
