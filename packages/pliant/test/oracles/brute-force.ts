import type { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createContactScratch } from '../../src/narrow/continuous-scratch.ts';
import { adjacentTrianglesOverlap } from '../../src/narrow/fold-over.ts';
import { movingTrianglesTime } from '../../src/narrow/moving-triangles.ts';
import { trianglesIntersect } from '../../src/narrow/triangle-triangle.ts';

type Pair = [number, number];

/** Every pair, one after the other, straight from the mesh: shares nothing with the queries but the exact test. */
export function selfPairs(mesh: TriangleMesh, positions: Float64Array): Pair[] {
  return allPairs(mesh.triangleCount).filter(
    ([i, j]) => !shareVertex(mesh, i, j) && meet(mesh, positions, i, mesh, positions, j),
  );
}

export function foldedPairs(mesh: TriangleMesh, positions: Float64Array): Pair[] {
  return allPairs(mesh.triangleCount).filter(([i, j]) => {
    if (!shareVertex(mesh, i, j)) return false;
    const [a, b, c] = offsets(mesh, i),
      [d, e, f] = offsets(mesh, j);
    return adjacentTrianglesOverlap(positions, a, b, c, d, e, f);
  });
}

export function pairsBetween(
  meshA: TriangleMesh,
  positionsA: Float64Array,
  meshB: TriangleMesh,
  positionsB: Float64Array,
): Pair[] {
  const pairs: Pair[] = [];
  for (let i = 0; i < meshA.triangleCount; i++) {
    for (let j = 0; j < meshB.triangleCount; j++) {
      if (meet(meshA, positionsA, i, meshB, positionsB, j)) pairs.push([i, j]);
    }
  }
  return pairs;
}

/** The same over a straight motion, with times. */
export function movingSelfPairs(
  mesh: TriangleMesh,
  start: Float64Array,
  end: Float64Array,
): [number, number, number][] {
  const scratch = createContactScratch();
  const found: [number, number, number][] = [];
  for (const [i, j] of allPairs(mesh.triangleCount)) {
    if (shareVertex(mesh, i, j)) continue;
    const [a, b, c] = offsets(mesh, i),
      [d, e, f] = offsets(mesh, j);
    if (areBoxesApart(start, end, [a, b, c], start, end, [d, e, f])) continue;
    const time = movingTrianglesTime(start, end, a, b, c, start, end, d, e, f, scratch);
    if (time <= 1) found.push([i, j, time]);
  }
  return found;
}

/** All that two triangles sweep over, along some axis. */
function areBoxesApart(
  startA: Float64Array,
  endA: Float64Array,
  cornersA: number[],
  startB: Float64Array,
  endB: Float64Array,
  cornersB: number[],
): boolean {
  return [0, 1, 2].some((axis) => {
    const first = cornersA.flatMap((o) => [startA[o + axis], endA[o + axis]]),
      second = cornersB.flatMap((o) => [startB[o + axis], endB[o + axis]]);
    return Math.min(...first) > Math.max(...second) || Math.min(...second) > Math.max(...first);
  });
}

export function movingPairsBetween(
  meshA: TriangleMesh,
  startA: Float64Array,
  endA: Float64Array,
  meshB: TriangleMesh,
  startB: Float64Array,
  endB: Float64Array,
): [number, number, number][] {
  const scratch = createContactScratch();
  const found: [number, number, number][] = [];
  for (let i = 0; i < meshA.triangleCount; i++) {
    for (let j = 0; j < meshB.triangleCount; j++) {
      const [a, b, c] = offsets(meshA, i),
        [d, e, f] = offsets(meshB, j);
      if (areBoxesApart(startA, endA, [a, b, c], startB, endB, [d, e, f])) continue;
      const time = movingTrianglesTime(startA, endA, a, b, c, startB, endB, d, e, f, scratch);
      if (time <= 1) found.push([i, j, time]);
    }
  }
  return found;
}

function allPairs(count: number): Pair[] {
  const pairs: Pair[] = [];
  for (let i = 0; i < count; i++) for (let j = i + 1; j < count; j++) pairs.push([i, j]);
  return pairs;
}

export function shareVertex({ triangles }: TriangleMesh, i: number, j: number): boolean {
  const first = triangles.subarray(3 * i, 3 * i + 3);
  return triangles.subarray(3 * j, 3 * j + 3).some((v) => first.includes(v));
}

function meet(
  meshA: TriangleMesh,
  positionsA: Float64Array,
  i: number,
  meshB: TriangleMesh,
  positionsB: Float64Array,
  j: number,
): boolean {
  const [a, b, c] = offsets(meshA, i),
    [d, e, f] = offsets(meshB, j);
  return trianglesIntersect(positionsA, a, b, c, positionsB, d, e, f);
}

function offsets({ triangles }: TriangleMesh, t: number): [number, number, number] {
  return [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
}
