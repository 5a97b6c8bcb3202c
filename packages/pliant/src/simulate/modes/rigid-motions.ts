import { combineColumns } from '../../algebra/dense/columns.ts';
import { symmetricEigen } from '../../algebra/dense/symmetric-eigen.ts';
import { findRoot, unite } from '../../mesh/union-find.ts';
import { type ElasticSystem, multiplyMass } from './elastic-system.ts';
import { massOrthonormalise } from './mass-basis.ts';

/** Relative to 1 for a turn: a motion that moves the fixed vertices less than this does not move them. */
const HOLDS = 1e-6;

/**
 * All motions without strain that fixed vertices allow, M-orthonormal in the unknowns of the system: six for each
 * connected part that nothing holds, three about a single fixed vertex, one about an axis.
 */
export function rigidMotions(system: ElasticSystem): { count: number; vectors: Float64Array } {
  const { size } = system;
  const columns: Float64Array[] = [];
  for (const part of connectedParts(system)) columns.push(...motionsOfPart(system, part));
  const packed = new Float64Array(columns.length * size);
  columns.forEach((column, k) => {
    packed.set(column, k * size);
  });
  const product = { size, apply: (x: Float64Array, y: Float64Array) => multiplyMass(system, x, y) };
  const { rank, q } = massOrthonormalise(product, packed, columns.length);
  return { count: rank, vectors: q };
}

/** Vertices of each part, fixed ones included; those of no tetrahedron belong to none. */
function connectedParts({ mesh }: ElasticSystem): number[][] {
  const { vertexCount, tetrahedra } = mesh;
  const parent = Int32Array.from({ length: vertexCount }, (_, v) => v);
  const isUsed = new Uint8Array(vertexCount);
  for (let k = 0; k < tetrahedra.length; k++) {
    isUsed[tetrahedra[k]] = 1;
    unite(parent, tetrahedra[k], tetrahedra[k - (k % 4)]);
  }
  const parts = new Map<number, number[]>();
  for (let v = 0; v < vertexCount; v++) {
    if (isUsed[v] === 0) continue;
    const root = findRoot(parent, v);
    const part = parts.get(root);
    if (part) part.push(v);
    else parts.set(root, [v]);
  }
  return [...parts.values()];
}

/** Those combinations of three shifts and three turns that leave the fixed vertices of the part in place. */
function motionsOfPart(system: ElasticSystem, part: readonly number[]): Float64Array[] {
  const { freeIndex, size, mesh } = system;
  const { centre, radius } = measure(mesh.positions, part);
  const six = new Float64Array(6 * size);
  const held = new Float64Array(36); // Gram matrix of the motions at fixed vertices
  const motion = new Float64Array(18);
  let fixed = 0;
  for (const v of part) {
    setMotions(mesh.positions, v, centre, radius, motion);
    const k = freeIndex[v];
    if (k >= 0) {
      for (let m = 0; m < 6; m++) six.set(motion.subarray(3 * m, 3 * m + 3), m * size + 3 * k);
      continue;
    }
    fixed++;
    for (let i = 0; i < 36; i++) {
      const a = 3 * (i % 6),
        b = 3 * Math.trunc(i / 6);
      held[i] += motion[a] * motion[b] + motion[a + 1] * motion[b + 1] + motion[a + 2] * motion[b + 2];
    }
  }
  const { values, vectors } = symmetricEigen(held, 6);
  const free: Float64Array[] = [];
  for (let m = 0; m < 6; m++) {
    if (fixed > 0 && values[m] > HOLDS * HOLDS * fixed) break;
    const column = new Float64Array(size);
    if (fixed === 0) column.set(six.subarray(m * size, (m + 1) * size));
    else combineColumns(six, size, 6, vectors, 6 * m, column, 0);
    free.push(column);
  }
  return free;
}

/** Displacements of one vertex under shifts along and turns about the axes, lengths in radii. */
function setMotions(
  positions: Float64Array,
  v: number,
  centre: readonly number[],
  radius: number,
  out: Float64Array,
): void {
  const x = (positions[3 * v] - centre[0]) / radius,
    y = (positions[3 * v + 1] - centre[1]) / radius,
    z = (positions[3 * v + 2] - centre[2]) / radius;
  out.fill(0);
  out[0] = out[4] = out[8] = 1;
  out[10] = -z; // about x: (0, −z, y)
  out[11] = y;
  out[12] = z; // about y: (z, 0, −x)
  out[14] = -x;
  out[15] = -y; // about z: (−y, x, 0)
  out[16] = x;
}

function measure(positions: Float64Array, part: readonly number[]): { centre: number[]; radius: number } {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (const v of part) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], positions[3 * v + k]);
      high[k] = Math.max(high[k], positions[3 * v + k]);
    }
  }
  const radius = Math.max(...high.map((h, k) => (h - low[k]) / 2)) || 1;
  return { centre: low.map((l, k) => (l + high[k]) / 2), radius };
}
