import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import { checkLength } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import type { Ties } from '../types.ts';
import type { ResidentEnergy } from './energy.ts';
import { addTies, tieStiffness } from './laplacian.ts';
import { CopiedPoints, Pieces } from './resident-points.ts';
import { MATRIX_BYTES, MATRIX_NUMBERS, resetRotations, SCRATCH_BYTES } from './scratch.ts';
import { createSpokes, type Spokes } from './spokes.ts';
import { tieEnergy } from './tie-energy.ts';

/**
 * As rigid as possible: ½ Σ_i Σ_j w/2 |(p_i − p_j) − R_i (p̄_i − p̄_j)|² over the edges around each vertex, with the
 * best rotation R_i of each, or of each cluster of vertices; and half the squares of ties. Weights must not be negative.
 */
export class SpokeEnergy implements ResidentEnergy {
  readonly laplacian: SymmetricMatrix;
  readonly spokes: Spokes;
  readonly #kernels: AllKernels;
  readonly #pieces: Pieces;
  readonly #copied: CopiedPoints;
  readonly #count: number;
  readonly #ties: Ties;
  readonly #stiffness: number;
  readonly #atRest: number; // ¼ Σ w |p̄ − p̄_j|²
  readonly #start: number;
  readonly #neighbour: number;
  readonly #spoke: number;
  readonly #rotations: number;
  readonly #scratch: number;
  #labels = 0; // rotations are of vertices while it is 0
  #clusters = 0;
  #matrices = 0; // of clusters

  /** `cotangents` is the Laplacian without ties. */
  constructor(kernels: Kernels, mesh: TetrahedralMesh, cotangents: SymmetricMatrix, ties: Ties) {
    this.#stiffness = tieStiffness(cotangents);
    this.laplacian = addTies(cotangents, ties, this.#stiffness);
    this.spokes = createSpokes(cotangents, mesh.positions);
    this.#kernels = withExtra(kernels);
    this.#count = mesh.vertexCount;
    this.#ties = ties;
    this.#atRest = restOf(this.spokes);
    this.#pieces = new Pieces(kernels);
    this.#copied = new CopiedPoints(this.#pieces, this.#count);
    this.#start = this.#pieces.place(this.spokes.start);
    this.#neighbour = this.#pieces.place(this.spokes.neighbour);
    this.#spoke = this.#pieces.place(this.spokes.spoke);
    this.#rotations = this.#pieces.reserve(MATRIX_BYTES * this.#count);
    this.#scratch = this.#pieces.reserve(SCRATCH_BYTES);
    this.reset();
  }

  /** The best rotations of clusters instead of vertices; undefined: of vertices again. The labels are copied. */
  setClusters(labels: Uint32Array | undefined): void {
    if (labels === undefined) {
      if (this.#clusters > 0) this.reset();
      this.#clusters = 0;
      return;
    }
    checkLength('labels', labels, this.#count);
    const clusters = labels.reduce((most, label) => Math.max(most, label), 0) + 1;
    if (clusters > this.#count) {
      throw new InputError(
        'out-of-range',
        `${clusters} clusters are more than there are vertices: ${this.#count}`,
      );
    }
    if (this.#labels === 0) {
      this.#labels = this.#pieces.reserve(4 * this.#count);
      this.#matrices = this.#pieces.reserve(MATRIX_BYTES * this.#count);
    }
    this.#clusters = clusters;
    this.#kernels.memory.u32.set(labels, this.#labels >>> 2);
    this.reset();
  }

  rhs(p: Float64Array, b: Float64Array): number {
    return this.#copied.run(p, b, (pAt, bAt) => this.rhsAt(pAt, bAt));
  }

  rhsAt(p: number, b: number): number {
    const energy = this.#clusters > 0 ? this.#fitClusters(p, b) : this.#fitVertices(p, b);
    const tied = this.#stiffness * tieEnergy(this.#ties, this.#kernels.memory.f64, p >>> 3);
    return energy + this.#atRest + tied;
  }

  /** Every rotation becomes 1. */
  reset(): void {
    resetRotations(this.#kernels.memory.f64, this.#rotations, this.#count);
  }

  dispose(): void {
    this.#pieces.free();
  }

  #fitVertices(p: number, b: number): number {
    return this.#kernels.fitSpokes(
      this.#count,
      p,
      this.#start,
      this.#neighbour,
      this.#spoke,
      this.#rotations,
      b,
      this.#scratch,
    );
  }

  #fitClusters(p: number, b: number): number {
    const kernels = this.#kernels;
    kernels.gatherSpokes(
      this.#count,
      p,
      this.#start,
      this.#neighbour,
      this.#spoke,
      this.#labels,
      this.#clusters,
      this.#matrices,
    );
    kernels.fitMatrices(this.#clusters, this.#matrices, this.#rotations, this.#scratch);
    kernels.sumSpokes(
      this.#count,
      this.#start,
      this.#neighbour,
      this.#spoke,
      this.#labels,
      this.#rotations,
      b,
    );
    const { f64 } = kernels.memory;
    let energy = 0;
    for (let k = 0; k < this.#clusters; k++) {
      const last = MATRIX_NUMBERS * k + MATRIX_NUMBERS - 1;
      energy += f64[(this.#matrices >>> 3) + last] / 4 - f64[(this.#rotations >>> 3) + last] / 2;
    }
    return energy;
  }
}

function restOf({ spoke }: Spokes): number {
  let sum = 0;
  for (let s = 0; s < spoke.length; s += 4) {
    const x = spoke[s],
      y = spoke[s + 1],
      z = spoke[s + 2];
    sum += (x * x + y * y + z * z) / spoke[s + 3];
  }
  return sum / 4;
}
