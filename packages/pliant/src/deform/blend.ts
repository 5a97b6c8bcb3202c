import type { Kernels } from '../kernels/kernels.ts';
import { checkNumbers, checkObject, type NumberArray } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { type BlendList, BlendLists, type Modes, type Skin } from './blend-data.ts';
import type { BlendHandles, HandlesKind } from './handles.ts';
import { allocateStamps, type Deformer, type MotionEnd } from './point-source.ts';

/** A pose of a body with both a skin and modes. */
export interface BlendPose {
  /** Row-major 3×4, one after the other: joint world matrix times inverse bind matrix. */
  joints: NumberArray;
  /** One weight per mode; any sign, any size. */
  modes: NumberArray;
}

/** Kinds that move points. Meshless and embedded ones compose matrices, see MeshlessDeformer and EmbeddedDeformer. */
export type BlendKind = Exclude<HandlesKind, 'rest'>;

/**
 * Blended affine deformation, the one formula behind skins, morph targets and reduced models:
 *
 *     p = v + Σ q_m d_m        x = Σ w_j (A_j p + t_j)
 *
 * Without a skin x = p. Points are evaluated all at once by the kernels or one by one, with equal bits.
 */
export class BlendDeformer implements Deformer, BlendHandles {
  readonly kind: BlendKind;
  epoch = 1;
  hasMotion = false;
  evaluated = 0;

  readonly #kernels: Kernels;
  readonly #mesh: ResidentMesh;
  readonly #skin: BlendList | undefined;
  readonly #modes: BlendList | undefined;
  /** Shared with other bodies that have the same weights. */
  readonly lists: BlendLists;
  readonly jointCount: number;
  readonly modeCount: number;
  readonly #matrices: [number, number]; // addresses of the poses
  readonly #weights: [number, number];
  readonly #points: [number, number] = [0, 0];
  readonly #allAt: [number, number] = [0, 0]; // the epoch at which all were evaluated
  readonly #stamps: [number, number] = [0, 0]; // an epoch per point

  /** Starts at rest: identity matrices and zero weights. */
  constructor(
    kernels: Kernels,
    mesh: ResidentMesh,
    skin: Skin | undefined,
    modes: Modes | undefined,
    kind: BlendKind = skin === undefined ? 'modes' : modes === undefined ? 'skin' : 'skin-modes',
  ) {
    const { memory } = kernels;
    this.kind = kind;
    this.#kernels = kernels;
    this.#mesh = mesh;
    this.lists = BlendLists.share(memory, mesh, skin, modes);
    this.#skin = this.lists.skin;
    this.#modes = this.lists.modes;
    this.jointCount = skin?.jointCount ?? 0;
    this.modeCount = modes?.count ?? 0;
    const place = (bytes: number) => (bytes === 0 ? 0 : memory.allocate(bytes));
    this.#matrices = [place(96 * this.jointCount), place(96 * this.jointCount)];
    this.#weights = [place(8 * this.modeCount), place(8 * this.modeCount)];
    const { f64 } = memory;
    for (const address of this.#matrices) {
      for (let j = 0; j < this.jointCount; j++) f64.set(IDENTITY, (address >>> 3) + 12 * j);
    }
    for (const address of this.#weights) f64.fill(0, address >>> 3, (address >>> 3) + this.modeCount);
  }

  setPose(pose: unknown): void {
    const { joints, modes } = this.#check('pose', pose);
    this.#store(0, joints, modes);
    this.#next(false);
  }

  setMotion(start: unknown, end: unknown): void {
    const first = this.#check('start', start),
      second = this.#check('end', end);
    this.#store(0, first.joints, first.modes);
    this.#store(1, second.joints, second.modes);
    this.#next(true);
  }

  moveTo(end: unknown): void {
    const { joints, modes } = this.#check('end', end);
    this.#startAtEnd();
    this.#store(1, joints, modes);
    this.#next(true);
  }

  /** The same with matrices that have been checked. */
  protected moveToMatrices(end: Float64Array): void {
    this.#startAtEnd();
    this.#store(1, end, NOTHING);
    this.#next(true);
  }

  #startAtEnd(): void {
    if (!this.hasMotion) return;
    this.#matrices.reverse();
    this.#weights.reverse();
  }

  /** Matrices that have been checked, of a pose or of a motion. */
  protected setMatrices(start: Float64Array, end?: Float64Array): void {
    this.#store(0, start, NOTHING);
    if (end) this.#store(1, end, NOTHING);
    this.#next(end !== undefined);
  }

  get handles(): BlendHandles {
    return this;
  }

  get pointCount(): number {
    return this.#mesh.pointCount;
  }

