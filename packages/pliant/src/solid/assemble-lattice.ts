import { findRoot } from '../mesh/union-find.ts';
import { TETRAHEDRON_VOLUME } from './bcc-grid.ts';
import type { CellSurface, WindingAt } from './cell-surface.ts';
import type { Copies } from './copies.ts';
import { FillMeter } from './fill.ts';
import type { Glue } from './glue.ts';
import { GrowableInts } from './growable.ts';
import type { PieceWinding } from './piece-winding.ts';
import type { Pieces } from './pieces.ts';
import { ShellBoxes } from './shells.ts';

/** Copies with their corners numbered; those that came out equal are one tetrahedron. */
export interface Assembly {
  readonly corners: Float64Array; // 3 per vertex, in cubes of the grid
  readonly tetrahedra: Uint32Array;
  readonly ofCopy: Int32Array; // copy -> tetrahedron
  readonly latticeTetrahedra: number; // different ones
  readonly glue: Uint32Array;
}

export function assemble({ grid }: CellSurface, copies: Copies, { pairs, parent }: Glue): Assembly {
  const { count, tetrahedron } = copies;
  const vertexOf = new Int32Array(4 * count).fill(-1); // at roots
  const ofCopy = new Int32Array(count);
  const tetrahedra = new Uint32Array(4 * count);
  const corner = new Float64Array(3);
  const rootOf = new GrowableInts();
  let tetrahedronCount = 0,
    latticeTetrahedra = 0,
    first = 0; // of this tetrahedron of the lattice
  for (let c = 0; c < count; c++) {
    if (c === 0 || tetrahedron[c] !== tetrahedron[c - 1]) {
      first = tetrahedronCount;
      latticeTetrahedra++;
    }
    const o = 4 * tetrahedronCount;
    for (let k = 0; k < 4; k++) {
      const root = findRoot(parent, 4 * c + k);
      if (vertexOf[root] < 0) {
        vertexOf[root] = rootOf.length;
        rootOf.push(root);
      }
      tetrahedra[o + k] = vertexOf[root];
    }
    ofCopy[c] = findEqual(tetrahedra, first, tetrahedronCount);
    if (ofCopy[c] === tetrahedronCount) tetrahedronCount++;
  }
  const corners = new Float64Array(3 * rootOf.length);
  for (let v = 0; v < rootOf.length; v++) {
    const root = rootOf.values[v];
    grid.setCorner(tetrahedron[root >> 2], root & 3, corner);
    corners.set(corner, 3 * v);
  }
  return {
    corners,
    tetrahedra: tetrahedra.slice(0, 4 * tetrahedronCount),
    ofCopy,
    latticeTetrahedra,
    glue: gluedTetrahedra(pairs, ofCopy),
  };
}

function findEqual(tetrahedra: Uint32Array, first: number, candidate: number): number {
  const o = 4 * candidate;
  for (let i = 4 * first; i < o; i += 4) {
    if (
      tetrahedra[i] === tetrahedra[o] &&
      tetrahedra[i + 1] === tetrahedra[o + 1] &&
      tetrahedra[i + 2] === tetrahedra[o + 2] &&
      tetrahedra[i + 3] === tetrahedra[o + 3]
    ) {
      return i / 4;
    }
  }
  return candidate;
}

/** Pairs of one face follow each other, so equal ones are found close by. */
function gluedTetrahedra(pairs: Int32Array, ofCopy: Int32Array): Uint32Array {
  const glue = new Uint32Array(pairs.length);
  let length = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    const a = ofCopy[pairs[i]],
      b = ofCopy[pairs[i + 1]];
    let isNew = true;
    for (let j = length - 2; j >= 0 && glue[j] === a && isNew; j -= 2) isNew = glue[j + 1] !== b;
    if (!isNew) continue;
    glue[length++] = a;
    glue[length++] = b;
  }
  return glue.slice(0, length);
}

const BATCH = 512;

/** Per tetrahedron of the assembly: which share of it is solid. */
export function* fillTetrahedra(
  surface: CellSurface,
  pieces: Pieces,
  winding: PieceWinding,
  copies: Copies,
  { ofCopy, tetrahedra }: Assembly,
  windingAt: WindingAt,
): Generator<number, Float64Array> {
  const meter = new FillMeter(surface, pieces, winding);
  const surrounded = new Surroundings(surface, pieces, winding, windingAt);
  const fill = new Float64Array(tetrahedra.length / 4);
  for (let c = 0; c < copies.count; c++) {
    const s = copies.cell[c],
      piece = copies.piece[c];
    if (s < 0) fill[ofCopy[c]] = 1;
    else if (piece === pieces.start[s] && surrounded.holds(s)) fill[ofCopy[c]] = 1;
    else fill[ofCopy[c]] += meter.measure(s, piece);
    if (c % BATCH === 0) yield c / copies.count;
  }
  for (let i = 0; i < fill.length; i++) fill[i] = Math.min(1, fill[i]);
  return fill;
}

/** Finds cells in which a shell lies inside another, whose surface is elsewhere. */
class Surroundings {
  readonly #surface: CellSurface;
  readonly #pieces: Pieces;
  readonly #winding: PieceWinding;
  readonly #windingAt: WindingAt;
  readonly #shells: ShellBoxes;
  readonly #corner = new Float64Array(3);

  constructor(surface: CellSurface, pieces: Pieces, winding: PieceWinding, windingAt: WindingAt) {
    this.#surface = surface;
    this.#pieces = pieces;
    this.#winding = winding;
    this.#windingAt = windingAt;
    this.#shells = new ShellBoxes(surface.mesh);
  }

  /** True when the winding number is higher than the pieces of the cell explain. */
  holds(cell: number): boolean {
    const { mesh, grid, cells } = this.#surface;
    const { start } = this.#pieces;
    if (mesh.componentCount === 1) return false;
    const p = this.#corner;
    grid.setCorner(cells.tetrahedron[cell], 0, p);
    const own = mesh.component[this.#winding.triangle[start[cell]]];
    if (!this.#shells.maySurround(own, p)) return false;
    let explained = 0;
    for (let piece = start[cell]; piece < start[cell + 1]; piece++) {
      explained += this.#winding.at(cell, piece, p);
    }
    return this.#windingAt(p[0], p[1], p[2]) - explained > 0.5;
  }
}

/** Of the tetrahedra as far as they are filled, in cubes. */
export function filledVolume(fill: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < fill.length; i++) sum += fill[i];
  return sum * TETRAHEDRON_VOLUME;
}
