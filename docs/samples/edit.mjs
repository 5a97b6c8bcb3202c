// What the samples of docs/edit.md take for granted: a surface, vertices of it, and something that draws.
import { createBumpyBall } from 'pliant/shapes';

const { source } = createBumpyBall({ triangles: 500 });
export const positions = source.positions;
export const triangles = source.triangles;
export const feet = [0, 1, 2];
export const vertex = 100;
/** @param {Float64Array} positions */
export const draw = (positions) => positions.length;
