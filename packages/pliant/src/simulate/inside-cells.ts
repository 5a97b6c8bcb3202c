import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** Centres of the cells of a cubic grid that lie inside a closed surface. */
export interface InsideCells {
  readonly size: number; // of a cell
  readonly centres: Float64Array; // 3 per cell
}

/**
 * Walks along x through every column of cells and adds up in which direction it passes triangles: the winding
 * number, not 0 inside. Edges belong to one of their two triangles, so a column through an edge or a vertex is
 * counted once as well.
 */
export function findInsideCells(mesh: TriangleMesh, size: number): InsideCells {
  const { low, counts } = chooseGrid(mesh, size);
  const crossings = collectCrossings(mesh, size, low, counts);
  const centres: number[] = [];
  for (let k = 0; k < counts[2]; k++) {
    for (let j = 0; j < counts[1]; j++) {
      const list = crossings.get(j + counts[1] * k);
      if (list !== undefined) pushInside(list.sort(byPlace), size, low, counts[0], j, k, centres);
    }
  }
  return { size, centres: Float64Array.from(centres) };
}

interface Crossing {
  readonly x: number;
  readonly turn: 1 | -1;
}

function byPlace(a: Crossing, b: Crossing): number {
  return a.x - b.x || a.turn - b.turn;
}

function chooseGrid({ positions }: TriangleMesh, size: number): { low: number[]; counts: number[] } {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  const counts = low.map((l, axis) => Math.max(1, Math.ceil((high[axis] - l) / size)));
  // The grid is centred, so that mirrored shapes get mirrored cells.
  return { low: low.map((l, axis) => (l + high[axis] - size * counts[axis]) / 2), counts };
}

function collectCrossings(
  { positions: p, triangles }: TriangleMesh,
  size: number,
  low: readonly number[],
  counts: readonly number[],
): Map<number, Crossing[]> {
  const crossings = new Map<number, Crossing[]>();
  const step = (value: number, axis: number) => (value - low[axis]) / size - 0.5;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t],
      b = 3 * triangles[t + 1],
      c = 3 * triangles[t + 2];
    const j0 = Math.max(0, Math.ceil(step(Math.min(p[a + 1], p[b + 1], p[c + 1]), 1)));
    const j1 = Math.min(counts[1] - 1, Math.floor(step(Math.max(p[a + 1], p[b + 1], p[c + 1]), 1)));
    const k0 = Math.max(0, Math.ceil(step(Math.min(p[a + 2], p[b + 2], p[c + 2]), 2)));
    const k1 = Math.min(counts[2] - 1, Math.floor(step(Math.max(p[a + 2], p[b + 2], p[c + 2]), 2)));
    for (let k = k0; k <= k1; k++) {
      for (let j = j0; j <= j1; j++) {
        const crossing = crossColumn(p, a, b, c, low[1] + (j + 0.5) * size, low[2] + (k + 0.5) * size);
        if (crossing === undefined) continue;
        const column = j + counts[1] * k;
        const list = crossings.get(column);
        if (list === undefined) crossings.set(column, [crossing]);
        else list.push(crossing);
      }
    }
  }
  return crossings;
}

/** Where the line through (y, z) along x passes the triangle, and in which direction its front looks. */
function crossColumn(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  y: number,
  z: number,
): Crossing | undefined {
  const sideA = side(p, b, c, y, z),
    sideB = side(p, c, a, y, z),
    sideC = side(p, a, b, y, z);
  if (sideA !== sideB || sideB !== sideC) return undefined;
  const wa = area(p, b, c, y, z),
    wb = area(p, c, a, y, z),
    wc = area(p, a, b, y, z);
  const sum = wa + wb + wc;
  const x = sum === 0 ? p[a] : (wa * p[a] + wb * p[b] + wc * p[c]) / sum;
  return { x, turn: sideA };
}

/**
 * On which side of the edge from u to v the point lies, and opposite for the edge from v to u. Never undecided: a
 * point on the edge counts as moved a little towards −z, and much less towards +y.
 */
function side(p: Float64Array, u: number, v: number, y: number, z: number): 1 | -1 {
  const isTurned = p[u + 1] > p[v + 1] || (p[u + 1] === p[v + 1] && p[u + 2] > p[v + 2]);
  const value = isTurned ? -area(p, v, u, y, z) : area(p, u, v, y, z);
  if (value !== 0) return value > 0 ? 1 : -1;
  return isTurned ? 1 : -1;
}

/** Twice the area of the triangle from the edge to the point, as seen along x. */
function area(p: Float64Array, u: number, v: number, y: number, z: number): number {
  return (p[u + 1] - y) * (p[v + 2] - z) - (p[u + 2] - z) * (p[v + 1] - y);
}

function pushInside(
  list: readonly Crossing[],
  size: number,
  low: readonly number[],
  count: number,
  j: number,
  k: number,
  centres: number[],
): void {
  let winding = list.reduce((sum, { turn }) => sum + turn, 0);
  if (winding !== 0) return; // rounding at a vertex: such a column tells nothing
  let next = 0;
  for (let i = 0; i < count; i++) {
    const x = low[0] + (i + 0.5) * size;
    while (next < list.length && list[next].x < x) winding += list[next++].turn;
    if (winding !== 0) centres.push(x, low[1] + (j + 0.5) * size, low[2] + (k + 0.5) * size);
  }
}
