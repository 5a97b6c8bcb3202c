export { pointBounds, quantise, quantiseSwept, refit } from './boxes';
export { testPairs, testAlike, testSiblings, expandPairs, dropAdjacent } from './traverse';
export { narrowPairs } from './narrow';
export { refitBoxes, descend } from './depth-first';
export { transformPoints, morphPoints, skinPoints } from './deform';
