import { SymmetricMatrixBuilder } from '../../algebra/sparse/matrix-builder.ts';
import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import { tetrahedronGradients } from '../../mesh/tetrahedron-gradients.ts';
import type { Ties } from '../types.ts';

/** Entries smaller than this share of the diagonals of their row and column are rounding: long edges of a lattice. */
const NOTHING = 1e-13;

/** Volumes and gradients of the four barycentric coordinates of every tetrahedron. */
export interface Gradients {
  readonly volume: Float64Array;
  /** Twelve numbers each: the gradient of coordinate k is at 12 t + 3 k. */
  readonly gradient: Float64Array;
}

export function createGradients(mesh: TetrahedralMesh): Gradients {
  const volume = new Float64Array(mesh.tetrahedronCount),
    gradient = new Float64Array(12 * mesh.tetrahedronCount);
  for (let t = 0; t < volume.length; t++) volume[t] = tetrahedronGradients(mesh, t, gradient, 12 * t);
  return { volume, gradient };
}

/**
 * L of tetrahedra: L_ij = Σ V ∇i · ∇j, so that ½ tr(pᵀ L p) is half the integral of the squared gradients. Rows add up
 * to 0; entries that are nothing but rounding are left out.
 */
export function cotangentLaplacian(
  { tetrahedra, vertexCount }: TetrahedralMesh,
  { volume, gradient }: Gradients,
): SymmetricMatrix {
  const builder = new SymmetricMatrixBuilder(vertexCount, { expected: 6 * volume.length });
  const size = new Float64Array(vertexCount); // of the diagonal
  for (let t = 0; t < volume.length; t++) {
    for (let i = 0; i < 4; i++) {
      const g = 12 * t + 3 * i;
      size[tetrahedra[4 * t + i]] += volume[t] * dot(gradient, g, g);
      for (let j = 0; j < i; j++) {
        const value = volume[t] * dot(gradient, g, 12 * t + 3 * j);
        builder.add(tetrahedra[4 * t + i], tetrahedra[4 * t + j], value);
      }
    }
  }
  return balance(builder.build(), size);
}

/** Leaves out what is nothing, and makes the diagonal what the rest of its row demands. */
function balance({ size, start, row, value }: SymmetricMatrix, diagonal: Float64Array): SymmetricMatrix {
  const kept = new SymmetricMatrixBuilder(size, { expected: row.length });
  const sum = new Float64Array(size);
  for (let j = 0; j < size; j++) {
    for (let p = start[j] + 1; p < start[j + 1]; p++) {
      const i = row[p];
      if (!(Math.abs(value[p]) > NOTHING * Math.sqrt(diagonal[i] * diagonal[j]))) continue;
      kept.add(i, j, value[p]);
      sum[i] -= value[p];
      sum[j] -= value[p];
    }
  }
  for (let j = 0; j < size; j++) kept.add(j, j, sum[j]);
  return kept.build();
}

/** L + stiffness Σ rᵀ r over the rows of ties. */
export function addTies(laplacian: SymmetricMatrix, ties: Ties, stiffness: number): SymmetricMatrix {
  if (ties.start.length === 1) return laplacian;
  const { size, start, row, value } = laplacian;
  const builder = new SymmetricMatrixBuilder(size, { expected: row.length });
  for (let j = 0; j < size; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) builder.add(row[p], j, value[p]);
  }
  for (let k = 1; k < ties.start.length; k++) {
    for (let a = ties.start[k - 1]; a < ties.start[k]; a++) {
      for (let b = ties.start[k - 1]; b <= a; b++) {
        builder.add(ties.vertex[a], ties.vertex[b], stiffness * ties.weight[a] * ties.weight[b]);
      }
    }
  }
  return builder.build();
}

/** As stiff as an edge of the cage, on average. */
export function tieStiffness({ size, start, value }: SymmetricMatrix): number {
  let sum = 0;
  for (let j = 0; j < size; j++) sum += value[start[j]];
  return sum / size;
}

/** True when no entry beside the diagonal is positive: rotations of vertices then have weights that are not negative. */
export function hasNonNegativeWeights({ size, start, value }: SymmetricMatrix): boolean {
  for (let j = 0; j < size; j++) {
    for (let p = start[j] + 1; p < start[j + 1]; p++) if (value[p] > 0) return false;
  }
  return true;
}

function dot(g: Float64Array, a: number, b: number): number {
  return g[a] * g[b] + g[a + 1] * g[b + 1] + g[a + 2] * g[b + 2];
}
