import type { Kernels } from '../kernels/kernels.ts';
import {
  checkArray,
  checkCoordinates,
  checkCount,
  checkNumbers,
  checkObject,
  type NumberArray,
} from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { BlendDeformer } from './blend.ts';
import { bindVertices } from './bound-weights.ts';

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

/** The most nodes of one body. */
const NODE_LIMIT = 65_536;
/** What composed matrices may hold; see BlendDeformer. */
const MATRIX_LIMIT = 2 ** 150;

/**
 * Surfaces carried by simulation nodes (Steinemann, Otaduy & Gross 2007, Eqs. 2 and 3): the linear part of the
 * motion around each node, blended with convex weights,
 *
 *     x = v + Σ w_j (u_j + ∇u_jᵀ (v − x_j)) = Σ w_j T_j v        T_j = [I + ∇u_jᵀ | u_j − ∇u_jᵀ x_j]
 *
 * T_j is linear in u_j and ∇u_j: straight paths of the state are straight paths of the vertices.
 */
export class MeshlessDeformer extends BlendDeformer {
  readonly #nodePositions: Float64Array;
  readonly #composed: readonly [Float64Array, Float64Array];

  constructor(kernels: Kernels, resident: ResidentMesh, meshless: Meshless) {
    checkMeshless(meshless);
    const { nodePositions, influences, nodes, weights } = meshless;
    const handleCount = nodePositions.length / 3;
    const skin = bindVertices(resident, {
      owner: 'meshless',
      handle: 'node',
      handleCount,
      influences,
      handles: nodes,
      weights,
      mayBeNegative: false,
    });
    super(kernels, resident, skin, undefined, 'meshless');
    this.#nodePositions = Float64Array.from(nodePositions as ArrayLike<number>);
    this.#composed = [new Float64Array(12 * handleCount), new Float64Array(12 * handleCount)];
  }

  override setPose(pose: unknown): void {
    this.#compose('pose', pose, this.#composed[0]);
    super.setPose(this.#composed[0]);
  }

  override setMotion(start: unknown, end: unknown): void {
    this.#compose('start', start, this.#composed[0]);
    this.#compose('end', end, this.#composed[1]);
    super.setMotion(...this.#composed);
  }

  /** Row r of T_j: column r of ∇u_j, the identity added, then what keeps x_j + u_j in place. */
  #compose(what: string, pose: unknown, out: Float64Array): void {
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
  for (let j = 0; j < x.length / 3; j++) {
    let size = 0;
    for (let r = 0; r < 3; r++) {
      const a = gradients[9 * j + r],
        b = gradients[9 * j + 3 + r],
        c = gradients[9 * j + 6 + r];
      const t = displacements[3 * j + r] - (a * x[3 * j] + b * x[3 * j + 1] + c * x[3 * j + 2]);
      const o = 12 * j + 4 * r;
      out[o] = a;
      out[o + 1] = b;
      out[o + 2] = c;
      out[o + 3] = t;
      out[o + r] += 1;
      size = Math.max(size, Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(t));
    }
    if (!(size <= MATRIX_LIMIT)) return j;
  }
  return -1;
}

function checkMeshless(meshless: Meshless): void {
  checkObject('meshless', meshless);
  const { nodePositions } = meshless;
  checkArray('meshless.nodePositions', nodePositions);
  const count = checkCount('meshless.nodePositions', nodePositions, 3);
  if (count > NODE_LIMIT) {
    throw new InputError(
      'too-large',
      `meshless.nodePositions has ${count} nodes; the limit is ${NODE_LIMIT}`,
    );
  }
  checkCoordinates('meshless.nodePositions', nodePositions);
}
