import { writeNormUpperBound } from '../algebra/matrix3.ts';
import type { Handles } from '../deform/handles.ts';
import type { PlacedPoints } from '../deform/placed.ts';
import type { MotionEnd } from '../deform/point-source.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { BallNodes } from './ball-nodes.ts';
import { CORNER_ERROR } from './weight-corners.ts';

/** Corners have at most this many weights; see sphere-skin.ts. */
const MOST_CORNER_WEIGHTS = 9;

/** The handles of one end of a motion in the coordinates of the volumes, with what balls need to know of them. */
export class PlacedHandles {
  /** Row-major 3×4 each. The phantom, if any, is zero before the world matrix. */
  readonly matrices: Float64Array;
  /** How much longer an image can be than what it is the image of: at least the largest singular value. */
  readonly stretch: Float64Array;
  readonly modeWeights: Float64Array;
  /**
   * What is added to every radius: rounding of positions and volumes, and weights that miss their sums. Infinite where
   * numbers are too large to say.
   */
  margin = 0;

  readonly #kernels: Kernels;
  readonly #nodes: BallNodes;
  readonly #handles: Handles;
  readonly #placed: PlacedPoints | undefined;
  readonly #joints: number;
  readonly #linear = new Float64Array(9);
  readonly #rows = new Float64Array(3); // how large coordinates before the world matrix are

  constructor(kernels: Kernels, nodes: BallNodes, handles: Handles, placed: PlacedPoints | undefined) {
    this.#kernels = kernels;
    this.#nodes = nodes;
    this.#handles = handles;
    this.#placed = placed;
    this.#joints = handles.skinList ? handles.jointCount : 1;
    const count = this.#joints + (nodes.hasPhantom ? 1 : 0);
    this.matrices = new Float64Array(12 * count);
    this.stretch = new Float64Array(count);
    this.modeWeights = new Float64Array(handles.modeCount);
  }

  /** Reads the pose. */
  place(end: MotionEnd): void {
    const handles = this.#handles,
      placed = this.#placed;
    const { f64 } = this.#kernels.memory;
    const { matrices, stretch, modeWeights } = this;
    const weights = handles.modeList ? handles.weightsAddress(end) >>> 3 : 0;
    let far = this.#nodes.largestCoordinate;
    for (let m = 0; m < modeWeights.length; m++) {
      modeWeights[m] = f64[weights + m];
      far += Math.abs(modeWeights[m]) * this.#nodes.largestDisplacement[m];
    }
    const from = handles.skinList ? handles.matricesAddress(end) >>> 3 : 0;
    matrices.fill(0);
    for (let k = 0; k < 12 * this.#joints; k++) matrices[k] = handles.skinList ? f64[from + k] : IDENTITY[k];
    const world = placed?.matrices[placed.hasMotion ? end : 0];
    const size = this.#placeAll(world, far);
    for (let j = 0; j < stretch.length; j++) {
      for (let k = 0; k < 9; k++) this.#linear[k] = matrices[12 * j + 4 * Math.trunc(k / 3) + (k % 3)];
      writeNormUpperBound(this.#linear, 0, stretch, j);
    }
    this.margin = this.#measureMargin(size);
  }

  /** Puts the world matrix in front of every handle. Returns how large any coordinate on the way can be. */
  #placeAll(world: Float64Array | undefined, far: number): number {
    const { matrices } = this;
    const rows = this.#rows;
    let size = 0;
    for (let o = 0; o < matrices.length; o += 12) {
      for (let k = 0; k < 3; k++) {
        const r = o + 4 * k;
        rows[k] =
          (Math.abs(matrices[r]) + Math.abs(matrices[r + 1]) + Math.abs(matrices[r + 2])) * far +
          Math.abs(matrices[r + 3]);
        if (!world) size = Math.max(size, rows[k]);
      }
      if (!world) continue;
      for (let k = 0; k < 12; k += 4) {
        const large =
          Math.abs(world[k]) * rows[0] +
          Math.abs(world[k + 1]) * rows[1] +
          Math.abs(world[k + 2]) * rows[2] +
          Math.abs(world[k + 3]);
        size = Math.max(size, large);
      }
      multiply(world, matrices, o);
    }
    return size;
  }

  #measureMargin(size: number): number {
    const { mostEntries, largestWeightSum, largestFactor } = this.#nodes;
    const terms = mostEntries + this.modeWeights.length + 64;
    const rounding = terms * 2 ** -51 * (largestFactor + largestWeightSum);
    const missed = 2 * MOST_CORNER_WEIGHTS * MOST_CORNER_WEIGHTS * CORNER_ERROR * largestWeightSum;
    const margin = size * (rounding + missed) + TINY;
    return margin < LARGEST ? margin : Infinity;
  }
}

/** Absolute, so that squares of radii never underflow. */
const TINY = 1e-140;
const LARGEST = 1e150;
const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

/** world · m, in place of m. */
function multiply(world: Float64Array, m: Float64Array, o: number): void {
  for (let k = 0; k < 4; k++) {
    const x = m[o + k],
      y = m[o + 4 + k],
      z = m[o + 8 + k];
    for (let r = 0; r < 3; r++) {
      m[o + 4 * r + k] =
        world[4 * r] * x + world[4 * r + 1] * y + world[4 * r + 2] * z + (k === 3 ? world[4 * r + 3] : 0);
    }
  }
}
