import { FreeDeformer } from '../../src/deform/free.ts';
import { allocateStamps, type Deformer, type MotionEnd } from '../../src/deform/point-source.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import type { ResidentMesh } from '../../src/tree/resident-mesh.ts';

/**
 * A deformer that the library does not know: it declares no handles. It evaluates points when they are asked for, one by
 * one or all; until then their places hold numbers of no meaning, so that a query that forgets to ask is found out.
 */
export class UserDeformer implements Deformer {
  evaluated = 0;
  readonly #kernels: Kernels;
  readonly #mesh: ResidentMesh;
  /** Holds the poses. */
  readonly #poses: FreeDeformer;
  readonly #points: readonly [number, number];
  readonly #stamps: readonly [number, number];

  constructor(kernels: Kernels, mesh: ResidentMesh) {
    const { memory } = kernels;
    this.#kernels = kernels;
    this.#mesh = mesh;
    this.#poses = new FreeDeformer(kernels, mesh);
    this.#points = [memory.allocate(24 * mesh.pointCount), memory.allocate(24 * mesh.pointCount)];
    this.#stamps = [allocateStamps(memory, mesh.pointCount), allocateStamps(memory, mesh.pointCount)];
    this.#forget();
  }

  get pointCount(): number {
    return this.#mesh.pointCount;
  }

  get epoch(): number {
    return this.#poses.epoch;
  }

  get hasMotion(): boolean {
    return this.#poses.hasMotion;
  }

  setPose(pose: unknown): void {
    this.#poses.setPose(pose);
    this.#forget();
  }

  setMotion(start: unknown, end: unknown): void {
    this.#poses.setMotion(start, end);
    this.#forget();
  }

  moveTo(end: unknown): void {
    this.#poses.moveTo(end);
    this.#forget();
  }

  address(end: MotionEnd): number {
    return this.#points[this.hasMotion ? end : 0];
  }

  stampsAddress(end: MotionEnd): number {
    return this.#stamps[this.hasMotion ? end : 0];
  }

  ensureAll(end: MotionEnd): void {
    for (let point = 0; point < this.pointCount; point++) this.ensurePoint(end, point);
  }

  ensurePoint(end: MotionEnd, point: number): void {
    const { u32, f64 } = this.#kernels.memory;
    const stamp = (this.stampsAddress(end) >>> 2) + point;
    if (u32[stamp] === this.epoch) return;
    u32[stamp] = this.epoch;
    const from = (this.#poses.address(end) >>> 3) + 3 * point;
    f64.copyWithin((this.address(end) >>> 3) + 3 * point, from, from + 3);
    this.evaluated++;
  }

  free(): void {
    this.#poses.free();
    for (const address of [...this.#points, ...this.#stamps]) this.#kernels.memory.free(address);
  }

  #forget(): void {
    const { f64 } = this.#kernels.memory;
    for (const address of this.#points) f64.fill(1e6, address >>> 3, (address >>> 3) + 3 * this.pointCount);
  }
}
