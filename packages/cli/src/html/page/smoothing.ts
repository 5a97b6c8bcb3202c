import type { PageMesh } from './read-payload.ts';

const SMOOTH_COSINE = 0.62; // faces that meet at less than about 52° at rest are shaded as one surface

/** For each corner of each triangle the normal that it shares: corners at one point whose faces are nearly level. */
export interface Smoothing {
  readonly groupOfCorner: Uint32Array;
  readonly groupCount: number;
}

export function findSmoothing(mesh: PageMesh): Smoothing {
  return groupCorners(mesh.triangles, mesh.positions, weldPoints(mesh));
}

/** `points` has a number for each vertex, equal for vertices at one point. Default: each is a point of its own. */
export function groupCorners(
  triangles: ArrayLike<number>,
  positions: Float32Array | Float64Array,
  points?: Uint32Array,
): Smoothing {
  const groupOfCorner = new Uint32Array(triangles.length);
  const groupsAt: (number[] | undefined)[] = [];
  const normalOf: number[] = []; // of each group: that of its first face
  const normal = positions.slice(0, 3); // of the face at hand; as exact as positions are
  for (let corner = 0; corner < triangles.length; corner++) {
    if (corner % 3 === 0) writeUnitNormal(triangles, positions, corner, normal);
    const x = normal[0],
      y = normal[1],
      z = normal[2];
    const vertex = triangles[corner];
    const groups = (groupsAt[points ? points[vertex] : vertex] ??= []);
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

function writeUnitNormal(
  triangles: ArrayLike<number>,
  positions: Float32Array | Float64Array,
  corner: number,
  out: Float32Array | Float64Array,
): void {
  const [a, b, c] = [triangles[corner], triangles[corner + 1], triangles[corner + 2]];
  writeNormal(positions, 3 * a, 3 * b, 3 * c, out, 0);
  const length = Math.hypot(out[0], out[1], out[2]) || 1;
  for (let k = 0; k < 3; k++) out[k] /= length;
}

/** (b − a) × (c − a): as long as twice the area. */
export function writeNormal(
  p: Float32Array | Float64Array,
  a: number,
  b: number,
  c: number,
  out: Float32Array | Float64Array,
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
