import { unite } from '../mesh/union-find.ts';
import type { CellSurface } from './cell-surface.ts';
import type { SurfaceEdges } from './surface-edges.ts';

/** Groups the triangles of a cell that share a vertex or a part of an edge within it. */
export class SheetFinder {
  sheetCount = 0;
  /** True when the surface ends or branches within the cell. */
  isRagged = false;
  readonly #surface: CellSurface;
  readonly #edges: SurfaceEdges;
  readonly #parent: Int32Array;
  // Of the last cell that met the vertex or edge (plus one): its first entry there; −1 when the vertex lies outside.
  readonly #vertexCell: Int32Array;
  readonly #vertexEntry: Int32Array;
  readonly #edgeCell: Int32Array;
  readonly #edgeEntry: Int32Array;

  constructor(surface: CellSurface, edges: SurfaceEdges) {
    this.#surface = surface;
    this.#edges = edges;
    this.#parent = new Int32Array(longestList(surface.cells.start));
    this.#vertexCell = new Int32Array(surface.mesh.vertexCount);
    this.#vertexEntry = new Int32Array(surface.mesh.vertexCount);
    this.#edgeCell = new Int32Array(edges.count);
    this.#edgeEntry = new Int32Array(edges.count);
  }

  /** Sets over the cell's entries, counted from its first; the surface has entered the cell. */
  find(cell: number): Int32Array {
    const { start, triangle } = this.#surface.cells;
    const first = start[cell],
      count = start[cell + 1] - first;
    for (let i = 0; i < count; i++) this.#parent[i] = i;
    this.sheetCount = count;
    this.isRagged = false;
    for (let i = 0; i < count; i++) this.#joinAtVertices(cell, i, triangle[first + i]);
    for (let i = 0; i < count; i++) this.#joinAtEdges(cell, i, triangle[first + i]);
    return this.#parent;
  }

  #joinAtVertices(cell: number, i: number, t: number): void {
    const { triangles } = this.#surface.mesh;
    for (let h = 3 * t; h < 3 * t + 3; h++) {
      const v = triangles[h];
      if (this.#vertexCell[v] !== cell + 1) {
        this.#vertexCell[v] = cell + 1;
        this.#vertexEntry[v] = this.#surface.holdsVertex(v) ? i : -1;
      } else if (this.#vertexEntry[v] >= 0) this.#join(i, this.#vertexEntry[v]);
    }
  }

  #joinAtEdges(cell: number, i: number, t: number): void {
    const { triangles } = this.#surface.mesh;
    const { ofTriangle, start } = this.#edges;
    for (let k = 0; k < 3; k++) {
      const e = ofTriangle[3 * t + k];
      if (e < 0) continue;
      const u = triangles[3 * t + k],
        v = triangles[3 * t + ((k + 1) % 3)];
      const isOrdinary = start[e + 1] - start[e] === 2;
      if (this.#vertexEntry[u] >= 0 || this.#vertexEntry[v] >= 0) {
        if (!isOrdinary) this.isRagged = true; // joined by the vertex
      } else if (this.#edgeCell[e] !== cell + 1) {
        this.#edgeCell[e] = cell + 1;
        this.#edgeEntry[e] = i;
        if (!isOrdinary && !this.isRagged && this.#surface.meetsEdge(u, v)) this.isRagged = true;
      } else if (this.#surface.meetsEdge(u, v)) this.#join(i, this.#edgeEntry[e]);
    }
  }

  #join(i: number, j: number): void {
    if (unite(this.#parent, i, j)) this.sheetCount--;
  }
}

function longestList(start: Uint32Array): number {
  let longest = 0;
  for (let s = 0; s + 1 < start.length; s++) longest = Math.max(longest, start[s + 1] - start[s]);
  return longest;
}
