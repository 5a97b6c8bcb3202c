import { InputError } from '../mesh/input-error.ts';
import { type BccGrid, TETRAHEDRA_PER_CUBE } from './bcc-grid.ts';
import type { InsideTetrahedra } from './inside-cubes.ts';
import type { Pieces } from './pieces.ts';
import type { SurfaceCells } from './surface-cells.ts';

/** Tetrahedra of the lattice as often as there are pieces of solid in them, by rising tetrahedron, then piece. */
export interface Copies {
  readonly count: number;
  readonly tetrahedron: Int32Array; // per copy: of the lattice
  readonly cell: Int32Array; // per copy: −1 when all of it is inside
  readonly piece: Int32Array; // per copy: −1 when all of it is inside
  /** The first copy of a tetrahedron of the lattice; −1 when it has none. */
  firstOf(tetrahedron: number): number;
}

/** The most tetrahedra; about 500 bytes of memory go with each. */
export const COPY_LIMIT = 2 ** 22;

export function listCopies(
  grid: BccGrid,
  cells: SurfaceCells,
  pieces: Pieces,
  inside: InsideTetrahedra,
): Copies {
  const count = pieces.count + inside.tetrahedra.length + TETRAHEDRA_PER_CUBE * inside.cubes.length;
  if (count > COPY_LIMIT) {
    throw new InputError(
      'too-large',
      `the lattice would have ${count} tetrahedra; the limit is ${COPY_LIMIT}: choose larger cells`,
    );
  }
  const blockOf = cells.blockOf.slice();
  for (let i = 0; i < inside.cubes.length; i++) blockOf[inside.cubes[i]] = cells.blockCount + i;
  const first = new Int32Array(TETRAHEDRA_PER_CUBE * (cells.blockCount + inside.cubes.length)).fill(-1);
  const tetrahedron = new Int32Array(count),
    cell = new Int32Array(count).fill(-1),
    piece = new Int32Array(count).fill(-1);
  let used = 0,
    single = 0;
  for (let cube = 0; cube < grid.cubeCount; cube++) {
    const block = blockOf[cube];
    if (block < 0) continue;
    for (let local = 0; local < TETRAHEDRA_PER_CUBE; local++) {
      const at = TETRAHEDRA_PER_CUBE * block + local;
      const id = TETRAHEDRA_PER_CUBE * cube + local;
      const s = block < cells.blockCount ? cells.cellOf[at] : -1;
      const isSingle = inside.tetrahedra[single] === id;
      if (s < 0 && block < cells.blockCount && !isSingle) continue;
      if (isSingle) single++;
      first[at] = used;
      for (let p = s < 0 ? -1 : pieces.start[s]; p < (s < 0 ? 0 : pieces.start[s + 1]); p++) {
        tetrahedron[used] = id;
        cell[used] = s;
        piece[used++] = p;
      }
    }
  }
  const firstOf = (id: number) => {
    const cube = Math.trunc(id / TETRAHEDRA_PER_CUBE);
    return blockOf[cube] < 0
      ? -1
      : first[TETRAHEDRA_PER_CUBE * blockOf[cube] + id - TETRAHEDRA_PER_CUBE * cube];
  };
  return { count, tetrahedron, cell, piece, firstOf };
}
