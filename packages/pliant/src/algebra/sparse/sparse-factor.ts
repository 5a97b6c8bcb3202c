import { pause } from '../../long-work/pause.ts';
import { checkLength, checkNumbers } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { type Analysis, panelStride } from './analysis.ts';
import type { FactorKernels } from './factor-kernels.ts';
import { COLUMNS_AT_ONCE, type FactorLayout, HEADER } from './factor-memory.ts';
import type { FactorProgress } from './factor-options.ts';
import { NotPositiveDefinite } from './not-positive-definite.ts';

/**
 * A pivot this much smaller than its diagonal entry has no digits left: rounding alone has made it. The matrix is then
 * refused, as singular or so nearly that solving would give noise. On singular Laplacians the last pivot comes out as
 * 0.7 · 2⁻⁵³ of the diagonal entry for every unknown, growing with their number.
 */
function lostShare(size: number): number {
  return 2 ** -52 * Math.max(8, size);
}

/** The factorisation of a symmetric positive definite matrix. Made by `factoriseSparse`. */
export class SparseFactor {
  readonly size: number;
  /** Entries of L, diagonal included, zeros stored for speed left out. */
  readonly nonZeros: number;
  /** Operations of the factorisation: the sum of the squares of the column lengths of L. */
  readonly flops: number;
  /** What it holds in memory, in bytes. */
  readonly bytes: number;
  readonly kernels: 'wasm' | 'ts';
  /** The elimination order: `order[k]` is the unknown eliminated as the k-th. */
  readonly order: Int32Array;
  /** Milliseconds that the parts took. */
  readonly times: { readonly ordering: number; readonly analysis: number; factorisation: number };
  #smallestPivot = Infinity;
  #largestPivot = 0;

  readonly #analysis: Analysis;
  readonly #layout: FactorLayout;
  readonly #target: Uint32Array;
  readonly #diagonal: Int32Array; // where the diagonal entries of the matrix are among its values
  #kernels: FactorKernels | undefined;
  #state: 'empty' | 'working' | 'ready' = 'empty';

  /** @internal `diagonal`: the place of every diagonal entry among the values of the matrix. */
  constructor(
    analysis: Analysis,
    layout: FactorLayout,
    target: Uint32Array,
    diagonal: Int32Array,
    kernels: FactorKernels,
  ) {
    this.size = layout.size;
    this.nonZeros = analysis.nonZeros;
    this.flops = analysis.flops;
    this.bytes = layout.bytes;
    this.kernels = kernels.name;
    this.order = analysis.order;
    this.times = { ...analysis.times, factorisation: 0 };
    this.#analysis = analysis;
    this.#layout = layout;
    this.#target = target;
    this.#diagonal = diagonal;
    this.#kernels = kernels;
  }

  /** The smallest squared diagonal entry of L. */
  get smallestPivot(): number {
    return this.#smallestPivot;
  }

  /** Largest over smallest pivot: the condition number is at least this, up to rounding. 1 for an empty matrix. */
  get conditionHint(): number {
    return this.size === 0 ? 1 : this.#largestPivot / this.#smallestPivot;
  }

