import { createTetrahedralMesh } from 'pliant';

/** The outer faces of tetrahedra, ordered by (tetrahedron, local face). */
export function boundaryOf(name: string, positions: Float64Array, tetrahedra: Uint32Array): Uint32Array {
  return createTetrahedralMesh({ name, positions, tetrahedra }).boundaryTriangles;
}
