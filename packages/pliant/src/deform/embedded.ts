import type { Kernels } from '../kernels/kernels.ts';
import { checkCoordinates, checkObject, type NumberArray } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { BoundDeformer, countHandles, MATRIX_LIMIT } from './bound.ts';

/** Between which control points each source vertex lies: corners of its tetrahedron, or of a cage. */
export interface Embedding {
  /** x, y, z of every control point at rest. */
  readonly controlPositions: NumberArray;
  /** Entries per source vertex in the two arrays below; those with weight 0 are ignored. At most 64. */
  readonly influences: number;
  readonly controls: NumberArray;
  /** Adding up to 1 for each vertex; negative ones put a vertex outside. */
  readonly weights: NumberArray;
}

/** Vertices that keep their place between control points, x = Σ w_j c_j: matrices without a linear part. */
export class EmbeddedDeformer extends BoundDeformer {
  /** Starts with the control points at rest. */
  constructor(kernels: Kernels, resident: ResidentMesh, embedding: Embedding) {
    checkEmbedding(embedding);
    const { controlPositions, influences, controls, weights } = embedding;
    const binding = {
      owner: 'embedding',
      handle: 'control',
      handleCount: controlPositions.length / 3,
      influences,
      handles: controls,
      weights,
      mayBeNegative: true,
    };
    super(kernels, resident, binding, 'embedded');
    this.setPose(controlPositions);
  }

  protected override compose(what: string, pose: unknown, out: Float64Array): void {
    checkControls(what, pose, 3 * this.jointCount);
    for (let k = 0; k < pose.length; k++) out[4 * k + 3] = pose[k]; // row k % 3 of matrix k / 3
  }
}

function checkEmbedding(embedding: Embedding): void {
  checkObject('embedding', embedding);
  const { controlPositions } = embedding;
  const count = countHandles('embedding.controlPositions', controlPositions, 'points');
  checkControls('embedding.controlPositions', controlPositions, 3 * count);
}

function checkControls(what: string, values: unknown, length: number): asserts values is NumberArray {
  checkCoordinates(what, values, length);
  for (let k = 0; k < values.length; k++) {
    if (Math.abs(values[k]) <= MATRIX_LIMIT) continue;
    throw new InputError('out-of-range', `${what}[${k}] is ${values[k]}; the limit is 2^150`);
  }
}
