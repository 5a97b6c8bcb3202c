import { factoriseSparse } from '../../algebra/sparse/factorise.ts';
import { SymmetricMatrixBuilder } from '../../algebra/sparse/matrix-builder.ts';
import type { SparseFactor } from '../../algebra/sparse/sparse-factor.ts';
import { addScaled, type SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import { InputError } from '../../mesh/input-error.ts';
import { addRow, type CageRows, rowTimes } from './cage-rows.ts';
import type { ContactSystem, GlobalStep } from './global-step.ts';

/** Rows count as met within this, in boxes of size 1. */
const TOLERANCE = 1e-12;
const MOST_ROUNDS = 30;

/**
 * One system for everything, factorised whenever the contacts change: the matrix of all three axes with ρ times the
 * squares of handle and contact rows. That is positive definite, and it has the solution of the system with Lagrange
 * multipliers once these are known: they are found by the method of multipliers, which gains several digits in each
 * round because ρ is large. Without contacts the axes are apart and need one factor of a third of the size.
 */
export class RefactorStep implements GlobalStep {
  readonly #matrix: SymmetricMatrix; // A + ρ HᵀH
  readonly #base: SparseFactor; // of it
  readonly #handles: CageRows;
  readonly #rho: number;
  #contacts: ContactSystem;
  #axes: SymmetricMatrix | undefined; // the same three times
  #coupled: SparseFactor | undefined; // of all axes, with contacts
  #start = new Float64Array(0); // multipliers to begin with: handles, then contacts
  rounds = 0; // of the last solve

  constructor(
    matrix: SymmetricMatrix,
    base: SparseFactor,
    handles: CageRows,
    rho: number,
    none: ContactSystem,
  ) {
    this.#matrix = matrix;
    this.#base = base;
    this.#handles = handles;
    this.#rho = rho;
    this.#contacts = none;
    this.#start = new Float64Array(3 * handles.count);
  }

  async setContacts(contacts: ContactSystem): Promise<void> {
    const coupled =
      contacts.rows.count === 0
        ? undefined
        : await factoriseSparse(this.#couple(contacts), { ordering: this.#order(contacts), blockSize: 1 });
    this.#coupled?.dispose();
    this.#coupled = coupled;
    this.#contacts = contacts;
    const start = new Float64Array(3 * this.#handles.count + contacts.rows.count);
    start.set(this.#start.subarray(0, 3 * this.#handles.count));
    this.#start = start;
  }

  solve(columns: Float64Array, targets: Float64Array, multipliers: Float64Array): void {
    const { rows, normal, offset } = this.#contacts;
    const h = 3 * this.#handles.count,
      n = this.#matrix.size,
      rho = this.#rho;
    const force = this.#start;
    const right = columns.slice();
    for (this.rounds = 1; ; this.rounds++) {
      columns.set(right);
      for (let k = 0; k < h; k++) {
        addRow(this.#handles, Math.trunc(k / 3), rho * targets[k] - force[k], columns, n, k % 3);
      }
      for (let k = 0; k < rows.count; k++) {
        const factor = rho * offset[k] - force[h + k];
        for (let axis = 0; axis < 3; axis++) addRow(rows, k, factor * normal[3 * k + axis], columns, n, axis);
      }
      if (this.#coupled) this.#coupled.solve(columns, 1);
      else this.#base.solve(columns, 3);
      let miss = 0;
      for (let k = 0; k < h; k++) {
        const gap = rowTimes(this.#handles, Math.trunc(k / 3), columns, n, k % 3) - targets[k];
        force[k] += rho * gap;
        miss = Math.max(miss, Math.abs(gap));
      }
      for (let k = 0; k < rows.count; k++) {
        let gap = -offset[k];
        for (let axis = 0; axis < 3; axis++)
          gap += normal[3 * k + axis] * rowTimes(rows, k, columns, n, axis);
        force[h + k] += rho * gap;
        miss = Math.max(miss, Math.abs(gap));
      }
      if (!(miss > TOLERANCE) || this.rounds === MOST_ROUNDS) break;
    }
    multipliers.set(force.subarray(h));
  }

  dispose(): void {
    this.#base.dispose();
    this.#coupled?.dispose();
  }

  /** A + ρ HᵀH of each axis, and ρ (n c)ᵀ(n c) of every contact. */
  #couple({ rows, normal }: ContactSystem): SymmetricMatrix {
    const n = this.#matrix.size;
    const builder = new SymmetricMatrixBuilder(3 * n);
    for (let k = 0; k < rows.count; k++) {
      const first = rows.start[k],
        length = rows.start[k + 1] - first;
      for (let a = 0; a < 3 * length; a++) {
        const i = first + (a % length),
          iAxis = Math.trunc(a / length);
        for (let b = 0; b <= a; b++) {
          const j = first + (b % length),
            jAxis = Math.trunc(b / length);
          const entry = normal[3 * k + iAxis] * normal[3 * k + jAxis] * rows.weight[i] * rows.weight[j];
          builder.add(iAxis * n + rows.vertex[i], jAxis * n + rows.vertex[j], entry);
        }
      }
    }
    this.#axes ??= threeTimes(this.#matrix);
    return addScaled(this.#axes, builder.build(), this.#rho);
  }

  /** What no contact touches first, axis by axis, so that it stays apart; then what they couple. */
  #order({ rows }: ContactSystem): Int32Array {
    const n = this.#matrix.size;
    const isTouched = new Uint8Array(n);
    for (const v of rows.vertex) isTouched[v] = 1;
    const order = new Int32Array(3 * n);
    let at = 0;
    for (let touched = 0; touched < 2; touched++) {
      for (let axis = 0; axis < 3; axis++) {
        for (let k = 0; k < n; k++) {
          const v = this.#base.order[k];
          if (isTouched[v] === touched) order[at++] = axis * n + v;
        }
      }
    }
    if (at !== 3 * n) throw new InputError('mismatch', 'contact rows name vertices that are not there');
    return order;
  }
}

/** The matrix of each axis, one after another. */
function threeTimes({ size, start, row, value }: SymmetricMatrix): SymmetricMatrix {
  const starts = new Int32Array(3 * size + 1),
    rows = new Int32Array(3 * row.length),
    values = new Float64Array(3 * row.length);
  for (let axis = 0; axis < 3; axis++) {
    for (let j = 1; j <= size; j++) starts[axis * size + j] = axis * row.length + start[j];
    for (let p = 0; p < row.length; p++) rows[axis * row.length + p] = axis * size + row[p];
    values.set(value, axis * row.length);
  }
  return { size: 3 * size, start: starts, row: rows, value: values };
}
