export { ClosestPoints } from './closest-point.ts';
export {
  type AsyncLatticeOptions,
  createLattice,
  createLatticeAsync,
  type Lattice,
  type LatticeOptions,
} from './create-lattice.ts';
export {
  createDistanceField,
  DistanceField,
  type DistanceFieldOptions,
  SignedDistances,
} from './distance-field.ts';
export type { LatticeReport } from './lattice-report.ts';
export { type MassProperties, surfaceMassProperties, tetrahedralMassProperties } from './mass-properties.ts';
export { measureTetrahedra, type TetrahedronQuality } from './tetrahedron-quality.ts';
export { WindingNumbers, type WindingOptions } from './winding-number.ts';
