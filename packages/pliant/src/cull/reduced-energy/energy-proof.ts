import type { BlendHandles } from '../../deform/handles.ts';
import type { MotionEnd } from '../../deform/point-source.ts';
import type { KernelMemory } from '../../kernels/memory.ts';
import { PosedHandles, type PoseSizes } from '../posed-handles.ts';
import type { EnergyPatches } from './energy-patches.ts';

/** One rounding, doubled. */
const ULP = 2 ** -52;
/** A Cholesky factorisation is off by a few 2⁻⁵³ of the trace. */
const PIVOT_ERROR = 2 ** -48;
/** What is added to a singular Gram matrix before it is inverted, as a share of its trace. */
const RIDGE = 1e-12;

/** What is proved of a patch: nothing, pairs between the two children of its node, or all pairs. */
export type Proved = 0 | 1 | 2;

/**
 * The reduced energy of a pose (CERTIFICATES §4, §8.6). For any A and points p, q of triangles that meet,
 *
 *     0 = A (x(p) − x(q)) = X(p) − X(q) + C F (ψ(p) − ψ(q)),   C = A Y − Y₀
 *
 * so ‖X(p) − X(q)‖ ≤ σ(C F) ‖ψ(p) − ψ(q)‖: nothing meets where σ(C F) is below the least ratio of the two. A is the one
 * that makes the sum of squares of C F least, from 3×3 Gram matrices; σ is bounded for the A that came out. What rounding
 * may do to posed points, to φ and to X has to stay below the thickness that ratios were found with.
 *
 * Over a motion vertices go straight, so Y does, and σ is convex for a fixed A: the larger one of both ends counts.
 */
export class EnergyProof {
  readonly #memory: KernelMemory;
  readonly #handles: BlendHandles;
  readonly #patches: EnergyPatches;
  readonly #sizes: PoseSizes;
  readonly #thickness: number;
  readonly #posed: PosedHandles;
  readonly #Y: Float64Array; // column by column
  readonly #active: Uint32Array; // which of them are not 0
  readonly #V: readonly [Float64Array, Float64Array]; // Y F at both ends
  readonly #errors = new Float64Array(2); // of V, as a norm
  readonly #columns = new Float64Array(2); // the largest column of Y
  readonly #xx = new Float64Array(6); // Gram matrix of V: xx xy xz yy yz zz
  readonly #Xx = new Float64Array(9); // of Y₀F with V
  readonly #A = new Float64Array(9);
  readonly #gram = new Float64Array(6); // of C F
  readonly #sums = new Float64Array(3);

  constructor(
    memory: KernelMemory,
    handles: BlendHandles,
    patches: EnergyPatches,
    sizes: PoseSizes,
    thickness: number,
  ) {
    this.#memory = memory;
    this.#handles = handles;
    this.#patches = patches;
    this.#sizes = sizes;
    this.#thickness = thickness;
    this.#posed = new PosedHandles(memory, handles, sizes);
    let most = 0;
    for (let p = 0; p < patches.count; p++)
      most = Math.max(most, patches.firstRest[p + 1] - patches.firstRest[p]);
    this.#Y = new Float64Array(most);
    this.#active = new Uint32Array(most);
    this.#V = [new Float64Array(most), new Float64Array(most)];
  }

  /** A new pose. */
  begin(swept: boolean): void {
    this.#posed.read(0);
    if (swept) this.#posed.read(1);
  }

