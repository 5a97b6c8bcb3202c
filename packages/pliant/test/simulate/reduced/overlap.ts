import { closestOnTriangle } from '../../../src/narrow/closest-on-triangle.ts';
import type { ReducedBody } from '../../../src/simulate/reduced/reduced-body.ts';

/** How deep any vertex or middle of an edge of one body is in another, over all triangles as they are deformed. */
export function deepestOverlap(bodies: readonly ReducedBody[]): number {
  const surfaces = bodies.map((body) => {
    const { vertexCount, triangles } = body.model.surface;
    const positions = new Float64Array(3 * vertexCount);
    const point = new Float64Array(3);
    for (let v = 0; v < vertexCount; v++) {
      body.getVertex(v, point);
      positions.set(point, 3 * v);
    }
    return { positions, triangles };
  });
  let deepest = 0;
  for (const a of surfaces) {
    for (const b of surfaces) {
      if (a === b) continue;
      for (let corner = 0; corner < a.triangles.length; corner++) {
        const p = 3 * a.triangles[corner],
          q = 3 * a.triangles[corner % 3 === 2 ? corner - 2 : corner + 1];
        for (const share of [0, 0.5]) {
          const x = [0, 1, 2].map((k) => (1 - share) * a.positions[p + k] + share * a.positions[q + k]);
          deepest = Math.max(deepest, depthIn(b, x));
        }
      }
    }
  }
  return deepest;
}

/** 0 outside, told by how often a ray leaves. */
function depthIn(
  { positions, triangles }: { positions: Float64Array; triangles: Uint32Array },
  x: readonly number[],
): number {
  const weights = new Float64Array(3);
  let squared = Infinity,
    crossings = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    closestOnTriangle(positions, a, b, c, x[0], x[1], x[2], weights);
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const y = weights[0] * positions[a + k] + weights[1] * positions[b + k] + weights[2] * positions[c + k];
      sum += (y - x[k]) ** 2;
    }
    squared = Math.min(squared, sum);
    if (isAbove(positions, [a, b, c], x)) crossings++;
  }
  return crossings % 2 === 1 ? Math.sqrt(squared) : 0;
}

/** True when the ray along +y from x meets the triangle. */
function isAbove(p: Float64Array, corners: readonly number[], x: readonly number[]): boolean {
  const side = (a: number, b: number) =>
    (p[b] - p[a]) * (x[2] - p[a + 2]) - (p[b + 2] - p[a + 2]) * (x[0] - p[a]);
  const [a, b, c] = corners;
  const [u, v, w] = [side(b, c), side(c, a), side(a, b)];
  if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) return false;
  return (u * p[a + 1] + v * p[b + 1] + w * p[c + 1]) / (u + v + w) > x[1];
}
