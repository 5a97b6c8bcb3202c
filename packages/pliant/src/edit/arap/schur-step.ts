import { factorInPlace, solveInPlace } from '../../algebra/dense/cholesky.ts';
import type { SparseFactor } from '../../algebra/sparse/sparse-factor.ts';
import { InputError } from '../../mesh/input-error.ts';
import { addRow, type CageRows, rowTimes } from './cage-rows.ts';
import type { ContactSystem, GlobalStep } from './global-step.ts';

/** Added to the diagonal of a system of rows that depend on one another, of the mean of the diagonal. */
const REGULARISATION = 1e-9;

/**
 * The factor of A + ρ HᵀH stays; rows come in through their Schur complement (SHAPING §4.3). A contact that comes
 * costs one solve, and those that were there before cost nothing.
 */
export class SchurStep implements GlobalStep {
  readonly #factor: SparseFactor;
  readonly #n: number;
  readonly #handles: CageRows;
  readonly #rho: number;
  readonly #handleColumns: Float64Array; // A⁻¹Hᵀ
  readonly #handleSystem: Float64Array; // the factor of H A⁻¹Hᵀ
  #contacts: ContactSystem;
  #columns = new Map<string, Float64Array>(); // of contact rows, by what is in them
  #active: Float64Array[] = []; // in the order of the contacts
  #system: Float64Array = new Float64Array(0);

  constructor(factor: SparseFactor, handles: CageRows, rho: number, none: ContactSystem) {
    this.#factor = factor;
    this.#n = factor.size;
    this.#handles = handles;
    this.#rho = rho;
    this.#contacts = none;
    this.#handleColumns = new Float64Array(handles.count * this.#n);
    for (let k = 0; k < handles.count; k++) addRow(handles, k, 1, this.#handleColumns, this.#n, k);
    factor.solve(this.#handleColumns, handles.count);
    this.#handleSystem = factorised(handles.count, (i, j) =>
      rowTimes(handles, i, this.#handleColumns, this.#n, j),
    );
  }

  async setContacts(contacts: ContactSystem): Promise<void> {
    const { rows, normal } = contacts;
    const kept = new Map<string, Float64Array>();
    const active: Float64Array[] = [];
    const missing: { key: string; row: number }[] = [];
    for (let k = 0; k < rows.count; k++) {
      const key = keyOf(rows, k);
      if (kept.has(key)) continue;
      const known = this.#columns.get(key);
      kept.set(key, known ?? new Float64Array(this.#n));
      if (!known) missing.push({ key, row: k });
    }
    const block = new Float64Array(missing.length * this.#n);
    missing.forEach(({ row }, i) => {
      addRow(rows, row, 1, block, this.#n, i);
    });
    this.#factor.solve(block, missing.length);
    missing.forEach(({ key }, i) => {
      const column = kept.get(key)!;
      column.set(block.subarray(i * this.#n, (i + 1) * this.#n));
      this.#meetHandles(column, 1, undefined);
    });
    for (let k = 0; k < rows.count; k++) active.push(kept.get(keyOf(rows, k))!);
    this.#system = factorised(rows.count, (i, j) => {
      const n = normal[3 * i] * normal[3 * j] + normal[3 * i + 1] * normal[3 * j + 1];
      return (n + normal[3 * i + 2] * normal[3 * j + 2]) * rowTimes(rows, i, active[j], this.#n, 0);
    });
    this.#columns = kept;
    this.#active = active;
    this.#contacts = contacts;
  }

  solve(columns: Float64Array, targets: Float64Array, multipliers: Float64Array): void {
    const n = this.#n;
    const { rows, normal, offset } = this.#contacts;
    for (let k = 0; k < this.#handles.count; k++) {
      for (let axis = 0; axis < 3; axis++) {
        addRow(this.#handles, k, this.#rho * targets[3 * k + axis], columns, n, axis);
      }
    }
    this.#factor.solve(columns, 3);
    this.#meetHandles(columns, 3, targets);
    for (let k = 0; k < rows.count; k++) {
      multipliers[k] = -offset[k];
      for (let axis = 0; axis < 3; axis++) {
        multipliers[k] += normal[3 * k + axis] * rowTimes(rows, k, columns, n, axis);
      }
    }
    solveInPlace(this.#system, rows.count, multipliers);
    for (let k = 0; k < rows.count; k++) {
      const y = this.#active[k];
      for (let axis = 0; axis < 3; axis++) {
        const factor = multipliers[k] * normal[3 * k + axis];
        for (let v = 0; v < n; v++) columns[axis * n + v] -= factor * y[v];
      }
    }
  }

  dispose(): void {
    this.#factor.dispose();
  }

  /** Takes away multiples of A⁻¹Hᵀ, until handle rows are the targets, or 0. */
  #meetHandles(columns: Float64Array, count: number, targets: Float64Array | undefined): void {
    const h = this.#handles.count,
      n = this.#n;
    const force = new Float64Array(h);
    for (let axis = 0; axis < count; axis++) {
      for (let k = 0; k < h; k++) {
        force[k] = rowTimes(this.#handles, k, columns, n, axis) - (targets ? targets[3 * k + axis] : 0);
      }
      solveInPlace(this.#handleSystem, h, force);
      for (let k = 0; k < h; k++) {
        for (let v = 0; v < n; v++) columns[axis * n + v] -= force[k] * this.#handleColumns[k * n + v];
      }
    }
  }
}

/** The Cholesky factor of a symmetric matrix of rows; of one that is singular, with a little on its diagonal. */
function factorised(size: number, entry: (i: number, j: number) => number): Float64Array {
  const matrix = new Float64Array(size * size);
  let trace = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) matrix[i * size + j] = entry(i, j);
    trace += matrix[i * size + i];
  }
  const lower = matrix.slice();
  if (factorInPlace(lower, size) && isSafe(lower, matrix, size)) return lower;
  for (let i = 0; i < size; i++) matrix[i * size + i] += (REGULARISATION * trace) / size;
  if (factorInPlace(matrix, size)) return matrix;
  throw new InputError('singular', 'handles or contacts contradict one another');
}

/** Pivots that rounding alone may have made are none. */
function isSafe(lower: Float64Array, matrix: Float64Array, size: number): boolean {
  for (let i = 0; i < size; i++) {
    const d = lower[i * size + i];
    if (!(d * d > 1e-12 * matrix[i * size + i])) return false;
  }
  return true;
}

function keyOf({ start, vertex, weight }: CageRows, k: number): string {
  return `${vertex.subarray(start[k], start[k + 1]).join()}:${weight.subarray(start[k], start[k + 1]).join()}`;
}
