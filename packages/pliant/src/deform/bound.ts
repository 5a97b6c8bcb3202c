import type { Kernels } from '../kernels/kernels.ts';
import { checkArray, checkCount } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { BlendDeformer, type BlendKind } from './blend.ts';
import { type Binding, bindVertices } from './bound-weights.ts';

/** What composed matrices may hold; see BlendDeformer. */
export const MATRIX_LIMIT = 2 ** 150;
/** The most handles of one body. */
const HANDLE_LIMIT = 65_536;

/** Vertices bound to handles that are given by something else than matrices: these are composed from it. */
export abstract class BoundDeformer extends BlendDeformer {
  readonly #composed: readonly [Float64Array, Float64Array];

  constructor(kernels: Kernels, resident: ResidentMesh, binding: Binding, kind: BlendKind) {
    super(kernels, resident, bindVertices(resident, binding), undefined, kind);
    const length = 12 * binding.handleCount;
    this.#composed = [new Float64Array(length), new Float64Array(length)];
  }

  override setPose(pose: unknown): void {
    this.compose('pose', pose, this.#composed[0]);
    this.setMatrices(this.#composed[0]);
  }

  override setMotion(start: unknown, end: unknown): void {
    this.compose('start', start, this.#composed[0]);
    this.compose('end', end, this.#composed[1]);
    this.setMatrices(...this.#composed);
  }

  override moveTo(end: unknown): void {
    this.compose('end', end, this.#composed[1]);
    this.moveToMatrices(this.#composed[1]);
  }

  /** Writes the matrices of a pose that messages call `what`, none larger than MATRIX_LIMIT. Entries of `out` that are never written stay 0. */
  protected abstract compose(what: string, pose: unknown, out: Float64Array): void;
}

/** How many handles there are, from their positions at rest. */
export function countHandles(what: string, positions: unknown, handles: string): number {
  checkArray(what, positions);
  const count = checkCount(what, positions, 3);
  if (count <= HANDLE_LIMIT) return count;
  throw new InputError('too-large', `${what} has ${count} ${handles}; the limit is ${HANDLE_LIMIT}`);
}
