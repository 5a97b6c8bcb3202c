import { isSteeperThan, writeNormUpperBound } from '../../algebra/matrix3.ts';
import { type Body, checkBody } from '../../body/body.ts';
import type { Certificate } from '../../cull/certificate.ts';
import { CertificateLife } from '../../cull/certificate-life.ts';
import { ExceptionPairs } from '../../cull/exception-pairs.ts';
import { PoseWatch } from '../../cull/pose-watch.ts';
import {
  checkLongWork,
  type ProgressOptions,
  runSlices,
  runSteps,
  type SliceOptions,
} from '../../long-work/in-slices.ts';
import { type PoolOption, readPool } from '../../long-work/task-pool.ts';
import { checkLength, checkObject, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { PairBuffer } from '../../report/pair-buffer.ts';
import type { Tree } from '../../tree/tree.ts';
import type { Cage } from '../types.ts';
import { CAGE_PATCHES_TASK, type CagePatches, type PatchSizes, prepareCagePatches } from './cage-patches.ts';

export interface CageCertificateOptions extends ProgressOptions {
  /** Patches have at most so many triangles; preparing them takes about as much longer. Default: 512. */
  largest?: number;
  /** Patches with no more triangles are not divided further. Default: 32. */
  smallest?: number;
  /** Pairs of triangles whose corners are so much further apart through the cage than they are are always tested. Default: 8. */
  mostKappa?: number;
}

export type AsyncCageCertificateOptions = CageCertificateOptions & SliceOptions & PoolOption;

/** Proofs for a body of the cage's surface whose pose is the position of every vertex: see `CageCertificate`. */
export function prepareCageCertificate(
  cage: Cage,
  body: Body,
  options: CageCertificateOptions = {},
): CageCertificate {
  const sizes = checkArguments(cage, body, options);
  return new CageCertificate(cage, body, runSteps(prepareCagePatches(cage, body.tree, sizes), options));
}

/** The same in slices between which other work can run, or in a worker of `pool`. */
export async function prepareCageCertificateAsync(
  cage: Cage,
  body: Body,
  options: AsyncCageCertificateOptions = {},
): Promise<CageCertificate> {
  const pool = readPool(options);
  const sizes = checkArguments(cage, body, options);
  checkLongWork(options);
  const { onProgress, signal } = options;
  const { tree } = body;
  const patches = pool
    ? await pool.run(CAGE_PATCHES_TASK, { cage, tree, sizes }, { onProgress, signal })
    : await runSlices(prepareCagePatches(cage, tree, sizes), options);
  body.checkUsable();
  return new CageCertificate(cage, body, patches);
}

function checkArguments(cage: Cage, body: Body, options: CageCertificateOptions): PatchSizes {
  checkObject('cage', cage);
  checkBody('the body', body);
  checkObject('options', options);
  if (body.mesh !== cage.surface) {
    throw new InputError('mismatch', 'the body is not one of the surface of this cage');
  }
  const { largest = 512, smallest = 32, mostKappa = 8 } = options;
  for (const [name, value] of Object.entries({ largest, smallest, mostKappa }) as [string, unknown][]) {
    if (typeof value === 'number' && value >= 1) continue;
    throw new InputError('bad-option', `${name} must be a number of at least 1, not ${describe(value)}`);
  }
  return { largest, smallest: Math.min(smallest, largest), mostKappa };
}

/** More than roundings do to gradients and points, relative to the sizes of what they are made of. */
const ROUNDING = 2 ** -40;
/** An inverse that is off by more than this belongs to a tetrahedron that is nearly flat. */
const WORST_INVERSE = 2 ** -20;

/**
 * Proofs that patches of a surface do not touch themselves, whatever the cage was deformed by (SHAPING §5 and §11).
 * With gradients F_t of a patch's tetrahedra, any matrix F̄ and δ = max ‖F_t − F̄‖, each way of length d through the
 * patch from corner x_k of one triangle to corner y_l of another gives
 *
 *     p(x_k) − p(y_l) = F̄ (x_k − y_l) + e_kl,  |e_kl| ≤ δ d
 *
 * and a point of each triangle is a mean of the corners, so that they are at least σmin(F̄) g − δ max d apart, when the
 * triangles are at least g apart at rest: above 0 if δκ < σmin(F̄), κ = max d/g. Affine maps leave everything as it is.
 *
 * The body knows positions only: `setPose` says which cage they come from, and how far off they are is measured. In
 * poses nobody has told of nothing is proved, nor over motions.
 */
export class CageCertificate implements Certificate {
  readonly tree: Tree;
  readonly body: Body;
  readonly smallest: number;
  readonly provesPairs = false;
  /** @internal */ readonly patches: CagePatches;

  readonly #cage: Cage;
  readonly #exceptions: ExceptionPairs;
  readonly #watch: PoseWatch;
  readonly #life: CertificateLife;
  readonly #used: Uint32Array; // tetrahedra of patches
  readonly #placeOf: Int32Array; // per tetrahedron: where its gradient is
  readonly #inverse: Float64Array; // nine per used tetrahedron: of the matrix of its edges at rest
  readonly #gradients: Float64Array; // nine per used tetrahedron
  readonly #isBad: Uint8Array; // per patch
  readonly #worstInverse: number; // ‖1 − D D⁻¹‖ of those in use
  readonly #inverseSize: number;
  readonly #weightSize: number; // Σ |w|
  readonly #weightError: number; // |Σ w − 1|
  readonly #restSize: number;
  readonly #means: Float64Array; // F̄ of each patch
  readonly #spreads: Float64Array; // δ of each patch
  readonly #isCalm: Uint8Array; // per patch, in this pose
  readonly #scratch = new Float64Array(9);
  readonly #bounds = new Float64Array(2);
  #epoch = -1; // of the pose that was told
  #controls: Float64Array;
  #deviation = 0;
  #size = 0; // of the coordinates of the pose
  #hasBegun = false;
  #isOpen = false; // proofs may be asked for

  /** Use `prepareCageCertificate`. */
  constructor(cage: Cage, body: Body, patches: CagePatches) {
    this.#cage = cage;
    this.body = body;
    this.tree = body.tree;
    this.patches = patches;
    this.#watch = new PoseWatch(body);
    this.#life = new CertificateLife(this, body);
    this.#exceptions = new ExceptionPairs(this.tree, patches.exceptions);
    const { count, node, kappa, left } = patches;
    let smallest = body.mesh.triangleCount + 1;
    for (let k = 0; k < count; k++) {
      if (kappa[k] < Infinity) smallest = Math.min(smallest, this.tree.slotCount[node[k]]);
    }
    this.smallest = Math.max(2, smallest);
    this.#used = Uint32Array.from(new Set(patches.tetrahedra)).sort();
    this.#placeOf = new Int32Array(cage.tetrahedra.tetrahedronCount).fill(-1);
    this.#used.forEach((t, place) => {
      this.#placeOf[t] = place;
    });
    this.#inverse = new Float64Array(9 * this.#used.length);
    this.#gradients = new Float64Array(9 * this.#used.length);
    this.#means = new Float64Array(9 * count);
    this.#spreads = new Float64Array(count);
    this.#isCalm = new Uint8Array(count);
    this.#isBad = new Uint8Array(count);
    this.#controls = cage.tetrahedra.positions.slice();
    const errors = this.#invert();
    let worst = 0,
      size = 0;
    for (let p = 0; p < errors.length; p++) {
      if (!(errors[p] <= WORST_INVERSE)) continue;
      worst = Math.max(worst, errors[p]);
      for (let k = 9 * p; k < 9 * p + 9; k++) size = Math.max(size, Math.abs(this.#inverse[k]));
    }
    this.#worstInverse = worst;
    this.#inverseSize = size;
    for (let k = 0; k < count; k++) {
      if (left[k] >= 0) this.#isBad[k] = this.#isBad[left[k]] | this.#isBad[patches.right[k]];
      for (let e = patches.start[k]; e < patches.start[k + 1]; e++) {
        if (!(errors[this.#placeOf[patches.tetrahedra[e]]] <= WORST_INVERSE)) this.#isBad[k] = 1;
      }
    }
    const { weights } = cage.embedding;
    let weightSize = 0,
      weightError = 0;
    for (let o = 0; o < weights.length; o += 4) {
      const [a, b, c, d] = [weights[o], weights[o + 1], weights[o + 2], weights[o + 3]];
      weightSize = Math.max(weightSize, Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d));
      weightError = Math.max(weightError, Math.abs(a + b + c + d - 1));
    }
    this.#weightSize = weightSize;
    this.#weightError = weightError;
    this.#restSize = largest(cage.tetrahedra.positions);
  }

  /** The cage whose surface is the body's pose: after the body was given that. */
  setPose(controls: Float64Array): void {
    this.body.checkUsable();
    checkLength('controls', controls, this.#controls.length);
    this.#controls.set(controls);
    this.#size = largest(controls);
    this.#deviation = this.#measureDeviation();
    this.#epoch = this.body.deformer.epoch;
    this.#hasBegun = false;
  }

  /**
   * Frees its memory; the body does without it from then on. Using it afterwards throws; a second call does nothing. Error
   * 'busy' while a query uses the body.
   */
  dispose(): void {
    this.#life.end();
    this.#isOpen = false; // nothing is proved any more
  }

  get isDisposed(): boolean {
    return this.#life.hasEnded;
  }

  begin(swept: boolean): void {
    this.#life.check();
    this.#watch.begin(swept);
    this.#isOpen = !this.#watch.swept && this.#epoch === this.body.deformer.epoch;
  }

  clears(a: number, b: number): boolean {
    if (a !== b || !this.#isOpen) return false;
    const patch = this.patches.patchOfNode[a];
    if (patch < 0 || this.patches.kappa[patch] === Infinity) return false;
    if (!this.#hasBegun) this.#proveAll();
    return this.#isCalm[patch] === 1;
  }

  exceptions(a: number, b: number, out: PairBuffer): void {
    this.#exceptions.list(a, b, out);
  }

  /** How far the body's points are from what the weights make of the cage. */
  #measureDeviation(): number {
    const { resident, deformer, engine } = this.body;
    const { controls, weights } = this.#cage.embedding;
    const { vertexOfPoint } = resident;
    deformer.ensureAll(0);
    const points = deformer.address(0) >>> 3; // may allocate, so before the view is read
    const { f64 } = engine.kernels.memory;
    const p = this.#controls;
    let squared = 0;
    for (let i = 0, q = points; i < vertexOfPoint.length; i++, q += 3) {
      const o = 4 * vertexOfPoint[i];
      const a = 3 * controls[o],
        b = 3 * controls[o + 1],
        c = 3 * controls[o + 2],
        d = 3 * controls[o + 3];
      const wa = weights[o],
        wb = weights[o + 1],
        wc = weights[o + 2],
        wd = weights[o + 3];
      const x = wa * p[a] + wb * p[b] + wc * p[c] + wd * p[d] - f64[q],
        y = wa * p[a + 1] + wb * p[b + 1] + wc * p[c + 1] + wd * p[d + 1] - f64[q + 1],
        z = wa * p[a + 2] + wb * p[b + 2] + wc * p[c + 2] + wd * p[d + 2] - f64[q + 2];
      squared = Math.max(squared, x * x + y * y + z * z);
    }
    return Math.sqrt(squared);
  }

  /** Gradients, then patches from the smallest up. */
  #proveAll(): void {
    const { patches } = this;
    this.#hasBegun = true;
    this.#setGradients();
    for (let k = 0; k < patches.count; k++) {
      if (patches.left[k] < 0) this.#gather(k);
      else this.#join(k, patches.left[k], patches.right[k]);
      this.#isCalm[k] = this.#isProved(k) ? 1 : 0;
    }
  }

  #setGradients(): void {
    const { tetrahedra } = this.#cage.tetrahedra;
    const p = this.#controls,
      B = this.#inverse,
      F = this.#gradients;
    for (let e = 0, o = 0; e < this.#used.length; e++, o += 9) {
      const t = 4 * this.#used[e];
      const a = 3 * tetrahedra[t],
        b = 3 * tetrahedra[t + 1],
        c = 3 * tetrahedra[t + 2],
        d = 3 * tetrahedra[t + 3];
      for (let k = 0; k < 3; k++) {
        const u = p[b + k] - p[a + k],
          v = p[c + k] - p[a + k],
          w = p[d + k] - p[a + k];
        F[o + 3 * k] = u * B[o] + v * B[o + 3] + w * B[o + 6];
        F[o + 3 * k + 1] = u * B[o + 1] + v * B[o + 4] + w * B[o + 7];
        F[o + 3 * k + 2] = u * B[o + 2] + v * B[o + 5] + w * B[o + 8];
      }
    }
  }

  /** F̄ is the mean of the gradients of a smallest patch. */
  #gather(patch: number): void {
    const { start, tetrahedra } = this.patches;
    const F = this.#gradients,
      mean = this.#means.fill(0, 9 * patch, 9 * patch + 9);
    const from = start[patch],
      to = start[patch + 1];
    for (let e = from; e < to; e++) {
      const o = 9 * this.#placeOf[tetrahedra[e]];
      for (let k = 0; k < 9; k++) mean[9 * patch + k] += F[o + k] / (to - from);
    }
    let spread = 0;
    for (let e = from; e < to; e++) {
      spread = Math.max(spread, this.#differ(F, 9 * this.#placeOf[tetrahedra[e]], 9 * patch));
    }
    this.#spreads[patch] = spread;
  }

  /** F̄ lies between those of the halves; their gradients are as far from it as from theirs and theirs from it. */
  #join(patch: number, left: number, right: number): void {
    const mean = this.#means,
      spreads = this.#spreads;
    for (let k = 0; k < 9; k++) mean[9 * patch + k] = (mean[9 * left + k] + mean[9 * right + k]) / 2;
    spreads[patch] = Math.max(
      spreads[left] + this.#differ(mean, 9 * left, 9 * patch),
      spreads[right] + this.#differ(mean, 9 * right, 9 * patch),
    );
  }

  /** Upper bound of the norm of the difference of two matrices, but for roundings. */
  #differ(A: Float64Array, a: number, mean: number): number {
    const scratch = this.#scratch;
    for (let k = 0; k < 9; k++) scratch[k] = A[a + k] - this.#means[mean + k];
    writeNormUpperBound(scratch, 0, this.#bounds, 0);
    return this.#bounds[0];
  }

  /**
   * δκ < σmin, with everything that roundings may do. Gradients are off by what their inverses are off and by roundings
   * of differences of coordinates; points by the deviation that was measured, by roundings of the sums it was measured
   * with, and by weights that do not add up to 1, at rest too. NaN proves nothing.
   */
  #isProved(patch: number): boolean {
    const { kappa, least } = this.patches;
    if (this.#isBad[patch] === 1 || kappa[patch] === Infinity || !(least[patch] > 0)) return false;
    const bounds = this.#bounds;
    writeNormUpperBound(this.#means, 9 * patch, bounds, 1);
    const steepest = bounds[1] + this.#spreads[patch];
    const delta =
      this.#spreads[patch] +
      (2 * this.#worstInverse + ROUNDING) * steepest +
      ROUNDING * this.#size * this.#inverseSize;
    const perSize = this.#weightError + ROUNDING * this.#weightSize;
    const off = this.#deviation + perSize * (this.#size + 2 * steepest * this.#restSize);
    bounds[0] = (delta * kappa[patch] + (2 * off) / least[patch]) * (1 + ROUNDING);
    return bounds[0] < Infinity && isSteeperThan(this.#means, 9 * patch, bounds, 0);
  }

  /** Inverses of the edges' matrices at rest, and by how much each is off. */
  #invert(): Float64Array {
    const { tetrahedra, positions: p } = this.#cage.tetrahedra;
    const B = this.#inverse,
      D = new Float64Array(9),
      errors = new Float64Array(this.#used.length);
    for (let e = 0, o = 0; e < this.#used.length; e++, o += 9) {
      const t = 4 * this.#used[e],
        a = 3 * tetrahedra[t];
      for (let c = 0; c < 3; c++) {
        for (let k = 0; k < 3; k++) D[3 * k + c] = p[3 * tetrahedra[t + 1 + c] + k] - p[a + k];
      }
      const volume =
        D[0] * (D[4] * D[8] - D[5] * D[7]) +
        D[1] * (D[5] * D[6] - D[3] * D[8]) +
        D[2] * (D[3] * D[7] - D[4] * D[6]);
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          const r = (j + 1) % 3,
            s = (j + 2) % 3,
            u = (i + 1) % 3,
            v = (i + 2) % 3;
          B[o + 3 * i + j] = (D[3 * r + u] * D[3 * s + v] - D[3 * r + v] * D[3 * s + u]) / volume;
        }
      }
      let sum = 0;
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          let product = i === j ? -1 : 0,
            size = 1;
          for (let k = 0; k < 3; k++) {
            product += D[3 * i + k] * B[o + 3 * k + j];
            size += Math.abs(D[3 * i + k] * B[o + 3 * k + j]);
          }
          sum += (Math.abs(product) + 2 ** -49 * size) ** 2;
        }
      }
      errors[e] = Math.sqrt(sum);
    }
    return errors;
  }
}

/** The largest number, whatever its sign; NaN if there is one. */
function largest(values: Float64Array): number {
  let most = 0;
  for (let k = 0; k < values.length; k++) most = Math.max(most, Math.abs(values[k]));
  return most;
}
