import type { TetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';

/** The tetrahedra around each vertex, ascending: those of v are tetrahedron[start[v]] to tetrahedron[start[v + 1]]. */
export interface VertexTetrahedra {
  readonly start: Uint32Array;
  readonly tetrahedron: Uint32Array;
}

export function createVertexTetrahedra({ vertexCount, tetrahedra }: TetrahedralMesh): VertexTetrahedra {
  const start = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < tetrahedra.length; i++) start[tetrahedra[i] + 1]++;
  for (let v = 0; v < vertexCount; v++) start[v + 1] += start[v];
  const next = start.slice(0, vertexCount);
  const tetrahedron = new Uint32Array(tetrahedra.length);
  for (let i = 0; i < tetrahedra.length; i++) tetrahedron[next[tetrahedra[i]]++] = i >>> 2;
  return { start, tetrahedron };
}
