import { isDegenerate } from './matrix.ts';
import type { MeshPose, PartMesh } from './scene.ts';

/** How a mesh stands at a moment: which matrices leave it no volume. */
export interface CollapseState {
  /** True when the whole mesh is flattened, or shrunk to a point. */
  readonly isCollapsed: boolean;
  /** Joints with singular matrices that move vertices of a mesh which is not collapsed as a whole. */
  readonly joints: readonly number[];
}

/**
 * Tells whether a mesh is flattened or shrunk to a point: animators hide things by a scale of 0, and all its triangles then
 * touch each other. A mesh is collapsed when every matrix that places it is singular to working precision, or when its size is
 * below 1e-9 of its size at rest.
 */
export class CollapseProbe {
  readonly #mesh: PartMesh;
  readonly #usedJoints: readonly number[];
  readonly #restSize: number;
  readonly #extremes: readonly number[]; // vertices on the six sides of the box at rest

  constructor(mesh: PartMesh) {
    this.#mesh = mesh;
    this.#usedJoints = usedJoints(mesh);
    this.#extremes = extremeVertices(mesh.positions);
    const { positions } = mesh.unsettled ?? mesh; // as large as it is in the file
    this.#restSize = sizeOf(this.#extremes, (v, out) => copyPoint(positions, v, out));
  }

  stateOf(pose: MeshPose): CollapseState {
    const { joints, world } = pose;
    const singular = joints ? this.#usedJoints.filter((joint) => isDegenerate(joints, 12 * joint)) : [];
    const byMatrices = joints
      ? singular.length > 0 && singular.length === this.#usedJoints.length
      : isDegenerate(world, 0);
    const isCollapsed = byMatrices || this.#isPoint(pose);
    return { isCollapsed, joints: isCollapsed ? [] : singular };
  }

  /** Few vertices first: nearly always they are apart. */
  #isPoint(pose: MeshPose): boolean {
    const most = SMALLEST * this.#restSize;
    if (!(this.#restSize > 0)) return false;
    const place = (v: number, out: Float64Array) => this.#place(pose, v, out);
    if (sizeOf(this.#extremes, place) > most) return false;
    const all = Array.from({ length: this.#mesh.positions.length / 3 }, (_, v) => v);
    return sizeOf(all, place) <= most;
  }

  /** Where a vertex is, up to rounding. */
  #place({ world, joints, weights, positions }: MeshPose, v: number, out: Float64Array): void {
    const { positions: rest, modes, skin } = this.#mesh;
    copyPoint(positions ?? rest, v, out);
    if (weights && modes) {
      const { displacements, count } = modes;
      for (let k = 0; k < count; k++) {
        const o = k * rest.length + 3 * v;
        for (let axis = 0; axis < 3; axis++) out[axis] += weights[k] * displacements[o + axis];
      }
    }
    if (joints && skin) applySkin(skin, joints, v, out);
    else transform(world, 0, 1, out.slice(), out.fill(0));
  }
}

/** A size below this share of the size at rest counts as a point. */
const SMALLEST = 1e-9;
function usedJoints({ skin }: PartMesh): number[] {
  if (skin === undefined) return [];
  const { joints, weights, jointCount } = skin;
  const isUsed = new Uint8Array(jointCount);
  for (let k = 0; k < weights.length; k++) if (weights[k] !== 0) isUsed[joints[k]] = 1;
  return Array.from(isUsed.keys()).filter((joint) => isUsed[joint] === 1);
}

function extremeVertices(positions: Float64Array): number[] {
  const found = new Int32Array(6);
  for (let v = 1; v < positions.length / 3; v++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[3 * v + axis];
      if (value < positions[3 * found[axis] + axis]) found[axis] = v;
      if (value > positions[3 * found[3 + axis] + axis]) found[3 + axis] = v;
    }
  }
  return positions.length === 0 ? [] : [...new Set(found)];
}

/** The longest side of the box of some vertices. */
function sizeOf(vertices: readonly number[], place: (v: number, out: Float64Array) => void): number {
  const point = new Float64Array(3);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const v of vertices) {
    place(v, point);
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], point[axis]);
      high[axis] = Math.max(high[axis], point[axis]);
    }
  }
  return Math.max(0, high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

function copyPoint(positions: ArrayLike<number>, v: number, out: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) out[axis] = positions[3 * v + axis];
}

function applySkin(
  skin: NonNullable<PartMesh['skin']>,
  matrices: Float64Array,
  v: number,
  out: Float64Array,
): void {
  const { influences, joints, weights } = skin;
  const point = out.slice();
  out.fill(0);
  for (let k = v * influences; k < (v + 1) * influences; k++) {
    if (weights[k] !== 0) transform(matrices, 12 * joints[k], weights[k], point, out);
  }
}

/** Adds `weight` times the image of `point` to `out`. */
function transform(m: Float64Array, o: number, weight: number, point: Float64Array, out: Float64Array): void {
  for (let row = 0; row < 3; row++) {
    const k = o + 4 * row;
    out[row] += weight * (m[k] * point[0] + m[k + 1] * point[1] + m[k + 2] * point[2] + m[k + 3]);
  }
}
