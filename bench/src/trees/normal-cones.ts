import type { Certificate } from '../../../packages/pliant/src/cull/certificate.ts';
import type { Body } from '../../../packages/pliant/src/index.ts';
import { LEAF } from '../../../packages/pliant/src/kernels/kernels.ts';
import { ROOT, type Tree } from '../../../packages/pliant/src/tree/tree.ts';

/** A bit per trial direction: the 8 corners and the 6 face centres of a cube. */
export const ALL_DIRECTIONS = (1 << 14) - 1;

/**
 * Culling by normals (Volino & Magnenat-Thalmann 1994) as SSCC compares with it: a node is left out when the normals of
 * all its triangles have a positive product with one of 14 trial directions.
 *
 * This is no proof. Such a patch may still touch itself where its outline crosses itself, or where it is in several
 * pieces; the test of the outline that would exclude it is left out for speed, as in the paper. Answers of queries that
 * use this must not be compared with ours, and nothing but a bench may use it.
 */
export class NormalConeCertificate implements Certificate {
  readonly tree: Tree;
  readonly body: Body;
  readonly smallest = 2;
  readonly provesPairs = false;
  /** Per node: directions that all normals under it agree with. */
  readonly masks: Uint16Array;

  constructor(body: Body) {
    this.body = body;
    this.tree = body.tree;
    this.masks = new Uint16Array(body.tree.nodeCount);
  }

  /** All masks, children first. Of a motion, which turns normals, nothing is said. */
  begin(swept: boolean): void {
    const { masks } = this;
    if (swept) {
      masks.fill(0);
      return;
    }
    const { nodeCount, link, firstSlot } = this.tree;
    const { deformer, resident, engine } = this.body;
    deformer.ensureAll(0);
    const points = deformer.address(0) >>> 3; // may allocate, so before the views are read
    const corners = resident.corners >>> 2;
    const { f64, u32 } = engine.kernels.memory;
    for (let node = nodeCount - 1; node >= ROOT; node--) {
      const child = link[node];
      if (child < LEAF) {
        masks[node] = masks[child] & masks[child + 1];
        continue;
      }
      const c = corners + 3 * firstSlot[node];
      masks[node] = directionsOf(f64, points + 3 * u32[c], points + 3 * u32[c + 1], points + 3 * u32[c + 2]);
    }
  }

  clears(a: number, b: number): boolean {
    return a === b && this.masks[a] !== 0;
  }
}

/** Directions that have a positive product with the normal of a triangle; none when it has no area. */
function directionsOf(p: Float64Array, i: number, j: number, k: number): number {
  const ux = p[j] - p[i],
    uy = p[j + 1] - p[i + 1],
    uz = p[j + 2] - p[i + 2];
  const vx = p[k] - p[i],
    vy = p[k + 1] - p[i + 1],
    vz = p[k + 2] - p[i + 2];
  const x = uy * vz - uz * vy,
    y = uz * vx - ux * vz,
    z = ux * vy - uy * vx;
  const faces = either(x) | (either(y) << 2) | (either(z) << 4);
  const corners =
    either(x + y + z) | (either(x + y - z) << 2) | (either(x - y + z) << 4) | (either(x - y - z) << 6);
  return faces | (corners << 6);
}

/** A direction and its opposite. */
function either(product: number): number {
  return product > 0 ? 1 : product < 0 ? 2 : 0;
}
