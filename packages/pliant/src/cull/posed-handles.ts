import type { BlendHandles } from '../deform/handles.ts';
import type { MotionEnd } from '../deform/point-source.ts';
import type { KernelMemory } from '../kernels/memory.ts';
import type { BlendPoints } from './blend-points.ts';

/** One rounding, doubled. */
const ULP = 2 ** -52;

/** The sizes that bound how far posed points are off by rounding. */
export type PoseSizes = Pick<
  BlendPoints,
  'largestCoordinate' | 'largestWeightSum' | 'largestDisplacement' | 'mostTerms' | 'hasSkin' | 'phantom'
>;

/**
 * Copies of the matrices of a pose, or of both ends of a motion: twelve numbers per handle, A row by row and then t. The
 * phantom, which is the last one, stays 0. Without a skin there is one handle, which stays the identity.
 */
export class PosedHandles {
  readonly at: readonly [Float64Array, Float64Array];
  /** How far posed points are off at most, per coordinate. */
  readonly margin = new Float64Array(2);
  readonly #memory: KernelMemory;
  readonly #handles: BlendHandles;
  readonly #sizes: PoseSizes;

  constructor(memory: KernelMemory, handles: BlendHandles, sizes: PoseSizes) {
    this.#memory = memory;
    this.#handles = handles;
    this.#sizes = sizes;
    const length = 12 * (sizes.phantom + 1);
    this.at = [new Float64Array(length), new Float64Array(length)];
    if (!sizes.hasSkin) for (const handle of this.at) handle[0] = handle[4] = handle[8] = 1;
  }

  read(end: MotionEnd): void {
    const handles = this.at[end],
      { f64 } = this.#memory;
    const matrices = this.#handles.matricesAddress(end) >>> 3;
    for (let j = 0; this.#sizes.hasSkin && j < 12 * this.#sizes.phantom; j += 12) {
      for (let row = 0; row < 3; row++) {
        const m = matrices + j + 4 * row;
        handles[j + 3 * row] = f64[m];
        handles[j + 3 * row + 1] = f64[m + 1];
        handles[j + 3 * row + 2] = f64[m + 2];
        handles[j + 9 + row] = f64[m + 3];
      }
    }
    this.margin[end] = this.#measureMargin(end);
  }

  /**
   * More than rounding can do to a posed point, and more than weights can move it that are off 1 by SUM_TOLERANCE: each
   * coordinate is a sum of `mostTerms` terms whose sizes add up to Σ|w| (‖A‖ (rest + modes) + ‖t‖) at most.
   */
  #measureMargin(end: MotionEnd): number {
    const { largestCoordinate, largestDisplacement, largestWeightSum, mostTerms } = this.#sizes;
    const { f64 } = this.#memory;
    const { jointCount } = this.#handles;
    const weights = this.#handles.weightsAddress(end) >>> 3;
    let size = largestCoordinate;
    for (let m = 0; m < largestDisplacement.length; m++) {
      size += Math.abs(f64[weights + m]) * largestDisplacement[m];
    }
    let image = jointCount === 0 ? size : 0;
    for (let j = 0, m = this.#handles.matricesAddress(end) >>> 3; j < jointCount; j++, m += 12) {
      for (let r = m; r < m + 12; r += 4) {
        const linear = Math.abs(f64[r]) + Math.abs(f64[r + 1]) + Math.abs(f64[r + 2]);
        image = Math.max(image, linear * size + Math.abs(f64[r + 3]));
      }
    }
    return image * largestWeightSum * (mostTerms * ULP + 2 ** -43) * 2 + 2 ** -900;
  }
}
