import { InputError } from '../../mesh/input-error.ts';
import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import { tetrahedronGradients } from '../../mesh/tetrahedron-gradients.ts';

/** What linear elements need of the rest shape. */
export interface TetrahedronShapes {
  readonly volumes: Float64Array;
  /** 12 per tetrahedron: the gradient of each corner's barycentric coordinate. */
  readonly gradients: Float64Array;
}

/** Tetrahedra of less volume, in cubes of their longest edge, have no gradients worth the name. */
const FLAT = 1e-12;

/**
 * Corners may be given in either order, as long as all tetrahedra agree. Errors: 'singular' for the first that is
 * flat or turned against the others.
 */
export function tetrahedronShapes(mesh: TetrahedralMesh): TetrahedronShapes {
  const { tetrahedronCount, sign } = mesh;
  const volumes = new Float64Array(tetrahedronCount);
  const gradients = new Float64Array(12 * tetrahedronCount);
  const usual = mesh.defects.invertedTetrahedra === tetrahedronCount ? -1 : 1;
  for (let t = 0; t < tetrahedronCount; t++) {
    if (sign[t] === -usual) {
      throw new InputError('singular', `tetrahedron ${t} is inverted: its corners turn against the others'`);
    }
    volumes[t] = tetrahedronGradients(mesh, t, gradients, 12 * t);
    if (!(volumes[t] > FLAT * longestEdge(mesh, t) ** 3)) {
      throw new InputError('singular', `tetrahedron ${t} is flat: its volume is ${volumes[t]}`);
    }
  }
  return { volumes, gradients };
}

/** Of the edges from the first corner. */
function longestEdge({ positions, tetrahedra }: TetrahedralMesh, t: number): number {
  const a = 3 * tetrahedra[4 * t];
  let most = 0;
  for (let k = 1; k < 4; k++) {
    const b = 3 * tetrahedra[4 * t + k];
    const x = positions[b] - positions[a],
      y = positions[b + 1] - positions[a + 1],
      z = positions[b + 2] - positions[a + 2];
    most = Math.max(most, x * x + y * y + z * z);
  }
  return Math.sqrt(most);
}
