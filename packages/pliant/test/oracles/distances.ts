import type { TriangleMesh } from '../../src/index.ts';
import { triangleDistance } from '../../src/narrow/triangle-distance.ts';
import { shareVertex } from './brute-force.ts';

export type Measured = [i: number, j: number, distance: number];

/** Distances of all pairs of triangles, of one mesh those that share no vertex. */
export function measureAll(
  meshA: TriangleMesh,
  A: Float64Array,
  meshB: TriangleMesh,
  B: Float64Array,
): Measured[] {
  const out = new Float64Array(6);
  const isSelf = meshA === meshB;
  const all: Measured[] = [];
  for (let i = 0; i < meshA.triangleCount; i++) {
    for (let j = isSelf ? i + 1 : 0; j < meshB.triangleCount; j++) {
      if (isSelf && shareVertex(meshA, i, j)) continue;
      const [a, b, c] = meshA.triangles.subarray(3 * i, 3 * i + 3),
        [d, e, f] = meshB.triangles.subarray(3 * j, 3 * j + 3);
      all.push([i, j, triangleDistance(A, 3 * a, 3 * b, 3 * c, B, 3 * d, 3 * e, 3 * f, out)]);
    }
  }
  return all;
}

/** The pair of least distance; of several the one with the lowest triangle ids. */
export function closestPair(all: readonly Measured[]): Measured | undefined {
  return [...all].sort((s, t) => s[2] - t[2] || s[0] - t[0] || s[1] - t[1])[0];
}
