import { checkNumbers, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { Cage, ShapePoint } from '../types.ts';

/** Sparse rows over the vertices of a cage. Row k has the entries start[k] to start[k + 1], vertices ascending. */
export interface CageRows {
  readonly count: number;
  readonly start: Uint32Array; // count + 1
  readonly vertex: Uint32Array;
  readonly weight: Float64Array;
}

/** Points of the shape as sums over vertices of the cage. Errors: 'wrong-type', 'wrong-length', 'index-out-of-range'. */
export function createCageRows(
  cage: Pick<Cage, 'embedding' | 'surface'>,
  points: readonly ShapePoint[],
): CageRows {
  const { controls, weights } = cage.embedding;
  const starts = [0],
    vertex: number[] = [],
    weight: number[] = [];
  points.forEach((point, i) => {
    checkPoint(`point ${i}`, point, cage.surface.vertexCount);
    const sums = new Map<number, number>();
    point.vertices.forEach((v, k) => {
      for (let e = 4 * v; e < 4 * v + 4; e++) {
        const share = point.weights[k] * weights[e];
        if (share !== 0) sums.set(controls[e], (sums.get(controls[e]) ?? 0) + share);
      }
    });
    for (const [v, w] of [...sums].sort(([a], [b]) => a - b)) {
      vertex.push(v);
      weight.push(w);
    }
    starts.push(vertex.length);
  });
  return {
    count: points.length,
    start: Uint32Array.from(starts),
    vertex: Uint32Array.from(vertex),
    weight: Float64Array.from(weight),
  };
}

function checkPoint(what: string, { vertices, weights }: ShapePoint, count: number): void {
  checkNumbers(`${what}: vertices`, vertices);
  checkNumbers(`${what}: weights`, weights, vertices.length);
  for (const v of vertices) {
    if (Number.isInteger(v) && v >= 0 && v < count) continue;
    throw new InputError(
      'index-out-of-range',
      `${what} uses vertex ${describe(v)}, but the surface has ${count} vertices`,
    );
  }
}

/** Row k times column `axis` of points that stand one column after another, n numbers each. */
export function rowTimes(rows: CageRows, k: number, columns: Float64Array, n: number, axis: number): number {
  let sum = 0;
  for (let e = rows.start[k]; e < rows.start[k + 1]; e++) {
    sum += rows.weight[e] * columns[axis * n + rows.vertex[e]];
  }
  return sum;
}

/** Adds a multiple of row k to a column. */
export function addRow(
  rows: CageRows,
  k: number,
  factor: number,
  columns: Float64Array,
  n: number,
  axis: number,
): void {
  for (let e = rows.start[k]; e < rows.start[k + 1]; e++) {
    columns[axis * n + rows.vertex[e]] += factor * rows.weight[e];
  }
}
