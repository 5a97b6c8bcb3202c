import type { VertexTriangles } from './adjacency.ts';
import { areCollinear } from './exact-sign.ts';
import { createSlots, finishHash, mixHash } from './hash.ts';

/** Legal, but worth knowing. Edges are counted without the triangles that use a vertex twice. */
export interface MeshDefects {
  readonly duplicateTriangles: number; // same three vertices as an earlier one, in any order
  readonly degenerateTriangles: number; // exactly collinear or coincident corners
  readonly nonManifoldEdges: number; // more than two triangles
  readonly boundaryEdges: number; // one triangle
  readonly flippedEdges: number; // two triangles that run along it the same way
  readonly unusedVertices: number; // welded vertices in no triangle
  readonly weldedVertices: number; // source vertices merged into another
}

export function countDuplicateTriangles(triangles: Uint32Array): number {
  const count = triangles.length / 3;
  const slots = createSlots(count);
  const mask = slots.length - 1;
  const sorted = sortCorners(triangles);
  let duplicates = 0;
  for (let t = 0; t < count; t++) {
    const o = 3 * t;
    let slot = finishHash(mixHash(mixHash(mixHash(0, sorted[o]), sorted[o + 1]), sorted[o + 2])) & mask;
    while (slots[slot] !== 0 && !haveSameCorners(sorted, 3 * (slots[slot] - 1), o)) slot = (slot + 1) & mask;
    if (slots[slot] === 0) slots[slot] = t + 1;
    else duplicates++;
  }
  return duplicates;
}

/** Decided exactly on the float64 positions. */
export function isDegenerate(positions: Float64Array, triangles: Uint32Array, t: number): boolean {
  const a = triangles[3 * t],
    b = triangles[3 * t + 1],
    c = triangles[3 * t + 2];
  return areCollinear(positions, 3 * a, 3 * b, 3 * c);
}

export function countDegenerateTriangles(positions: Float64Array, triangles: Uint32Array): number {
  let degenerate = 0;
  for (let t = 0; 3 * t < triangles.length; t++) if (isDegenerate(positions, triangles, t)) degenerate++;
  return degenerate;
}

export interface EdgeCounts {
  readonly edges: number;
  readonly boundaryEdges: number;
  readonly nonManifoldEdges: number;
  readonly flippedEdges: number;
}

/** Visits each edge from its lower vertex, with one pair of counters per upper vertex. */
export function countEdges(triangles: Uint32Array, { start, list }: VertexTriangles): EdgeCounts {
  const vertexCount = start.length - 1;
  const leaving = new Uint32Array(vertexCount); // triangles that run from the lower vertex to this one
  const arriving = new Uint32Array(vertexCount); // and the other way
  const counts = { edges: 0, boundaryEdges: 0, nonManifoldEdges: 0, flippedEdges: 0 };

  for (let v = 0; v < vertexCount; v++) {
    for (let i = start[v]; i < start[v + 1]; i++) {
      const t = 3 * list[i];
      const a = triangles[t],
        b = triangles[t + 1],
        c = triangles[t + 2];
      if (a === b || b === c || c === a) continue;
      const after = v === a ? b : v === b ? c : a;
      const before = v === a ? c : v === b ? a : b;
      if (after > v) leaving[after]++;
      if (before > v) arriving[before]++;
    }
    for (let i = start[v]; i < start[v + 1]; i++) {
      const t = 3 * list[i];
      tally(leaving, arriving, triangles[t], counts);
      tally(leaving, arriving, triangles[t + 1], counts);
      tally(leaving, arriving, triangles[t + 2], counts);
    }
  }
  return counts;
}

/** Reads the counters of an edge once and clears them. */
function tally(
  leaving: Uint32Array,
  arriving: Uint32Array,
  w: number,
  counts: { edges: number; boundaryEdges: number; nonManifoldEdges: number; flippedEdges: number },
): void {
  const out = leaving[w],
    back = arriving[w];
  if (out + back === 0) return;
  counts.edges++;
  if (out + back === 1) counts.boundaryEdges++;
  else if (out + back > 2) counts.nonManifoldEdges++;
  else if (out !== back) counts.flippedEdges++;
  leaving[w] = arriving[w] = 0;
}

export function countUnusedVertices({ start }: VertexTriangles): number {
  let unused = 0;
  for (let v = 0; v + 1 < start.length; v++) if (start[v] === start[v + 1]) unused++;
  return unused;
}

/** Three corners per triangle, ascending. */
export function sortCorners(triangles: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t],
      b = triangles[t + 1],
      c = triangles[t + 2];
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    sorted[t] = low;
    sorted[t + 1] = a + b + c - low - high;
    sorted[t + 2] = high;
  }
  return sorted;
}

export function haveSameCorners(sorted: Uint32Array, s: number, t: number): boolean {
  return sorted[s] === sorted[t] && sorted[s + 1] === sorted[t + 1] && sorted[s + 2] === sorted[t + 2];
}
