import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import type { Tree } from './tree.ts';

/** Ranges longer than this are searched by bisection. */
const SHORT = 8;

/**
 * Vertices that are shared inside a node or by a pair of nodes, on two stacks that are worked off from the top. The
 * slots around a vertex are kept in ascending order, so that those below a node are a range: two numbers for a
 * vertex inside a node, and four for one that a pair shares, whatever its valence.
 */
export class SharedVertices {
  /** Vertices of at least two triangles in the first and in the second child, after `splitNode`. */
  readonly within = [0, 0];
  /** Vertices that the two children share, after `splitNode`. */
  acrossCount = 0;
  /** After `splitPair`: vertices of (first, first), (first, second), (second, first), (second, second). */
  readonly dealt = [0, 0, 0, 0];

  readonly #slots: Uint32Array; // around each vertex, ascending
  readonly #start: Uint32Array;
  readonly #nodes = new Numbers();
  readonly #pairs = new Numbers();
  readonly #scratch = [new Numbers(), new Numbers(), new Numbers(), new Numbers()];

  constructor({ order }: Tree, { triangles, adjacency, vertexCount }: TriangleMesh) {
    const next = adjacency.start.slice(0, vertexCount);
    const slots = new Uint32Array(adjacency.list.length);
    for (let slot = 0; slot < order.length; slot++) {
      const t = 3 * order[slot];
      const a = triangles[t],
        b = triangles[t + 1],
        c = triangles[t + 2];
      slots[next[a]++] = slot;
      if (b !== a) slots[next[b]++] = slot;
      if (c !== a && c !== b) slots[next[c]++] = slot;
    }
    this.#slots = slots;
    this.#start = adjacency.start;
  }

  /** Pushes the vertices that are shared inside the root and returns how many. */
  pushRoot(): number {
    const start = this.#start;
    let count = 0;
    for (let v = 0; v + 1 < start.length; v++) {
      if (start[v + 1] - start[v] < 2) continue;
      this.#nodes.push2(start[v], start[v + 1]);
      count++;
    }
    return count;
  }

  /** Drops vertices of the node on top. */
  pop(count: number): void {
    this.#nodes.length -= 2 * count;
  }

  /** Replaces the node on top by its second child and, above it, its first one; pushes the pair of both. */
  splitNode(count: number, split: number): void {
    const { data } = this.#nodes;
    const [left, right] = this.#scratch;
    const base = this.#nodes.length - 2 * count;
    left.length = right.length = 0;
    this.acrossCount = 0;
    for (let k = base; k < base + 2 * count; k += 2) {
      const lo = data[k],
        hi = data[k + 1];
      const mid = this.#find(lo, hi, split);
      if (mid - lo > 1) left.push2(lo, mid);
      if (hi - mid > 1) right.push2(mid, hi);
      if (mid === lo || mid === hi) continue;
      this.#pairs.push4(lo, mid, mid, hi);
      this.acrossCount++;
    }
    this.#nodes.length = base;
    this.#nodes.append(right);
    this.#nodes.append(left);
    this.within[0] = left.length / 2;
    this.within[1] = right.length / 2;
  }

  /** Drops vertices of the pair on top. */
  popAcross(count: number): void {
    this.#pairs.length -= 4 * count;
  }

  /** Replaces the pair on top by the four pairs of its children, (first, first) on top. */
  splitPair(count: number, splitA: number, splitB: number): void {
    const { data } = this.#pairs;
    const scratch = this.#scratch;
    const base = this.#pairs.length - 4 * count;
    for (const list of scratch) list.length = 0;
    const [list0, list1, list2, list3] = scratch;
    for (let k = base; k < base + 4 * count; k += 4) {
      const a0 = data[k],
        a2 = data[k + 1],
        b0 = data[k + 2],
        b2 = data[k + 3];
      const a1 = this.#find(a0, a2, splitA),
        b1 = this.#find(b0, b2, splitB);
      if (a1 > a0) {
        if (b1 > b0) list0.push4(a0, a1, b0, b1);
        if (b2 > b1) list1.push4(a0, a1, b1, b2);
      }
      if (a2 > a1) {
        if (b1 > b0) list2.push4(a1, a2, b0, b1);
        if (b2 > b1) list3.push4(a1, a2, b1, b2);
      }
    }
    this.#pairs.length = base;
    for (let k = 3; k >= 0; k--) {
      this.#pairs.append(scratch[k]);
      this.dealt[k] = scratch[k].length / 4;
    }
  }

  /** The first of the slots [lo, hi) that is not below `split`; hi when all are. */
  #find(lo: number, hi: number, split: number): number {
    const slots = this.#slots;
    while (hi - lo > SHORT) {
      const mid = (lo + hi) >>> 1;
      if (slots[mid] < split) lo = mid + 1;
      else hi = mid;
    }
    while (lo < hi && slots[lo] < split) lo++;
    return lo;
  }
}

/** A growing stack of numbers. */
class Numbers {
  data = new Uint32Array(1 << 10);
  length = 0;

  push2(a: number, b: number): void {
    if (this.length + 2 > this.data.length) this.#grow(this.length + 2);
    this.data[this.length++] = a;
    this.data[this.length++] = b;
  }

  push4(a: number, b: number, c: number, d: number): void {
    this.push2(a, b);
    this.push2(c, d);
  }

  append(other: Numbers): void {
    if (this.length + other.length > this.data.length) this.#grow(this.length + other.length);
    for (let k = 0; k < other.length; k++) this.data[this.length + k] = other.data[k];
    this.length += other.length;
  }

  #grow(length: number): void {
    const larger = new Uint32Array(Math.max(length, 2 * this.data.length));
    larger.set(this.data.subarray(0, this.length));
    this.data = larger;
  }
}
