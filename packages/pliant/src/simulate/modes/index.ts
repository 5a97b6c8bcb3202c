export { NotConverged } from '../../algebra/eigenpairs.ts';
export { NotPositiveDefinite } from '../../algebra/sparse/index.ts';
export {
  type ComputeModesOptions,
  computeModes,
  type ModalTimes,
  type VibrationModes,
} from './compute-modes.ts';
export { createElasticSolver, type ElasticSolver, type SolverOptions } from './elastic-solver.ts';
export {
  createElasticSystem,
  type ElasticSystem,
  type ElasticSystemOptions,
  reduceSystem,
} from './elastic-system.ts';
export { type MassProduct, systemMass, vertexMasses } from './mass-basis.ts';
export {
  type ModalDerivatives,
  type ModalDerivativesOptions,
  modalDerivatives,
  type NonlinearBasisOptions,
  nonlinearBasis,
  nonlinearBasisAsync,
} from './modal-derivatives.ts';
export {
  type EnergyScalingOptions,
  type ModeScaling,
  scaleByDisplacement,
  scaleByEnergy,
  scaleByMass,
  scaleByPoses,
} from './mode-scaling.ts';
export { type PolynomialModes, polynomialModes } from './polynomial-modes.ts';
export {
  massPca,
  type OrthonormalModes,
  orthonormaliseModes,
  type PrincipalModes,
  type PrincipalOptions,
  type SequenceOptions,
  sequenceModes,
} from './principal-modes.ts';
export { solveStatics } from './statics.ts';
export { surfaceModes } from './surface-modes.ts';
