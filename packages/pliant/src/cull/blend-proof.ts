import { isAlignedBeyond, isSteeperThan, writeNormUpperBound, writeRotation } from '../algebra/matrix3.ts';
import type { BlendHandles } from '../deform/handles.ts';
import type { MotionEnd } from '../deform/point-source.ts';
import type { KernelMemory } from '../kernels/memory.ts';
import type { BlendPatches } from './blend-patches.ts';
import { PosedHandles, type PoseSizes } from './posed-handles.ts';

/** Covers the roundings of norms and products that make up λ. */
const UP = 1 + 2 ** -40;
/** One rounding, doubled. */
const ULP = 2 ** -52;
/** The sum of the entries of a rotation is 3 to 5.2, of B' it is not far from that, and σ_min is a third at most. */
const HOPELESS = 0.7;
/** Patches with a slope above this are not worth straightening. */
const STEEP = 0.8;

/**
 * Theorem 2 of BOUNDS §7: for points p, q of two triangles of a patch that share no vertex,
 *
 *     φ(p) − φ(q) = B' (p − q) + r,   ‖r‖ ≤ λ ‖p − q‖
 *     B' = B + Σ_j (τ_j β_jᵀ + D_j N_j) + Σ_m q_m B G_m          B = E + Σ_j w̄_j D_j
 *     λ  = Σ_j (‖D_j‖ M_j + ‖τ_j‖ Λ_j) + Σ_m |q_m| (‖B‖ L_m + Σ_j ‖D_j‖ (|ŵ_j| P_m + ‖d_m‖ Q_j))
 *
 * so they stay apart when σ_min(B') > λ. Posed points are rounded: the triangles that a query sees are those of φ
 * but for a margin per vertex. No pair is closer than `tolerance` at rest, so (σ_min − λ) · tolerance has to exceed
 * twice the margin.
 *
 * A patch that is nearly flat has hardly any differences across: |n · (p − q)| ≤ κ ‖p − q‖. What B' does to n then
 * matters little, and B' + unᵀ serves as well, for any u, at the price of ‖u‖ κ.
 *
 * Over a motion vertices go straight, so φ(p) − φ(q) goes straight as well, and with any R of norm 1 at most
 * ‖φ(p) − φ(q)‖ ‖p − q‖ ≥ (p − q)ᵀRᵀB'(p − q) − λ ‖p − q‖², which is positive on the way if it is so at both ends.
 */
export class BlendProof {
  readonly #memory: KernelMemory;
  readonly #handles: BlendHandles;
  readonly #patches: BlendPatches;
  readonly #sizes: PoseSizes;
  readonly #tolerance: number;
  readonly #sums = new Float64Array(7); // what the helpers below are given, and what they return
  readonly #E = new Float64Array(12); // E, and e behind it
  readonly #D = new Float64Array(9);
  readonly #B = new Float64Array(9);
  readonly #B1 = new Float64Array(18); // B' at the two ends
  readonly #mean = new Float64Array(9);
  readonly #R = new Float64Array(9);
  readonly #bounds = new Float64Array(2); // what σ_min(B') has to exceed at each end
  readonly #posed: PosedHandles;

  constructor(
    memory: KernelMemory,
    handles: BlendHandles,
    patches: BlendPatches,
    sizes: PoseSizes,
    tolerance: number,
  ) {
    this.#memory = memory;
    this.#handles = handles;
    this.#patches = patches;
    this.#sizes = sizes;
    this.#tolerance = tolerance;
    this.#posed = new PosedHandles(memory, handles, sizes);
  }

  /** A new pose. */
  begin(swept: boolean): void {
    this.#posed.read(0);
    if (swept) this.#posed.read(1);
  }

