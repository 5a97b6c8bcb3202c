import type { Kernels } from '../kernels/kernels.ts';
import { checkCoordinates, checkLength } from '../mesh/check-input.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import type { Deformer, MotionEnd } from './point-source.ts';

/** Any motion at all: a pose is the position of every source vertex. Of welded vertices the first one counts. */
export class FreeDeformer implements Deformer {
  epoch = 1;
  hasMotion = false;
  evaluated = 0;
  continuedEpoch = 0;

  readonly #kernels: Kernels;
  readonly #mesh: ResidentMesh;
  /** Those at the start and at the end, and room for those of the next pose, which may turn out wrong. */
  readonly #points: [number, number, number];

  /** Starts in the rest shape. */
  constructor(kernels: Kernels, mesh: ResidentMesh) {
    this.#kernels = kernels;
    this.#mesh = mesh;
    this.#points = [kernels.memory.allocate(24 * mesh.pointCount), 0, 0];
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
    this.#gather('pose', pose);
    this.#exchange(0);
    this.hasMotion = false;
    this.continuedEpoch = 0;
    this.epoch++;
  }

  setMotion(start: unknown, end: unknown): void {
    this.#gather('start', start);
    this.#gather('end', end); // both are looked at before anything changes
    this.#exchange(1);
    this.#gather('start', start);
    this.#exchange(0);
    this.hasMotion = true;
    this.continuedEpoch = 0;
    this.epoch++;
  }

  moveTo(end: unknown): void {
    this.#gather('end', end);
    this.#exchange(1);
    if (this.hasMotion) this.#exchange(0); // where the end was
    this.continuedEpoch = this.hasMotion ? this.epoch : 0;
    this.hasMotion = true;
    this.epoch++;
  }

  get pointCount(): number {
    return this.#mesh.pointCount;
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

  /** Points of a pose, beside those in use. Errors: those of `checkCoordinates`. */
  #gather(what: string, pose: unknown): void {
    const { memory } = this.#kernels;
    const { staging, mesh, pointCount, sourceOfPoint } = this.#mesh; // may allocate, so before the view is read
    const { sourceVertexCount } = mesh;
    this.#points[SPARE] ||= memory.allocate(24 * pointCount);
    const isUsual = pose instanceof Float64Array || pose instanceof Float32Array;
    if (isUsual) checkLength(what, pose, 3 * sourceVertexCount);
    else checkCoordinates(what, pose, 3 * sourceVertexCount);
    memory.f64.set(pose, staging >>> 3);
    const others = sourceVertexCount === pointCount ? 0 : sourceVertexCount; // nobody uses them, but they count
    const isGood = this.#kernels.gatherPoints(
      staging,
      others,
      sourceOfPoint,
      pointCount,
      this.#points[SPARE],
    );
    if (!isGood) checkCoordinates(what, pose); // which number is wrong, if one is
    this.evaluated += pointCount;
  }

  /** Takes what was gathered last. */
  #exchange(end: MotionEnd): void {
    const before = this.#points[end];
    this.#points[end] = this.#points[SPARE];
    this.#points[SPARE] = before;
  }
}

const SPARE = 2;
