import type { CollisionReport, TriangleMesh } from '../../packages/pliant/src/index.ts';
import { createContactScratch } from '../../packages/pliant/src/narrow/continuous-scratch.ts';
import { movingTrianglesTime } from '../../packages/pliant/src/narrow/moving-triangles.ts';
import { trianglesIntersect } from '../../packages/pliant/src/narrow/triangle-triangle.ts';
import { createRandom } from '../../packages/pliant/src/shapes/random.ts';

/**
 * Some triangles against all others by brute force: triangles the report names, and seeded random ones. Returns
 * one line for each pair that is missing or should not be there. `end`: the report is about the motion from
 * `start` to it. Poses have three numbers per source vertex.
 */
export function spotCheck(
  mesh: TriangleMesh,
  report: CollisionReport,
  count: number,
  start: Float64Array,
  end?: Float64Array,
): string[] {
  const a = weldedPositions(mesh, start),
    b = end && weldedPositions(mesh, end);
  const lines: string[] = [];
  for (const i of chooseTriangles(mesh, report, count)) {
    const expected = bruteForceRow(mesh, i, a, b);
    const found = neighboursOf(report, i);
    for (const j of expected) if (!found.has(j)) lines.push(`${i} and ${j} touch and are not reported`);
    for (const j of found) if (!expected.has(j)) lines.push(`${i} and ${j} are reported and do not touch`);
  }
  return lines;
}

function chooseTriangles(
  { triangleCount }: TriangleMesh,
  report: CollisionReport,
  count: number,
): Set<number> {
  const random = createRandom(7);
  const chosen = new Set<number>();
  for (let k = 0; k < count; k++) {
    chosen.add(Math.floor(random() * triangleCount));
    if (report.pairCount > 0) chosen.add(report.pairs[Math.floor(random() * 2 * report.pairCount)]);
  }
  return chosen;
}

function bruteForceRow(mesh: TriangleMesh, i: number, start: Float64Array, end?: Float64Array): Set<number> {
  const { triangles, triangleCount } = mesh;
  const touching = new Set<number>();
  const scratch = createContactScratch();
  const [a0, a1, a2] = [triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]];
  for (let j = 0; j < triangleCount; j++) {
    const b0 = triangles[3 * j],
      b1 = triangles[3 * j + 1],
      b2 = triangles[3 * j + 2];
    if ([b0, b1, b2].some((v) => v === a0 || v === a1 || v === a2)) continue;
    const isTouching = end
      ? movingTrianglesTime(
          start,
          end,
          3 * a0,
          3 * a1,
          3 * a2,
          start,
          end,
          3 * b0,
          3 * b1,
          3 * b2,
          scratch,
        ) <= 1
      : trianglesIntersect(start, 3 * a0, 3 * a1, 3 * a2, start, 3 * b0, 3 * b1, 3 * b2);
    if (isTouching) touching.add(j);
  }
  return touching;
}

function neighboursOf({ pairCount, pairs }: CollisionReport, i: number): Set<number> {
  const found = new Set<number>();
  for (let k = 0; k < 2 * pairCount; k += 2) {
    if (pairs[k] === i) found.add(pairs[k + 1]);
    if (pairs[k + 1] === i) found.add(pairs[k]);
  }
  return found;
}

function weldedPositions(mesh: TriangleMesh, pose: Float64Array): Float64Array {
  const positions = new Float64Array(3 * mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) {
    const source = 3 * mesh.sourceVertex[v];
    for (let k = 0; k < 3; k++) positions[3 * v + k] = pose[source + k];
  }
  return positions;
}
