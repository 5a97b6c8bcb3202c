import { type Analysis, analyse, panelStride } from '../../algebra/sparse/analysis.ts';
import { entryTargets } from '../../algebra/sparse/entry-targets.ts';
import type { FactorKernels } from '../../algebra/sparse/factor-kernels.ts';
import {
  COLUMNS_AT_ONCE,
  type FactorLayout,
  HEADER,
  layOut,
  writeTables,
} from '../../algebra/sparse/factor-memory.ts';
import type { FactorOptions } from '../../algebra/sparse/factor-options.ts';
import { NotPositiveDefinite } from '../../algebra/sparse/not-positive-definite.ts';
import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import { createTsFactorKernels } from '../../algebra/sparse/ts-factor-kernels.ts';
import { FACTOR_BASE64 } from '../../kernels/generated/factor-wasm.ts';
import { InputError } from '../../mesh/input-error.ts';

/** Operations between two steps: a few milliseconds. */
const STEP = 2e7;
const PAGE = 65536;
/** A memory that has become larger is not kept. */
const MOST_KEPT = 2 ** 26;

/**
 * One sparse Cholesky factor after another in the same memory. `SparseFactor` has a memory of its own and has to be
 * waited for; here groups are solved in the middle of a step as well as in slices, with the same numbers.
 */
export class FactorArena {
  readonly #choice: 'auto' | 'ts';
  #module: WebAssembly.Module | undefined;
  #kernels: FactorKernels | undefined;
  #analysis: Analysis | undefined;
  #layout: FactorLayout | undefined;

  constructor(choice: 'auto' | 'ts' = 'auto') {
    this.#choice = choice;
  }

  /** Steps that yield the share of the numerical work that is done; `solve` may be called when they end. */
  *factorise(
    matrix: SymmetricMatrix,
    options: Pick<FactorOptions, 'ordering' | 'points'>,
  ): Generator<number, void> {
    const analysis = analyse(matrix, { ...options, blockSize: 1 });
    yield 0;
    const layout = layOut(analysis);
    const kernels = this.#provide(layout.bytes);
    this.#analysis = analysis;
    this.#layout = layout;
    load(kernels.buffer, matrix, analysis, layout);
    const effort = effortsOf(analysis);
    const { count } = layout;
    for (let from = 0; from < count; ) {
      let to = from + 1;
      while (to < count && effort[to + 1] - effort[from] <= STEP) to++;
      const failed = kernels.factorise(HEADER, from, to);
      if (failed >= 0) this.#refuse(matrix, failed);
      from = to;
      yield effort[from] / effort[count];
    }
  }

  /** Solves A x = b in place for `columns` right-hand sides one after another, at most 8. */
  solve(b: Float64Array, columns: number): void {
    const { buffer } = this.#kernels!;
    const { order } = this.#analysis!;
    const { vectors, size } = this.#layout!;
    const x = new Float64Array(buffer, vectors, COLUMNS_AT_ONCE * size);
    if (columns < COLUMNS_AT_ONCE) x.fill(0);
    for (let k = 0; k < size; k++) {
      for (let c = 0; c < columns; c++) x[COLUMNS_AT_ONCE * k + c] = b[c * size + order[k]];
    }
    this.#kernels!.solveEight(HEADER);
    for (let k = 0; k < size; k++) {
      for (let c = 0; c < columns; c++) b[c * size + order[k]] = x[COLUMNS_AT_ONCE * k + c];
    }
  }

  /** Lets a large memory go. */
  release(): void {
    this.#analysis = undefined;
    this.#layout = undefined;
    if (this.#kernels !== undefined && this.#kernels.buffer.byteLength > MOST_KEPT) this.#kernels = undefined;
  }

  /** Kernels on at least so many bytes, the first of which are zero. */
  #provide(bytes: number): FactorKernels {
    const { buffer } = this.#kernels ?? {};
    if (buffer !== undefined && buffer.byteLength >= bytes) new Uint8Array(buffer, 0, bytes).fill(0);
    else this.#kernels = this.#create(bytes);
    return this.#kernels!;
  }

  #create(bytes: number): FactorKernels {
    try {
      const module = this.#choice === 'ts' ? undefined : (this.#module ??= compile());
      if (module === undefined) return createTsFactorKernels(new ArrayBuffer(bytes));
      const memory = new WebAssembly.Memory({ initial: bytes / PAGE, maximum: bytes / PAGE });
      const { exports } = new WebAssembly.Instance(module, { env: { memory } });
      const { factorise, solveOne, solveEight } = exports as unknown as FactorKernels;
      return { name: 'wasm', buffer: memory.buffer, factorise, solveOne, solveEight };
    } catch {
      throw new InputError('too-large', `the factor needs ${bytes} bytes, which cannot be had here`);
    }
  }

  #refuse(matrix: SymmetricMatrix, column: number): never {
    const row = this.#analysis!.order[column];
    const pivot = new Float64Array(this.#kernels!.buffer, this.#layout!.pivot, 1)[0];
    throw new NotPositiveDefinite(row, pivot, matrix.value[matrix.start[row]]);
  }
}

/** Undefined where it is refused, by a content security policy for instance. */
function compile(): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(Uint8Array.from(atob(FACTOR_BASE64), (c) => c.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** Writes the matrix into a memory of zeros. */
function load(buffer: ArrayBuffer, matrix: SymmetricMatrix, analysis: Analysis, layout: FactorLayout): void {
  const { size, start, value } = matrix;
  const { order, panelStart } = analysis;
  const { panels, head, least, count } = layout;
  writeTables(buffer, layout, analysis);
  const target = entryTargets(matrix, analysis);
  const numbers = new Float64Array(buffer, panels, panelStart[count]);
  for (let p = 0; p < target.length; p++) numbers[target[p]] = value[p];
  new Int32Array(buffer, head, count).fill(-1);
  const leasts = new Float64Array(buffer, least, size);
  const lost = 2 ** -52 * Math.max(8, size); // as in `SparseFactor`: such a pivot has no digits left
  for (let k = 0; k < size; k++) leasts[k] = Math.max(0, lost * value[start[order[k]]]);
}

/** Operations before each supernode. */
function effortsOf({ supernodes }: Analysis): Float64Array {
  const { count, first, rowStart } = supernodes;
  const effort = new Float64Array(count + 1);
  for (let s = 0; s < count; s++) {
    const width = panelStride(first[s + 1] - first[s]),
      rows = width + rowStart[s + 1] - rowStart[s];
    effort[s + 1] = effort[s] + width * rows * rows;
  }
  return effort;
}
