import { LEAF, SLOT } from '../kernels/kernels.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import type { Tree } from './tree.ts';

const NONE = 0xffffffff;

/**
 * Vertices that all triangles below a node have: at most three. Where two nodes have one in common, each triangle of
 * one shares it with each of the other, so that no pair of them can be part of an answer. It makes fans, stars and
 * copies of one triangle as cheap as other surfaces.
 */
export class CommonVertices {
  readonly #of: Uint32Array; // three per node; NONE where there are fewer

  constructor({ nodeCount, link, order }: Tree, { triangles }: TriangleMesh) {
    const of = new Uint32Array(3 * nodeCount).fill(NONE);
    for (let node = nodeCount - 1; node >= 0; node--) {
      const o = 3 * node;
      if (link[node] >= LEAF) {
        const t = 3 * order[link[node] & SLOT];
        for (let k = 0; k < 3; k++) of[o + k] = triangles[t + k];
      } else {
        const a = 3 * link[node];
        let end = o;
        for (let k = a; k < a + 3; k++) if (of[k] !== NONE && has(of, a + 3, of[k])) of[end++] = of[k];
      }
    }
    this.#of = of;
  }

  /** True proves that each triangle below a node shares a vertex with each one below the other. */
  isShared(a: number, b: number): boolean {
    const of = this.#of;
    for (let k = 3 * a; k < 3 * a + 3; k++) if (of[k] !== NONE && has(of, 3 * b, of[k])) return true;
    return false;
  }
}

function has(of: Uint32Array, o: number, v: number): boolean {
  return of[o] === v || of[o + 1] === v || of[o + 2] === v;
}