  prove(patch: number, swept: boolean): Proved {
    this.#xx.fill(0);
    this.#Xx.fill(0);
    this.#project(patch, 0);
    if (swept) this.#project(patch, 1);
    this.#solve();
    const proved = this.#compare(patch, 0);
    return swept && proved > 0 ? (Math.min(proved, this.#compare(patch, 1)) as Proved) : proved;
  }

  #compare(patch: number, end: MotionEnd): Proved {
    const { least, leastAcross } = this.#patches;
    this.#measure(patch, end);
    if (this.#isBelow(least[patch])) return 2;
    return leastAcross[patch] > least[patch] && this.#isBelow(leastAcross[patch]) ? 1 : 0;
  }

  /** @internal The sum of squares of C F in a pose, its 3×3 Gram matrix, and the A that belongs to it. */
  evaluate(patch: number): { trace: number; A: Float64Array; gram: Float64Array } {
    this.#xx.fill(0);
    this.#Xx.fill(0);
    this.#project(patch, 0);
    this.#solve();
    this.#measure(patch, 0);
    const [xx, , , yy, , zz] = this.#gram;
    return { trace: xx + yy + zz, A: this.#A.slice(), gram: this.#gram.slice() };
  }

  /** V = Y F at one end, and its part of the Gram matrices. */
  #project(patch: number, end: MotionEnd): void {
    const { firstRest, rest, factor, firstFactor } = this.#patches;
    const first = firstRest[patch],
      k = (firstRest[patch + 1] - first) / 3;
    const count = this.#fillColumns(patch, end, k);
    const V = this.#V[end],
      Y = this.#Y,
      active = this.#active;
    const S = this.#xx,
      T = this.#Xx,
      { hasSkin } = this.#sizes;
    let xx = 0,
      xy = 0,
      xz = 0,
      yy = 0,
      yz = 0,
      zz = 0;
    let t0 = 0,
      t1 = 0,
      t2 = 0,
      t3 = 0,
      t4 = 0,
      t5 = 0,
      t6 = 0,
      t7 = 0,
      t8 = 0;
    // Entry (i, j) of F is at e + i.
    for (let j = 0, e = firstFactor[patch], from = 0; j < k; e += k - ++j) {
      let x = 0,
        y = 0,
        z = 0;
      if (!hasSkin) {
        // Column i of Y has one entry, in row i modulo 3.
        const row = j % 3;
        for (let i = row === 0 ? j : j + 3 - row; i < k; i += 3) x += Y[3 * i] * factor[e + i];
        for (let i = row === 2 ? j + 2 : j + 1 - row; i < k; i += 3) y += Y[3 * i + 1] * factor[e + i];
        for (let i = j + 2 - row; i < k; i += 3) z += Y[3 * i + 2] * factor[e + i];
      } else if (count === k) {
        for (let i = j, o = 3 * j; i < k; i++, o += 3) {
          const f = factor[e + i];
          x += Y[o] * f;
          y += Y[o + 1] * f;
          z += Y[o + 2] * f;
        }
      } else {
        while (from < count && active[from] < j) from++;
        for (let a = from; a < count; a++) {
          const i = active[a],
            f = factor[e + i],
            o = 3 * i;
          x += Y[o] * f;
          y += Y[o + 1] * f;
          z += Y[o + 2] * f;
        }
      }
      const o = 3 * j;
      V[o] = x;
      V[o + 1] = y;
      V[o + 2] = z;
      const u = rest[first + o],
        v = rest[first + o + 1],
        w = rest[first + o + 2];
      xx += x * x;
      xy += x * y;
      xz += x * z;
      yy += y * y;
      yz += y * z;
      zz += z * z;
      t0 += u * x;
      t1 += u * y;
      t2 += u * z;
      t3 += v * x;
      t4 += v * y;
      t5 += v * z;
      t6 += w * x;
      t7 += w * y;
      t8 += w * z;
    }
    S[0] += xx;
    S[1] += xy;
    S[2] += xz;
    S[3] += yy;
    S[4] += yz;
    S[5] += zz;
    T[0] += t0;
    T[1] += t1;
    T[2] += t2;
    T[3] += t3;
    T[4] += t4;
    T[5] += t5;
    T[6] += t6;
    T[7] += t7;
    T[8] += t8;
  }

  /**
   * Y, with translations relative to the mean one; and how far V can be off. Returns how many columns are not 0, which
   * are then in `active`.
   */
  #fillColumns(patch: number, end: MotionEnd, k: number): number {
    const { firstHandle, handle, firstBlock, blockHandle, blockMode, factorSize } = this.#patches;
    const Y = this.#Y,
      active = this.#active,
      handles = this.#posed.at[end],
      sums = this.#sums;
    const first = firstHandle[patch],
      count = firstHandle[patch + 1] - first;
    const width = this.#sizes.hasSkin ? 4 : 3;
    sums[IMAGES] = 0;
    if (width === 4) this.#fillTranslations(patch, end);
    let size = 0,
      largest = 0,
      o = 0;
    for (let e = first; e < first + count; e++, o += 3 * width) {
      const column = writeColumns(handles, 12 * handle[e], 1, Y, o);
      const translation = width === 3 ? 0 : Math.abs(Y[o + 9]) + Math.abs(Y[o + 10]) + Math.abs(Y[o + 11]);
      size += column + translation;
      largest = Math.max(largest, column, translation); // more than any of its columns
    }
    let found = width * count;
    for (let i = 0; i < found; i++) active[i] = i;
    const { f64 } = this.#memory;
    const weights = this.#handles.weightsAddress(end) >>> 3;
    for (let b = firstBlock[patch]; b < firstBlock[patch + 1]; b++, o += 9) {
      const q = f64[weights + blockMode[b]];
      if (q === 0 && width === 4) continue;
      const column = writeColumns(handles, 12 * handle[first + blockHandle[b]], q, Y, o);
      size += column;
      largest = Math.max(largest, column);
      for (let i = o / 3; i < o / 3 + 3; i++) active[found++] = i;
    }
    this.#columns[end] = largest;
    const images = (16 * (count + 4) * sums[IMAGES]) / this.#patches.radius[patch];
    this.#errors[end] = ULP * ((k + 8) * size + images) * factorSize[patch];
    return found;
  }

  /** (T c − s) / R of every handle, s the mean of all T c; and the sum of sizes of all terms. */
  #fillTranslations(patch: number, end: MotionEnd): void {
    const { firstHandle, handle, mean, centre, radius } = this.#patches;
    const Y = this.#Y,
      handles = this.#posed.at[end];
    const first = firstHandle[patch],
      last = firstHandle[patch + 1];
    const x = centre[3 * patch],
      y = centre[3 * patch + 1],
      z = centre[3 * patch + 2];
    let images = 0;
    for (let row = 0; row < 3; row++) {
      let shift = 0;
      for (let e = first, o = 9 + row; e < last; e++, o += 12) {
        const m = 12 * handle[e];
        const a = handles[m + 3 * row] * x,
          b = handles[m + 3 * row + 1] * y,
          c = handles[m + 3 * row + 2] * z,
          t = handles[m + 9 + row];
        const image = a + b + c + t;
        Y[o] = image;
        shift += mean[e] * image;
        images += Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(t);
      }
      images += Math.abs(shift) * (last - first);
      for (let e = first, o = 9 + row; e < last; e++, o += 12) Y[o] = (Y[o] - shift) / radius[patch];
    }
    this.#sums[IMAGES] = images;
  }

