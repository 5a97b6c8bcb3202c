export { pointBounds, quantise, refit } from './boxes';
export { testPairs, testAlike, testSiblings, expandPairs, dropAdjacent, testMovingPairs, expandMovingPairs } from './traverse';
export { narrowPairs } from './narrow';
export { refitBoxes, descend } from './depth-first';
export { transformPoints, morphPoints, skinPoints } from './deform';
