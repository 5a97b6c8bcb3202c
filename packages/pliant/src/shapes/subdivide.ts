import { checkArray, checkObject } from '../mesh/check-input.ts';
import { createSlots, finishHash, mixHash } from '../mesh/hash.ts';

export interface Subdivision {
  readonly positions: Float64Array; // the given vertices, then the midpoints
  readonly triangles: Uint32Array; // triangle t becomes 4t, 4t + 1, 4t + 2 (at its corners) and 4t + 3 (inside)
  readonly midpointEnds: Uint32Array; // the two given vertices of each added one, to carry weights over
}

/** Cuts every triangle into four at the midpoints of its edges. The arrays must be those of a valid mesh. */
export function subdivide(source: { positions: Float64Array; triangles: Uint32Array }): Subdivision {
  checkObject('source', source);
  const { positions, triangles } = source;
  checkArray('positions', positions);
  checkArray('triangles', triangles);
  const vertexCount = positions.length / 3;
  const midpoint = new Uint32Array(triangles.length); // of the edge from corner i to the next
  const ends = new Uint32Array(2 * triangles.length);
  const slots = createSlots(triangles.length);
  let added = 0;

  for (let i = 0; i < triangles.length; i++) {
    const u = triangles[i],
      v = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const low = Math.min(u, v),
      high = Math.max(u, v);
    const slot = findSlot(slots, ends, low, high);
    if (slots[slot] === 0) {
      ends[2 * added] = low;
      ends[2 * added + 1] = high;
      slots[slot] = ++added;
    }
    midpoint[i] = vertexCount + slots[slot] - 1;
  }
  const midpointEnds = ends.slice(0, 2 * added);
  return {
    positions: addMidpoints(positions, midpointEnds),
    triangles: splitTriangles(triangles, midpoint),
    midpointEnds,
  };
}

function findSlot(slots: Int32Array, ends: Uint32Array, low: number, high: number): number {
  const mask = slots.length - 1;
  let slot = finishHash(mixHash(mixHash(0, low), high)) & mask;
  while (slots[slot] !== 0 && (ends[2 * slots[slot] - 2] !== low || ends[2 * slots[slot] - 1] !== high)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

function addMidpoints(positions: Float64Array, ends: Uint32Array): Float64Array {
  const all = new Float64Array(positions.length + (3 * ends.length) / 2);
  all.set(positions);
  let o = positions.length;
  for (let i = 0; i < ends.length; i += 2) {
    const u = 3 * ends[i],
      v = 3 * ends[i + 1];
    all[o++] = (positions[u] + positions[v]) / 2;
    all[o++] = (positions[u + 1] + positions[v + 1]) / 2;
    all[o++] = (positions[u + 2] + positions[v + 2]) / 2;
  }
  return all;
}

function splitTriangles(triangles: Uint32Array, midpoint: Uint32Array): Uint32Array {
  const split = new Uint32Array(4 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t],
      b = triangles[t + 1],
      c = triangles[t + 2];
    const ab = midpoint[t],
      bc = midpoint[t + 1],
      ca = midpoint[t + 2];
    split.set([a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca], 4 * t);
  }
  return split;
}
