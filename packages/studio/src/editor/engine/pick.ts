import type { EditedModel } from './model.ts';

/** Rays that pass a triangle this closely, in barycentric coordinates, meet it: there are no gaps between neighbours. */
const EDGE = 1e-9;
/** Triangles with less area in the picture, of the squares of their sides, are seen edge-on. */
const EDGE_ON = 1e-3;

/** The vertex next to where a ray first meets the surface; undefined when it misses. */
export function pickVertex(
  { triangles }: EditedModel,
  p: Float64Array,
  origin: readonly number[],
  direction: readonly number[],
): { vertex: number; distance: number } | undefined {
  const [ox, oy, oz] = origin,
    [dx, dy, dz] = direction;
  let nearest = Number.POSITIVE_INFINITY,
    found = -1;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t],
      b = 3 * triangles[t + 1],
      c = 3 * triangles[t + 2];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a],
      vy = p[c + 1] - p[a + 1],
      vz = p[c + 2] - p[a + 2];
    const px = dy * vz - dz * vy,
      py = dz * vx - dx * vz,
      pz = dx * vy - dy * vx;
    const det = ux * px + uy * py + uz * pz;
    if (det === 0) continue;
    const sx = ox - p[a],
      sy = oy - p[a + 1],
      sz = oz - p[a + 2];
    const u = (sx * px + sy * py + sz * pz) / det;
    if (!(u >= -EDGE && u <= 1 + EDGE)) continue;
    const qx = sy * uz - sz * uy,
      qy = sz * ux - sx * uz,
      qz = sx * uy - sy * ux;
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (!(v >= -EDGE && u + v <= 1 + EDGE)) continue;
    const distance = (vx * qx + vy * qy + vz * qz) / det;
    if (distance > 0 && distance < nearest) {
      nearest = distance;
      found = t + (u > 0.5 ? 1 : v > 0.5 ? 2 : u + v < 0.5 ? 0 : u > v ? 1 : 2);
    }
  }
  return found < 0 ? undefined : { vertex: triangles[found], distance: nearest };
}

/**
 * Vertices that lie within a polygon of the picture, two numbers per corner from −1 to 1; `matrix` takes points to the
 * picture, column-major 4×4. Only those whose surface faces the eye, unless `through`.
 */
export function pickRegion(
  { triangles }: EditedModel,
  p: Float64Array,
  polygon: readonly number[],
  matrix: readonly number[],
  through: boolean,
): number[] {
  const vertexCount = p.length / 3;
  const x = new Float64Array(vertexCount),
    y = new Float64Array(vertexCount);
  const isSeen = new Uint8Array(vertexCount); // 1: in front of the eye
  const m = matrix;
  for (let v = 0; v < vertexCount; v++) {
    const px = p[3 * v],
      py = p[3 * v + 1],
      pz = p[3 * v + 2];
    const w = m[3] * px + m[7] * py + m[11] * pz + m[15];
    if (!(w > 0)) continue;
    x[v] = (m[0] * px + m[4] * py + m[8] * pz + m[12]) / w;
    y[v] = (m[1] * px + m[5] * py + m[9] * pz + m[13]) / w;
    isSeen[v] = 1;
  }
  const chosen = new Set<number>();
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    // Counter-clockwise in the picture is towards the eye.
    const [ux, uy, vx, vy] = [x[b] - x[a], y[b] - y[a], x[c] - x[a], y[c] - y[a]];
    const facing = ux * vy - uy * vx;
    if (!through && facing <= EDGE_ON * (ux * ux + uy * uy + vx * vx + vy * vy)) continue;
    for (const v of [a, b, c]) if (isSeen[v] === 1) chosen.add(v);
  }
  return [...chosen].filter((v) => isWithin(polygon, x[v], y[v])).sort((a, b) => a - b);
}

/** By how often a line to the right crosses the outline. */
function isWithin(polygon: readonly number[], x: number, y: number): boolean {
  let isInside = false;
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    const [xi, yi, xj, yj] = [polygon[i], polygon[i + 1], polygon[j], polygon[j + 1]];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) isInside = !isInside;
  }
  return isInside;
}
