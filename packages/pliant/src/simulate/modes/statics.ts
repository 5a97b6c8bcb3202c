import { addColumn, combineColumns, dot } from '../../algebra/dense/columns.ts';
import type { ElasticSolver } from './elastic-solver.ts';

const BATCH = 8;
const MOST_STEPS = 100;
const ENOUGH = 1e-13; // of the right-hand side

/**
 * Solves K x = b in place, `columns` sides one after another, in the unknowns of the system. Where rigid motions are
 * possible, the part of b that would set the body in motion is balanced by inertia, and x has no rigid part.
 */
export function solveStatics(solver: ElasticSolver, b: Float64Array, columns: number): void {
  const { size } = solver;
  for (let from = 0; from < columns; from += BATCH) {
    const to = Math.min(columns, from + BATCH);
    solveBatch(solver, b.subarray(from * size, to * size), to - from);
  }
}

/** Conjugate gradients with K + σM as their preconditioner: one step where there is no shift, about ten else. */
function solveBatch(solver: ElasticSolver, b: Float64Array, columns: number): void {
  const { size } = solver;
  const x = new Float64Array(size * columns),
    image = new Float64Array(size * columns),
    z = new Float64Array(size * columns);
  balance(solver, b, columns);
  const goal = Float64Array.from(
    { length: columns },
    (_, c) => ENOUGH ** 2 * dot(size, b, c * size, b, c * size),
  );
  const direction = new Float64Array(size * columns);
  const energy = new Float64Array(columns);
  for (let step = 0; step < MOST_STEPS; step++) {
    z.set(b);
    solver.solve(z, columns);
    removeRigid(solver, z, columns);
    for (let c = 0; c < columns; c++) {
      const o = c * size;
      const product = dot(size, b, o, z, o);
      const ratio = step > 0 && energy[c] > 0 ? product / energy[c] : 0;
      energy[c] = product;
      for (let i = o; i < o + size; i++) direction[i] = z[i] + ratio * direction[i];
    }
    solver.applyStiffness(direction, image, columns);
    let isDone = true;
    for (let c = 0; c < columns; c++) {
      const o = c * size;
      const curvature = dot(size, direction, o, image, o);
      if (!(curvature > 0) || !(energy[c] > 0)) continue;
      addColumn(size, energy[c] / curvature, direction, o, x, o);
      addColumn(size, -energy[c] / curvature, image, o, b, o);
      if (dot(size, b, o, b, o) > goal[c]) isDone = false;
    }
    if (isDone || (solver.shift === 0 && step > 0)) break;
  }
  removeRigid(solver, x, columns);
  b.set(x);
}

/** b ← b − M R Rᵀ b. */
function balance(solver: ElasticSolver, b: Float64Array, columns: number): void {
  const { size, rigid } = solver;
  if (rigid.count === 0) return;
  const motion = new Float64Array(size),
    inertia = new Float64Array(size),
    products = new Float64Array(rigid.count);
  for (let c = 0; c < columns; c++) {
    for (let k = 0; k < rigid.count; k++) products[k] = dot(size, rigid.vectors, k * size, b, c * size);
    motion.fill(0);
    combineColumns(rigid.vectors, size, rigid.count, products, 0, motion, 0);
    solver.applyMass(motion, inertia, 1);
    addColumn(size, -1, inertia, 0, b, c * size);
  }
}

/** x ← x − R Rᵀ M x. */
function removeRigid(solver: ElasticSolver, x: Float64Array, columns: number): void {
  const { size, rigid } = solver;
  if (rigid.count === 0) return;
  const image = new Float64Array(size),
    products = new Float64Array(rigid.count);
  for (let c = 0; c < columns; c++) {
    const column = x.subarray(c * size, (c + 1) * size);
    solver.applyMass(column, image, 1);
    for (let k = 0; k < rigid.count; k++) products[k] = dot(size, rigid.vectors, k * size, image, 0);
    combineColumns(rigid.vectors, size, rigid.count, products, 0, column, 0, -1);
  }
}
