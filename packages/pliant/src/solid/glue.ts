import { unite } from '../mesh/union-find.ts';
import type { CellSurface, WindingAt } from './cell-surface.ts';
import type { Copies } from './copies.ts';
import { GrowableInts } from './growable.ts';
import type { PieceWinding } from './piece-winding.ts';
import type { Pieces } from './pieces.ts';
import { ShellBoxes } from './shells.ts';

/** Which copies are neighbours through a face, and which of their corners are thereby one. */
export interface Glue {
  readonly pairs: Int32Array; // two copies each
  readonly parent: Int32Array; // union-find over corners, four per copy
}

const BATCH = 1024;

/**
 * Copies on the two sides of a face are glued where the same piece of solid passes it: through triangles that reach
 * the face from both sides, or, where none of a piece does, when the whole face lies in it on both sides.
 */
export function* glueCopies(
  surface: CellSurface,
  pieces: Pieces,
  winding: PieceWinding,
  copies: Copies,
  windingAt: WindingAt,
): Generator<number, Glue> {
  const gluer = new Gluer(surface, pieces, winding, copies, windingAt);
  for (let c = 0; c < copies.count; c++) {
    if (c === 0 || copies.tetrahedron[c] !== copies.tetrahedron[c - 1]) gluer.visit(c);
    if (c % BATCH === 0) yield c / copies.count;
  }
  return { pairs: gluer.pairs.toArray(), parent: gluer.parent };
}

class Gluer {
  readonly pairs = new GrowableInts();
  readonly parent: Int32Array;
  readonly #surface: CellSurface;
  readonly #pieces: Pieces;
  readonly #winding: PieceWinding;
  readonly #copies: Copies;
  readonly #windingAt: WindingAt;
  readonly #shells: ShellBoxes;
  readonly #middle = new Float64Array(3); // of the face at hand
  readonly #owners: [number[], number[]] = [[], []];
  #match = 0; // where the tables pair the corners of the face at hand
  #firstPair = 0; // of the face at hand

  constructor(
    surface: CellSurface,
    pieces: Pieces,
    winding: PieceWinding,
    copies: Copies,
    windingAt: WindingAt,
  ) {
    this.#surface = surface;
    this.#pieces = pieces;
    this.#winding = winding;
    this.#copies = copies;
    this.#windingAt = windingAt;
    this.#shells = new ShellBoxes(surface.mesh);
    this.parent = new Int32Array(4 * copies.count);
    for (let i = 0; i < this.parent.length; i++) this.parent[i] = i;
  }

  /** The faces of one tetrahedron towards later ones. `first` is its first copy. */
  visit(first: number): void {
    const { grid } = this.#surface;
    const { tetrahedron, cell, firstOf } = this.#copies;
    const here = tetrahedron[first];
    for (let face = 0; face < 4; face++) {
      const there = grid.neighbour(here, face);
      if (there < here) continue;
      const next = firstOf(there);
      if (next < 0) continue;
      const at = 4 * (here % 12) + face;
      this.#match = 4 * at;
      this.#firstPair = this.pairs.length;
      if (cell[first] < 0 && cell[next] < 0) this.#link(first, next);
      else {
        grid.setMiddle(here, face, this.#middle);
        if (cell[next] < 0) this.#glueToWhole(first, next, false);
        else if (cell[first] < 0) this.#glueToWhole(next, first, true);
        else this.#gluePieces(first, face, next, grid.tables.face[at]);
      }
    }
  }

  /** The other side is inside altogether: so is the face. */
  #glueToWhole(first: number, whole: number, isTurned: boolean): void {
    const s = this.#copies.cell[first];
    const { start } = this.#pieces;
    let isGlued = false;
    for (let p = start[s]; p < start[s + 1]; p++) {
      if (start[s + 1] - start[s] > 1 && this.#winding.at(s, p, this.#middle) < 1) continue;
      this.#linkTurned(first + p - start[s], whole, isTurned);
      isGlued = true;
    }
    if (isGlued) return;
    this.#linkTurned(first + this.#winding.nearest(s, this.#middle) - start[s], whole, isTurned);
  }

  #linkTurned(a: number, b: number, isTurned: boolean): void {
    if (isTurned) this.#link(b, a);
    else this.#link(a, b);
  }

