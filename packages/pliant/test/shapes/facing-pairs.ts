import { createEngine, createTriangleMesh, findSelfClosePairs } from '../../src/index.ts';
import type { ShapeSource } from '../../src/shapes/shape.ts';

/** How many pairs of triangles closer than `distance` look at each other: two sides of a gap, not of a ridge. */
export async function countFacingPairs(source: ShapeSource, distance: number): Promise<number> {
  const engine = await createEngine();
  const body = engine.createFreeBody(createTriangleMesh(source));
  const report = findSelfClosePairs(body, distance);
  const { positions, triangles } = source;
  let count = 0;
  for (let i = 0; i < report.pairCount; i++) {
    if (face(positions, triangles, report.pairs[2 * i], report.pairs[2 * i + 1])) count++;
  }
  engine.dispose();
  return count;
}

function face(p: Float64Array, triangles: Uint32Array, s: number, t: number): boolean {
  const n = unitNormal(p, triangles, s),
    m = unitNormal(p, triangles, t);
  if (n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > -0.8) return false;
  let ahead = 0;
  for (let corner = 0; corner < 3; corner++) {
    for (let k = 0; k < 3; k++) {
      ahead += n[k] * (p[3 * triangles[3 * t + corner] + k] - p[3 * triangles[3 * s + corner] + k]);
    }
  }
  return ahead > 0;
}

function unitNormal(p: Float64Array, triangles: Uint32Array, t: number): number[] {
  const [a, b, c] = [0, 1, 2].map((corner) => 3 * triangles[3 * t + corner]);
  const u = [0, 1, 2].map((k) => p[b + k] - p[a + k]),
    v = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...n);
  return n.map((x) => x / length);
}
