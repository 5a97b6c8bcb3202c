import { checkNumbers, describe, type NumberArray } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import type { Skin } from './blend-data.ts';

/** Weights of float32 add up to 1 within this; what is farther off was meant differently. */
const SUM_TOLERANCE = 1e-5;

/** The parts of a binding and how they are called: `meshless.nodes` and "node", `embedding.controls` and "control". */
export interface Binding {
  readonly owner: string;
  readonly handle: string;
  readonly handleCount: number;
  readonly influences: number;
  readonly handles: NumberArray; // `influences` per source vertex
  readonly weights: NumberArray;
  readonly mayBeNegative: boolean;
}

/**
 * A skin whose weights add up to 1 as well as float64 allows: each vertex's are divided by their sum, so that a
 * translation of all handles is a translation of the surface. Throws InputError with the vertex.
 */
export function bindVertices({ mesh }: ResidentMesh, binding: Binding): Skin {
  const { owner, handle, handleCount, influences, handles } = binding;
  if (!(Number.isInteger(influences) && influences >= 1 && influences <= 64)) {
    throw new InputError(
      'bad-option',
      `${owner}.influences must be a whole number from 1 to 64, not ${describe(influences)}`,
    );
  }
  checkNumbers(`${owner}.${handle}s`, handles, influences * mesh.sourceVertexCount);
  checkNumbers(`${owner}.weights`, binding.weights, influences * mesh.sourceVertexCount);
  const weights = new Float64Array(influences * mesh.sourceVertexCount);
  for (let vertex = 0; vertex < mesh.sourceVertexCount; vertex++) normalise(binding, vertex, weights);
  checkWelds(mesh, binding, weights);
  return { jointCount: handleCount, influences, joints: handles, weights };
}

function normalise(binding: Binding, vertex: number, out: Float64Array): void {
  const { owner, handle, handleCount, influences, handles, weights, mayBeNegative } = binding;
  let sum = 0;
  for (let k = vertex * influences; k < (vertex + 1) * influences; k++) {
    const w = weights[k],
      h = handles[k];
    if (w === 0) continue;
    if (!(Number.isInteger(h) && h >= 0 && h < handleCount)) {
      throw new InputError(
        'index-out-of-range',
        `vertex ${vertex} is moved by ${handle} ${h}, but ${owner} has ${handleCount} ${handle}s`,
      );
    }
    if (w < 0 && !mayBeNegative) {
      throw new InputError('out-of-range', `vertex ${vertex} has the weight ${w}; it must not be negative`);
    }
    sum += w;
  }
  if (!(Math.abs(sum - 1) <= SUM_TOLERANCE)) {
    throw new InputError('out-of-range', `the weights of vertex ${vertex} add up to ${sum} instead of 1`);
  }
  for (let k = vertex * influences; k < (vertex + 1) * influences; k++) out[k] = weights[k] / sum;
}

/** A vertex that was welded to another one has to move with it. */
function checkWelds(mesh: TriangleMesh, { influences, handles }: Binding, weights: Float64Array): void {
  for (let vertex = 0; vertex < mesh.sourceVertexCount; vertex++) {
    const first = mesh.sourceVertex[mesh.weldedVertex[vertex]];
    if (first === vertex) continue;
    for (let k = 0; k < influences; k++) {
      const a = influences * first + k,
        b = influences * vertex + k;
      if (weights[a] === weights[b] && (weights[a] === 0 || handles[a] === handles[b])) continue;
      throw new InputError(
        'mismatch',
        `vertices ${first} and ${vertex} were welded but have different weights; ` +
          'give these as attributes to createTriangleMesh',
      );
    }
  }
}
