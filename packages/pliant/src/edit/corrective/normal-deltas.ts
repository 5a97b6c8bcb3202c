import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { writeNormal } from '../../mesh/triangle-normal.ts';
import type { SkinPose } from './skin-pose.ts';

/**
 * How normals of the file change when the posed surface does: each turns as the triangles around it turn, and is taken
 * back through the skin as renderers take it there, by the blended matrix. Vertices in one place with one normal have
 * the same triangles around them, so that seams of textures stay invisible and sharp edges sharp. `before` and `after`
 * have three numbers per vertex of `mesh`; `triangles` are those of the file.
 */
export function normalDeltas(
  mesh: TriangleMesh,
  triangles: Uint32Array,
  normals: Float64Array,
  { blends, inverses }: SkinPose,
  before: Float64Array,
  after: Float64Array,
): Float32Array {
  const { group, count } = groupNormals(mesh, normals);
  const from = sumAreas(mesh, triangles, group, count, before),
    to = sumAreas(mesh, triangles, group, count, after);
  const out = new Float32Array(normals.length);
  const n = new Float64Array(3),
    turned = new Float64Array(3);
  for (let v = 0; v < group.length; v++) {
    const o = 3 * v,
      b = 12 * v,
      g = 3 * group[v];
    if (from[g] === to[g] && from[g + 1] === to[g + 1] && from[g + 2] === to[g + 2]) continue;
    for (let a = 0; a < 3; a++) {
      n[a] = blends[b + 4 * a] * normals[o] + blends[b + 4 * a + 1] * normals[o + 1];
      n[a] += blends[b + 4 * a + 2] * normals[o + 2];
    }
    if (!turn(from, to, g, n, turned)) continue;
    let length = 0;
    for (let a = 0; a < 3; a++) {
      const i = 9 * v + 3 * a;
      n[a] = inverses[i] * turned[0] + inverses[i + 1] * turned[1] + inverses[i + 2] * turned[2];
      length += n[a] * n[a];
    }
    const size = Math.hypot(normals[o], normals[o + 1], normals[o + 2]);
    if (!(length > 0)) continue; // no normal, or a blend that cannot be undone
    for (let a = 0; a < 3; a++) out[o + a] = (size * n[a]) / Math.sqrt(length) - normals[o + a];
  }
  return out;
}

/** Vertices of the file in one place, with one normal. */
function groupNormals({ weldedVertex }: TriangleMesh, normals: Float64Array) {
  const known = new Map<string, number>();
  const group = new Uint32Array(weldedVertex.length);
  for (let v = 0; v < group.length; v++) {
    const key = `${weldedVertex[v]} ${normals[3 * v]} ${normals[3 * v + 1]} ${normals[3 * v + 2]}`;
    let g = known.get(key);
    if (g === undefined) known.set(key, (g = known.size));
    group[v] = g;
  }
  return { group, count: known.size };
}

/** Per group the normals of its triangles by area. */
function sumAreas(
  { weldedVertex }: TriangleMesh,
  triangles: Uint32Array,
  group: Uint32Array,
  count: number,
  p: Float64Array,
): Float64Array {
  const sums = new Float64Array(3 * count),
    normal = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * weldedVertex[triangles[t]],
      b = 3 * weldedVertex[triangles[t + 1]],
      c = 3 * weldedVertex[triangles[t + 2]];
    writeNormal(p, a, b, c, normal);
    for (let k = t; k < t + 3; k++) {
      const g = 3 * group[triangles[k]];
      for (let axis = 0; axis < 3; axis++) sums[g + axis] += normal[axis];
    }
  }
  return sums;
}

/** n by the smallest rotation that takes one direction to another; false when either has no length. */
function turn(from: Float64Array, to: Float64Array, g: number, n: Float64Array, out: Float64Array): boolean {
  const p = Math.hypot(from[g], from[g + 1], from[g + 2]),
    q = Math.hypot(to[g], to[g + 1], to[g + 2]);
  if (!(p > 0 && q > 0)) return false;
  const ax = from[g] / p,
    ay = from[g + 1] / p,
    az = from[g + 2] / p;
  const bx = to[g] / q,
    by = to[g + 1] / q,
    bz = to[g + 2] / q;
  // n − 2 h (h·n) / |h|² about the bisector h = a + b, after n − 2 a (a·n): two mirrors are a rotation.
  const an = ax * n[0] + ay * n[1] + az * n[2];
  const mx = n[0] - 2 * ax * an,
    my = n[1] - 2 * ay * an,
    mz = n[2] - 2 * az * an;
  const hx = ax + bx,
    hy = ay + by,
    hz = az + bz;
  const hh = hx * hx + hy * hy + hz * hz;
  if (!(hh > 1e-12)) return false; // turned over: any direction would do
  const hm = (2 * (hx * mx + hy * my + hz * mz)) / hh;
  out[0] = mx - hx * hm;
  out[1] = my - hy * hm;
  out[2] = mz - hz * hm;
  return true;
}
