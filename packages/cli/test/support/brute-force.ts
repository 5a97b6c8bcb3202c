import { trianglesIntersect } from 'pliant';
import { readObj } from 'pliant/io';

/** A frame that `pliant bake` wrote, and which mesh each triangle belongs to. */
export interface BakedFrame {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

export function parseFrame(bytes: Uint8Array, name: string): BakedFrame {
  const { positions, triangles } = readObj(bytes, name);
  return { positions, triangles };
}

/**
 * Vertices of one mesh are one when they are together in all of these frames. The command compares rest positions,
 * weights and morph targets, which this does not look at.
 */
export function weldTogether(
  frames: readonly BakedFrame[],
  meshOfVertex: (vertex: number) => number,
): Uint32Array {
  const count = frames[0].positions.length / 3;
  const known = new Map<string, number>();
  return Uint32Array.from({ length: count }, (_, v) => {
    const places = frames.map(({ positions }) => positions.slice(3 * v, 3 * v + 3).join());
    const key = `${meshOfVertex(v)}:${places.join(';')}`;
    if (!known.has(key)) known.set(key, v);
    return known.get(key)!;
  });
}

/** All pairs of triangles whose boxes overlap, one after the other; shares only the exact test with the library. */
export function bruteForcePairs(
  { positions, triangles }: BakedFrame,
  welded: Uint32Array,
): [number, number][] {
  const count = triangles.length / 3;
  const box = new Float64Array(6 * count);
  for (let t = 0; t < count; t++) {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [0, 1, 2].map((corner) => positions[3 * triangles[3 * t + corner] + axis]);
      box[6 * t + axis] = Math.min(a, b, c);
      box[6 * t + 3 + axis] = Math.max(a, b, c);
    }
  }
  const order = Uint32Array.from({ length: count }, (_, t) => t).sort((s, t) => box[6 * s] - box[6 * t]);
  const pairs: [number, number][] = [];
  for (let k = 0; k < count; k++) {
    const s = 6 * order[k];
    for (let l = k + 1; l < count && box[6 * order[l]] <= box[s + 3]; l++) {
      const t = 6 * order[l];
      if (box[s + 1] > box[t + 4] || box[t + 1] > box[s + 4]) continue;
      if (box[s + 2] > box[t + 5] || box[t + 2] > box[s + 5]) continue;
      const [i, j] = order[k] < order[l] ? [order[k], order[l]] : [order[l], order[k]];
      if (!areNeighbours(triangles, welded, i, j) && touch(positions, triangles, i, j)) pairs.push([i, j]);
    }
  }
  return pairs.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
}

function areNeighbours(triangles: Uint32Array, welded: Uint32Array, i: number, j: number): boolean {
  for (let a = 3 * i; a < 3 * i + 3; a++) {
    for (let b = 3 * j; b < 3 * j + 3; b++) if (welded[triangles[a]] === welded[triangles[b]]) return true;
  }
  return false;
}

function touch(p: Float64Array, triangles: Uint32Array, i: number, j: number): boolean {
  const [a, b, c] = [0, 1, 2].map((corner) => 3 * triangles[3 * i + corner]);
  const [d, e, f] = [0, 1, 2].map((corner) => 3 * triangles[3 * j + corner]);
  return trianglesIntersect(p, a, b, c, p, d, e, f);
}
