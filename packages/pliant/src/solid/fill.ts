import { TETRAHEDRA_PER_CUBE } from './bcc-grid.ts';
import type { CellSurface } from './cell-surface.ts';
import type { PieceWinding } from './piece-winding.ts';
import type { Pieces } from './pieces.ts';

/** Points per tetrahedron along an edge where it must be sampled: 56 in all. */
const STEPS = 5;

/**
 * Which share of its cell a piece fills, exactly: by the divergence theorem in the tetrahedron, in one face and along
 * one edge of it.
 *
 * With w the piece's winding number and corner 0 as origin, 3 ∫ w = ∮ w x·n + Σ ∫ x·n over its polygons. Of the border
 * only face 0 counts. Its part inside follows in the same way in two dimensions from the segments in which the
 * polygons end there, about corner 1; and along the edge from corner 2 to 3 from the points that pass it.
 */
export class FillMeter {
  readonly #surface: CellSurface;
  readonly #pieces: Pieces;
  readonly #winding: PieceWinding;
  readonly #corner = new Float64Array(3);
  readonly #segment = new Float64Array(6);
  readonly #area = new Float64Array(3);

  constructor(surface: CellSurface, pieces: Pieces, winding: PieceWinding) {
    this.#surface = surface;
    this.#pieces = pieces;
    this.#winding = winding;
  }

  measure(cell: number, piece: number): number {
    const fill = this.#hasSeveralShells(cell, piece)
      ? this.#count(cell, piece)
      : this.#integrate(cell, piece);
    return Math.min(1, Math.max(0, fill));
  }

  /** Shells that overlap would be counted twice. */
  #hasSeveralShells(cell: number, piece: number): boolean {
    const { cells, mesh } = this.#surface;
    const shell = mesh.component[this.#winding.triangle[piece]];
    for (let e = cells.start[cell]; e < cells.start[cell + 1]; e++) {
      if (this.#pieces.ofEntry[e] === piece && mesh.component[cells.triangle[e]] !== shell) return true;
    }
    return false;
  }

  /** By points spread evenly. */
  #count(cell: number, piece: number): number {
    const { grid, cells } = this.#surface;
    const corners = [0, 1, 2, 3].map((k) => {
      const corner = new Float64Array(3);
      grid.setCorner(cells.tetrahedron[cell], k, corner);
      return corner;
    });
    const p = this.#corner;
    let inside = 0,
      all = 0;
    for (let i = 0; i <= STEPS; i++) {
      for (let j = 0; i + j <= STEPS; j++) {
        for (let k = 0; i + j + k <= STEPS; k++) {
          const weights = [i, j, k, STEPS - i - j - k].map((n) => (n + 0.5) / (STEPS + 2));
          for (let c = 0; c < 3; c++) p[c] = weights.reduce((sum, w, at) => sum + w * corners[at][c], 0);
          if (this.#winding.at(cell, piece, p) >= 1) inside++;
          all++;
        }
      }
    }
    return inside / all;
  }

  #integrate(cell: number, piece: number): number {
    const { grid, cells } = this.#surface;
    grid.setCorner(cells.tetrahedron[cell], 2, this.#corner);
    let fill = this.#winding.at(cell, piece, this.#corner);
    this.#surface.enter(cell);
    for (let e = cells.start[cell]; e < cells.start[cell + 1]; e++) {
      if (this.#pieces.ofEntry[e] === piece) fill += this.#add(cell, cells.triangle[e]);
    }
    return fill;
  }

  /** What one triangle contributes: along the edge, in the face and in the whole, in volumes of the tetrahedron. */
  #add(cell: number, triangle: number): number {
    const { grid, cells, clipper } = this.#surface;
    const { form, corner } = grid.tables;
    const local = cells.tetrahedron[cell] % TETRAHEDRA_PER_CUBE;
    const f = 16 * local,
      v0 = 12 * local,
      v1 = v0 + 3;
    this.#surface.takeWhole(triangle);
    clipper.setAreaVector(this.#area);
    const [nx, ny, nz] = this.#area;
    if (!clipper.cut(form, f + 8, 0) || !clipper.cut(form, f + 12, 0)) return 0;
    let sum = 0;
    const s = this.#segment;
    if (this.#crossPlane(f + 4)) sum += this.#edgePart(f, nx, ny, nz);
    if (!clipper.cut(form, f + 4, 0)) return sum;
    if (this.#crossPlane(f)) {
      // Face 0's outward unit normal times its distance h from corner 0: −h² ∇λ, and h² = 1/2.
      const mx = -form[f + 1] / 2,
        my = -form[f + 2] / 2,
        mz = -form[f + 3] / 2;
      const dx = s[3] - s[0],
        dy = s[4] - s[1],
        dz = s[5] - s[2];
      const ox = dy * mz - dz * my,
        oy = dz * mx - dx * mz,
        oz = dx * my - dy * mx;
      const along =
        (s[0] - corner[v1] / 2) * ox + (s[1] - corner[v1 + 1] / 2) * oy + (s[2] - corner[v1 + 2] / 2) * oz;
      sum += ox * nx + oy * ny + oz * nz > 0 ? 2 * along : -2 * along;
    }
    if (!clipper.cut(form, f, 0)) return sum;
    clipper.setAreaVector(this.#area);
    const p = clipper.polygon,
      area = this.#area;
    return (
      sum +
      2 *
        ((p[0] - corner[v0] / 2) * area[0] +
          (p[1] - corner[v0 + 1] / 2) * area[1] +
          (p[2] - corner[v0 + 2] / 2) * area[2])
    );
  }

  /** From where the triangle passes the edge to corner 3, with the sign of the jump there. */
  #edgePart(f: number, nx: number, ny: number, nz: number): number {
    const { tables } = this.#surface.grid;
    const { form, corner } = tables;
    const s = this.#segment;
    const a = evaluate(form, f, s, 0),
      b = evaluate(form, f, s, 3);
    if (a >= 0 === b >= 0) return 0;
    const t = a / (a - b);
    const here = evaluate(form, f + 8, s, 0),
      there = evaluate(form, f + 8, s, 3);
    const rest = here + t * (there - here); // λ of corner 2: 1 there, 0 at corner 3
    const o = (12 * f) / 16;
    const climb =
      (corner[o + 9] - corner[o + 6]) * nx +
      (corner[o + 10] - corner[o + 7]) * ny +
      (corner[o + 11] - corner[o + 8]) * nz;
    return climb > 0 ? -rest : rest;
  }

  /** Where the polygon passes λ = 0: two points into `segment`. */
  #crossPlane(f: number): boolean {
    const { clipper, grid } = this.#surface;
    const { form } = grid.tables;
    const { polygon: p, count } = clipper;
    const s = this.#segment;
    let from = 3 * count - 3,
      found = 0;
    let before = evaluate(form, f, p, from);
    for (let i = 0; i < 3 * count; i += 3) {
      const here = evaluate(form, f, p, i);
      if (before >= 0 !== here >= 0 && found < 6) {
        const t = before / (before - here);
        for (let k = 0; k < 3; k++) s[found++] = p[from + k] + t * (p[i + k] - p[from + k]);
      }
      before = here;
      from = i;
    }
    return found === 6;
  }
}

function evaluate(form: Float64Array, f: number, p: Float64Array, o: number): number {
  return form[f] + form[f + 1] * p[o] + form[f + 2] * p[o + 1] + form[f + 3] * p[o + 2];
}
