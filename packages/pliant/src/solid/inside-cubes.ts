import { type BccGrid, TETRAHEDRA_PER_CUBE } from './bcc-grid.ts';
import type { WindingAt } from './cell-surface.ts';
import { GrowableInts } from './growable.ts';
import type { SurfaceCells } from './surface-cells.ts';

/** Tetrahedra inside the solid that the surface does not pass. */
export interface InsideTetrahedra {
  readonly cubes: Int32Array; // all twelve of each are inside; rising
  readonly tetrahedra: Int32Array; // single ones of other cubes; rising
}

/** A part of space is asked at so many places, and at all when these disagree. */
const ASKED = 64;
/** In closed surfaces all places agree. */
const ASKED_CLOSED = 3;
/** Between these a winding number says that the surface is open nearby. */
const SURELY_OUTSIDE = 0.1;
const SURELY_INSIDE = 0.9;
const BATCH = 4096;

const WHOLE_CUBE = 15; // in place of a tetrahedron's number among twelve

/** Floods what the surface leaves, from face to face, and asks of every part whether it is inside. */
export function* findInside(
  grid: BccGrid,
  cells: SurfaceCells,
  isClosed: boolean,
  windingAt: WindingAt,
): Generator<number, InsideTetrahedra> {
  const flood = new Flood(grid, cells);
  const cubes = new GrowableInts(),
    tetrahedra = new GrowableInts();
  const keep = (node: number) => {
    if (node % 16 === WHOLE_CUBE) cubes.push(Math.trunc(node / 16));
    else tetrahedra.push(TETRAHEDRA_PER_CUBE * Math.trunc(node / 16) + (node % 16));
  };
  const middle = new Float64Array(3);
  const windingOf = (node: number) => {
    const local = node % 16 === WHOLE_CUBE ? 0 : node % 16;
    grid.setMiddle(TETRAHEDRA_PER_CUBE * Math.trunc(node / 16) + local, -1, middle);
    return windingAt(middle[0], middle[1], middle[2]);
  };

  for (let cube = 0; cube < grid.cubeCount; cube++) {
    if (cube % BATCH === 0) yield cube / grid.cubeCount;
    for (let local = 0; local < TETRAHEDRA_PER_CUBE; local++) {
      const members = flood.from(cube, local);
      if (members === undefined) continue;
      if (isClosed && flood.reachedBorder) continue; // nothing is outside of a closed surface's outside
      const { length, values } = members;
      const asked = Math.min(length, isClosed ? ASKED_CLOSED : ASKED);
      let low = Infinity,
        high = -Infinity;
      for (let i = 0; i < asked; i++) {
        const w = windingOf(values[Math.trunc(((i + 0.5) * length) / asked)]);
        low = Math.min(low, w);
        high = Math.max(high, w);
      }
      if (high < SURELY_OUTSIDE) continue;
      if (low > SURELY_INSIDE) for (let i = 0; i < length; i++) keep(values[i]);
      else {
        for (let i = 0; i < length; i++) {
          if (windingOf(values[i]) > 0.5) keep(values[i]);
          if (i % 64 === 0) yield cube / grid.cubeCount;
        }
      }
    }
  }
  return { cubes: cubes.toArray().sort(), tetrahedra: tetrahedra.toArray().sort() };
}

/** One part of space after the other. A cube that the surface leaves alone is one node: its twelve hang together. */
class Flood {
  reachedBorder = false;
  readonly #grid: BccGrid;
  readonly #cells: SurfaceCells;
  readonly #seenCube: Uint8Array;
  readonly #seen: Uint8Array; // of tetrahedra in blocks
  readonly #members = new GrowableInts();

  constructor(grid: BccGrid, cells: SurfaceCells) {
    this.#grid = grid;
    this.#cells = cells;
    this.#seenCube = new Uint8Array(grid.cubeCount);
    this.#seen = new Uint8Array(TETRAHEDRA_PER_CUBE * cells.blockCount);
  }

  /** The part that holds a tetrahedron; undefined when it was met before or the surface passes it. */
  from(cube: number, local: number): GrowableInts | undefined {
    const members = this.#members;
    members.length = 0;
    this.reachedBorder = false;
    this.#reach(cube, local);
    if (members.length === 0) return undefined;
    for (let i = 0; i < members.length; i++) this.#spread(members.values[i]);
    return members;
  }

  #reach(cube: number, local: number): void {
    const block = this.#cells.blockOf[cube];
    if (block < 0) {
      if (this.#seenCube[cube] === 1) return;
      this.#seenCube[cube] = 1;
      this.#members.push(16 * cube + WHOLE_CUBE);
      return;
    }
    const at = TETRAHEDRA_PER_CUBE * block + local;
    if (this.#seen[at] === 1 || this.#cells.cellOf[at] >= 0) return;
    this.#seen[at] = 1;
    this.#members.push(16 * cube + local);
  }

  #spread(node: number): void {
    const cube = Math.trunc(node / 16),
      local = node % 16;
    const first = local === WHOLE_CUBE ? 0 : local,
      last = local === WHOLE_CUBE ? TETRAHEDRA_PER_CUBE - 1 : local;
    const { nx, ny, nz, tables, base } = this.#grid;
    this.#grid.setBase(cube);
    const x = base[0],
      y = base[1],
      z = base[2];
    for (let at = 4 * first; at < 4 * last + 4; at++) {
      const dx = tables.step[3 * at],
        dy = tables.step[3 * at + 1],
        dz = tables.step[3 * at + 2];
      if (local === WHOLE_CUBE && dx === 0 && dy === 0 && dz === 0) continue;
      const i = x + dx,
        j = y + dy,
        k = z + dz;
      if (i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz) this.reachedBorder = true;
      else this.#reach(this.#grid.cubeAt(i, j, k), tables.local[at]);
    }
  }
}
