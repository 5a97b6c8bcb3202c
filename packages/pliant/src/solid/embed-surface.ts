import { BoxGrid } from '../deform/box-grid.ts';
import type { Assembly } from './assemble-lattice.ts';
import { TETRAHEDRA_PER_CUBE } from './bcc-grid.ts';
import type { CellSurface } from './cell-surface.ts';
import type { Copies } from './copies.ts';
import type { Pieces } from './pieces.ts';

/** Per vertex of the surface: its tetrahedron and its four coordinates there, none below 0. */
export interface SurfaceEmbedding {
  readonly tetrahedron: Uint32Array;
  readonly weights: Float64Array;
}

/** A vertex goes to the piece of its triangles in the tetrahedron that holds it; one without triangles to the nearest. */
export function embedSurface(
  surface: CellSurface,
  pieces: Pieces,
  copies: Copies,
  assembly: Assembly,
): SurfaceEmbedding {
  const { mesh, grid, cells } = surface;
  const { positions: p, vertexCount, adjacency } = mesh;
  const tetrahedron = new Uint32Array(vertexCount),
    weights = new Float64Array(4 * vertexCount);
  const coordinates = new Float64Array(4);
  const alone: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    if (adjacency.start[v] === adjacency.start[v + 1]) {
      alone.push(v);
      continue;
    }
    const id = grid.locate(p[3 * v], p[3 * v + 1], p[3 * v + 2]);
    const cube = Math.trunc(id / TETRAHEDRA_PER_CUBE);
    const s = cells.cellOf[TETRAHEDRA_PER_CUBE * cells.blockOf[cube] + id - TETRAHEDRA_PER_CUBE * cube];
    const entry = findEntry(
      cells.triangle,
      cells.start[s],
      cells.start[s + 1],
      adjacency.list[adjacency.start[v]],
    );
    const copy = copies.firstOf(id) + pieces.ofEntry[entry] - pieces.start[s];
    tetrahedron[v] = assembly.ofCopy[copy];
    grid.setCoordinates(id, p[3 * v], p[3 * v + 1], p[3 * v + 2], coordinates);
    setPositive(coordinates, weights, 4 * v);
  }
  if (alone.length > 0) bindAlone(mesh.positions, alone, assembly, tetrahedron, weights);
  return { tetrahedron, weights };
}

/** The entries of a cell are sorted by triangle, and the one looked for is among them. */
function findEntry(triangle: Int32Array, first: number, end: number, wanted: number): number {
  let low = first,
    high = end - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (triangle[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rounding may put a coordinate a little below 0. */
function setPositive(coordinates: Float64Array, out: Float64Array, o: number): void {
  let sum = 0;
  for (let k = 0; k < 4; k++) sum += Math.max(0, coordinates[k]);
  for (let k = 0; k < 4; k++) out[o + k] = Math.max(0, coordinates[k]) / sum;
}

/** Vertices in no triangle hang on the nearest vertex of the lattice. */
function bindAlone(
  positions: Float64Array,
  alone: readonly number[],
  { corners, tetrahedra }: Assembly,
  tetrahedron: Uint32Array,
  weights: Float64Array,
): void {
  const count = corners.length / 3;
  const boxes = new Float64Array(6 * count);
  const cornerAt = new Int32Array(count); // one place in `tetrahedra` for each
  for (let v = 0; v < count; v++) {
    boxes.set(corners.subarray(3 * v, 3 * v + 3), 6 * v);
    boxes.set(corners.subarray(3 * v, 3 * v + 3), 6 * v + 3);
  }
  for (let i = tetrahedra.length - 1; i >= 0; i--) cornerAt[tetrahedra[i]] = i;
  const near = new BoxGrid(boxes, 2);
  for (const v of alone) {
    const x = positions[3 * v],
      y = positions[3 * v + 1],
      z = positions[3 * v + 2];
    let best = Infinity,
      found = 0;
    near.visitNear(x, y, z, (c) => {
      const distance =
        (corners[3 * c] - x) ** 2 + (corners[3 * c + 1] - y) ** 2 + (corners[3 * c + 2] - z) ** 2;
      if (distance < best || (distance === best && c < found)) {
        best = distance;
        found = c;
      }
      return best;
    });
    tetrahedron[v] = cornerAt[found] >> 2;
    weights[4 * v + (cornerAt[found] & 3)] = 1;
  }
}
