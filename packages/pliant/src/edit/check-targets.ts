import type { NumberArray } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';

/** Coordinates of targets, in units of the shape's size: what is further away is a mistake. */
const FARTHEST_TARGET = 1e4;

/** Points in coordinates of the cage. Errors: 'out-of-range'. */
export function checkReach(points: Float64Array): void {
  for (const x of points) {
    if (Math.abs(x) <= FARTHEST_TARGET) continue;
    throw new InputError(
      'out-of-range',
      `a target is further away than ${FARTHEST_TARGET} times the size of the shape`,
    );
  }
}

/** A row-major 3×4 matrix. Errors: 'bad-option'. */
export function checkRotation(m: NumberArray): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? -1 : 0;
      for (let k = 0; k < 3; k++) sum += m[4 * i + k] * m[4 * j + k];
      if (Math.abs(sum) > 1e-6) {
        throw new InputError('bad-option', 'matrix is not a rotation and a translation');
      }
    }
  }
  const volume =
    m[0] * (m[5] * m[10] - m[6] * m[9]) -
    m[1] * (m[4] * m[10] - m[6] * m[8]) +
    m[2] * (m[4] * m[9] - m[5] * m[8]);
  if (volume < 0) throw new InputError('bad-option', 'matrix is a reflection');
}
