import { findRoot } from '../mesh/union-find.ts';
import type { CellSurface, WindingAt } from './cell-surface.ts';
import { SheetMerger } from './sheet-merger.ts';
import { SheetFinder } from './sheets.ts';
import type { SurfaceEdges } from './surface-edges.ts';

/** The connected pieces of solid in every cell that the surface passes. */
export interface Pieces {
  readonly count: number;
  readonly start: Uint32Array; // the pieces of cell s are start[s] … start[s + 1) − 1
  readonly ofEntry: Int32Array; // per entry of SurfaceCells
  readonly isRagged: Uint8Array; // per cell: 1 when an edge without exactly two triangles passes it
}

/** Cells between two reports. */
const BATCH = 256;

/**
 * Triangles of a cell that hang together within it make a sheet; sheets with nothing but solid between them bound the
 * same piece.
 */
export function* findPieces(
  surface: CellSurface,
  edges: SurfaceEdges,
  windingAt: WindingAt,
): Generator<number, Pieces> {
  const { cells } = surface;
  const finder = new SheetFinder(surface, edges);
  const merger = new SheetMerger(surface, windingAt);
  const start = new Uint32Array(cells.count + 1),
    ofEntry = new Int32Array(cells.triangle.length),
    isRagged = new Uint8Array(cells.count);
  let count = 0;
  for (let s = 0; s < cells.count; s++) {
    surface.enter(s);
    const parent = finder.find(s);
    if (finder.sheetCount > 1) merger.merge(s, parent, finder.sheetCount, finder.isRagged);
    isRagged[s] = finder.isRagged ? 1 : 0;
    const first = cells.start[s];
    for (let e = first; e < cells.start[s + 1]; e++) {
      const root = findRoot(parent, e - first);
      ofEntry[e] = root === e - first ? count++ : ofEntry[first + root];
    }
    start[s + 1] = count;
    if (s % BATCH === 0) yield s / cells.count;
  }
  return { count, start, ofEntry, isRagged };
}
