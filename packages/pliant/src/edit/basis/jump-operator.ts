import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import { addTies } from '../arap/laplacian.ts';
import { cornersByVertex, type Solid } from './cage-graph.ts';

/**
 * How far a function on the vertices is from affine: A = Σ Kₑᵀ Kₑ / Mₑ over the faces e where two tetrahedra a and b
 * are glued together, with
 *
 *     Kₑ f = area · n · (∇f in a − ∇f in b),      Mₑ = (Vₐ + V_b) / 4.
 *
 * Along the face both gradients agree, so A f = 0 says that the gradient is the same everywhere: the null space is
 * the affine functions of each part that faces connect, and nothing else. Faces come from `glue`: more than two
 * tetrahedra may meet in one. Pairs that share no face do not count. Ties are rows of their own, which vanish on
 * functions that are affine on all parts together.
 */
export function createJumpOperator({ tetrahedra: mesh, glue, ties }: Solid): SymmetricMatrix {
  const size = mesh.vertexCount;
  const jumps = gather(size, faceJumps(mesh, glue));
  if (ties.vertex.length === 0) return jumps;
  let diagonal = 0;
  for (let j = 0; j < size; j++) diagonal += jumps.value[jumps.start[j]] / size;
  return addTies(jumps, ties, diagonal || 1); // as stiff as what it holds
}

/** Five vertices and coefficients per face, divided by √Mₑ. */
interface Jumps {
  readonly vertex: Uint32Array;
  readonly value: Float64Array;
}

/** Rows longer than this, in lengths of the median row, are made so long: they come from tetrahedra that are nearly flat. */
const LONGEST = 100;

function faceJumps(mesh: TetrahedralMesh, glue: Uint32Array): Jumps {
  const { tetrahedra, positions } = mesh;
  const vertex = new Uint32Array((glue.length / 2) * 5),
    value = new Float64Array(vertex.length),
    length = new Float64Array(glue.length / 2); // that a row should have
  let count = 0;
  for (let i = 0; i < glue.length; i += 2) {
    const a = glue[i],
      b = glue[i + 1];
    const near = cornerApart(tetrahedra, a, b),
      far = cornerApart(tetrahedra, b, a);
    if (near < 0 || far < 0) continue;
    const o = 5 * count;
    for (let k = 1; k < 4; k++) vertex[o + k - 1] = tetrahedra[4 * a + ((near + k) & 3)];
    vertex[o + 3] = tetrahedra[4 * a + near];
    vertex[o + 4] = tetrahedra[4 * b + far];
    length[count++] = writeJump(positions, vertex, value, o);
  }
  limitRows(value, length.subarray(0, count));
  return { vertex: vertex.subarray(0, 5 * count), value: value.subarray(0, 5 * count) };
}

/**
 * The jump across the face of the first three of five vertices, from the fourth to the fifth. Up to a factor there is
 * only one sum over five points that vanishes on affine functions; its coefficients are volumes, which come out with a
 * small error even when the gradients, their quotients, do not. Writes them and returns how long the row should be.
 */
function writeJump(p: Float64Array, vertex: Uint32Array, value: Float64Array, o: number): number {
  const f = 3 * vertex[o],
    q = 3 * vertex[o + 1],
    r = 3 * vertex[o + 2],
    n = 3 * vertex[o + 3],
    m = 3 * vertex[o + 4];
  const ux = p[q] - p[f],
    uy = p[q + 1] - p[f + 1],
    uz = p[q + 2] - p[f + 2],
    vx = p[r] - p[f],
    vy = p[r + 1] - p[f + 1],
    vz = p[r + 2] - p[f + 2];
  const xx = p[n] - p[f],
    xy = p[n + 1] - p[f + 1],
    xz = p[n + 2] - p[f + 2],
    yx = p[m] - p[f],
    yy = p[m + 1] - p[f + 1],
    yz = p[m + 2] - p[f + 2];
  // u × v is twice the area long, and x × y serves two of the volumes
  const nx = uy * vz - uz * vy,
    ny = uz * vx - ux * vz,
    nz = ux * vy - uy * vx;
  const wx = xy * yz - xz * yy,
    wy = xz * yx - xx * yz,
    wz = xx * yy - xy * yx;
  const near = nx * xx + ny * xy + nz * xz, // six volumes, with signs
    far = nx * yx + ny * yy + nz * yz;
  value[o + 1] = -(vx * wx + vy * wy + vz * wz);
  value[o + 2] = ux * wx + uy * wy + uz * wz;
  value[o + 3] = -far;
  value[o + 4] = near;
  value[o] = -(value[o + 1] + value[o + 2] + value[o + 3] + value[o + 4]);
  const mass = (Math.abs(near) + Math.abs(far)) / 24;
  const scale = (nx * nx + ny * ny + nz * nz) / (2 * Math.abs(near * far) * Math.sqrt(mass));
  return scale * lengthOf(value, o);
}

/** Gives every row its length, up to a limit: any length leaves the same functions without jumps. */
function limitRows(value: Float64Array, length: Float64Array): void {
  const limit = LONGEST * length.slice().sort()[length.length >> 1];
  for (let e = 0; e < length.length; e++) {
    const is = lengthOf(value, 5 * e);
    if (is === 0) continue; // all five in a plane
    const factor = Math.min(length[e], limit) / is;
    for (let k = 5 * e; k < 5 * e + 5; k++) value[k] *= factor;
  }
}

function lengthOf(value: Float64Array, o: number): number {
  let sum = 0;
  for (let k = o; k < o + 5; k++) sum += value[k] * value[k];
  return Math.sqrt(sum);
}

/** Which corner of `a` is not one of `b`; -1 unless there is exactly one. */
export function cornerApart(tetrahedra: Uint32Array, a: number, b: number): number {
  let apart = -1;
  for (let k = 0; k < 4; k++) {
    const v = tetrahedra[4 * a + k];
    let isShared = false;
    for (let j = 4 * b; j < 4 * b + 4; j++) isShared ||= tetrahedra[j] === v;
    if (isShared) continue;
    if (apart >= 0) return -1;
    apart = k;
  }
  return apart;
}

/** Σ over faces of coefficient times coefficient, column by column. */
function gather(size: number, { vertex, value }: Jumps): SymmetricMatrix {
  const { start: first, item } = cornersByVertex(vertex, size);
  const start = new Int32Array(size + 1);
  let room = 16 * size,
    row = new Int32Array(room),
    values = new Float64Array(room);
  const seen = new Int32Array(size).fill(-1);
  const sum = new Float64Array(size);
  const found = new Int32Array(size);
  for (let j = 0; j < size; j++) {
    let count = 1;
    found[0] = j; // the diagonal is always there
    seen[j] = j;
    sum[j] = 0;
    for (let c = first[j]; c < first[j + 1]; c++) {
      const own = value[item[c]];
      const face = item[c] - (item[c] % 5);
      for (let k = face; k < face + 5; k++) {
        const i = vertex[k];
        if (i < j) continue;
        if (seen[i] !== j) {
          seen[i] = j;
          sum[i] = 0;
          found[count++] = i;
        }
        sum[i] += own * value[k];
      }
    }
    const from = start[j];
    if (from + count > room) {
      room = 2 * (from + count);
      row = grow(row, new Int32Array(room));
      values = grow(values, new Float64Array(room));
    }
    const rows = found.subarray(0, count).sort();
    for (let k = 0; k < count; k++) {
      row[from + k] = rows[k];
      values[from + k] = sum[rows[k]];
    }
    start[j + 1] = from + count;
  }
  return { size, start, row: row.slice(0, start[size]), value: values.slice(0, start[size]) };
}

function grow<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
