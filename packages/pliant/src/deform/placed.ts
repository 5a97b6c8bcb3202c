import type { Kernels } from '../kernels/kernels.ts';
import { checkMatrix, copyMatrix, IDENTITY, MATRIX_LENGTH, transformPoint } from './matrix.ts';
import { allocateStamps, type MotionEnd, type PointSource } from './point-source.ts';

/**
 * Another source's points moved by a 3×4 matrix: from a body's own coordinates to the world's. In a motion every
 * point goes straight from where the first matrix puts it to where the second one does.
 */
export class PlacedPoints implements PointSource {
  evaluated = 0;
  readonly matrices: readonly [Float64Array, Float64Array];
  /** Both matrices in kernel memory, one behind the other. */
  readonly matrixAddress: number;

  readonly #kernels: Kernels;
  readonly #source: PointSource;
  readonly #pointCount: number;
  readonly #points: [number, number] = [0, 0];
  readonly #stamps: [number, number] = [0, 0]; // an epoch per point
  readonly #allAt: [number, number] = [0, 0]; // the epoch at which all were evaluated
  #ownMotion = false;
  #ownEpoch = 1;
  #sourceEpoch: number;

  constructor(kernels: Kernels, source: PointSource, pointCount: number) {
    this.#kernels = kernels;
    this.#source = source;
    this.#pointCount = pointCount;
    this.#sourceEpoch = source.epoch;
    this.matrixAddress = kernels.memory.allocate(16 * MATRIX_LENGTH);
    const both = new Float64Array(2 * MATRIX_LENGTH); // one block: scenes may have very many bodies
    this.matrices = [both.subarray(0, MATRIX_LENGTH), both.subarray(MATRIX_LENGTH)];
    for (const matrix of this.matrices) matrix.set(IDENTITY);
    this.#storeMatrices();
  }

  get epoch(): number {
    if (this.#sourceEpoch !== this.#source.epoch) {
      this.#sourceEpoch = this.#source.epoch;
      this.#ownEpoch++;
    }
    return this.#ownEpoch;
  }

  get hasMotion(): boolean {
    return this.#ownMotion || this.#source.hasMotion;
  }

  setMatrix(matrix: unknown): void {
    copyMatrix('matrix', matrix, this.matrices[0]);
    this.matrices[1].set(this.matrices[0]);
    this.#storeMatrices();
    this.#ownMotion = false;
    this.#ownEpoch++;
  }

  setMatrices(start: unknown, end: unknown): void {
    checkMatrix('start', start);
    checkMatrix('end', end);
    copyMatrix('start', start, this.matrices[0]);
    copyMatrix('end', end, this.matrices[1]);
    this.#storeMatrices();
    this.#ownMotion = true;
    this.#ownEpoch++;
  }

  /** From where it is. */
  moveTo(end: unknown): void {
    this.setMatrices(this.matrices[1], end);
  }

  address(end: MotionEnd): number {
    const e = this.hasMotion ? end : 0;
    this.#points[e] ||= this.#kernels.memory.allocate(24 * this.#pointCount);
    return this.#points[e];
  }

  ensureAll(end: MotionEnd): void {
    const e = this.hasMotion ? end : 0;
    if (this.#allAt[e] === this.epoch) return;
    const out = this.address(e);
    this.#source.ensureAll(e);
    const matrix = this.matrixAddress + 8 * MATRIX_LENGTH * e;
    this.#kernels.transformPoints(this.#source.address(e), this.#pointCount, matrix, out);
    this.#allAt[e] = this.epoch;
    this.evaluated += this.#pointCount;
  }

  stampsAddress(end: MotionEnd): number {
    const e = this.hasMotion ? end : 0;
    if (this.#allAt[e] === this.epoch) return 0;
    this.#stamps[e] ||= allocateStamps(this.#kernels.memory, this.#pointCount);
    return this.#stamps[e];
  }

  ensurePoint(end: MotionEnd, point: number): void {
    const e = this.hasMotion ? end : 0;
    const { epoch } = this;
    if (this.#allAt[e] === epoch) return;
    const stamp = (this.stampsAddress(e) >>> 2) + point;
    const { u32 } = this.#kernels.memory;
    if (u32[stamp] === epoch) return;
    u32[stamp] = epoch;
    const out = (this.address(e) >>> 3) + 3 * point;
    this.#source.ensurePoint(e, point);
    const from = (this.#source.address(e) >>> 3) + 3 * point; // may allocate, so before the view is read
    const { f64 } = this.#kernels.memory;
    transformPoint(this.matrices[e], f64, from, f64, out);
    this.evaluated++;
  }

  free(): void {
    const { memory } = this.#kernels;
    for (const address of [this.matrixAddress, ...this.#points, ...this.#stamps]) memory.free(address);
  }

  #storeMatrices(): void {
    const { f64 } = this.#kernels.memory;
    f64.set(this.matrices[0], this.matrixAddress >>> 3);
    f64.set(this.matrices[1], (this.matrixAddress >>> 3) + MATRIX_LENGTH);
  }
}
