import { multiply, type SymmetricMatrix } from '../../packages/pliant/src/algebra/sparse/index.ts';
import type { ContactRows } from '../../packages/pliant/src/edit/contact/contact-rows.ts';
import type { Shape } from '../../packages/pliant/src/edit/index.ts';
import { Complementarity } from '../../packages/pliant/src/edit/reduced/complementarity.ts';
import { KernelRows } from '../../packages/pliant/src/edit/reduced/kernel-rows.ts';

const ROUNDS = 12;
const TERMS = 4;

/**
 * Contacts as an afterthought, in the manner of Harmon et al. 2011: the shape is solved without them, and then moved out
 * of what it is in by the smallest change of its coefficients, whatever that does to its energy. The functions around
 * contacts are those that ours would use. Contacts have to be on; nothing is kept but the coefficients.
 */
export function projectContacts({ solver, parts }: Shape): void {
  const { kernels } = parts.engine;
  const finder = solver.contacts!;
  const { system, oracle } = solver;
  const complementarity = new Complementarity(kernels);
  const M = new KernelRows(kernels.memory);
  finder.clear();
  for (let round = 0; round < ROUNDS; round++) {
    const rows = finder.find(solver.surface, solver.controls);
    while (oracle.addForContacts(rows, solver.surface)); // as many steps as it takes
    if (rows.count === 0) break;
    const size = system.basis.columns;
    const c = Array.from({ length: rows.count }, (_, row) => rowOf(rows, row, size));
    M.reserve(rows.count, rows.count);
    for (let i = 0; i < rows.count; i++) {
      for (let j = 0; j <= i; j++) M.f64[M.offset(i) + j] = along(rows, i, j) * dot(c[i], c[j]);
    }
    const g = Float64Array.from(c, (_, row) => rows.slack(row, solver.surface));
    const lambda = new Float64Array(rows.count);
    complementarity.solve(M, rows.count, g, lambda, 1e-6);
    const pose = solver.savePose();
    const v = pose.v.slice();
    for (let axis = 0; axis < 3; axis++) {
      for (let row = 0; row < rows.count; row++) {
        const factor = lambda[row] * rows.normal[3 * row + axis];
        for (let k = 0; factor !== 0 && k < size; k++) v[axis * size + k] -= factor * c[row][k];
      }
    }
    solver.restorePose({ ...pose, v });
    finder.noteMultipliers(lambda);
  }
  M.dispose();
  complementarity.dispose();

  function rowOf(rows: ContactRows, row: number, size: number): Float64Array {
    const out = new Float64Array(size);
    for (let k = TERMS * row; k < TERMS * row + rows.terms[row]; k++) {
      system.addSurfaceRow(rows.vertices[k], rows.weights[k], 0, out, 0);
    }
    return out;
  }
}

/** tr(pᵀAp) of positions, A measuring jumps of gradients: 0 for affine maps. */
export function smoothnessOf(operator: SymmetricMatrix, positions: Float64Array): number {
  const n = operator.size;
  const x = new Float64Array(n),
    y = new Float64Array(n);
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    for (let v = 0; v < n; v++) x[v] = positions[3 * v + axis];
    multiply(operator, x, y);
    sum += dot(x, y);
  }
  return sum;
}

function along({ normal }: ContactRows, i: number, j: number): number {
  return (
    normal[3 * i] * normal[3 * j] +
    normal[3 * i + 1] * normal[3 * j + 1] +
    normal[3 * i + 2] * normal[3 * j + 2]
  );
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
