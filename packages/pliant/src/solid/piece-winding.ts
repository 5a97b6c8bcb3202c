import { squaredPointTriangleDistance } from '../deform/point-triangle.ts';
import type { CellSurface } from './cell-surface.ts';
import type { Pieces } from './pieces.ts';
import { crossTriangle } from './segment-crossing.ts';

/** A way that leaves a triangle at a smaller sine than this might be counted on the wrong side of it. */
const GRAZING = 1e-6;

/**
 * The winding number of one piece within its cell: 1 in its solid, 0 beside it. Found on the straight way from a point
 * of its surface, of which the side is known, by counting the piece's triangles passed; the rest of the mesh takes no
 * part. Where the surface ends within the cell the answer depends on the way.
 */
export class PieceWinding {
  /** Per piece: the triangle of its largest entry. */
  readonly triangle: Int32Array;
  readonly #surface: CellSurface;
  readonly #pieces: Pieces;
  readonly #point: Float64Array; // in that triangle, 3 per piece
  readonly #from = new Float64Array(3);

  constructor(surface: CellSurface, pieces: Pieces) {
    const { cells } = surface;
    this.#surface = surface;
    this.#pieces = pieces;
    this.triangle = new Int32Array(pieces.count).fill(-1);
    this.#point = new Float64Array(3 * pieces.count);
    const largest = new Float32Array(pieces.count).fill(-1);
    for (let e = 0; e < cells.triangle.length; e++) {
      const piece = pieces.ofEntry[e];
      if (cells.area[e] <= largest[piece]) continue;
      largest[piece] = cells.area[e];
      this.triangle[piece] = cells.triangle[e];
    }
    for (let s = 0; s < cells.count; s++) {
      surface.enter(s);
      for (let piece = pieces.start[s]; piece < pieces.start[s + 1]; piece++) {
        surface.sample(this.triangle[piece]);
        this.#point.set(surface.middle, 3 * piece);
      }
    }
  }

  /** `p` lies in the cell or on its border. */
  at(cell: number, piece: number, p: Float64Array): number {
    const { cells, mesh } = this.#surface;
    const from = this.#from;
    let own = this.triangle[piece];
    from.set(this.#point.subarray(3 * piece, 3 * piece + 3));
    let climb = this.#climb(own, p);
    if (Math.abs(climb) < GRAZING) {
      own = this.#takeSteepest(cell, piece, p);
      climb = this.#climb(own, p);
    }
    let winding = climb < 0 ? 1 : 0;
    for (let e = cells.start[cell]; e < cells.start[cell + 1]; e++) {
      if (this.#pieces.ofEntry[e] !== piece || cells.triangle[e] === own) continue;
      winding -= crossTriangle(mesh, cells.triangle[e], from, p);
    }
    return winding;
  }

  /** The sine of the angle at which the way to p leaves the triangle; positive to the front. */
  #climb(triangle: number, p: Float64Array): number {
    const { positions: x, triangles } = this.#surface.mesh;
    const a = 3 * triangles[3 * triangle],
      b = 3 * triangles[3 * triangle + 1],
      c = 3 * triangles[3 * triangle + 2];
    const ux = x[b] - x[a],
      uy = x[b + 1] - x[a + 1],
      uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a],
      vy = x[c + 1] - x[a + 1],
      vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy,
      ny = uz * vx - ux * vz,
      nz = ux * vy - uy * vx;
    const dx = p[0] - this.#from[0],
      dy = p[1] - this.#from[1],
      dz = p[2] - this.#from[2];
    const lengths = (nx * nx + ny * ny + nz * nz) * (dx * dx + dy * dy + dz * dz);
    return lengths === 0 ? 0 : (nx * dx + ny * dy + nz * dz) / Math.sqrt(lengths);
  }

  /** Starts from the entry that the way leaves most steeply. */
  #takeSteepest(cell: number, piece: number, p: Float64Array): number {
    const { cells } = this.#surface;
    let best = -1,
      own = this.triangle[piece];
    this.#surface.enter(cell);
    for (let e = cells.start[cell]; e < cells.start[cell + 1]; e++) {
      if (this.#pieces.ofEntry[e] !== piece) continue;
      this.#surface.sample(cells.triangle[e]);
      this.#from.set(this.#surface.middle);
      const steepness = Math.abs(this.#climb(cells.triangle[e], p)) * cells.area[e];
      if (steepness <= best) continue;
      best = steepness;
      own = cells.triangle[e];
    }
    this.#surface.sample(own);
    this.#from.set(this.#surface.middle);
    return own;
  }

  /** The piece of the cell nearest to p; those that have p behind them come first. */
  nearest(cell: number, p: Float64Array): number {
    const { cells, mesh } = this.#surface;
    const { triangles, positions } = mesh;
    let best = Infinity,
      found = this.#pieces.start[cell],
      isFoundBehind = false;
    for (let e = cells.start[cell]; e < cells.start[cell + 1]; e++) {
      const t = cells.triangle[e];
      const distance = squaredPointTriangleDistance(
        p,
        0,
        positions,
        3 * triangles[3 * t],
        3 * triangles[3 * t + 1],
        3 * triangles[3 * t + 2],
      );
      this.#from.set(positions.subarray(3 * triangles[3 * t], 3 * triangles[3 * t] + 3));
      const isBehind = this.#climb(t, p) < 0;
      if (isBehind === isFoundBehind ? distance >= best : isFoundBehind) continue;
      best = distance;
      found = this.#pieces.ofEntry[e];
      isFoundBehind = isBehind;
    }
    return found;
  }
}