  /** True proves that no two triangles of the patch touch, in this pose or throughout the motion. */
  holds(patch: number, swept: boolean): boolean {
    if (!this.#evaluate(patch, 0, true) || (swept && !this.#evaluate(patch, 1, true))) return false;
    if (this.#stays(swept)) return true;
    if (!(this.#patches.slope[patch] < STEEP)) return false;
    this.#straighten(patch, 0);
    if (swept) this.#straighten(patch, 1);
    return this.#stays(swept);
  }

  #stays(swept: boolean): boolean {
    const bounds = this.#bounds,
      ends = this.#B1;
    if (!swept) return isSteeperThan(ends, 0, bounds, 0);
    for (let k = 0; k < 9; k++) this.#mean[k] = ends[k] + ends[9 + k];
    if (!writeRotation(this.#mean, this.#R)) return false;
    return isAlignedBeyond(ends, 0, this.#R, bounds, 0) && isAlignedBeyond(ends, 9, this.#R, bounds, 1);
  }

  /** Replaces what B' does to n by a vector across the image of the patch, just long enough. */
  #straighten(patch: number, end: MotionEnd): void {
    const { normal, slope } = this.#patches;
    const B = this.#B1,
      o = 9 * end;
    const kappa = slope[patch],
      bound = this.#bounds[end];
    const nx = normal[3 * patch],
      ny = normal[3 * patch + 1],
      nz = normal[3 * patch + 2];
    const a = B[o],
      b = B[o + 1],
      c = B[o + 2],
      d = B[o + 3],
      e = B[o + 4],
      f = B[o + 5],
      g = B[o + 6],
      h = B[o + 7],
      i = B[o + 8];
    const x = a * nx + b * ny + c * nz,
      y = d * nx + e * ny + f * nz,
      z = g * nx + h * ny + i * nz;
    // The cofactors of B' send n to the cross product of the images of what is across n.
    const p = (e * i - f * h) * nx + (f * g - d * i) * ny + (d * h - e * g) * nz,
      q = (c * h - b * i) * nx + (a * i - c * g) * ny + (b * g - a * h) * nz,
      r = (b * f - c * e) * nx + (c * d - a * f) * ny + (a * e - b * d) * nz;
    const image = Math.sqrt(x * x + y * y + z * z);
    const side = x * p + y * q + z * r < 0 ? -1 : 1;
    const scale = (side * 1.01 * (bound + kappa * image)) / ((1 - kappa) * Math.sqrt(p * p + q * q + r * r));
    const ux = scale * p - x,
      uy = scale * q - y,
      uz = scale * r - z;
    B[o] += ux * nx;
    B[o + 1] += ux * ny;
    B[o + 2] += ux * nz;
    B[o + 3] += uy * nx;
    B[o + 4] += uy * ny;
    B[o + 5] += uy * nz;
    B[o + 6] += uz * nx;
    B[o + 7] += uz * ny;
    B[o + 8] += uz * nz;
    let size = Math.abs(ux) + Math.abs(uy) + Math.abs(uz);
    for (let k = o; k < o + 9; k++) size += Math.abs(B[k]);
    this.#bounds[end] = (bound + Math.sqrt(ux * ux + uy * uy + uz * uz) * kappa + size * 16 * ULP) * UP;
  }

  /** λ of a patch; B' is then in `matrices`. */
  evaluate(patch: number, end: MotionEnd): number {
    this.#evaluate(patch, end, false);
    return this.#sums[LAMBDA];
  }

  /**
   * Writes B', λ, and what B' has to exceed. With `givesUp` it returns false as soon as λ is far too large. Numbers go
   * through `#sums`: passing them through calls would box them.
   */
  #evaluate(patch: number, end: MotionEnd, givesUp: boolean): boolean {
    const { firstEntry, firstMode } = this.#patches;
    const first = firstEntry[patch],
      last = firstEntry[patch + 1];
    const terms = last - first + firstMode[patch + 1] - firstMode[patch] + 16;
    const E = this.#E,
      B = this.#B,
      out = this.#B1;
    const o = 9 * end;
    this.#blend(patch, first, last, end);
    let size = 0;
    for (let k = 0; k < 9; k++) {
      B[k] = E[k];
      out[o + k] = 0;
      size += Math.abs(E[k]);
    }
    const sums = this.#sums;
    sums[MOST] = Infinity;
    if (givesUp && size > 0) sums[MOST] = HOPELESS * size;
    if (!this.#addHandles(patch, first, last, end)) return false;
    let lambda = sums[LAMBDA];
    for (let k = 0; k < 9; k++) out[o + k] += B[k];
    size += sums[SIZE];
    if (firstMode[patch] < firstMode[patch + 1]) {
      sums[ERROR] = size * terms * ULP;
      this.#addModes(patch, end);
      lambda += sums[LAMBDA];
      size += sums[SIZE];
    }
    lambda *= UP + terms * ULP;
    sums[LAMBDA] = lambda;
    // How far B' is off; and what roundings of posed points can take from a distance of `tolerance`.
    const error = size * terms * 4 * ULP,
      loss = (4 * this.#posed.margin[end]) / this.#tolerance;
    this.#bounds[end] = (lambda + error + loss) * UP;
    return true;
  }

  /** B' of the last patch evaluated, at the start and at the end. */
  get matrices(): Float64Array {
    return this.#B1;
  }

  /** E = Σ w̄_j A_j and e = Σ w̄_j T_j c; any numbers would do. */
  #blend(patch: number, first: number, last: number, end: MotionEnd): void {
    const { handle, mean, centre } = this.#patches;
    const E = this.#E;
    if (!this.#sizes.hasSkin) {
      for (let k = 0; k < 12; k++) E[k] = k < 9 && k % 4 === 0 ? 1 : 0;
      return;
    }
    const handles = this.#posed.at[end];
    for (let k = 0; k < 12; k++) E[k] = 0;
    for (let e = first; e < last; e++) {
      const w = mean[e],
        m = 12 * handle[e];
      for (let k = 0; k < 12; k++) E[k] += w * handles[m + k];
    }
    const x = centre[3 * patch],
      y = centre[3 * patch + 1],
      z = centre[3 * patch + 2];
    E[9] += E[0] * x + E[1] * y + E[2] * z;
    E[10] += E[3] * x + E[4] * y + E[5] * z;
    E[11] += E[6] * x + E[7] * y + E[8] * z;
  }

  /** Adds τβᵀ + DN of every handle to B' and w̄D to B. Sums of ‖D‖ M + ‖τ‖ Λ, of sizes, of ‖D‖ |ŵ| and of ‖D‖ Q. */
  #addHandles(patch: number, first: number, last: number, end: MotionEnd): boolean {
    const { handle, mean, centre, fit, steepness, plain } = this.#patches;
    const fitSize = this.#patches.fitSize[patch];
    const handles = this.#posed.at[end];
    const E = this.#E,
      D = this.#D,
      B = this.#B,
      out = this.#B1;
    const x = centre[3 * patch],
      y = centre[3 * patch + 1],
      z = centre[3 * patch + 2];
    const hasPlain = plain.length > 0;
    const sums = this.#sums,
      most = sums[MOST];
    let lambda = 0,
      size = 0,
      weightSum = 0,
      steepnessSum = 0;
    for (let e = first; e < last; e++) {
      const w = mean[e],
        f = 12 * e;
      let distance = 0,
        image = 0,
        length = 0;
      for (let r = 0, row = 0, i = 9 * end, m = 12 * handle[e]; row < 3; r += 3, row++, i += 3) {
        const a = handles[m + r],
          b = handles[m + r + 1],
          c = handles[m + r + 2],
          t = handles[m + 9 + row];
        const dx = (D[r] = a - E[r]),
          dy = (D[r + 1] = b - E[r + 1]),
          dz = (D[r + 2] = c - E[r + 2]);
        const ax = a * x,
          by = b * y,
          cz = c * z;
        const tau = ax + by + cz + t - E[9 + row];
        distance += tau * tau;
        image += Math.abs(ax) + Math.abs(by) + Math.abs(cz) + Math.abs(t) + Math.abs(tau);
        length += Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
        B[r] += w * dx;
        B[r + 1] += w * dy;
        B[r + 2] += w * dz;
        out[i] += tau * fit[f] + dx * fit[f + 3] + dy * fit[f + 6] + dz * fit[f + 9];
        out[i + 1] += tau * fit[f + 1] + dx * fit[f + 4] + dy * fit[f + 7] + dz * fit[f + 10];
        out[i + 2] += tau * fit[f + 2] + dx * fit[f + 5] + dy * fit[f + 8] + dz * fit[f + 11];
      }
      writeNormUpperBound(D, 0, sums, NORM);
      const norm = sums[NORM];
      lambda += norm * steepness[2 * e + 1] + (Math.sqrt(distance) + image * 8 * ULP) * steepness[2 * e];
      if (lambda > most) return false;
      size += Math.abs(w) * length + (image + length) * fitSize;
      if (!hasPlain) continue;
      weightSum += norm * plain[2 * e];
      steepnessSum += norm * plain[2 * e + 1];
    }
    sums[LAMBDA] = lambda;
    sums[SIZE] = size;
    sums[WEIGHTS] = weightSum;
    sums[STEEPNESS] = steepnessSum;
    return true;
  }

  /** Adds q B G of every mode to B'. Sums of |q| (‖B‖ L + …), and of sizes. */
  #addModes(patch: number, end: MotionEnd): void {
    const { firstMode, mode, modeFit, modeSteepness, modePlain, fitSize } = this.#patches;
    const B = this.#B,
      out = this.#B1,
      sums = this.#sums;
    const { f64 } = this.#memory;
    const weights = this.#handles.weightsAddress(end) >>> 3;
    const error = sums[ERROR]; // of B
    writeNormUpperBound(B, 0, sums, NORM);
    const norm = sums[NORM] + error;
    let lambda = 0,
      total = 0;
    for (let k = firstMode[patch]; k < firstMode[patch + 1]; k++) {
      const q = f64[weights + mode[k]];
      if (q === 0) continue;
      const g = 9 * k;
      for (let r = 0, o = 9 * end; r < 9; r += 3, o += 3) {
        const x = q * B[r],
          y = q * B[r + 1],
          z = q * B[r + 2];
        out[o] += x * modeFit[g] + y * modeFit[g + 3] + z * modeFit[g + 6];
        out[o + 1] += x * modeFit[g + 1] + y * modeFit[g + 4] + z * modeFit[g + 7];
        out[o + 2] += x * modeFit[g + 2] + y * modeFit[g + 5] + z * modeFit[g + 8];
      }
      const blended = modePlain[2 * k + 1] * sums[WEIGHTS] + modePlain[2 * k] * sums[STEEPNESS];
      lambda += Math.abs(q) * (norm * modeSteepness[k] + blended);
      total += Math.abs(q);
    }
    // B's own error counts in full, and its size once more for the products with G.
    sums[SIZE] = total * fitSize[patch] * (3 * norm + error / ULP);
    sums[LAMBDA] = lambda;
  }
}

// Where `#sums` has what.
const LAMBDA = 0;
const SIZE = 1;
const WEIGHTS = 2;
const STEEPNESS = 3;
const MOST = 4;
const ERROR = 5;
const NORM = 6;
