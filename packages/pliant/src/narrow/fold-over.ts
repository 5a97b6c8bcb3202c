// biome-ignore-all format: the coordinates of a point and the corners of a triangle stay on one line

import { segmentMeetsTriangle, segmentsMeet } from './flat-triangles.ts';
import { orient3dSign } from './orient.ts';
import { cornerAt } from './plane-sides.ts';
import { trianglesIntersect } from './triangle-triangle.ts';

/**
 * Whether two triangles of one mesh touch beyond the vertices that they share; equal offsets are the
 * same vertex. Exact. The rule (CERTIFICATES.md §3): some point of A and some point of B coincide
 * whose corners with non-zero weight have no vertex in common. That is
 *
 *   one shared vertex: the edge of A opposite to it meets B, or that of B meets A;
 *   a shared edge: the apex of one is in the other, or an edge crosses the other's, which needs all
 *   four points in one plane: a fold by exactly 180°;
 *   three shared vertices: always, the triangles are duplicates;
 *   none: the triangles intersect.
 *
 * Degenerate triangles follow the same rule. In particular a corner at the position of a shared vertex,
 * but with another index, touches the other triangle there and counts.
 */
export function adjacentTrianglesOverlap(
  P: Float64Array,
  a0: number, a1: number, a2: number,
  b0: number, b1: number, b2: number,
): boolean {
  if (a0 === a1 || a1 === a2 || a2 === a0 || b0 === b1 || b1 === b2 || b2 === b0) {
    return supportsMeet(P, [a0, a1, a2], [b0, b1, b2]);
  }
  const sharedOfA = cornersAmong(a0, a1, a2, b0, b1, b2);
  switch (sharedOfA) {
    case 0b000: return trianglesIntersect(P, a0, a1, a2, P, b0, b1, b2);
    case 0b111: return true;
    case 0b001: case 0b010: case 0b100: {
      const i = sharedOfA >> 1, j = cornersAmong(b0, b1, b2, a0, a1, a2) >> 1; // 1, 2, 4 become 0, 1, 2
      return vertexNeighboursOverlap(
        P, cornerAt(i, a0, a1, a2),
        cornerAt(i + 1, a0, a1, a2), cornerAt(i + 2, a0, a1, a2),
        cornerAt(j + 1, b0, b1, b2), cornerAt(j + 2, b0, b1, b2),
      );
    }
    default: {
      const i = (7 - sharedOfA) >> 1, j = (7 - cornersAmong(b0, b1, b2, a0, a1, a2)) >> 1;
      return edgeNeighboursOverlap(
        P, cornerAt(i + 1, a0, a1, a2), cornerAt(i + 2, a0, a1, a2), cornerAt(i, a0, a1, a2), cornerAt(j, b0, b1, b2),
      );
    }
  }
}

/** Bit i is set if the i-th of the first three is among the last three. */
function cornersAmong(a0: number, a1: number, a2: number, b0: number, b1: number, b2: number): number {
  return (
    Number(a0 === b0 || a0 === b1 || a0 === b2) +
    2 * Number(a1 === b0 || a1 === b1 || a1 === b2) +
    4 * Number(a2 === b0 || a2 === b1 || a2 === b2)
  );
}

/** Triangles v a₁ a₂ and v b₁ b₂. */
function vertexNeighboursOverlap(P: Float64Array, v: number, a1: number, a2: number, b1: number, b2: number): boolean {
  return segmentMeetsTriangle(P, a1, a2, P, v, b1, b2) || segmentMeetsTriangle(P, b1, b2, P, v, a1, a2);
}

/** Triangles v w a and v w b. */
function edgeNeighboursOverlap(P: Float64Array, v: number, w: number, a: number, b: number): boolean {
  if (orient3dSign(P, v, P, w, P, a, P, b) !== 0) return false; // any contact would put all four in one plane
  return (
    segmentMeetsTriangle(P, a, a, P, v, w, b) ||
    segmentMeetsTriangle(P, b, b, P, v, w, a) ||
    segmentsMeet(P, v, a, P, w, b) ||
    segmentsMeet(P, w, a, P, v, b)
  );
}

/**
 * The rule itself, for triangles that repeat a vertex: every way to give each shared vertex to one
 * side, then whether the hulls of the two sides meet. Such triangles are rare, so this one allocates.
 */
function supportsMeet(P: Float64Array, a: readonly number[], b: readonly number[]): boolean {
  const shared = [...new Set(a)].filter((v) => b.includes(v));
  const ownA = a.filter((v) => !shared.includes(v)), ownB = b.filter((v) => !shared.includes(v));
  for (let given = 0; given < 1 << shared.length; given++) {
    const sideA = [...ownA, ...shared.filter((_, k) => given & (1 << k))];
    const sideB = [...ownB, ...shared.filter((_, k) => !(given & (1 << k)))];
    if (sideA.length > 0 && sideB.length > 0 && hullsMeet(P, sideA, sideB)) return true;
  }
  return false;
}

/** Each hull has one to three corners; a triangle that repeats corners is that hull. */
function hullsMeet(P: Float64Array, a: readonly number[], b: readonly number[]): boolean {
  const [a0, a1 = a0, a2 = a0] = a;
  const [b0, b1 = b0, b2 = b0] = b;
  return trianglesIntersect(P, a0, a1, a2, P, b0, b1, b2);
}
