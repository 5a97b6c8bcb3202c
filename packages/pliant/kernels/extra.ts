/** What only certificates and shapes need; see src/kernels/extra-kernels.ts. */
export { sumEnergies, joinEnergies } from './energy';
export { listOpen } from './planes';
export { listCalm, sampleCalm, survey, testCalm } from './calm';
export { testOutline } from './outline';
export { fitParts, fitUpper } from './parts';
export { factorDense, solveDense, solveDenseTransposed, multiplyRows, combineRows } from './dense';
export { gatherGroup, projectGroup, coupleGroups } from './groups';
export { gatherSpokes, fitSpokes, sumSpokes, fitMatrices } from './arap';
export { fitElements, sumElements } from './elements';
