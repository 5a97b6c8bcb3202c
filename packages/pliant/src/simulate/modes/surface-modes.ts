import type { Modes } from '../../deform/blend-data.ts';
import type { Embedding } from '../../deform/embedded.ts';
import { checkArray, checkNumbers, checkObject, type NumberArray } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';

/**
 * Modes of a surface that moves with control points, the vertices of tetrahedra: what `createModalBody` takes.
 * `vectors` holds 3 numbers per control point, mode after mode.
 */
export function surfaceModes(vectors: NumberArray, embedding: Embedding): Modes {
  checkObject('embedding', embedding);
  const { controlPositions, influences, controls, weights } = embedding;
  checkArray('embedding.controlPositions', controlPositions);
  checkArray('embedding.controls', controls);
  checkArray('vectors', vectors);
  const stride = controlPositions.length;
  const count = vectors.length / stride;
  if (!(Number.isInteger(count) && count >= 1)) {
    throw new InputError(
      'wrong-length',
      `vectors has ${vectors.length} numbers, which is not a multiple of 3 for each of ${stride / 3} control points`,
    );
  }
  checkNumbers('vectors', vectors);
  const vertexCount = controls.length / influences;
  checkNumbers('embedding.weights', weights, controls.length);
  for (let k = 0; k < controls.length; k++) {
    if (controls[k] >= 0 && 3 * controls[k] < stride && Number.isInteger(controls[k])) continue;
    throw new InputError(
      'index-out-of-range',
      `embedding.controls[${k}] is ${controls[k]}, but there are ${stride / 3} control points`,
    );
  }
  const displacements = new Float64Array(count * 3 * vertexCount);
  for (let m = 0; m < count; m++) {
    for (let k = 0; k < controls.length; k++) {
      const to = 3 * (m * vertexCount + Math.trunc(k / influences)),
        from = m * stride + 3 * controls[k];
      displacements[to] += weights[k] * vectors[from];
      displacements[to + 1] += weights[k] * vectors[from + 1];
      displacements[to + 2] += weights[k] * vectors[from + 2];
    }
  }
  return { count, displacements };
}
