import { factoriseSparse } from '../../algebra/sparse/factorise.ts';
import { SymmetricMatrixBuilder } from '../../algebra/sparse/matrix-builder.ts';
import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import { checkNumbers, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { findRoot, unite } from '../../mesh/union-find.ts';
import type { Cage, ContactRow, ShapeEnergy, ShapePoint } from '../types.ts';
import { type CageRows, createCageRows } from './cage-rows.ts';
import type { ContactSystem, GlobalStep } from './global-step.ts';
import { RefactorStep } from './refactor-step.ts';
import { SchurStep } from './schur-step.ts';

export interface FullShapeOptions {
  /**
   * How contacts enter the global step: 'refactor' factorises one system whenever they change; 'schur' keeps its factor
   * and solves for every new row. The results are the same. Default: 'schur'.
   */
  method?: 'refactor' | 'schur';
}

/** In parts that no handle holds, what pulls them to where they were, of the mean diagonal of the Laplacian. */
const PROXIMAL = 1e-8;
/** Rows weigh so much, of the mean diagonal: once for 'schur', which solves for the rest exactly. */
const ROW_WEIGHT = { schur: 1, refactor: 1e4 };

/**
 * A shape without reduction: every vertex of the cage is free. The reference for what `pliant/edit` computes faster.
 * Each step fits rotations to the positions, and then solves for positions with handles at their targets and contact
 * rows at their offsets.
 */
export class FullShape {
  /** Of the cage, three per vertex. May be replaced between steps: `positions.set(…)`. */
  readonly positions: Float64Array;
  /** Of the contacts of the last step: negative where the contact pushes, positive where it pulls. */
  multipliers = new Float64Array(0);
  readonly #cage: Cage;
  readonly #energy: ShapeEnergy;
  readonly #method: 'refactor' | 'schur';
  readonly #scale: number; // mean diagonal of L
  readonly #b: Float64Array;
  readonly #columns: Float64Array;
  #step: GlobalStep | undefined;
  #targets = new Float64Array(0);
  #loose: Uint8Array = new Uint8Array(0); // per vertex: no handle holds its part
  #contacts: ContactSystem = NO_CONTACTS;

  /** Starts at rest. Call `setHandles` before the first step. */
  constructor(cage: Cage, energy: ShapeEnergy, options: FullShapeOptions = {}) {
    const { method = 'schur' } = options;
    if (method !== 'schur' && method !== 'refactor') {
      throw new InputError('bad-option', `method must be 'schur' or 'refactor', not ${describe(method)}`);
    }
    const { size, start, value } = energy.laplacian;
    let trace = 0;
    for (let j = 0; j < size; j++) trace += value[start[j]];
    this.#cage = cage;
    this.#energy = energy;
    this.#method = method;
    this.#scale = trace / size;
    this.positions = cage.tetrahedra.positions.slice();
    this.#b = new Float64Array(3 * size);
    this.#columns = new Float64Array(3 * size);
  }

  /** Handles from now on, at where they are. Factorises; contacts stay. */
  async setHandles(points: readonly ShapePoint[]): Promise<void> {
    const handles = createCageRows(this.#cage, points);
    const loose = findLoose(this.#energy.laplacian, handles);
    const rho = ROW_WEIGHT[this.#method] * this.#scale;
    const matrix = anchored(this.#energy.laplacian, handles, rho, loose, PROXIMAL * this.#scale);
    const factor = await factoriseSparse(matrix, { points: this.#cage.tetrahedra.positions });
    const step =
      this.#method === 'schur'
        ? new SchurStep(factor, handles, rho, NO_CONTACTS)
        : new RefactorStep(matrix, factor, handles, rho, NO_CONTACTS);
    await step.setContacts(this.#contacts);
    this.#step?.dispose();
    this.#step = step;
    this.#loose = loose;
    this.#targets = new Float64Array(3 * handles.count);
    for (let k = 0; k < handles.count; k++) {
      for (let e = handles.start[k]; e < handles.start[k + 1]; e++) {
        for (let axis = 0; axis < 3; axis++) {
          const x = this.positions[3 * handles.vertex[e] + axis];
          this.#targets[3 * k + axis] += handles.weight[e] * x;
        }
      }
    }
  }

  /** Where handles should be, three numbers each, in the coordinates of the cage. */
  setTargets(targets: ArrayLike<number>): void {
    const copy = Float64Array.from(targets);
    checkNumbers('targets', copy, this.#targets.length);
    this.#targets = copy;
  }

  /** Rows that hold with equality in the steps from now on. May factorise. */
  async setContacts(rows: readonly ContactRow[]): Promise<void> {
    const contacts: ContactSystem = {
      rows: createCageRows(
        this.#cage,
        rows.map(({ point }) => point),
      ),
      normal: Float64Array.from(rows.flatMap(({ normal }) => [...normal])),
      offset: Float64Array.from(rows, ({ offset }) => offset),
    };
    checkNumbers('normals', contacts.normal, 3 * rows.length);
    checkNumbers('offsets', contacts.offset);
    await this.#step?.setContacts(contacts);
    this.#contacts = contacts;
    this.multipliers = new Float64Array(rows.length);
  }

  /** One local and one global step. Returns the energy before it. */
  step(): number {
    if (!this.#step) throw new InputError('no-pose', 'setHandles has to be called before the first step');
    const p = this.positions,
      b = this.#b,
      columns = this.#columns,
      n = p.length / 3;
    const energy = this.#energy.rhs(p, b);
    const pull = PROXIMAL * this.#scale;
    for (let v = 0; v < n; v++) {
      const share = this.#loose[v] === 1 ? pull : 0;
      columns[v] = b[3 * v] + share * p[3 * v];
      columns[n + v] = b[3 * v + 1] + share * p[3 * v + 1];
      columns[2 * n + v] = b[3 * v + 2] + share * p[3 * v + 2];
    }
    this.#step.solve(columns, this.#targets, this.multipliers);
    for (let v = 0; v < n; v++) {
      p[3 * v] = columns[v];
      p[3 * v + 1] = columns[n + v];
      p[3 * v + 2] = columns[2 * n + v];
    }
    return energy;
  }

  /** Lets the factors go; the energy stays its owner's. */
  dispose(): void {
    this.#step?.dispose();
    this.#step = undefined;
  }
}

const NO_CONTACTS: ContactSystem = {
  rows: { count: 0, start: new Uint32Array(1), vertex: new Uint32Array(0), weight: new Float64Array(0) },
  normal: new Float64Array(0),
  offset: new Float64Array(0),
};

/** Vertices that entries of the Laplacian connect to no handle. */
function findLoose({ size, start, row }: SymmetricMatrix, handles: CageRows): Uint8Array {
  const parent = Int32Array.from({ length: size }, (_, i) => i);
  for (let j = 0; j < size; j++) {
    for (let p = start[j] + 1; p < start[j + 1]; p++) unite(parent, row[p], j);
  }
  const isHeld = new Uint8Array(size);
  for (const v of handles.vertex) isHeld[findRoot(parent, v)] = 1;
  return Uint8Array.from({ length: size }, (_, v) => 1 - isHeld[findRoot(parent, v)]);
}

/** L + ρ HᵀH, and a little on the diagonal of what is loose. */
function anchored(
  { size, start, row, value }: SymmetricMatrix,
  handles: CageRows,
  rho: number,
  loose: Uint8Array,
  pull: number,
): SymmetricMatrix {
  const builder = new SymmetricMatrixBuilder(size, { expected: row.length + size });
  for (let j = 0; j < size; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) builder.add(row[p], j, value[p]);
    if (loose[j] === 1) builder.add(j, j, pull);
  }
  for (let k = 0; k < handles.count; k++) {
    for (let a = handles.start[k]; a < handles.start[k + 1]; a++) {
      for (let b = handles.start[k]; b <= a; b++) {
        builder.add(handles.vertex[a], handles.vertex[b], rho * handles.weight[a] * handles.weight[b]);
      }
    }
  }
  return builder.build();
}