  #gluePieces(first: number, face: number, next: number, nextFace: number): void {
    const s = this.#copies.cell[first],
      t = this.#copies.cell[next];
    const { start } = this.#pieces;
    const isTouched = this.#glueThroughTriangles(first, face, next, nextFace);
    const isSimple = start[s + 1] - start[s] === 1 && start[t + 1] - start[t] === 1;
    if (isTouched && isSimple) return;
    const [here, there] = this.#owners;
    this.#findOwners(s, face, here);
    this.#findOwners(t, nextFace, there);
    if (!isTouched) this.#settleOpenFace(s, t, here, there);
    for (const p of here) {
      const partner = this.#partnerOf(p, here, there);
      if (partner >= 0) this.#link(first + p - start[s], next + partner - start[t]);
    }
  }

  /** True when some triangle reaches the face from both sides. */
  #glueThroughTriangles(first: number, face: number, next: number, nextFace: number): boolean {
    const { cells } = this.#surface;
    const { start, ofEntry } = this.#pieces;
    const s = this.#copies.cell[first],
      t = this.#copies.cell[next];
    let i = cells.start[s],
      j = cells.start[t];
    let isTouched = false;
    while (i < cells.start[s + 1] && j < cells.start[t + 1]) {
      const a = cells.triangle[i],
        b = cells.triangle[j];
      if (a === b && ((cells.faces[i] >> face) | (cells.faces[j] >> nextFace)) & 1) {
        this.#link(first + ofEntry[i] - start[s], next + ofEntry[j] - start[t]);
        isTouched = true;
      }
      if (a <= b) i++;
      if (b <= a) j++;
    }
    return isTouched;
  }

  /** Pieces of the cell that hold the whole face: none of their triangles reaches it. */
  #findOwners(cell: number, face: number, owners: number[]): void {
    const { cells } = this.#surface;
    const { start, ofEntry } = this.#pieces;
    owners.length = 0;
    for (let p = start[cell]; p < start[cell + 1]; p++) {
      let reaches = false;
      for (let e = cells.start[cell]; e < cells.start[cell + 1] && !reaches; e++) {
        reaches = ofEntry[e] === p && ((cells.faces[e] >> face) & 1) === 1;
      }
      if (!reaches && this.#winding.at(cell, p, this.#middle) >= 1) owners.push(p);
    }
  }

  /**
   * Where the surface ends nearby, or another shell surrounds the face, the piece alone does not tell whether the
   * face is inside: the winding number of all does.
   */
  #settleOpenFace(s: number, t: number, here: number[], there: number[]): void {
    const { isRagged } = this.#pieces;
    if (isRagged[s] === 1 || isRagged[t] === 1) {
      if (!this.#isInside()) {
        here.length = 0;
        return;
      }
    } else if (here.length > 0 && there.length > 0) return;
    else if (here.length > 0 || there.length > 0) {
      const owner = here.length > 0 ? here[0] : there[0];
      if (this.#holdsShell(here.length > 0 ? t : s, this.#shellOf(owner))) return; // overlaps itself
    } else if (!this.#mayBeSurrounded(s) || !this.#isInside()) return;
    if (here.length === 0) here.push(this.#winding.nearest(s, this.#middle));
    if (there.length === 0) there.push(this.#winding.nearest(t, this.#middle));
  }

  #isInside(): boolean {
    const [x, y, z] = this.#middle;
    return this.#windingAt(x, y, z) > 0.5;
  }

  #mayBeSurrounded(cell: number): boolean {
    const { mesh } = this.#surface;
    if (mesh.componentCount === 1) return false;
    return this.#shells.maySurround(this.#shellOf(this.#pieces.start[cell]), this.#middle);
  }

  #shellOf(piece: number): number {
    return this.#surface.mesh.component[this.#winding.triangle[piece]];
  }

  #holdsShell(cell: number, shell: number): boolean {
    const { cells, mesh } = this.#surface;
    for (let e = cells.start[cell]; e < cells.start[cell + 1]; e++) {
      if (mesh.component[cells.triangle[e]] === shell) return true;
    }
    return false;
  }

  /** Of several owners on a side, those of the same shell belong together if there is no choice; −1 when there is. */
  #partnerOf(piece: number, here: readonly number[], there: readonly number[]): number {
    if (here.length === 1 && there.length === 1) return there[0];
    const shell = this.#shellOf(piece);
    const likes = here.filter((p) => this.#shellOf(p) === shell).length;
    const partners = there.filter((p) => this.#shellOf(p) === shell);
    return likes === 1 && partners.length === 1 ? partners[0] : -1;
  }

  /** `a` lies on this side of the face at hand, `b` on the other. */
  #link(a: number, b: number): void {
    const { values, length } = this.pairs;
    for (let i = this.#firstPair; i < length; i += 2) if (values[i] === a && values[i + 1] === b) return;
    this.pairs.push(a);
    this.pairs.push(b);
    const { match } = this.#surface.grid.tables;
    for (let j = 0; j < 4; j++) {
      const k = match[this.#match + j];
      if (k < 4) unite(this.parent, 4 * a + j, 4 * b + k);
    }
  }
}