  /** Solves A x = b in place, for `columns` right-hand sides one after another; each as if it were alone. */
  solve(b: Float64Array, columns = 1): void {
    const kernels = this.#readyKernels();
    const { size, order } = this;
    if (!Number.isInteger(columns) || columns < 0)
      throw new InputError('bad-option', `columns must be a whole number, not ${columns}`);
    checkLength('b', b, size * columns);
    const x = new Float64Array(kernels.buffer, this.#layout.vectors, COLUMNS_AT_ONCE * size);
    for (let c = 0; c < columns; c += COLUMNS_AT_ONCE) {
      const base = c * size,
        count = Math.min(COLUMNS_AT_ONCE, columns - c);
      const step = count === 1 ? 1 : COLUMNS_AT_ONCE;
      for (let k = 0; k < size; k++) {
        for (let v = 0; v < count; v++) x[step * k + v] = b[base + v * size + order[k]];
        for (let v = count; v < step; v++) x[step * k + v] = 0;
      }
      if (count === 1) kernels.solveOne(HEADER);
      else kernels.solveEight(HEADER);
      for (let k = 0; k < size; k++) {
        for (let v = 0; v < count; v++) b[base + v * size + order[k]] = x[step * k + v];
      }
    }
  }

  /**
   * Factorises a matrix with the same pattern and other values, in the order of the first one's. The factor cannot be
   * used before this is done; if it fails, not until another call succeeds.
   */
  async refactor(value: Float64Array, progress: FactorProgress = {}): Promise<void> {
    const kernels = this.#kernels;
    if (!kernels) throw new InputError('disposed', 'this factor has been disposed of');
    if (this.#state === 'working') throw new InputError('busy', 'this factor is being computed');
    checkNumbers('value', value, this.#target.length);
    progress.signal?.throwIfAborted();
    this.#state = 'working';
    try {
      const began = performance.now();
      this.#load(kernels, value);
      await this.#work(kernels, value, progress);
      this.#measurePivots(kernels);
      this.times.factorisation = performance.now() - began;
      this.#state = 'ready';
    } finally {
      if (this.#state === 'working') this.#state = 'empty';
    }
  }

  /** Lets the memory go. Nothing else can be called from then on. */
  dispose(): void {
    if (this.#state === 'working') throw new InputError('busy', 'this factor is being computed');
    this.#kernels = undefined;
  }

  #readyKernels(): FactorKernels {
    if (!this.#kernels) throw new InputError('disposed', 'this factor has been disposed of');
    if (this.#state === 'working') throw new InputError('busy', 'this factor is being computed');
    if (this.#state === 'empty') throw new InputError('mismatch', 'the last factorisation failed');
    return this.#kernels;
  }

  /** Panels become the matrix, and nobody waits for anybody. */
  #load({ buffer }: FactorKernels, value: Float64Array): void {
    const { panels, head, least, count, size } = this.#layout;
    const { panelStart, order } = this.#analysis;
    const numbers = new Float64Array(buffer, panels, panelStart[count]);
    const target = this.#target;
    numbers.fill(0);
    for (let p = 0; p < target.length; p++) numbers[target[p]] = value[p];
    new Int32Array(buffer, head, count).fill(-1);
    const leasts = new Float64Array(buffer, least, size);
    const lost = lostShare(size);
    for (let k = 0; k < size; k++) leasts[k] = Math.max(0, lost * value[this.#diagonal[order[k]]]);
  }

  /** Some supernodes at a time, as many as take about `slice` milliseconds. */
  async #work(kernels: FactorKernels, value: Float64Array, progress: FactorProgress): Promise<void> {
    const { onProgress, signal, slice = 30 } = progress;
    const { count } = this.#layout;
    const effort = this.#efforts();
    let rate = 2e5, // operations per millisecond, soon measured
      from = 0;
    while (from < count) {
      const wanted = effort[from] + rate * slice;
      let to = from + 1;
      while (to < count && effort[to + 1] <= wanted) to++;
      const began = performance.now();
      const failed = kernels.factorise(HEADER, from, to);
      if (failed >= 0) this.#refuse(kernels, value, failed);
      const elapsed = performance.now() - began;
      if (elapsed > 1) rate = (effort[to] - effort[from]) / elapsed;
      from = to;
      onProgress?.(effort[from] / effort[count]);
      if (from === count) break;
      await pause();
      signal?.throwIfAborted();
    }
    signal?.throwIfAborted();
  }

  /** Operations before each supernode; a panel is charged with the updates it causes. */
  #efforts(): Float64Array {
    const { supernodes, blockSize } = this.#analysis;
    const { count, first, rowStart } = supernodes;
    const effort = new Float64Array(count + 1);
    for (let s = 0; s < count; s++) {
      const width = (first[s + 1] - first[s]) * blockSize,
        rows = width + (rowStart[s + 1] - rowStart[s]) * blockSize;
      effort[s + 1] = effort[s] + width * rows * rows;
    }
    return effort;
  }

  #refuse({ buffer }: FactorKernels, value: Float64Array, column: number): never {
    const row = this.order[column];
    const pivot = new Float64Array(buffer, this.#layout.pivot, 1)[0];
    throw new NotPositiveDefinite(row, pivot, value[this.#diagonal[row]]);
  }

  #measurePivots({ buffer }: FactorKernels): void {
    const { panels, count } = this.#layout;
    const { supernodes, blockSize, panelStart } = this.#analysis;
    const numbers = new Float64Array(buffer, panels, panelStart[count]);
    let smallest = Infinity,
      largest = 0;
    for (let s = 0; s < count; s++) {
      const width = (supernodes.first[s + 1] - supernodes.first[s]) * blockSize;
      for (let k = 0; k < width; k++) {
        const d = numbers[panelStart[s] + k * panelStride(width) + k];
        smallest = Math.min(smallest, d);
        largest = Math.max(largest, d);
      }
    }
    this.#smallestPivot = smallest * smallest;
    this.#largestPivot = largest * largest;
  }
}
