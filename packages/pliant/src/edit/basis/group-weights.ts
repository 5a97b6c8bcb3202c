import { factorInPlace, solveInPlace } from '../../algebra/dense/cholesky.ts';
import { NotPositiveDefinite } from '../../algebra/sparse/not-positive-definite.ts';
import type { FactorArena } from './factor-arena.ts';
import type { GroupSystem } from './group-system.ts';

/** Solved together. */
const COLUMNS = 8;
/** Systems of fewer unknowns are solved as dense ones. */
const SPARSE = 64;
/** From this many unknowns on nested dissection causes less work than minimum degree. */
const DISSECTED = 8_000;
/** How much of the work is the factorisation. */
const FACTOR_SHARE = 0.6;

/**
 * Writes the functions of a group, rows × columns: 1 at one manipulator, 0 at the others, and at the free vertices
 * what makes the jumps of gradients smallest: W = −A_ff⁻¹ A_fm. As A vanishes on affine functions, the functions of a
 * group without fixed vertices reproduce them: Σ W = 1, Σ W p = p.
 *
 * `points` gives the coordinates of the free vertices. The steps yield the share that is done.
 */
export function* weightSteps(
  system: GroupSystem,
  arena: FactorArena,
  points: () => Float64Array,
  values: Float32Array | Float64Array,
): Generator<number, void> {
  const { matrix, fixed } = system;
  const { size } = matrix;
  for (let c = 0; c < fixed.length; c++) values[fixed[c] * fixed.length + c] = 1;
  if (size === 0) return;
  if (size < SPARSE) {
    solveDensely(system, values);
    return;
  }
  const order = size < DISSECTED ? 'minimum-degree' : 'nested-dissection';
  const factor = arena.factorise(matrix, {
    ordering: order,
    points: size < DISSECTED ? undefined : points(),
  });
  for (let step = factor.next(); !step.done; step = factor.next()) yield FACTOR_SHARE * step.value;
  const x = new Float64Array(COLUMNS * size);
  for (let c = 0; c < fixed.length; c += COLUMNS) {
    const count = Math.min(COLUMNS, fixed.length - c);
    for (let k = 0; k < count; k++) fillColumn(system, c + k, x, k * size);
    arena.solve(x, count);
    for (let k = 0; k < count; k++) storeColumn(system, c + k, x, k * size, values);
    yield FACTOR_SHARE + ((1 - FACTOR_SHARE) * (c + count)) / fixed.length;
  }
  arena.release();
}

function solveDensely(system: GroupSystem, values: Float32Array | Float64Array): void {
  const { matrix, fixed } = system;
  const { size, start, row, value } = matrix;
  const lower = new Float64Array(size * size),
    x = new Float64Array(size);
  for (let j = 0; j < size; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) lower[row[p] * size + j] = value[p];
  }
  if (!factorInPlace(lower, size)) throw new NotPositiveDefinite(0, 0, value[0]);
  for (let c = 0; c < fixed.length; c++) {
    fillColumn(system, c, x, 0);
    solveInPlace(lower, size, x);
    storeColumn(system, c, x, 0, values);
  }
}

/** The right-hand side of one manipulator. */
function fillColumn(system: GroupSystem, column: number, x: Float64Array, offset: number): void {
  const { matrix, start, row, value } = system;
  x.fill(0, offset, offset + matrix.size);
  for (let p = start[column]; p < start[column + 1]; p++) x[offset + row[p]] = value[p];
}

function storeColumn(
  { free, fixed }: GroupSystem,
  column: number,
  x: Float64Array,
  offset: number,
  values: Float32Array | Float64Array,
): void {
  const columns = fixed.length;
  for (let i = 0; i < free.length; i++) values[free[i] * columns + column] = x[offset + i];
}
