import type { Kernels } from '../kernels/kernels.ts';
import { checkCoordinates, checkNumbers, checkObject, type NumberArray } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { BoundDeformer, countHandles, MATRIX_LIMIT } from './bound.ts';

/** Which nodes of a point-based simulation carry each source vertex, and how much. */
export interface Meshless {
  /** x, y, z of every node at rest. */
  readonly nodePositions: NumberArray;
  /** Entries per source vertex in the two arrays below; those with weight 0 are ignored. At most 64. */
  readonly influences: number;
  readonly nodes: NumberArray;
  /** Not negative, and adding up to 1 for each vertex. */
  readonly weights: NumberArray;
}

/** The state of the nodes. */
export interface MeshlessPose {
  /** u: how far each node is from its rest position. */
  displacements: NumberArray;
  /** ∇u, nine numbers per node: entry 3a + b is ∂u_b / ∂x_a, so each column is the gradient of one component. */
  gradients: NumberArray;
}

/**
 * Surfaces carried by simulation nodes (Steinemann, Otaduy & Gross 2007, Eqs. 2 and 3): the linear part of the
 * motion around each node, blended with convex weights,
 *
 *     x = v + Σ w_j (u_j + ∇u_jᵀ (v − x_j)) = Σ w_j T_j v        T_j = [I + ∇u_jᵀ | u_j − ∇u_jᵀ x_j]
 *
 * T_j is linear in u_j and ∇u_j: straight paths of the state are straight paths of the vertices.
 */
export class MeshlessDeformer extends BoundDeformer {
  readonly #nodePositions: Float64Array;

  constructor(kernels: Kernels, resident: ResidentMesh, meshless: Meshless) {
    checkMeshless(meshless);
    const { nodePositions, influences, nodes, weights } = meshless;
    const binding = {
      owner: 'meshless',
      handle: 'node',
      handleCount: nodePositions.length / 3,
      influences,
      handles: nodes,
      weights,
      mayBeNegative: false,
    };
    super(kernels, resident, binding, 'meshless');
    this.#nodePositions = Float64Array.from(nodePositions as ArrayLike<number>);
  }

  /** Row r of T_j: column r of ∇u_j, the identity added, then what keeps x_j + u_j in place. */
  protected override compose(what: string, pose: unknown, out: Float64Array): void {
    checkObject(what, pose);
    const { displacements, gradients } = pose as MeshlessPose;
    const nodeCount = this.jointCount;
    const isUsual =
      displacements instanceof Float64Array &&
      gradients instanceof Float64Array &&
      displacements.length === 3 * nodeCount &&
      gradients.length === 9 * nodeCount;
    if (isUsual && compose(this.#nodePositions, displacements, gradients, out) < 0) return;
    checkNumbers(`${what}.displacements`, displacements, 3 * nodeCount);
    checkNumbers(`${what}.gradients`, gradients, 9 * nodeCount);
    const node = compose(
      this.#nodePositions,
      Float64Array.from(displacements as ArrayLike<number>),
      Float64Array.from(gradients as ArrayLike<number>),
      out,
    );
    if (node < 0) return;
    throw new InputError('out-of-range', `${what}: node ${node} moves its surroundings by more than 2^150`);
  }
}

/** Returns the first node with a matrix that is too large or not a number, −1 when there is none. */
function compose(
  x: Float64Array,
  displacements: Float64Array,
  gradients: Float64Array,
  out: Float64Array,
): number {
  for (let j = 0, p = 0, g = 0, o = 0; p < x.length; j++, p += 3, g += 9, o += 12) {
    const px = x[p],
      py = x[p + 1],
      pz = x[p + 2];
    const xx = gradients[g],
      yx = gradients[g + 1],
      zx = gradients[g + 2],
      xy = gradients[g + 3],
      yy = gradients[g + 4],
      zy = gradients[g + 5],
      xz = gradients[g + 6],
      yz = gradients[g + 7],
      zz = gradients[g + 8];
    const tx = displacements[p] - (xx * px + xy * py + xz * pz),
      ty = displacements[p + 1] - (yx * px + yy * py + yz * pz),
      tz = displacements[p + 2] - (zx * px + zy * py + zz * pz);
    out[o] = xx + 1;
    out[o + 1] = xy;
    out[o + 2] = xz;
    out[o + 3] = tx;
    out[o + 4] = yx;
    out[o + 5] = yy + 1;
    out[o + 6] = yz;
    out[o + 7] = ty;
    out[o + 8] = zx;
    out[o + 9] = zy;
    out[o + 10] = zz + 1;
    out[o + 11] = tz;
    const isUsable =
      Math.abs(xx) + Math.abs(xy) + Math.abs(xz) + Math.abs(tx) <= MATRIX_LIMIT &&
      Math.abs(yx) + Math.abs(yy) + Math.abs(yz) + Math.abs(ty) <= MATRIX_LIMIT &&
      Math.abs(zx) + Math.abs(zy) + Math.abs(zz) + Math.abs(tz) <= MATRIX_LIMIT;
    if (!isUsable) return j;
  }
  return -1;
}

function checkMeshless(meshless: Meshless): void {
  checkObject('meshless', meshless);
  const { nodePositions } = meshless;
  countHandles('meshless.nodePositions', nodePositions, 'nodes');
  checkCoordinates('meshless.nodePositions', nodePositions);
}
