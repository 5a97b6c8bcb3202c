import type { PageMesh } from './read-payload.ts';

const SMOOTH_COSINE = 0.62; // faces that meet at less than about 52° at rest are shaded as one surface

/** For each corner of each triangle the normal that it shares: corners at one point whose faces are nearly level. */
export interface Smoothing {
  readonly groupOfCorner: Uint32Array;
  readonly groupCount: number;
}

export function findSmoothing(mesh: PageMesh): Smoothing {
  const { triangles, positions, triangleCount } = mesh;
  const cornerCount = 3 * triangleCount;
  const normals = faceNormals(triangles, positions, triangleCount);
  const points = weldPoints(mesh);
  const groupOfCorner = new Uint32Array(cornerCount);
  const groupsAt: number[][] = [];
  const normalOf: number[] = []; // of each group: that of its first face
  for (let corner = 0; corner < cornerCount; corner++) {
    const f = 3 * Math.floor(corner / 3);
    const x = normals[f],
      y = normals[f + 1],
      z = normals[f + 2];
    const groups = (groupsAt[points[triangles[corner]]] ??= []);
    let group = groups.find(
      (g) => normalOf[3 * g] * x + normalOf[3 * g + 1] * y + normalOf[3 * g + 2] * z > SMOOTH_COSINE,
    );
    if (group === undefined) {
      group = normalOf.length / 3;
      groups.push(group);
      normalOf.push(x, y, z);
    }
    groupOfCorner[corner] = group;
  }
  return { groupOfCorner, groupCount: normalOf.length / 3 };
}

/** One number per vertex, equal for vertices at the same place. */
function weldPoints({ lattice }: PageMesh): Uint32Array {
  const known = new Map<number, number>();
  const result = new Uint32Array(lattice.length / 3);
  for (let v = 0; v < result.length; v++) {
    const key = lattice[3 * v] + 65536 * (lattice[3 * v + 1] + 65536 * lattice[3 * v + 2]); // < 2⁴⁸: exact
    let point = known.get(key);
    if (point === undefined) known.set(key, (point = known.size));
    result[v] = point;
  }
  return result;
}

function faceNormals(triangles: ArrayLike<number>, positions: Float32Array, count: number): Float32Array {
  const normals = new Float32Array(3 * count);
  for (let t = 0; t < count; t++) {
    writeNormal(
      positions,
      3 * triangles[3 * t],
      3 * triangles[3 * t + 1],
      3 * triangles[3 * t + 2],
      normals,
      3 * t,
    );
    const length = Math.hypot(normals[3 * t], normals[3 * t + 1], normals[3 * t + 2]) || 1;
    for (let k = 0; k < 3; k++) normals[3 * t + k] /= length;
  }
  return normals;
}

/** (b − a) × (c − a): as long as twice the area. */
export function writeNormal(
  p: Float32Array,
  a: number,
  b: number,
  c: number,
  out: Float32Array,
  at: number,
): void {
  const ux = p[b] - p[a],
    uy = p[b + 1] - p[a + 1],
    uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a],
    vy = p[c + 1] - p[a + 1],
    vz = p[c + 2] - p[a + 2];
  out[at] = uy * vz - uz * vy;
  out[at + 1] = uz * vx - ux * vz;
  out[at + 2] = ux * vy - uy * vx;
}
