import { findRoot, unite } from '../mesh/union-find.ts';
import type { CellSurface, WindingAt } from './cell-surface.ts';
import { crossTriangle } from './segment-crossing.ts';

/** How far samples are moved to the inner side, in cubes; less where that would pass another triangle. */
const NUDGE = 1e-4;
const NUDGES = 6;
/** Samples per cell: some of each sheet while there are few sheets, one of each else, of so many at most. */
const SAMPLES = 24;
const SAMPLES_PER_SHEET = 4;
const MOST_SAMPLES = 512;

/**
 * Joins sheets of a cell that bound the same piece of solid. Each sheet cuts the cell in two, so two points lie in
 * the same piece when they lie on the same side of every sheet. That is counted on the ways to points just behind
 * the sheets from the middle of the cell. Where sheets end within the cell they have no sides; there points that see
 * each other are joined too.
 *
 * Where the solid overlaps itself (winding number 2 or more) sheets of the same shell stay apart: there two layers
 * of it meet.
 */
export class SheetMerger {
  readonly #surface: CellSurface;
  readonly #windingAt: WindingAt;
  readonly #points = new Float64Array(3 * MOST_SAMPLES);
  readonly #entries = new Int32Array(MOST_SAMPLES);
  #count = 0;
  readonly #p = new Float64Array(3);
  readonly #q = new Float64Array(3);

  constructor(surface: CellSurface, windingAt: WindingAt) {
    this.#surface = surface;
    this.#windingAt = windingAt;
  }

  /** `parent`: the sheets, as sets over the cell's entries. */
  merge(cell: number, parent: Int32Array, sheetCount: number, isRagged: boolean): void {
    const { start } = this.#surface.cells;
    const sheetOf = Int32Array.from({ length: start[cell + 1] - start[cell] }, (_, i) => findRoot(parent, i));
    this.#takeSamples(cell, sheetOf, sheetCount);
    const places = new Map<string, number[]>();
    for (let i = 0; i < this.#count; i++) {
      const place = this.#placeOf(cell, i, sheetOf);
      const others = places.get(place);
      if (others === undefined) places.set(place, [i]);
      else {
        for (const j of others) this.#join(cell, parent, i, j);
        others.push(i);
      }
    }
    if (!isRagged || this.#count > SAMPLES) return;
    for (let i = 0; i < this.#count; i++) {
      for (let j = 0; j < i; j++) if (this.#seeEachOther(cell, i, j)) this.#join(cell, parent, i, j);
    }
  }

  /** Evenly from each sheet's entries, without those that barely reach into the cell. */
  #takeSamples(cell: number, sheetOf: Int32Array, sheetCount: number): void {
    const { start, area } = this.#surface.cells;
    const first = start[cell],
      size = start[cell + 1] - first;
    const perSheet = Math.min(SAMPLES_PER_SHEET, Math.max(1, Math.trunc(SAMPLES / sheetCount)));
    const largest = new Float64Array(size),
      members = new Int32Array(size),
      seen = new Int32Array(size); // at the roots of sheets
    for (let i = 0; i < size; i++) largest[sheetOf[i]] = Math.max(largest[sheetOf[i]], area[first + i]);
    const counts = (i: number) => area[first + i] > 0.01 * largest[sheetOf[i]];
    for (let i = 0; i < size; i++) if (counts(i)) members[sheetOf[i]]++;
    this.#count = 0;
    for (let i = 0; i < size && this.#count < MOST_SAMPLES; i++) {
      if (!counts(i)) continue;
      const turn = seen[sheetOf[i]]++;
      const stride = members[sheetOf[i]] / Math.min(perSheet, members[sheetOf[i]]);
      if (turn === 0 || Math.trunc(turn / stride) !== Math.trunc((turn - 1) / stride)) this.#add(cell, i);
    }
  }

  /** A point just behind the entry, if there is room. */
  #add(cell: number, i: number): void {
    const surface = this.#surface;
    surface.sample(surface.cells.triangle[surface.cells.start[cell] + i]);
    const { middle, areaVector: n } = surface;
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length === 0) return;
    const p = this.#p,
      q = this.#q;
    p.set(middle);
    for (let step = NUDGE, tries = 0; tries < NUDGES; step /= 10, tries++) {
      for (let k = 0; k < 3; k++) q[k] = p[k] - (step / length) * n[k];
      if (this.#isBlocked(cell, i)) continue;
      this.#points.set(q, 3 * this.#count);
      this.#entries[this.#count++] = i;
      return;
    }
  }

  /** How often, and in which direction, the way from the middle of the cell passes each sheet. */
  #placeOf(cell: number, i: number, sheetOf: Int32Array): string {
    const { mesh, cells, grid } = this.#surface;
    const first = cells.start[cell];
    const passed = new Map<number, number>();
    grid.setMiddle(cells.tetrahedron[cell], -1, this.#p);
    this.#q.set(this.#points.subarray(3 * i, 3 * i + 3));
    for (let e = 0; e < sheetOf.length; e++) {
      const crossing = crossTriangle(mesh, cells.triangle[first + e], this.#p, this.#q);
      if (crossing !== 0) passed.set(sheetOf[e], (passed.get(sheetOf[e]) ?? 0) + crossing);
    }
    return [...passed]
      .filter(([, crossings]) => crossings !== 0)
      .sort(([a], [b]) => a - b)
      .join(';');
  }

  #join(cell: number, parent: Int32Array, i: number, j: number): void {
    const a = this.#entries[i],
      b = this.#entries[j];
    if (findRoot(parent, a) !== findRoot(parent, b) && this.#isOneSolid(cell, i, j)) unite(parent, a, b);
  }

  #isOneSolid(cell: number, i: number, j: number): boolean {
    const { mesh, cells } = this.#surface;
    const first = cells.start[cell];
    const a = mesh.component[cells.triangle[first + this.#entries[i]]],
      b = mesh.component[cells.triangle[first + this.#entries[j]]];
    if (a !== b) return true;
    const p = this.#points;
    return this.#windingAt(p[3 * i], p[3 * i + 1], p[3 * i + 2]) < 1.5;
  }

  #seeEachOther(cell: number, i: number, j: number): boolean {
    this.#p.set(this.#points.subarray(3 * i, 3 * i + 3));
    this.#q.set(this.#points.subarray(3 * j, 3 * j + 3));
    return !this.#isBlocked(cell, -1);
  }

  /** Whether the way from p to q passes a triangle of the cell other than entry `except`. */
  #isBlocked(cell: number, except: number): boolean {
    const { mesh, cells } = this.#surface;
    const first = cells.start[cell],
      size = cells.start[cell + 1] - first;
    for (let i = 0; i < size; i++) {
      if (i !== except && crossTriangle(mesh, cells.triangle[first + i], this.#p, this.#q) !== 0) return true;
    }
    return false;
  }
}
