import { checkCoordinates, type NumberArray } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { checkProduct, type MassProduct, massOrthonormalise } from './mass-basis.ts';

export interface PolynomialModes {
  /** 24 for a body with width in all directions: 3 × 10 coefficients less six rigid motions. */
  readonly modeCount: number;
  /** 3 per vertex, mode after mode, mass-orthonormal and orthogonal to rigid motions. */
  readonly vectors: Float64Array;
}

const MONOMIALS = 10; // 1, x, y, z, x², y², z², yz, zx, xy
const RIGID = 6;

/**
 * Displacements that are quadratic polynomials of the rest position, rigid motions taken out. They vary smoothly
 * across narrow gaps, which suits certificates (SSCC §7). Flat bodies have fewer.
 */
export function polynomialModes(positions: NumberArray, product: MassProduct): PolynomialModes {
  checkProduct(product);
  checkCoordinates('positions', positions, product.size);
  const columns = polynomialColumns(positions);
  const { rank, q, source } = massOrthonormalise(product, columns, 3 * MONOMIALS);
  const first = source.findIndex((column) => column >= RIGID);
  if (first < 0)
    throw new InputError('singular', 'the vertices lie in one point: there are no polynomial modes');
  return { modeCount: rank - first, vectors: q.slice(first * product.size) };
}

/**
 * All 30 columns: three shifts, three turns, the other six linear ones, then the quadratic ones. Lengths are in
 * half widths of the box, so that no power is out of proportion.
 */
export function polynomialColumns(positions: NumberArray): Float64Array {
  const size = positions.length;
  const columns = new Float64Array(3 * MONOMIALS * size);
  const { centre, scale } = measureBox(positions);
  for (let o = 0; o < size; o += 3) {
    const x = (positions[o] - centre[0]) / scale,
      y = (positions[o + 1] - centre[1]) / scale,
      z = (positions[o + 2] - centre[2]) / scale;
    let column = 0;
    const add = (ux: number, uy: number, uz: number) => {
      columns[column * size + o] = ux;
      columns[column * size + o + 1] = uy;
      columns[column * size + o + 2] = uz;
      column++;
    };
    add(1, 0, 0);
    add(0, 1, 0);
    add(0, 0, 1);
    add(0, -z, y);
    add(z, 0, -x);
    add(-y, x, 0);
    add(x, 0, 0);
    add(0, y, 0);
    add(0, 0, z);
    add(0, z, y);
    add(z, 0, x);
    add(y, x, 0);
    for (const value of [x * x, y * y, z * z, y * z, z * x, x * y]) {
      add(value, 0, 0);
      add(0, value, 0);
      add(0, 0, value);
    }
  }
  return columns;
}

function measureBox(positions: NumberArray): { centre: number[]; scale: number } {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  const scale = Math.max(...high.map((h, k) => (h - low[k]) / 2)) || 1;
  return { centre: low.map((l, k) => (l + high[k]) / 2), scale };
}
