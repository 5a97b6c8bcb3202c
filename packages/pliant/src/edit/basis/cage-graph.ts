import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import type { Cage, Ties } from '../types.ts';

/** What of a cage the bases depend on. */
export type Solid = Pick<Cage, 'tetrahedra' | 'glue' | 'ties'>;

/**
 * The edges of the tetrahedra in both directions, with lengths, and those from tied vertices to what holds them.
 * Copies of a tetrahedron in the same place share no vertex, so no path jumps a gap.
 *
 * Lengths are whole multiples of one small power of two, at least one: sums of them are exact, a path is as long
 * forwards as backwards, and what is computed fast comes out as what is computed plainly.
 */
export interface CageGraph {
  readonly vertexCount: number;
  readonly start: Uint32Array; // vertexCount + 1
  readonly neighbour: Uint32Array;
  readonly length: Float64Array;
}

/** Of the extent of all: paths may be 2²² times as long and still are exact. */
const GRAIN = 2 ** -30;

export function createCageGraph({ tetrahedra: mesh, ties }: Solid): CageGraph {
  const { vertexCount, positions } = mesh;
  const { start, neighbour } = findNeighbours(mesh, tiedPairs(ties));
  const grain = GRAIN * 2 ** Math.floor(Math.log2(extentOf(positions) || 1));
  const length = new Float64Array(neighbour.length);
  for (let v = 0; v < vertexCount; v++) {
    for (let k = start[v]; k < start[v + 1]; k++) {
      const o = 3 * neighbour[k];
      const dx = positions[o] - positions[3 * v],
        dy = positions[o + 1] - positions[3 * v + 1],
        dz = positions[o + 2] - positions[3 * v + 2];
      length[k] = grain * Math.max(1, Math.round(Math.sqrt(dx * dx + dy * dy + dz * dz) / grain));
    }
  }
  return { vertexCount, start, neighbour, length };
}

/** Both directions of every edge between a tied vertex, the first of its row, and the others of the row. */
function tiedPairs({ start, vertex }: Ties): Map<number, number[]> {
  const others = new Map<number, number[]>();
  const link = (v: number, w: number) => {
    if (!others.has(v)) others.set(v, []);
    others.get(v)!.push(w);
  };
  for (let t = 0; t + 1 < start.length; t++) {
    const tied = vertex[start[t]];
    for (let k = start[t] + 1; k < start[t + 1]; k++) {
      link(tied, vertex[k]);
      link(vertex[k], tied);
    }
  }
  return others;
}

function findNeighbours({ vertexCount, tetrahedra }: TetrahedralMesh, tied: Map<number, number[]>) {
  const { start: first, item: corner } = cornersByVertex(tetrahedra, vertexCount);
  const seen = new Int32Array(vertexCount).fill(-1);
  const start = new Uint32Array(vertexCount + 1);
  let neighbour = new Uint32Array(16 * vertexCount);
  let count = 0;
  for (let v = 0; v < vertexCount; v++) {
    seen[v] = v;
    for (let c = first[v]; c < first[v + 1]; c++) {
      const o = corner[c] & ~3;
      for (let k = o; k < o + 4; k++) {
        const u = tetrahedra[k];
        if (seen[u] === v) continue;
        seen[u] = v;
        if (count === neighbour.length) neighbour = grown(neighbour);
        neighbour[count++] = u;
      }
    }
    for (const u of tied.get(v) ?? []) {
      if (seen[u] === v) continue;
      seen[u] = v;
      if (count === neighbour.length) neighbour = grown(neighbour);
      neighbour[count++] = u;
    }
    start[v + 1] = count;
  }
  return { start, neighbour: neighbour.slice(0, count) };
}

function grown(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * values.length + 16);
  larger.set(values);
  return larger;
}

/** Where each number below `count` stands in `values`, in order. */
export function cornersByVertex(
  values: Uint32Array,
  count: number,
): { start: Uint32Array; item: Uint32Array } {
  const start = new Uint32Array(count + 1);
  for (let i = 0; i < values.length; i++) start[values[i] + 1]++;
  for (let v = 0; v < count; v++) start[v + 1] += start[v];
  const next = start.slice(0, count);
  const item = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) item[next[values[i]]++] = i;
  return { start, item };
}

function extentOf(positions: Float64Array): number {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}
