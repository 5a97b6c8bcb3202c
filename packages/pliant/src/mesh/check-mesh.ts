import { checkObject } from './check-input.ts';
import { InputError } from './input-error.ts';
import type { TetrahedralMesh } from './tetrahedral-mesh.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

/** What createTriangleMesh has checked and prepared; a source, or another library's mesh, has not been. */
export function checkTriangleMesh(mesh: unknown, what = 'mesh'): asserts mesh is TriangleMesh {
  checkObject(what, mesh);
  const { positions, triangles, sourceVertex, weldedVertex, adjacency } = mesh as Partial<TriangleMesh>;
  const isMesh =
    positions instanceof Float64Array &&
    triangles instanceof Uint32Array &&
    sourceVertex instanceof Uint32Array &&
    weldedVertex instanceof Uint32Array &&
    adjacency?.start instanceof Uint32Array;
  if (!isMesh) throw new InputError('wrong-type', `${what} must come from createTriangleMesh`);
}

/** The same of createTetrahedralMesh. */
export function checkTetrahedralMesh(mesh: unknown, what = 'mesh'): asserts mesh is TetrahedralMesh {
  checkObject(what, mesh);
  const { positions, tetrahedra, boundaryTriangles } = mesh as Partial<TetrahedralMesh>;
  const isMesh =
    positions instanceof Float64Array &&
    tetrahedra instanceof Uint32Array &&
    boundaryTriangles instanceof Uint32Array;
  if (!isMesh) throw new InputError('wrong-type', `${what} must come from createTetrahedralMesh`);
}