  get skinList(): BlendList | undefined {
    return this.#skin;
  }

  get modeList(): BlendList | undefined {
    return this.#modes;
  }

  /** The pose in kernel memory. */
  matricesAddress(end: MotionEnd): number {
    return this.#matrices[this.hasMotion ? end : 0];
  }

  weightsAddress(end: MotionEnd): number {
    return this.#weights[this.hasMotion ? end : 0];
  }

  address(end: MotionEnd): number {
    const e = this.hasMotion ? end : 0;
    this.#points[e] ||= this.#kernels.memory.allocate(24 * this.#mesh.pointCount);
    return this.#points[e];
  }

  ensureAll(end: MotionEnd): void {
    const e = this.hasMotion ? end : 0;
    if (this.#allAt[e] === this.epoch) return;
    const kernels = this.#kernels;
    const { rest, pointCount } = this.#mesh;
    const out = this.address(e);
    let points = rest;
    if (this.#modes) {
      const { start, index, value } = this.#modes;
      kernels.morphPoints(points, pointCount, start, index, value, this.#weights[e], out);
      points = out;
    }
    if (this.#skin) {
      const { start, index, value } = this.#skin;
      kernels.skinPoints(points, pointCount, start, index, value, this.#matrices[e], out);
    }
    this.#allAt[e] = this.epoch;
    this.evaluated += pointCount;
  }

  stampsAddress(end: MotionEnd): number {
    const e = this.hasMotion ? end : 0;
    if (this.#allAt[e] === this.epoch) return 0;
    this.#stamps[e] ||= allocateStamps(this.#kernels.memory, this.#mesh.pointCount);
    return this.#stamps[e];
  }

  ensurePoint(end: MotionEnd, point: number): void {
    const e = this.hasMotion ? end : 0;
    if (this.#allAt[e] === this.epoch) return;
    const stamp = (this.stampsAddress(e) >>> 2) + point;
    const kernels = this.#kernels;
    const { u32 } = kernels.memory;
    if (u32[stamp] === this.epoch) return;
    u32[stamp] = this.epoch;
    const { rest } = this.#mesh;
    const out = this.address(e) + 24 * point;
    let from = rest + 24 * point;
    // The kernels on a list of one point: the same operations, hence the same bits.
    if (this.#modes) {
      const { start, index, value } = this.#modes;
      kernels.morphPoints(from, 1, start + 4 * point, index, value, this.#weights[e], out);
      from = out;
    }
    if (this.#skin) {
      const { start, index, value } = this.#skin;
      kernels.skinPoints(from, 1, start + 4 * point, index, value, this.#matrices[e], out);
    }
    this.evaluated++;
  }

  free(): void {
    const { memory } = this.#kernels;
    for (const address of [...this.#matrices, ...this.#weights, ...this.#points, ...this.#stamps])
      memory.free(address);
    this.lists.release(this.#mesh);
  }

  #check(what: string, pose: unknown): { joints: NumberArray; modes: NumberArray } {
    if (this.#skin && this.#modes) {
      checkObject(what, pose);
      const { joints, modes } = pose as BlendPose;
      checkPoseNumbers(`${what}.joints`, joints, 12 * this.jointCount);
      checkPoseNumbers(`${what}.modes`, modes, this.modeCount);
      return { joints, modes };
    }
    checkPoseNumbers(what, pose, this.#skin ? 12 * this.jointCount : this.modeCount);
    return this.#skin ? { joints: pose, modes: NOTHING } : { joints: NOTHING, modes: pose };
  }

  #next(hasMotion: boolean): void {
    this.hasMotion = hasMotion;
    this.epoch++;
  }

  #store(end: MotionEnd, joints: NumberArray, modes: NumberArray): void {
    const { f64 } = this.#kernels.memory;
    f64.set(joints, this.#matrices[end] >>> 3);
    f64.set(modes, this.#weights[end] >>> 3);
  }
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const NOTHING: readonly number[] = [];

/** Finite, and small enough that posed coordinates stay so. */
function checkPoseNumbers(what: string, values: unknown, length: number): asserts values is NumberArray {
  if (values instanceof Float64Array && values.length === length && areSmall(values)) return;
  checkNumbers(what, values, length);
  for (let k = 0; k < values.length; k++) {
    if (Math.abs(values[k]) <= 2 ** 150) continue;
    throw new InputError('out-of-range', `${what}[${k}] is ${values[k]}; the limit is 2^150`);
  }
}

/** The usual case, quickly: false also for what is not a number. */
function areSmall(values: Float64Array): boolean {
  for (let k = 0; k < values.length; k++) if (!(Math.abs(values[k]) <= 2 ** 150)) return false;
  return true;
}
