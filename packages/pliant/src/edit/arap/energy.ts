import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { checkObject, describe } from '../../mesh/check-input.ts';
import { checkTetrahedralMesh } from '../../mesh/check-mesh.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { Cage, ShapeEnergy } from '../types.ts';
import { ElementEnergy } from './element-energy.ts';
import {
  addTies,
  cotangentLaplacian,
  createGradients,
  type Gradients,
  hasNonNegativeWeights,
  tieStiffness,
} from './laplacian.ts';
import { SpokeEnergy } from './spoke-energy.ts';

export interface EnergyOptions {
  /**
   * 'arap': as rigid as possible, of the edges around each vertex, or of tetrahedra where an edge would have a negative
   * weight. 'strain': tetrahedra resist only when stretched or squeezed beyond `strain`. Default: 'arap'.
   */
  energy?: 'arap' | 'strain';
  /** How far singular values of deformation gradients may be without resistance. Default: [0.95, 1.05]. */
  strain?: readonly [number, number];
  /** 'elements' makes 'arap' one of tetrahedra in any case. Default: 'auto'. */
  rotations?: 'auto' | 'elements';
}

/** An energy whose data are in kernel memory. */
export interface ResidentEnergy extends ShapeEnergy {
  /** The same with points and right-hand side in kernel memory, three f64 per vertex each: nothing is copied. */
  rhsAt(p: number, b: number): number;
  /** Rotations to fit as if it had never been asked; they matter only where several are as good as one another. */
  reset(): void;
  dispose(): void;
}

const STRAIN = [0.95, 1.05] as const;

/** Errors: 'bad-option'. */
export function createEnergy(
  kernels: Kernels,
  cage: Pick<Cage, 'tetrahedra' | 'ties'>,
  options: EnergyOptions = {},
): ResidentEnergy {
  checkObject('options', options);
  const { energy = 'arap', strain = STRAIN, rotations = 'auto' } = options;
  if (energy !== 'arap' && energy !== 'strain') {
    throw new InputError('bad-option', `energy must be 'arap' or 'strain', not ${describe(energy)}`);
  }
  if (rotations !== 'auto' && rotations !== 'elements') {
    throw new InputError('bad-option', `rotations must be 'auto' or 'elements', not ${describe(rotations)}`);
  }
  const [least, most] = strain;
  if (!(least > 0 && least <= 1 && most >= 1 && most < Infinity)) {
    throw new InputError('bad-option', `strain must be two numbers around 1, not ${least} and ${most}`);
  }
  checkObject('cage', cage);
  checkTetrahedralMesh(cage.tetrahedra, 'cage.tetrahedra');
  const gradients = createGradients(cage.tetrahedra);
  const cotangents = cotangentLaplacian(cage.tetrahedra, gradients);
  if (energy === 'arap' && rotations === 'auto' && hasNonNegativeWeights(cotangents)) {
    return new SpokeEnergy(kernels, cage.tetrahedra, cotangents, cage.ties);
  }
  const range = energy === 'strain' ? { least, most } : undefined;
  return new ElementEnergy(kernels, cage.tetrahedra, cotangents, gradients, cage.ties, range);
}

/** The Laplacian of a cage: of its tetrahedra, and of the rows that tie parts to one another. */
export function createCageLaplacian(
  cage: Pick<Cage, 'tetrahedra' | 'ties'>,
  gradients: Gradients = createGradients(cage.tetrahedra),
): SymmetricMatrix {
  const cotangents = cotangentLaplacian(cage.tetrahedra, gradients);
  return addTies(cotangents, cage.ties, tieStiffness(cotangents));
}
