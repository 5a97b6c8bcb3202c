import { InputError } from '../../mesh/input-error.ts';
import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';

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
  const { tetrahedronCount, positions, tetrahedra, sign } = mesh;
  const volumes = new Float64Array(tetrahedronCount);
  const gradients = new Float64Array(12 * tetrahedronCount);
  const usual = mesh.defects.invertedTetrahedra === tetrahedronCount ? -1 : 1;
  const edges = new Float64Array(9);
  for (let t = 0; t < tetrahedronCount; t++) {
    if (sign[t] === -usual) {
      throw new InputError('singular', `tetrahedron ${t} is inverted: its corners turn against the others'`);
    }
    const a = 3 * tetrahedra[4 * t];
    for (let k = 0; k < 9; k++) {
      edges[k] = positions[3 * tetrahedra[4 * t + 1 + Math.trunc(k / 3)] + (k % 3)] - positions[a + (k % 3)];
    }
    volumes[t] = setGradients(edges, gradients, 12 * t);
    if (!(volumes[t] > FLAT * longest(edges) ** 3)) {
      throw new InputError('singular', `tetrahedron ${t} is flat: its volume is ${volumes[t]}`);
    }
  }
  return { volumes, gradients };
}

/** `edges` lead from the first corner to the others. Returns the volume, > 0 whichever way they turn. */
function setGradients(edges: Float64Array, out: Float64Array, o: number): number {
  const [bx, by, bz, cx, cy, cz, dx, dy, dz] = edges;
  const sx = cy * dz - cz * dy,
    sy = cz * dx - cx * dz,
    sz = cx * dy - cy * dx;
  const whole = bx * sx + by * sy + bz * sz;
  out[o + 3] = sx / whole;
  out[o + 4] = sy / whole;
  out[o + 5] = sz / whole;
  out[o + 6] = (dy * bz - dz * by) / whole;
  out[o + 7] = (dz * bx - dx * bz) / whole;
  out[o + 8] = (dx * by - dy * bx) / whole;
  out[o + 9] = (by * cz - bz * cy) / whole;
  out[o + 10] = (bz * cx - bx * cz) / whole;
  out[o + 11] = (bx * cy - by * cx) / whole;
  for (let k = 0; k < 3; k++) out[o + k] = -(out[o + 3 + k] + out[o + 6 + k] + out[o + 9 + k]);
  return Math.abs(whole) / 6;
}

function longest(edges: Float64Array): number {
  let most = 0;
  for (let k = 0; k < 9; k += 3) {
    most = Math.max(most, edges[k] ** 2 + edges[k + 1] ** 2 + edges[k + 2] ** 2);
  }
  return Math.sqrt(most);
}
