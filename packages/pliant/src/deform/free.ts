import type { Kernels } from '../kernels/kernels.ts';
import { checkArray, checkCoordinates, checkLength, type NumberArray } from '../mesh/check-input.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import type { Deformer, MotionEnd } from './point-source.ts';

/** Any motion at all: a pose is the position of every source vertex. Of welded vertices the first one counts. */
export class FreeDeformer implements Deformer {
  readonly kind = 'free';
  epoch = 1;
  hasMotion = false;
  evaluated = 0;

  readonly #kernels: Kernels;
  readonly #mesh: ResidentMesh;
  readonly #points: [number, number];

  /** Starts in the rest shape. */
  constructor(kernels: Kernels, mesh: ResidentMesh) {
    this.#kernels = kernels;
    this.#mesh = mesh;
    this.#points = [kernels.memory.allocate(24 * mesh.pointCount), 0];
    const { f64 } = kernels.memory;
    const { positions } = mesh.mesh;
    for (let p = 0, o = this.#points[0] >>> 3; p < mesh.pointCount; p++, o += 3) {
      const v = 3 * mesh.vertexOfPoint[p];
      f64[o] = positions[v];
      f64[o + 1] = positions[v + 1];
      f64[o + 2] = positions[v + 2];
    }
  }

  setPose(pose: unknown): void {
    this.#check('pose', pose);
    this.#gather(pose, 0);
    this.hasMotion = false;
    this.epoch++;
  }

  setMotion(start: unknown, end: unknown): void {
    this.#check('start', start);
    this.#check('end', end);
    this.#points[1] ||= this.#kernels.memory.allocate(24 * this.#mesh.pointCount);
    this.#gather(start, 0);
    this.#gather(end, 1);
    this.hasMotion = true;
    this.epoch++;
  }

  address(end: MotionEnd): number {
    return this.hasMotion ? this.#points[end] : this.#points[0];
  }

  ensureAll(): void {}

  ensurePoint(): void {}

  stampsAddress(): number {
    return 0;
  }

  free(): void {
    for (const address of this.#points) this.#kernels.memory.free(address);
  }

  #check(what: string, pose: unknown): asserts pose is NumberArray {
    const length = 3 * this.#mesh.mesh.sourceVertexCount;
    if (pose instanceof Float64Array && pose.length === length && areCoordinates(pose)) return;
    checkArray(what, pose);
    checkLength(what, pose, length);
    checkCoordinates(what, pose, length);
  }

  #gather(pose: NumberArray, end: MotionEnd): void {
    const { memory } = this.#kernels;
    const { pointCount, sourceOfPoint } = this.#mesh;
    const { f64, u32 } = memory;
    if (pose instanceof Float64Array)
      gatherDoubles(pose, u32, sourceOfPoint >>> 2, pointCount, f64, this.#points[end] >>> 3);
    else gatherNumbers(pose, u32, sourceOfPoint >>> 2, pointCount, f64, this.#points[end] >>> 3);
    this.evaluated += pointCount;
  }
}

/** One pass without a branch per number; which one is wrong is found out only when one is. */
function areCoordinates(values: Float64Array): boolean {
  let bad = 0;
  for (let i = 0; i < values.length; i++) bad |= +!(Math.abs(values[i]) <= 2 ** 300);
  return bad === 0;
}

function gatherDoubles(
  pose: Float64Array,
  u32: Uint32Array,
  sources: number,
  count: number,
  f64: Float64Array,
  out: number,
): void {
  for (let p = 0, o = out; p < count; p++, o += 3) {
    const v = 3 * u32[sources + p];
    f64[o] = pose[v];
    f64[o + 1] = pose[v + 1];
    f64[o + 2] = pose[v + 2];
  }
}

/** The same for every other kind of array, apart so that the usual one stays monomorphic. */
function gatherNumbers(
  pose: NumberArray,
  u32: Uint32Array,
  sources: number,
  count: number,
  f64: Float64Array,
  out: number,
): void {
  for (let p = 0, o = out; p < count; p++, o += 3) {
    const v = 3 * u32[sources + p];
    f64[o] = pose[v];
    f64[o + 1] = pose[v + 1];
    f64[o + 2] = pose[v + 2];
  }
}
