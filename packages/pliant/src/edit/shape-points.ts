import type { Kernels } from '../kernels/kernels.ts';
import type { SurfaceRows } from './reduced/reduced-system.ts';
import { movePoints, type RigidMotion } from './reduced/rigid-fit.ts';
import type { WorkingBasis } from './reduced/working-basis.ts';
import { createSurfaceRows, furthestWay, mixPoints, writeSurface } from './surface-rows.ts';
import type { Cage } from './types.ts';

/** Coordinates beyond this many boxes are a failure. */
const FARTHEST = 1e6;

/** Where the vertices of a cage and of the surface in it are, for coefficients of its functions. */
export class ShapePoints {
  /** Positions of the vertices of the surface. */
  readonly surface: Float64Array;
  /** Positions of the vertices of the cage. */
  readonly controls: Float64Array;
  readonly embedding: SurfaceRows;
  /** Of the same as `controls` in kernel memory. */
  readonly address: number;
  readonly #kernels: Kernels;
  readonly #surfaceBefore: Float64Array;
  readonly #controlsBefore: Float64Array;

  constructor(kernels: Kernels, cage: Cage) {
    const { vertexCount } = cage.tetrahedra;
    this.#kernels = kernels;
    this.embedding = createSurfaceRows(cage);
    this.address = kernels.memory.allocate(24 * vertexCount);
    this.controls = new Float64Array(3 * vertexCount);
    this.surface = new Float64Array(3 * cage.surface.vertexCount);
    this.#controlsBefore = new Float64Array(this.controls.length);
    this.#surfaceBefore = new Float64Array(this.surface.length);
  }

  /** p = U v. */
  place(basis: WorkingBasis): void {
    basis.gather(this.address);
    const from = this.address >>> 3;
    this.controls.set(this.#kernels.memory.f64.subarray(from, from + this.controls.length));
    writeSurface(this.embedding, this.controls, this.surface);
  }

  /** What `place` would do after coefficients have been moved in the same way; it takes less time. */
  move(motion: RigidMotion): void {
    movePoints(this.controls, motion);
    movePoints(this.surface, motion);
    this.#copyControls();
  }

  /** Notes where everything is. */
  note(): void {
    this.#controlsBefore.set(this.controls);
    this.#surfaceBefore.set(this.surface);
  }

  /** How far the vertex of the surface has gone since `note` that has gone furthest. */
  way(): number {
    return furthestWay(this.#surfaceBefore, this.surface);
  }

  /** Leaves a share of the way since `note`, as `place` would with that share of the way of the coefficients. */
  shorten(share: number): void {
    mixPoints(this.controls, this.#controlsBefore, share);
    mixPoints(this.surface, this.#surfaceBefore, share);
    this.#copyControls();
  }

  /** Whether all coordinates are numbers that may be. */
  isSound(): boolean {
    const { surface } = this;
    let largest = 0;
    for (let i = 0; i < surface.length; i++) {
      const x = Math.abs(surface[i]);
      if (!(x <= largest)) largest = x; // NaN sticks
    }
    return largest < FARTHEST;
  }

  dispose(): void {
    this.#kernels.memory.free(this.address);
  }

  #copyControls(): void {
    this.#kernels.memory.f64.set(this.controls, this.address >>> 3);
  }
}
