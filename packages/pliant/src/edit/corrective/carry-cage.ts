import { factoriseSparse } from '../../algebra/sparse/factorise.ts';
import { SymmetricMatrixBuilder } from '../../algebra/sparse/matrix-builder.ts';
import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { createTetrahedralMesh, type TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import { createTriangleMesh } from '../../mesh/triangle-mesh.ts';
import { writeNormal } from '../../mesh/triangle-normal.ts';
import { createEnergy, type ResidentEnergy } from '../arap/energy.ts';
import { tieStiffness } from '../arap/laplacian.ts';
import { NO_TIES, sixVolumes, tieParts } from '../cage-ties.ts';
import type { Cage } from '../types.ts';

/** Springs to the surface, of the mean stiffness of the cage. */
const SPRING = 1;
/** Rounds of so many steps each; after each of them springs around tetrahedra that turn over get weaker. */
const ROUNDS = 4;
const STEPS = 10;
const WEAKER = 0.1;
/** How often all that have turned over are turned back, one after the other. */
const SWEEPS = 400;
/** A tetrahedron keeps at least this share of its volume. */
const LEAST_VOLUME = 0.05;
/** … and those that are turned back get this much, so that their neighbours have room. */
const NEW_VOLUME = 0.1;

export interface CarriedCage {
  readonly cage: Cage;
  /** How far the surface lies from where the tetrahedra alone would take it, at most, in edges of the cage. */
  readonly residual: number;
}

/**
 * A cage carried along with its surface: the same tetrahedra, glued as they were, around `surface` (three per vertex, in
 * the coordinates of the cage). It follows as rigidly as possible, and no tetrahedron turns over. The surface is bound
 * to it where it is, in the tetrahedra that held it at rest: what overlaps is not glued. `start` is a guess of the
 * vertices of the cage. Undefined when tetrahedra turn over whatever is tried.
 */
export async function carryCage(
  kernels: Kernels,
  cage: Cage,
  surface: Float64Array,
  start: Float64Array,
  signal?: AbortSignal,
): Promise<CarriedCage | undefined> {
  const { tetrahedra: mesh } = cage;
  const energy = createEnergy(kernels, cage, { rotations: 'elements' });
  const springs = new Float64Array(surface.length / 3).fill(SPRING * tieStiffness(energy.laplacian));
  const p = start.slice();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      signal?.throwIfAborted();
      await follow(energy, cage, surface, springs, p, signal);
      const q = p.slice();
      if (turnBack(mesh, q)) return bindSurface(cage, surface, q);
      weaken(cage, findTurned(mesh, p), springs);
    }
  } finally {
    energy.dispose();
  }
  return undefined;
}

/** Steps of local and global iteration with springs to the surface. Changes p. */
async function follow(
  energy: ResidentEnergy,
  cage: Cage,
  surface: Float64Array,
  springs: Float64Array,
  p: Float64Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { matrix, pull } = withSprings(energy.laplacian, cage, surface, springs);
  const factor = await factoriseSparse(matrix, { points: cage.tetrahedra.positions, signal });
  try {
    const n = p.length / 3,
      b = new Float64Array(3 * n),
      columns = new Float64Array(3 * n);
    for (let step = 0; step < STEPS; step++) {
      energy.rhs(p, b);
      for (let v = 0; v < n; v++) {
        for (let a = 0; a < 3; a++) columns[a * n + v] = b[3 * v + a] + pull[3 * v + a];
      }
      factor.solve(columns, 3);
      for (let v = 0; v < n; v++) for (let a = 0; a < 3; a++) p[3 * v + a] = columns[a * n + v];
    }
  } finally {
    factor.dispose();
  }
}

/** L + Σ k rᵀr over the rows that place the surface, and Σ k rᵀ x. */
function withSprings(
  { size, start, row, value }: SymmetricMatrix,
  { embedding: { controls, weights } }: Cage,
  surface: Float64Array,
  springs: Float64Array,
): { matrix: SymmetricMatrix; pull: Float64Array } {
  const builder = new SymmetricMatrixBuilder(size, { expected: row.length });
  const pull = new Float64Array(3 * size);
  for (let j = 0; j < size; j++) {
    for (let e = start[j]; e < start[j + 1]; e++) builder.add(row[e], j, value[e]);
  }
  for (let v = 0; v < surface.length / 3; v++) {
    for (let i = 4 * v; i < 4 * v + 4; i++) {
      if (weights[i] === 0) continue;
      for (let a = 0; a < 3; a++) pull[3 * controls[i] + a] += springs[v] * weights[i] * surface[3 * v + a];
      for (let j = 4 * v; j <= i; j++) {
        if (weights[j] !== 0) builder.add(controls[i], controls[j], springs[v] * weights[i] * weights[j]);
      }
    }
  }
  return { matrix: builder.build(), pull };
}

