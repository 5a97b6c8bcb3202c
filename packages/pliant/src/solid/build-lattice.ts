import { InputError } from '../mesh/input-error.ts';
import { type Assembly, assemble, fillTetrahedra } from './assemble-lattice.ts';
import { BccGrid } from './bcc-grid.ts';
import { CellSurface } from './cell-surface.ts';
import { listCopies } from './copies.ts';
import { embedSurface, type SurfaceEmbedding } from './embed-surface.ts';
import { glueCopies } from './glue.ts';
import { findInside } from './inside-cubes.ts';
import { PieceWinding } from './piece-winding.ts';
import { findPieces } from './pieces.ts';
import type { SolidSurface } from './prepare-solid.ts';
import { findSurfaceCells } from './surface-cells.ts';

/** A lattice in cubes of its grid. */
export interface RawLattice {
  readonly assembly: Assembly;
  readonly embedding: SurfaceEmbedding;
  readonly fill: Float64Array;
  readonly cell: number; // side of a cube in the unit box of the surface
  readonly low: Float64Array; // where the grid starts there
}

/** The most cubes of the grid, inside or not. */
const CUBE_LIMIT = 2 ** 24;

/** What the stages take of the whole time, roughly. */
const SHARES = [0.3, 0.2, 0.1, 0.2, 0.2];

/** Yields the share done. */
export function* buildLattice(
  solid: SolidSurface,
  cell: number,
  offset: readonly number[],
): Generator<number, RawLattice> {
  const low = Float64Array.from(offset, (shift) => -(1 + shift) * cell);
  const grid = createGrid(solid, cell, offset);
  const positions = solid.mesh.positions.map((x, i) => (x - low[i % 3]) / cell);
  const mesh = { ...solid.mesh, positions };
  const windingAt = (x: number, y: number, z: number) =>
    solid.winding.at(low[0] + cell * x, low[1] + cell * y, low[2] + cell * z);

  const cells = yield* stage(0, findSurfaceCells(mesh, grid));
  const surface = new CellSurface(mesh, grid, cells);
  const pieces = yield* stage(1, findPieces(surface, solid.edges, windingAt));
  const inside = yield* stage(2, findInside(grid, cells, solid.isClosed, windingAt));
  const copies = listCopies(grid, cells, pieces, inside);
  const winding = new PieceWinding(surface, pieces);
  const glue = yield* stage(3, glueCopies(surface, pieces, winding, copies, windingAt));
  const assembly = assemble(surface, copies, glue);
  const fill = yield* stage(4, fillTetrahedra(surface, pieces, winding, copies, assembly, windingAt));
  const embedding = embedSurface(surface, pieces, copies, assembly);
  return { assembly, embedding, fill, cell, low };
}

function createGrid({ mesh }: SolidSurface, cell: number, offset: readonly number[]): BccGrid {
  const high = [0, 0, 0];
  for (let i = 0; i < mesh.triangles.length; i++) {
    for (let k = 0; k < 3; k++) high[k] = Math.max(high[k], mesh.positions[3 * mesh.triangles[i] + k]);
  }
  const [nx, ny, nz] = high.map((h, k) => Math.ceil(h / cell + offset[k]) + 3);
  if (nx * ny * nz > CUBE_LIMIT) {
    throw new InputError(
      'too-large',
      `the lattice would have ${nx} × ${ny} × ${nz} = ${nx * ny * nz} cells; the limit is ${CUBE_LIMIT}: choose larger ones`,
    );
  }
  return new BccGrid(nx, ny, nz);
}

function* stage<T>(index: number, work: Generator<number, T>): Generator<number, T> {
  const before = SHARES.slice(0, index).reduce((sum, share) => sum + share, 0);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    yield before + SHARES[index] * value;
  }
}
