import type { TriangleMesh } from '../../packages/pliant/src/index.ts';
import { trianglesIntersect } from '../../packages/pliant/src/narrow/triangle-triangle.ts';

/** A mesh somewhere. */
export interface Placed {
  readonly mesh: TriangleMesh;
  readonly positions: Float64Array; // 3 per vertex
}

/**
 * Touching pairs by holding every triangle against every other, sorted; shares only the exact test with the library. Two
 * triangles whose own boxes are apart do not get as far as that, nor does one outside the box of all others. `a` and `b`
 * are the same object for one body with itself: pairs that share a vertex are left out.
 */
export function bruteForcePairs(a: Placed, b: Placed): [number, number][] {
  const boxesA = boxesOf(a),
    boxesB = a === b ? boxesA : boxesOf(b);
  const isSelf = a === b;
  const [left, bottom, back, right, top, front] = boxOfAll(boxesB);
  const countA = a.mesh.triangleCount,
    countB = b.mesh.triangleCount;
  const pairs: [number, number][] = [];
  for (let i = 0; i < countA; i++) {
    const o = 6 * i;
    const x0 = boxesA[o],
      y0 = boxesA[o + 1],
      z0 = boxesA[o + 2],
      x1 = boxesA[o + 3],
      y1 = boxesA[o + 4],
      z1 = boxesA[o + 5];
    if (x0 > right || x1 < left || y0 > top || y1 < bottom || z0 > front || z1 < back) continue;
    for (let j = isSelf ? i + 1 : 0, p = 6 * j; j < countB; j++, p += 6) {
      if (boxesB[p] > x1 || boxesB[p + 3] < x0 || boxesB[p + 1] > y1 || boxesB[p + 4] < y0) continue;
      if (boxesB[p + 2] > z1 || boxesB[p + 5] < z0) continue;
      if (!(isSelf && shareVertex(a.mesh, i, j)) && touch(a, i, b, j)) pairs.push([i, j]);
    }
  }
  return pairs;
}

function boxesOf({ mesh: { triangles, triangleCount }, positions }: Placed): Float64Array {
  const boxes = new Float64Array(6 * triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    for (let k = 0; k < 3; k++) {
      const u = positions[3 * triangles[3 * t] + k],
        v = positions[3 * triangles[3 * t + 1] + k],
        w = positions[3 * triangles[3 * t + 2] + k];
      boxes[6 * t + k] = Math.min(u, v, w);
      boxes[6 * t + 3 + k] = Math.max(u, v, w);
    }
  }
  return boxes;
}

function boxOfAll(boxes: Float64Array): number[] {
  const all = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let o = 0; o < boxes.length; o += 6) {
    for (let k = 0; k < 3; k++) {
      all[k] = Math.min(all[k], boxes[o + k]);
      all[3 + k] = Math.max(all[3 + k], boxes[o + 3 + k]);
    }
  }
  return all;
}

function shareVertex({ triangles }: TriangleMesh, i: number, j: number): boolean {
  for (let a = 3 * i; a < 3 * i + 3; a++) {
    for (let b = 3 * j; b < 3 * j + 3; b++) if (triangles[a] === triangles[b]) return true;
  }
  return false;
}

function touch(a: Placed, i: number, b: Placed, j: number): boolean {
  const t = a.mesh.triangles,
    u = b.mesh.triangles;
  return trianglesIntersect(
    a.positions,
    3 * t[3 * i],
    3 * t[3 * i + 1],
    3 * t[3 * i + 2],
    b.positions,
    3 * u[3 * j],
    3 * u[3 * j + 1],
    3 * u[3 * j + 2],
  );
}
