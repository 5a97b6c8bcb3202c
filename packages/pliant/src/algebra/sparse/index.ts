export type { FactorOptions, FactorProgress } from './factor-options.ts';
export { factoriseSparse } from './factorise.ts';
export { repeatForAxes, SymmetricMatrixBuilder } from './matrix-builder.ts';
export { NotPositiveDefinite } from './not-positive-definite.ts';
export { SparseFactor } from './sparse-factor.ts';
export {
  addScaled,
  createSymmetricMatrix,
  diagonalMatrix,
  multiply,
  permuteSymmetric,
  type SymmetricMatrix,
} from './symmetric-matrix.ts';
