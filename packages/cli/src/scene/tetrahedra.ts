// By path, as the library's index does not list it; the bundler copies it in.
import { createTetrahedralMesh } from '../../../pliant/src/mesh/tetrahedral-mesh.ts';

/** The outer faces of tetrahedra, ordered by (tetrahedron, local face). */
export function boundaryOf(name: string, positions: Float64Array, tetrahedra: Uint32Array): Uint32Array {
  return createTetrahedralMesh({ name, positions, tetrahedra }).boundaryTriangles;
}