  /** A = C_Xx C_xx⁻¹, with a ridge where it is singular. Sloppy: whatever comes out is what counts. */
  #solve(): void {
    const S = this.#xx,
      T = this.#Xx,
      A = this.#A;
    const more = RIDGE * (S[0] + S[3] + S[5]) + Number.MIN_VALUE;
    const a = Math.sqrt(S[0] + more),
      b = S[1] / a,
      c = S[2] / a;
    const d = Math.sqrt(Math.max(S[3] + more - b * b, more)),
      e = (S[4] - b * c) / d;
    const f = Math.sqrt(Math.max(S[5] + more - c * c - e * e, more));
    for (let row = 0; row < 9; row += 3) {
      const x = T[row] / a,
        y = (T[row + 1] - b * x) / d,
        z = (T[row + 2] - c * x - e * y) / f;
      A[row + 2] = z / f;
      A[row + 1] = (y - e * A[row + 2]) / d;
      A[row] = (x - b * A[row + 1] - c * A[row + 2]) / a;
    }
  }

  /** True when σ(C F) is below `bound` at the end that was measured, and roundings stay within the thickness. */
  #isBelow(bound: number): boolean {
    const pad = this.#sums[PAD];
    if (!(this.#sums[LOSS] <= this.#thickness && pad < bound)) return false;
    const G = this.#gram;
    const left = (bound - pad) * (1 - 2 ** -48);
    const square = left * left;
    const more = square - (G[0] + G[3] + G[5] + square) * PIVOT_ERROR;
    // Cholesky of left² − Gram.
    const p = more - G[0];
    if (!(p > 0)) return false;
    const q = more - G[3] - (G[1] * G[1]) / p;
    if (!(q > 0)) return false;
    const u = -G[4] - (G[1] * G[2]) / p;
    return more - G[5] - (G[2] * G[2]) / p - (u * u) / q > 0;
  }

  /** The Gram matrix of C F = A V − Y₀ F, how far its root is off at most, and what roundings take from a gap. */
  #measure(patch: number, end: MotionEnd): void {
    const { firstRest, rest, restSize, factorSize, error } = this.#patches;
    const o = firstRest[patch],
      k = (firstRest[patch + 1] - o) / 3;
    const V = this.#V[end],
      A = this.#A,
      G = this.#gram;
    const a0 = A[0],
      a1 = A[1],
      a2 = A[2],
      a3 = A[3],
      a4 = A[4],
      a5 = A[5],
      a6 = A[6],
      a7 = A[7],
      a8 = A[8];
    let xx = 0,
      xy = 0,
      xz = 0,
      yy = 0,
      yz = 0,
      zz = 0,
      moved = 0,
      still = 0;
    for (let f = 0; f < 3 * k; f += 3) {
      const x = V[f],
        y = V[f + 1],
        z = V[f + 2];
      const r = rest[o + f],
        s = rest[o + f + 1],
        t = rest[o + f + 2];
      const u = a0 * x + a1 * y + a2 * z - r,
        v = a3 * x + a4 * y + a5 * z - s,
        w = a6 * x + a7 * y + a8 * z - t;
      xx += u * u;
      xy += u * v;
      xz += u * w;
      yy += v * v;
      yz += v * w;
      zz += w * w;
      moved += x * x + y * y + z * z;
      still += r * r + s * s + t * t;
    }
    G[0] = xx;
    G[1] = xy;
    G[2] = xz;
    G[3] = yy;
    G[4] = yz;
    G[5] = zz;
    let squares = 0;
    for (let e = 0; e < 9; e++) squares += A[e] * A[e];
    const norm = Math.sqrt(squares) * (1 + 2 ** -40);
    const ofRest = ULP * (k + 8) * k * restSize[patch] * factorSize[patch];
    const ofProduct = 16 * ULP * (norm * Math.sqrt(moved) + Math.sqrt(still));
    this.#sums[PAD] =
      (norm * this.#errors[end] + ofRest + ofProduct + (k + 8) * ULP * Math.sqrt(xx + yy + zz)) * 2;
    const { largestCoordinate, largestWeightSum } = this.#sizes;
    const ofFunctions = (norm * this.#columns[end] + restSize[patch]) * error[patch];
    const ofPoints = norm * this.#posed.margin[end] + largestCoordinate * largestWeightSum * 2 ** -44;
    this.#sums[LOSS] = 4 * (ofFunctions + ofPoints) * (1 + 2 ** -40);
  }
}

/** q A, column by column; returns the sum of the sizes of its entries. */
function writeColumns(handles: Float64Array, m: number, q: number, Y: Float64Array, o: number): number {
  let size = 0;
  for (let c = 0; c < 3; c++) {
    const x = (Y[o + 3 * c] = q * handles[m + c]),
      y = (Y[o + 3 * c + 1] = q * handles[m + 3 + c]),
      z = (Y[o + 3 * c + 2] = q * handles[m + 6 + c]);
    size += Math.abs(x) + Math.abs(y) + Math.abs(z);
  }
  return size;
}

// Where `#sums` has what.
const PAD = 0;
const LOSS = 1;
const IMAGES = 2;
