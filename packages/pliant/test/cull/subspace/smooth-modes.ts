import { MinHeap } from '../../../src/cull/subspace/min-heap.ts';
import type { Modes, TriangleMesh } from '../../../src/index.ts';
import { createRandom } from '../../../src/shapes/random.ts';

/**
 * Modes that are smooth along the surface and not through the space around it, as those of elastic bodies are: what is
 * close by the way around a gap may move differently. Each is a wave around some vertex, in a direction of its own;
 * `waves` is how many of them go along the longest way from it.
 */
export function smoothModes(mesh: TriangleMesh, count: number, waves = 1, seed = 1): Modes {
  const { vertexCount, positions } = mesh;
  const random = createRandom(seed);
  const neighbours = neighboursOf(mesh);
  const displacements = new Float64Array(3 * vertexCount * count);
  for (let m = 0; m < count; m++) {
    const distances = distancesFrom(Math.floor(random() * vertexCount), positions, neighbours);
    const longest = distances.reduce((most, x) => (x < Infinity ? Math.max(most, x) : most), 0);
    const direction = [0, 1, 2].map(() => 2 * random() - 1);
    const length = Math.hypot(...direction);
    const phase = 2 * Math.PI * random();
    for (let v = 0; v < vertexCount; v++) {
      if (distances[v] === Infinity) continue; // another piece
      const wave = Math.cos((2 * Math.PI * waves * distances[v]) / longest + phase);
      for (let k = 0; k < 3; k++)
        displacements[3 * (m * vertexCount + v) + k] = (wave * direction[k]) / length;
    }
  }
  return { count, displacements };
}

function neighboursOf({ triangles, vertexCount }: TriangleMesh): number[][] {
  const sets = Array.from({ length: vertexCount }, () => new Set<number>());
  for (let c = 0; c < triangles.length; c++) {
    const first = 3 * Math.floor(c / 3);
    for (let k = 0; k < 3; k++) if (first + k !== c) sets[triangles[c]].add(triangles[first + k]);
  }
  return sets.map((set) => [...set]);
}

/** Along edges. */
function distancesFrom(
  start: number,
  positions: Float64Array,
  neighbours: readonly number[][],
): Float64Array {
  const distances = new Float64Array(neighbours.length).fill(Infinity);
  const heap = new MinHeap();
  distances[start] = 0;
  heap.push(0, start);
  while (heap.count > 0) {
    const distance = heap.least,
      v = heap.pop();
    if (distance > distances[v]) continue;
    for (const w of neighbours[v]) {
      const x = positions[3 * v] - positions[3 * w],
        y = positions[3 * v + 1] - positions[3 * w + 1],
        z = positions[3 * v + 2] - positions[3 * w + 2];
      const further = distance + Math.sqrt(x * x + y * y + z * z);
      if (!(further < distances[w])) continue;
      distances[w] = further;
      heap.push(further, w);
    }
  }
  return distances;
}
