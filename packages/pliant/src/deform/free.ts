import type { Kernels } from '../kernels/kernels.ts';
import { checkArray, checkCoordinates, checkLength } from '../mesh/check-input.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import type { Deformer, MotionEnd } from './point-source.ts';

/** Any motion at all: a pose is the position of every source vertex. Of welded vertices the first one counts. */
export class FreeDeformer implements Deformer {
  readonly kind = 'free';
  epoch = 1;
  hasMotion = false;
  evaluated = 0;
  continuedEpoch = 0;

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
    this.#stage('pose', pose);
    this.#gather(0);
    this.hasMotion = false;
    this.continuedEpoch = 0;
    this.epoch++;
  }

  setMotion(start: unknown, end: unknown): void {
    this.#stage('start', start);
    this.#stage('end', end); // both are looked at before anything changes
    this.#gatherEnd();
    this.#stage('start', start);
    this.#gather(0);
    this.hasMotion = true;
    this.continuedEpoch = 0;
    this.epoch++;
  }

  moveTo(end: unknown): void {
    this.#stage('end', end);
    if (this.hasMotion) this.#points.reverse();
    this.#gatherEnd();
    this.continuedEpoch = this.hasMotion ? this.epoch : 0;
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

  /** Copies a pose beside the mesh. Errors: those of `checkCoordinates`. */
  #stage(what: string, pose: unknown): void {
    const { memory } = this.#kernels;
    const { staging, mesh } = this.#mesh; // may allocate, so before the view is read
    const { sourceVertexCount } = mesh;
    if (isOfFloats(pose) && pose.length === 3 * sourceVertexCount) {
      memory.f64.set(pose, staging >>> 3);
      if (this.#kernels.gatherPoints(staging, sourceVertexCount, 0, 0, 0)) return; // looks only
    }
    checkArray(what, pose);
    checkLength(what, pose, 3 * sourceVertexCount);
    checkCoordinates(what, pose, 3 * sourceVertexCount); // which number is wrong, if one is
    memory.f64.set(pose, staging >>> 3);
  }

  #gatherEnd(): void {
    this.#points[1] ||= this.#kernels.memory.allocate(24 * this.#mesh.pointCount);
    this.#gather(1);
  }

  #gather(end: MotionEnd): void {
    const { pointCount, sourceOfPoint, staging } = this.#mesh;
    this.#kernels.gatherPoints(staging, 0, sourceOfPoint, pointCount, this.#points[end]);
    this.evaluated += pointCount;
  }
}

function isOfFloats(pose: unknown): pose is Float64Array | Float32Array {
  return pose instanceof Float64Array || pose instanceof Float32Array;
}
