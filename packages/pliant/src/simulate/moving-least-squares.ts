import { InputError } from '../mesh/input-error.ts';
import { NearestNodes } from './nearest-nodes.ts';

/**
 * How the gradient of a field at each node follows from its values at the neighbours, by weighted least squares
 * (Müller et al. 2004): ∇u_i = Σ_j b_ij (u_j − u_i)ᵀ with b_ij = A_i⁻¹ w_ij x_ij, A_i = Σ_j w_ij x_ij x_ijᵀ. Exact for
 * linear fields.
 */
export interface Neighbourhoods {
  readonly nodeCount: number;
  readonly start: Uint32Array; // first neighbour of each node, and one more
  readonly node: Uint32Array;
  readonly offset: Float64Array; // x_ij = x_j − x_i, 3 per neighbour
  readonly slope: Float64Array; // b_ij, 3 per neighbour
  readonly share: Float64Array; // w_ij / Σ_j w_ij |x_ij|²
  readonly spacing: number; // mean distance to the nearest other node
}

/** Below this, det A / (tr A / 3)³ says that the neighbours lie almost in a plane: more of them are asked for. */
const ROUND_ENOUGH = 0.02;
const FLAT = 1e-8;
const MORE = 4;
/** Where all nodes are neighbours, the support ends this much beyond the last. */
const BEYOND_LAST = 1.5;

/** `wanted` neighbours each, more where these lie flat. Distances are those at rest. */
export function findNeighbourhoods(positions: Float64Array, wanted: number): Neighbourhoods {
  const nodeCount = positions.length / 3;
  const nearest = new NearestNodes(positions, wanted + 2); // itself, the neighbours and one more
  let all: NearestNodes | undefined;
  const builder = new NeighbourhoodBuilder(positions);
  const start = new Uint32Array(nodeCount + 1);
  let spacing = 0;
  for (let i = 0; i < nodeCount; i++) {
    nearest.find(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    if (nearest.squaredDistances[1] === 0) {
      const [a, b] = nearest.indices;
      throw new InputError('singular', `nodes ${Math.min(a, b)} and ${Math.max(a, b)} coincide`);
    }
    spacing += Math.sqrt(nearest.squaredDistances[1]) / nodeCount;
    if (!builder.add(i, nearest, wanted)) {
      all ??= new NearestNodes(positions, nodeCount);
      all.find(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
      if (!builder.add(i, all, wanted)) {
        throw new InputError('singular', `node ${i} and all others lie in a plane`);
      }
    }
    start[i + 1] = builder.node.length;
  }
  return {
    nodeCount,
    start,
    node: Uint32Array.from(builder.node),
    offset: Float64Array.from(builder.offset),
    slope: Float64Array.from(builder.slope),
    share: Float64Array.from(builder.share),
    spacing,
  };
}

class NeighbourhoodBuilder {
  readonly node: number[] = [];
  readonly offset: number[] = [];
  readonly slope: number[] = [];
  readonly share: number[] = [];
  readonly #positions: Float64Array;
  readonly #moment = new Float64Array(6); // xx, yy, zz, yz, zx, xy
  readonly #inverse = new Float64Array(6);

  constructor(positions: Float64Array) {
    this.#positions = positions;
  }

  /** False when more nodes have to be looked at. The node itself comes first among its nearest. */
  add(i: number, nearest: NearestNodes, wanted: number): boolean {
    const isAll = 3 * nearest.indices.length === this.#positions.length;
    const most = nearest.indices.length - (isAll ? 1 : 2);
    let count = Math.min(wanted, most);
    let roundness = this.#measure(i, nearest, count);
    while (roundness < ROUND_ENOUGH && count < most) {
      count = Math.min(count + MORE, most);
      roundness = this.#measure(i, nearest, count);
    }
    if (roundness < (isAll ? FLAT : ROUND_ENOUGH)) return false;
    this.#push(i, nearest, count);
    return true;
  }

  /** Sets A and its inverse; returns how round it is, 1 for neighbours on all sides. */
  #measure(i: number, nearest: NearestNodes, count: number): number {
    const m = this.#moment.fill(0);
    for (let k = 1; k <= count; k++) {
      const j = nearest.indices[k];
      const w = weightOf(nearest, k, count);
      const [x, y, z] = this.#offsetTo(i, j);
      m[0] += w * x * x;
      m[1] += w * y * y;
      m[2] += w * z * z;
      m[3] += w * y * z;
      m[4] += w * z * x;
      m[5] += w * x * y;
    }
    const [xx, yy, zz, yz, zx, xy] = m;
    const cx = yy * zz - yz * yz,
      cy = yz * zx - xy * zz,
      cz = xy * yz - yy * zx;
    const determinant = xx * cx + xy * cy + zx * cz;
    const inverse = this.#inverse;
    inverse[0] = cx / determinant;
    inverse[1] = (xx * zz - zx * zx) / determinant;
    inverse[2] = (xx * yy - xy * xy) / determinant;
    inverse[3] = (xy * zx - xx * yz) / determinant;
    inverse[4] = cz / determinant;
    inverse[5] = cy / determinant;
    const mean = (xx + yy + zz) / 3;
    return determinant > 0 ? determinant / (mean * mean * mean) : 0;
  }

  #push(i: number, nearest: NearestNodes, count: number): void {
    const [xx, yy, zz, yz, zx, xy] = this.#inverse;
    const spread = this.#moment[0] + this.#moment[1] + this.#moment[2];
    for (let k = 1; k <= count; k++) {
      const j = nearest.indices[k];
      const w = weightOf(nearest, k, count);
      if (w === 0) continue;
      const [x, y, z] = this.#offsetTo(i, j);
      this.node.push(j);
      this.offset.push(x, y, z);
      this.slope.push(
        w * (xx * x + xy * y + zx * z),
        w * (xy * x + yy * y + yz * z),
        w * (zx * x + yz * y + zz * z),
      );
      this.share.push(w / spread);
    }
  }

  #offsetTo(i: number, j: number): [number, number, number] {
    const p = this.#positions;
    return [p[3 * j] - p[3 * i], p[3 * j + 1] - p[3 * i + 1], p[3 * j + 2] - p[3 * i + 2]];
  }
}

/** (1 − r²/h²)³ with the support h up to the first node that is no neighbour. */
function weightOf({ squaredDistances }: NearestNodes, k: number, count: number): number {
  const support =
    count + 1 < squaredDistances.length
      ? squaredDistances[count + 1]
      : BEYOND_LAST * BEYOND_LAST * squaredDistances[count];
  const q = 1 - squaredDistances[k] / support;
  return q > 0 ? q * q * q : 0;
}
