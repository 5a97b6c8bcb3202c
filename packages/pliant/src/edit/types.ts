import type { SymmetricMatrix } from '../algebra/sparse/symmetric-matrix.ts';
import type { TetrahedralEmbedding } from '../deform/embed-in-tetrahedra.ts';
import type { TetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** What `Cage.surfaceVertex` says of vertices of tetrahedra that are not on their surface. */
export const NO_VERTEX = 0xffffffff;

/**
 * Tetrahedra that carry a shape, and the surface people see, both at rest and scaled to a box whose longest side is
 * 1. Plain data: it can be sent to other threads.
 */
export interface Cage {
  /** Every corner order has a positive volume, and every vertex belongs to a tetrahedron. */
  readonly tetrahedra: TetrahedralMesh;
  /** Two tetrahedra each: the neighbours through a face. Three may meet in one face where the solid forks. */
  readonly glue: Uint32Array;
  /** Per tetrahedron: which of the parts that `glue` does not connect it belongs to; 0 is the largest. */
  readonly component: Uint32Array;
  /** Nothing in it is to be welded: its source vertices are its vertices. */
  readonly surface: TriangleMesh;
  /** Rows that hold parts on one another which `glue` does not connect; often there is none. */
  readonly ties: Ties;
  /** Where the vertices of `surface` lie: 4 vertices of the cage and 4 weights each. */
  readonly embedding: TetrahedralEmbedding;
  /** Source vertex of the surface that was given, or else of the tetrahedra -> vertex of `surface`, or NO_VERTEX. */
  readonly surfaceVertex: Uint32Array;
  /** The median length of the edges of tetrahedra. */
  readonly spacing: number;
  /** In the coordinates that were given, a point is centre + scale · x. */
  readonly centre: readonly number[];
  readonly scale: number;
}

/**
 * Sums over vertices of the cage that are 0 at rest, and stay 0 under every affine map. Row k has the entries start[k]
 * to start[k + 1]; the first is of the part that is held, the others of the part that holds it; Σ weight² = 1.
 */
export interface Ties {
  readonly start: Uint32Array; // one more than there are rows
  readonly vertex: Uint32Array;
  readonly weight: Float64Array;
}

/** A point of the shape as a sum over vertices of the surface: a handle, or both sides of a contact. */
export interface ShapePoint {
  readonly vertices: readonly number[];
  readonly weights: readonly number[];
}

/** normal · (Σ weights x) ≥ offset: one scalar row. */
export interface ContactRow {
  /** Self-contact: the weights of both sides, those of the side that is hit negative, sum 0. */
  readonly point: ShapePoint;
  /** Of length 1, pointing out of the obstacle. */
  readonly normal: readonly number[];
  /** With the contact margin. */
  readonly offset: number;
  /** How deep the point lay when it was found: above 0 inside. */
  readonly depth: number;
  /** The same from step to step, for persistence and caches. */
  readonly key: number;
  /** Which obstacle; −1 for self-contact. */
  readonly other: number;
}

/** What a shape resists: ½ tr(pᵀ L p) − tr(pᵀ b) + constant, where b depends on the rotations fitted to p. */
export interface ShapeEnergy {
  /** n × n, positive semidefinite; constants are its null space on each connected part. */
  readonly laplacian: SymmetricMatrix;
  /** Fits to `p` (n × 3), writes the right-hand side to `b` (n × 3) and returns the energy of `p`. */
  rhs(p: Float64Array, b: Float64Array): number;
}
