/**
 * Triangles in their rest shape. Only `createTriangleMesh` makes one: it checks everything once, and
 * behind it the arrays are trusted.
 *
 * Vertices are *welded*: source vertices with equal rest position (and equal `attributes`) are one.
 * Triangle ids are those of the source; degenerate and duplicate triangles keep theirs.
 */
export interface TriangleMesh {
  readonly name: string;
  readonly vertexCount: number; // after welding
  readonly triangleCount: number;
  readonly positions: Float64Array; // 3 per welded vertex
  readonly triangles: Uint32Array; // 3 welded vertices per triangle
  readonly sourceVertexCount: number;
  readonly weldedVertex: Uint32Array; // source vertex -> welded vertex
  readonly sourceVertex: Uint32Array; // welded vertex -> the first source vertex welded into it
  readonly adjacency: VertexTriangles;
  readonly componentCount: number;
  readonly component: Uint32Array; // per triangle; triangles that share a vertex share a component
  readonly defects: MeshDefects;
}

/** The triangles around vertex v are `list[start[v] … start[v + 1])`, ascending. */
export interface VertexTriangles {
  readonly start: Uint32Array;
  readonly list: Uint32Array;
}

/** Legal, but worth knowing. */
export interface MeshDefects {
  readonly duplicateTriangles: number; // same three vertices as an earlier one
  readonly degenerateTriangles: number; // exactly collinear or coincident corners
  readonly nonManifoldEdges: number; // more than two triangles
  readonly boundaryEdges: number; // one triangle
  readonly unusedVertices: number;
  readonly weldedVertices: number; // source vertices merged into another
}