/** Tetrahedra with too little volume, or less than none. */
function findTurned({ tetrahedra, positions }: TetrahedralMesh, p: Float64Array): number[] {
  const turned: number[] = [];
  for (let o = 0; o < tetrahedra.length; o += 4) {
    const a = 3 * tetrahedra[o],
      b = 3 * tetrahedra[o + 1],
      c = 3 * tetrahedra[o + 2],
      d = 3 * tetrahedra[o + 3];
    if (sixVolumes(p, a, b, c, d) > LEAST_VOLUME * sixVolumes(positions, a, b, c, d)) continue;
    turned.push(o / 4);
  }
  return turned;
}

/**
 * Gives tetrahedra volume again by the smallest movement of their corners, one after the other until all have some. False
 * when that does not come to an end. Changes p.
 */
function turnBack(mesh: TetrahedralMesh, p: Float64Array): boolean {
  const { tetrahedra, positions } = mesh;
  const slopes = new Float64Array(12);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const turned = findTurned(mesh, p);
    if (turned.length === 0) return true;
    for (const t of turned) {
      const [a, b, c, d] = [0, 1, 2, 3].map((k) => 3 * tetrahedra[4 * t + k]);
      const missing = NEW_VOLUME * sixVolumes(positions, a, b, c, d) - sixVolumes(p, a, b, c, d);
      if (!(missing > 0)) continue;
      // How its volume grows with a corner: along the normal of the face on the other side.
      writeNormal(p, b, d, c, slopes, 0);
      writeNormal(p, a, c, d, slopes, 3);
      writeNormal(p, a, d, b, slopes, 6);
      writeNormal(p, a, b, c, slopes, 9);
      let squared = 0;
      for (let i = 0; i < 12; i++) squared += slopes[i] * slopes[i];
      if (!(squared > 0)) return false; // all corners on a line
      [a, b, c, d].forEach((o, k) => {
        for (let i = 0; i < 3; i++) p[o + i] += (missing / squared) * slopes[3 * k + i];
      });
    }
  }
  return false;
}

/** Springs of the surface in tetrahedra that share a vertex with one that has turned over. */
function weaken(
  { tetrahedra: { tetrahedra }, embedding: { controls } }: Cage,
  turned: readonly number[],
  springs: Float64Array,
): void {
  const corners = new Set<number>();
  for (const t of turned) for (let o = 4 * t; o < 4 * t + 4; o++) corners.add(tetrahedra[o]);
  const near = new Set<number>();
  for (let o = 0; o < tetrahedra.length; o += 4) {
    const four = tetrahedra.subarray(o, o + 4);
    if (four.some((v) => corners.has(v))) for (const v of four) near.add(v);
  }
  for (let v = 0; v < springs.length; v++) {
    const o = 4 * v;
    if ([0, 1, 2, 3].some((k) => near.has(controls[o + k]))) springs[v] *= WEAKER;
  }
}

function bindSurface(cage: Cage, surface: Float64Array, p: Float64Array): CarriedCage {
  const { tetrahedra: rest, embedding, component, ties, spacing } = cage;
  const { controls, weights: before, tetrahedron, outside } = embedding;
  const weights = new Float64Array(before.length);
  let squared = 0;
  for (let v = 0; v < surface.length / 3; v++) {
    writeCoordinates(p, controls, 4 * v, surface, 3 * v, weights);
    let gap = 0;
    for (let a = 0; a < 3; a++) {
      let x = surface[3 * v + a];
      for (let k = 4 * v; k < 4 * v + 4; k++) x -= before[k] * p[3 * controls[k] + a];
      gap += x * x;
    }
    squared = Math.max(squared, gap);
  }
  const tetrahedra = createTetrahedralMesh({ positions: p, tetrahedra: rest.tetrahedra, name: rest.name });
  const { triangles, name } = cage.surface;
  return {
    cage: {
      ...cage,
      tetrahedra,
      surface: createTriangleMesh({ positions: surface, triangles, name, weld: false }),
      ties: ties.start.length > 1 ? tieParts(tetrahedra, component) : NO_TIES,
      embedding: { controlPositions: p, influences: 4, controls, weights, tetrahedron, outside },
    },
    residual: Math.sqrt(squared) / spacing,
  };
}

/** Barycentric coordinates of a point in a tetrahedron, which is upright. */
function writeCoordinates(
  p: Float64Array,
  controls: ArrayLike<number>,
  o: number,
  points: Float64Array,
  q: number,
  out: Float64Array,
): void {
  const corner = [3 * controls[o], 3 * controls[o + 1], 3 * controls[o + 2], 3 * controls[o + 3]];
  const all = new Float64Array(15);
  for (let k = 0; k < 4; k++) for (let a = 0; a < 3; a++) all[3 * k + a] = p[corner[k] + a];
  for (let a = 0; a < 3; a++) all[12 + a] = points[q + a];
  const whole = sixVolumes(all, 0, 3, 6, 9);
  out[o] = sixVolumes(all, 12, 3, 6, 9) / whole;
  out[o + 1] = sixVolumes(all, 0, 12, 6, 9) / whole;
  out[o + 2] = sixVolumes(all, 0, 3, 12, 9) / whole;
  out[o + 3] = 1 - out[o] - out[o + 1] - out[o + 2];
}
