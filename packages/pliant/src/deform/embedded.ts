import type { Kernels } from '../kernels/kernels.ts';
import {
  checkArray,
  checkCoordinates,
  checkCount,
  checkObject,
  type NumberArray,
} from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { BlendDeformer } from './blend.ts';
import { bindVertices } from './bound-weights.ts';

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

/** The most control points of one body. */
const CONTROL_LIMIT = 65_536;
/** What composed matrices may hold; see BlendDeformer. */
const MATRIX_LIMIT = 2 ** 150;

/** Vertices that keep their place between control points, x = Σ w_j c_j: matrices without a linear part. */
export class EmbeddedDeformer extends BlendDeformer {
  readonly #composed: readonly [Float64Array, Float64Array];

  /** Starts with the control points at rest. */
  constructor(kernels: Kernels, resident: ResidentMesh, embedding: Embedding) {
    checkEmbedding(embedding);
    const { controlPositions, influences, controls, weights } = embedding;
    const handleCount = controlPositions.length / 3;
    const skin = bindVertices(resident, {
      owner: 'embedding',
      handle: 'control',
      handleCount,
      influences,
      handles: controls,
      weights,
      mayBeNegative: true,
    });
    super(kernels, resident, skin, undefined, 'embedded');
    this.#composed = [new Float64Array(12 * handleCount), new Float64Array(12 * handleCount)];
    this.setPose(controlPositions);
  }

  override setPose(pose: unknown): void {
    this.#compose('pose', pose, this.#composed[0]);
    super.setPose(this.#composed[0]);
  }

  override setMotion(start: unknown, end: unknown): void {
    this.#compose('start', start, this.#composed[0]);
    this.#compose('end', end, this.#composed[1]);
    super.setMotion(...this.#composed);
  }

  #compose(what: string, pose: unknown, out: Float64Array): void {
    checkControls(what, pose, 3 * this.jointCount);
    for (let k = 0; k < pose.length; k++) out[4 * k + 3] = pose[k]; // row k % 3 of matrix k / 3
  }
}

function checkEmbedding(embedding: Embedding): void {
  checkObject('embedding', embedding);
  const { controlPositions } = embedding;
  checkArray('embedding.controlPositions', controlPositions);
  const count = checkCount('embedding.controlPositions', controlPositions, 3);
  if (count > CONTROL_LIMIT) {
    throw new InputError(
      'too-large',
      `embedding.controlPositions has ${count} points; the limit is ${CONTROL_LIMIT}`,
    );
  }
  checkControls('embedding.controlPositions', controlPositions, 3 * count);
}

function checkControls(what: string, values: unknown, length: number): asserts values is NumberArray {
  checkCoordinates(what, values, length);
  for (let k = 0; k < values.length; k++) {
    if (Math.abs(values[k]) <= MATRIX_LIMIT) continue;
    throw new InputError('out-of-range', `${what}[${k}] is ${values[k]}; the limit is 2^150`);
  }
}
