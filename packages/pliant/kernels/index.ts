export { pointBounds, quantise, refit } from './boxes';
export { testPairs, testAlike, testSiblings, expandPairs, dropAdjacent, testMovingPairs, expandMovingPairs } from './traverse';
export { narrowPairs } from './narrow';
export { dropSeparated } from './separation';
export { refitBoxes, descend } from './depth-first';
export { placeHandles } from './handles';
export { ensureBox, testBoxes, descendOnDemand } from './on-demand';
export { gatherPoints, transformPoints, morphPoints, skinPoints } from './deform';
export { testSmallPairs } from './small-pairs';
