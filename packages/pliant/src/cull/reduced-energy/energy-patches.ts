import { ceil32, floor32 } from '../../algebra/rounding.ts';
import type { NodeFunctions } from './node-functions.ts';
import type { RatioSearch } from './ratio-search.ts';
import type { WhitenedFunctions } from './whitened-functions.ts';

/** Stored ratios are smaller by this. */
const DOWN = 1 - 1e-6;
/** Of a node without any pairs: not infinite, so that it can be squared. */
const MOST = 1e30;

/** What a proof needs to know of each patch, flat. See NodeFunctions for the columns. */
export interface EnergyPatches {
  readonly count: number;
  readonly centre: Float64Array; // c, 3 per patch
  readonly radius: Float64Array; // R
  readonly least: Float32Array; // the least ‖ΔX‖ / ‖Δψ‖ of all pairs, rounded down
  readonly leastAcross: Float32Array; // … of pairs between the two children of the node
  readonly error: Float32Array; // Σ over functions of how far φ is from F ψ, rounded up
  readonly restSize: Float32Array; // the largest column of Y₀, rounded up
  readonly factorSize: Float32Array; // the largest row of F, rounded up
  readonly firstHandle: Uint32Array; // per patch, and one more
  readonly handle: Uint32Array;
  readonly mean: Float32Array; // about the mean weight
  readonly firstBlock: Uint32Array; // per patch, and one more; a block per handle and mode
  readonly blockHandle: Uint32Array; // by its place among the handles of the patch
  readonly blockMode: Uint32Array;
  readonly firstFactor: Uint32Array; // per patch, and one more
  readonly factor: Float32Array; // F by columns, each from the diagonal down
  readonly firstRest: Uint32Array; // per patch, and one more
  readonly rest: Float64Array; // Y₀ F, column by column
  readonly bytes: number;
}

export class EnergyPatchWriter {
  readonly #centre: number[] = [];
  readonly #radius: number[] = [];
  readonly #least: number[] = [];
  readonly #leastAcross: number[] = [];
  readonly #error: number[] = [];
  readonly #restSize: number[] = [];
  readonly #factorSize: number[] = [];
  readonly #firstHandle: number[] = [0];
  readonly #handle: number[] = [];
  readonly #mean: number[] = [];
  readonly #firstBlock: number[] = [0];
  readonly #blockHandle: number[] = [];
  readonly #blockMode: number[] = [];
  readonly #firstFactor: number[] = [0];
  readonly #factors: Float32Array[] = [];
  readonly #firstRest: number[] = [0];
  readonly #rests: Float64Array[] = [];

  /** Returns the number of the patch. */
  put(functions: NodeFunctions, whitened: WhitenedFunctions, { least, leastAcross }: RatioSearch): number {
    const { functionCount: k, handles, means, blockHandle, blockMode, centre, radius } = functions;
    const factor = whitened.factor.slice(0, (k * (k + 1)) / 2);
    const Y0 = new Float64Array(3 * k);
    functions.writeRest(Y0);
    let error = 0,
      restSize = 1,
      factorSize = 0;
    for (let f = 0, e = 0; f < k; f++) {
      error += whitened.errors[f];
      restSize = Math.max(restSize, Math.abs(Y0[3 * f]) + Math.abs(Y0[3 * f + 1]) + Math.abs(Y0[3 * f + 2]));
      let squares = 0;
      for (let j = 0; j <= f; j++, e++) squares += factor[e] * factor[e];
      factorSize = Math.max(factorSize, Math.sqrt(squares));
    }
    this.#centre.push(...centre);
    this.#radius.push(radius);
    this.#least.push(floor32(Math.min(least, MOST) * DOWN));
    this.#leastAcross.push(floor32(Math.min(leastAcross, MOST) * DOWN));
    this.#error.push(ceil32(error * (1 + 1e-6)));
    this.#restSize.push(ceil32(restSize));
    this.#factorSize.push(ceil32(factorSize * (1 + 1e-6)));
    this.#handle.push(...handles);
    this.#mean.push(...means);
    this.#firstHandle.push(this.#handle.length);
    this.#blockHandle.push(...blockHandle);
    this.#blockMode.push(...blockMode);
    this.#firstBlock.push(this.#blockMode.length);
    this.#factors.push(byColumns(factor, k));
    this.#firstFactor.push(this.#firstFactor.at(-1)! + factor.length);
    this.#rests.push(multiply(Y0, factor, k));
    this.#firstRest.push(this.#firstRest.at(-1)! + 3 * k);
    return this.#least.length - 1;
  }

  finish(): EnergyPatches {
    const arrays = {
      centre: Float64Array.from(this.#centre),
      radius: Float64Array.from(this.#radius),
      least: Float32Array.from(this.#least),
      leastAcross: Float32Array.from(this.#leastAcross),
      error: Float32Array.from(this.#error),
      restSize: Float32Array.from(this.#restSize),
      factorSize: Float32Array.from(this.#factorSize),
      firstHandle: Uint32Array.from(this.#firstHandle),
      handle: Uint32Array.from(this.#handle),
      mean: Float32Array.from(this.#mean),
      firstBlock: Uint32Array.from(this.#firstBlock),
      blockHandle: Uint32Array.from(this.#blockHandle),
      blockMode: Uint32Array.from(this.#blockMode),
      firstFactor: Uint32Array.from(this.#firstFactor),
      factor: new Float32Array(this.#firstFactor.at(-1)!),
      firstRest: Uint32Array.from(this.#firstRest),
      rest: new Float64Array(this.#firstRest.at(-1)!),
    };
    this.#factors.forEach((factor, p) => void arrays.factor.set(factor, this.#firstFactor[p]));
    this.#rests.forEach((rest, p) => void arrays.rest.set(rest, this.#firstRest[p]));
    const bytes = Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
    return { count: this.#least.length, ...arrays, bytes };
  }
}

/** Y F for k columns of 3 numbers. */
function multiply(Y: Float64Array, F: Float32Array, k: number): Float64Array {
  const out = new Float64Array(3 * k);
  for (let i = 0, e = 0; i < k; i++) {
    for (let j = 0; j <= i; j++, e++) {
      for (let row = 0; row < 3; row++) out[3 * j + row] += Y[3 * i + row] * F[e];
    }
  }
  return out;
}

/** Rows up to the diagonal become columns from the diagonal down. */
function byColumns(rows: Float32Array, k: number): Float32Array {
  const columns = new Float32Array(rows.length);
  for (let j = 0, e = 0; j < k; j++) {
    for (let i = j; i < k; i++) columns[e++] = rows[(i * (i + 1)) / 2 + j];
  }
  return columns;
}
