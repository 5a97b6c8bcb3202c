import type { Kernels } from '../kernels/kernels.ts';
import { checkMatrix, copyMatrix, IDENTITY, MATRIX_LENGTH, transformPoint } from './matrix.ts';
import type { MotionEnd, PointSource } from './point-source.ts';

/**
 * Another source's points moved by a 3×4 matrix: from a body's own coordinates to the world's. In a motion every
 * point goes straight from where the first matrix puts it to where the second one does.
 */
export class PlacedPoints implements PointSource {
  evaluated = 0;
  readonly matrices: readonly [Float64Array, Float64Array];

  readonly #kernels: Kernels;
  readonly #source: PointSource;
  readonly #pointCount: number;
  readonly #matrixAddress: number;
  readonly #points: [number, number] = [0, 0];
  readonly #stamps: [Uint32Array | undefined, Uint32Array | undefined] = [undefined, undefined];
  readonly #allAt: [number, number] = [0, 0]; // the epoch at which all were evaluated
  #ownMotion = false;
  #ownEpoch = 1;
  #sourceEpoch: number;

  constructor(kernels: Kernels, source: PointSource, pointCount: number) {
    this.#kernels = kernels;
    this.#source = source;
    this.#pointCount = pointCount;
    this.#sourceEpoch = source.epoch;
    this.#matrixAddress = kernels.memory.allocate(8 * MATRIX_LENGTH);
    this.matrices = [Float64Array.from(IDENTITY), Float64Array.from(IDENTITY)];
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
    this.#ownMotion = false;
    this.#ownEpoch++;
  }

  setMatrices(start: unknown, end: unknown): void {
    checkMatrix('start', start);
    checkMatrix('end', end);
    copyMatrix('start', start, this.matrices[0]);
    copyMatrix('end', end, this.matrices[1]);
    this.#ownMotion = true;
    this.#ownEpoch++;
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
    const { memory } = this.#kernels;
    memory.f64.set(this.matrices[e], this.#matrixAddress >>> 3);
    this.#kernels.transformPoints(this.#source.address(e), this.#pointCount, this.#matrixAddress, out);
    this.#allAt[e] = this.epoch;
    this.evaluated += this.#pointCount;
  }

  ensurePoint(end: MotionEnd, point: number): void {
    const e = this.hasMotion ? end : 0;
    const { epoch } = this;
    if (this.#allAt[e] === epoch) return;
    this.#stamps[e] ??= new Uint32Array(this.#pointCount);
    const stamps = this.#stamps[e];
    if (stamps[point] === epoch) return;
    stamps[point] = epoch;
    const out = (this.address(e) >>> 3) + 3 * point;
    this.#source.ensurePoint(e, point);
    const from = (this.#source.address(e) >>> 3) + 3 * point; // may allocate, so before the view is read
    const { f64 } = this.#kernels.memory;
    transformPoint(this.matrices[e], f64, from, f64, out);
    this.evaluated++;
  }

  free(): void {
    const { memory } = this.#kernels;
    for (const address of [this.#matrixAddress, ...this.#points]) memory.free(address);
  }
}
