import { orient2d } from '../algebra/orient.ts';
import { LEAF, SLOT } from '../kernels/kernels.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { ROOT } from '../tree/tree.ts';
import { createSurfaceTree, STACK_SIZE, type SurfaceTree } from './surface-tree.ts';

/** A coordinate below this share of the largest counts as 0: products with it may vanish, and with them their signs. */
const TINY = 2 ** -300;

/**
 * Winding numbers of closed surfaces, exact but for roundings at the surface itself: a line through the point adds up
 * in which direction it passes triangles above it. Edges belong to one of their triangles, so a line through an edge
 * or a vertex counts once. What lies below must give the opposite sum, else another line is taken.
 */
export class RayWinding {
  readonly #surface: SurfaceTree;
  readonly #tiny: number;
  readonly #stack = new Int32Array(STACK_SIZE);
  #above = 0;
  #below = 0;

  constructor(mesh: TriangleMesh) {
    this.#surface = createSurfaceTree(mesh);
    this.#tiny = TINY * mesh.positions.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  }

  /** Undefined when lines along all three axes contradict themselves: the surface is not closed. */
  at(x: number, y: number, z: number): number | undefined {
    const u = this.#rounded(x),
      v = this.#rounded(y),
      w = this.#rounded(z);
    if (this.#walk(2, 0, 1, w, u, v)) return this.#above;
    if (this.#walk(0, 1, 2, u, v, w)) return this.#above;
    if (this.#walk(1, 2, 0, v, w, u)) return this.#above;
    return undefined;
  }

  #rounded(x: number): number {
    return Math.abs(x) < this.#tiny ? 0 : x;
  }

  /** Along axis `up`; (up, e, f) are x, y, z turned. */
  #walk(up: number, e: number, f: number, height: number, u: number, v: number): boolean {
    const { mesh, tree, boxes } = this.#surface;
    const stack = this.#stack;
    let size = 1;
    stack[0] = ROOT;
    this.#above = 0;
    this.#below = 0;
    while (size > 0) {
      const node = stack[--size];
      const o = 6 * node;
      if (boxes[o + e] > u || boxes[o + 3 + e] < u || boxes[o + f] > v || boxes[o + 3 + f] < v) continue;
      const link = tree.link[node];
      if (link < LEAF) {
        stack[size++] = link;
        stack[size++] = link + 1;
      } else this.#pass(mesh, tree.order[link & SLOT], up, e, f, height, u, v);
    }
    return this.#above + this.#below === 0;
  }

  #pass(
    { positions: p, triangles }: TriangleMesh,
    t: number,
    up: number,
    e: number,
    f: number,
    height: number,
    u: number,
    v: number,
  ): void {
    const a = 3 * triangles[3 * t],
      b = 3 * triangles[3 * t + 1],
      c = 3 * triangles[3 * t + 2];
    const turn = side(p, b, c, e, f, u, v);
    if (side(p, c, a, e, f, u, v) !== turn || side(p, a, b, e, f, u, v) !== turn) return;
    const wa = area(p, b, c, e, f, u, v),
      wb = area(p, c, a, e, f, u, v),
      wc = area(p, a, b, e, f, u, v);
    const sum = wa + wb + wc;
    const at = sum === 0 ? p[a + up] : (wa * p[a + up] + wb * p[b + up] + wc * p[c + up]) / sum;
    if (at > height) this.#above += turn;
    else this.#below += turn;
  }
}

/**
 * On which side of the edge from i to j the point lies, and opposite for the edge from j to i. Never undecided: a
 * point on the edge counts as moved a little towards −f, and much less towards +e.
 */
function side(p: Float64Array, i: number, j: number, e: number, f: number, u: number, v: number): 1 | -1 {
  const value = orient2d(p[i + e], p[i + f], p[j + e], p[j + f], u, v); // exact in its sign, which is the other way
  if (value !== 0) return value < 0 ? 1 : -1;
  const isTurned = p[i + e] > p[j + e] || (p[i + e] === p[j + e] && p[i + f] > p[j + f]);
  return isTurned ? 1 : -1;
}

/** Twice the area of the triangle from the edge to the point, seen along the line. */
function area(p: Float64Array, i: number, j: number, e: number, f: number, u: number, v: number): number {
  return (p[i + e] - u) * (p[j + f] - v) - (p[i + f] - v) * (p[j + e] - u);
}
