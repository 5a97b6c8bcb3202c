import { createSlots, finishHash, mixHash } from '../mesh/hash.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** Edges between distinct vertices, numbered by first appearance. */
export interface SurfaceEdges {
  readonly count: number;
  readonly ofTriangle: Int32Array; // 3 per triangle: from corner k to the next; −1 where both are one vertex
  readonly start: Uint32Array; // the triangles of edge e are list[start[e] … start[e + 1])
  readonly list: Uint32Array;
}

export function findSurfaceEdges({ triangles }: TriangleMesh): SurfaceEdges {
  const ofTriangle = new Int32Array(triangles.length).fill(-1);
  const slots = createSlots(triangles.length);
  const mask = slots.length - 1;
  const low = new Uint32Array(triangles.length),
    high = new Uint32Array(triangles.length);
  let count = 0;
  for (let h = 0; h < triangles.length; h++) {
    const u = triangles[h],
      v = triangles[h % 3 === 2 ? h - 2 : h + 1];
    if (u === v) continue;
    const a = Math.min(u, v),
      b = Math.max(u, v);
    let slot = finishHash(mixHash(mixHash(0, a), b)) & mask;
    while (slots[slot] !== 0 && (low[slots[slot] - 1] !== a || high[slots[slot] - 1] !== b)) {
      slot = (slot + 1) & mask;
    }
    if (slots[slot] === 0) {
      low[count] = a;
      high[count] = b;
      slots[slot] = ++count;
    }
    ofTriangle[h] = slots[slot] - 1;
  }
  return { count, ofTriangle, ...listTriangles(ofTriangle, count) };
}

function listTriangles(ofTriangle: Int32Array, count: number): { start: Uint32Array; list: Uint32Array } {
  const start = new Uint32Array(count + 1);
  for (const e of ofTriangle) if (e >= 0) start[e + 1]++;
  for (let e = 0; e < count; e++) start[e + 1] += start[e];
  const next = start.slice(0, count);
  const list = new Uint32Array(start[count]);
  for (let h = 0; h < ofTriangle.length; h++) {
    if (ofTriangle[h] >= 0) list[next[ofTriangle[h]]++] = Math.trunc(h / 3);
  }
  return { start, list };
}
