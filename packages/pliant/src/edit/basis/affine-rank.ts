import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import { findRoot, unite } from '../../mesh/union-find.ts';
import type { Solid } from './cage-graph.ts';
import { cornerApart } from './jump-operator.ts';

/** A chosen vertex serves when it is at least this much as far from those before as the farthest vertex. */
const FAR_ENOUGH = 0.1;

/**
 * Vertices to add to the chosen ones so that each part that faces connect holds four that span space: only then is
 * the jump operator positive definite on the others. Parts smaller than a few tetrahedra are what needs it. A tied
 * vertex serves too: a larger part holds it.
 */
export function missingManipulators(solid: Solid, chosen: readonly number[]): number[] {
  const { tetrahedra: mesh, glue, ties } = solid;
  const { vertexCount, positions } = mesh;
  const isChosen = new Uint8Array(vertexCount);
  for (const v of chosen) isChosen[v] = 1;
  for (let t = 0; t + 1 < ties.start.length; t++) isChosen[ties.vertex[ties.start[t]]] = 1;
  const missing: number[] = [];
  for (const vertices of verticesOfParts(mesh, glue)) {
    const span = new Span(positions);
    for (let k = 0; k < 4; k++) {
      const best = span.farthest(vertices, undefined),
        own = span.farthest(vertices, isChosen);
      let taken = best;
      if (own.vertex >= 0 && own.distance >= FAR_ENOUGH * best.distance) taken = own;
      if (isChosen[taken.vertex] === 0) {
        isChosen[taken.vertex] = 1;
        missing.push(taken.vertex);
      }
      span.add(taken.vertex);
    }
  }
  return missing;
}

/** The affine span of up to three points. */
class Span {
  readonly #positions: Float64Array;
  readonly #axes: number[][] = []; // of length 1 and upright on each other
  #origin = -1;

  constructor(positions: Float64Array) {
    this.#positions = positions;
  }

  add(vertex: number): void {
    if (this.#origin < 0) this.#origin = vertex;
    else {
      const rest = this.#restOf(vertex);
      const length = Math.hypot(...rest) || 1;
      this.#axes.push(rest.map((x) => x / length));
    }
  }

  /** The first of the farthest among `vertices`, or among those marked. An empty span is equally far from all. */
  farthest(
    vertices: readonly number[],
    marked: Uint8Array | undefined,
  ): { vertex: number; distance: number } {
    let vertex = -1,
      distance = -1;
    for (const v of vertices) {
      if (marked !== undefined && marked[v] === 0) continue;
      const d = this.#origin < 0 ? 0 : Math.hypot(...this.#restOf(v));
      if (d <= distance) continue;
      distance = d;
      vertex = v;
    }
    return { vertex, distance };
  }

  #restOf(vertex: number): number[] {
    const positions = this.#positions;
    const rest = [0, 1, 2].map((k) => positions[3 * vertex + k] - positions[3 * this.#origin + k]);
    for (const axis of this.#axes) {
      const along = rest[0] * axis[0] + rest[1] * axis[1] + rest[2] * axis[2];
      for (let k = 0; k < 3; k++) rest[k] -= along * axis[k];
    }
    return rest;
  }
}

/** A vertex where parts meet in less than a face belongs to all of them. */
function verticesOfParts(
  { vertexCount, tetrahedra, tetrahedronCount }: TetrahedralMesh,
  glue: Uint32Array,
): number[][] {
  const parent = Int32Array.from({ length: tetrahedronCount }, (_, t) => t);
  for (let i = 0; i < glue.length; i += 2) {
    if (cornerApart(tetrahedra, glue[i], glue[i + 1]) >= 0) unite(parent, glue[i], glue[i + 1]);
  }
  const parts = new Map<number, number[]>();
  for (let t = 0; t < tetrahedronCount; t++) {
    const root = findRoot(parent, t);
    if (!parts.has(root)) parts.set(root, []);
    parts.get(root)!.push(t);
  }
  const seen = new Int32Array(vertexCount).fill(-1);
  return Array.from(parts.entries(), ([root, members]) => {
    const vertices: number[] = [];
    for (const t of members) {
      for (let k = 4 * t; k < 4 * t + 4; k++) {
        const v = tetrahedra[k];
        if (seen[v] === root) continue;
        seen[v] = root;
        vertices.push(v);
      }
    }
    return vertices;
  });
}
