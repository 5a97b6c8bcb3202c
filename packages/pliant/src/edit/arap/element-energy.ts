import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import type { Ties } from '../types.ts';
import type { ResidentEnergy } from './energy.ts';
import { addTies, type Gradients, tieStiffness } from './laplacian.ts';
import { CopiedPoints, Pieces } from './resident-points.ts';
import { MATRIX_BYTES, resetRotations, SCRATCH_BYTES } from './scratch.ts';
import { tieEnergy } from './tie-energy.ts';

/** Singular values of deformation gradients between these cost nothing. */
export interface StrainRange {
  readonly least: number;
  readonly most: number;
}

/**
 * ½ Σ V |F − T|² over tetrahedra, and half the squares of ties. T is the rotation nearest to the deformation gradient
 * F, or with a range of strain the nearest matrix with singular values in it (projective dynamics). Weights of edges
 * may be negative. The same Laplacian as that of edges.
 */
export class ElementEnergy implements ResidentEnergy {
  readonly laplacian: SymmetricMatrix;
  readonly #kernels: AllKernels;
  readonly #pieces: Pieces;
  readonly #copied: CopiedPoints;
  readonly #vertices: number;
  readonly #count: number;
  readonly #ties: Ties;
  readonly #stiffness: number;
  readonly #corners: number;
  readonly #elements: number;
  readonly #rotations: number;
  readonly #targets: number; // 0: the rotations are
  readonly #scratch: number;
  readonly #range: StrainRange;

  /** `cotangents` is the Laplacian without ties. */
  constructor(
    kernels: Kernels,
    mesh: TetrahedralMesh,
    cotangents: SymmetricMatrix,
    gradients: Gradients,
    ties: Ties,
    range?: StrainRange,
  ) {
    this.#stiffness = tieStiffness(cotangents);
    this.laplacian = addTies(cotangents, ties, this.#stiffness);
    this.#kernels = withExtra(kernels);
    this.#vertices = mesh.vertexCount;
    this.#count = mesh.tetrahedronCount;
    this.#ties = ties;
    this.#range = range ?? { least: 1, most: 1 };
    this.#pieces = new Pieces(kernels);
    this.#copied = new CopiedPoints(this.#pieces, this.#vertices);
    this.#corners = this.#pieces.place(mesh.tetrahedra);
    this.#elements = this.#pieces.place(elementsOf(gradients));
    this.#rotations = this.#pieces.reserve(MATRIX_BYTES * this.#count);
    this.#targets = range ? this.#pieces.reserve(MATRIX_BYTES * this.#count) : 0;
    this.#scratch = this.#pieces.reserve(SCRATCH_BYTES);
    this.reset();
  }

  rhs(p: Float64Array, b: Float64Array): number {
    return this.#copied.run(p, b, (pAt, bAt) => this.rhsAt(pAt, bAt));
  }

  rhsAt(p: number, b: number): number {
    const kernels = this.#kernels;
    const { least, most } = this.#range;
    const energy = kernels.fitElements(
      this.#count,
      p,
      this.#corners,
      this.#elements,
      this.#rotations,
      this.#targets,
      least,
      most,
      this.#scratch,
    );
    const targets = this.#targets || this.#rotations;
    kernels.sumElements(this.#count, this.#vertices, this.#corners, this.#elements, targets, b);
    return energy + this.#stiffness * tieEnergy(this.#ties, kernels.memory.f64, p >>> 3);
  }

  /** Every rotation becomes 1. */
  reset(): void {
    resetRotations(this.#kernels.memory.f64, this.#rotations, this.#count);
  }

  dispose(): void {
    this.#pieces.free();
  }
}

/** Three gradients and the volume of each. */
function elementsOf({ volume, gradient }: Gradients): Float64Array {
  const elements = new Float64Array(10 * volume.length);
  for (let t = 0; t < volume.length; t++) {
    elements.set(gradient.subarray(12 * t + 3, 12 * t + 12), 10 * t);
    elements[10 * t + 9] = volume[t];
  }
  return elements;
}
