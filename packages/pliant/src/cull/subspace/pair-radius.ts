import { trianglesIntersect } from '../../narrow/triangle-triangle.ts';
import { CellSolver, SIDE, SUPPORT_ERROR } from './cell.ts';
import type { GaugeKind } from './gauge.ts';
import { MinHeap } from './min-heap.ts';
import { supportsBetween } from './supports.ts';

/** What proofs read of a mesh that modes deform: rest shape around a centre, modes scaled to M = I. */
export interface ModeShapes {
  readonly pointCount: number;
  readonly modeCount: number;
  readonly rest: Float64Array; // 3 per point
  readonly rows: Float64Array; // 3 × modeCount per point, axis by axis
  readonly corners: Uint32Array; // 3 points per slot
  readonly largest: number; // of all coordinates
}

/**
 * Proofs keep triangles this far apart, as a share of the coordinates: positions are rounded, here and when a body is
 * posed. See `SubspaceCertificate` for how far a pose may go with it.
 */
export const THICKNESS = 1e-11;
/** A gap below this share is none: too little would be left of it. */
export const LEAST_GAP = 1e-9;

/** Cells a pair of triangles may be cut into. Few pairs need more than some hundred. */
const MOST_CELLS = 3000;
/** … when no pose is found that lets them meet, as with fewer than three modes: then there is nothing to come close to. */
const FUTILE_CELLS = 60;
const CORNERS = 6; // blocks 0 to 5: the corners of both triangles
const CELL = 2 * SIDE;
const WHOLE = Uint16Array.of(3, 0, 1, 2, 3, 3, 4, 5);
/** A vertex and a face, either way, and two edges: all that can touch at first. */
const FEATURES = Uint16Array.from(
  [0, 1, 2]
    .flatMap((k) => [
      [1, k, 0, 0, 3, 3, 4, 5],
      [3, 0, 1, 2, 1, 3 + k, 0, 0],
      ...[0, 1, 2].map((l) => [2, k, (k + 1) % 3, 0, 2, 3 + l, 3 + ((l + 1) % 3), 0]),
    ])
    .flat(),
);

/**
 * The least gauge at which two triangles meet: `lower` and `upper` bounds of it. Triangles that touch at first do so in
 * a vertex and a face or in two edges (CERTIFICATES §1.1 d), so these 15 pairs of features are searched, best first;
 * what is not decided is cut at its longest edge.
 */
export class PairRadius {
  lower = 0;
  upper = Infinity;
  /** How often a search ended before it was done. */
  capped = 0;
  readonly solver: CellSolver;
  readonly #shapes: ModeShapes;
  #least = 1;
  readonly #heap = new MinHeap();
  readonly #cells = new Uint16Array(CELL * (MOST_CELLS + 32)); // two sides each
  #cellCount = 0;
  #blockCount = 0;
  readonly #bestSides = new Uint16Array(CELL);
  readonly #gaps = new Float64Array(9);
  readonly #supports = new Float64Array(9);
  readonly #shadowsA: Float64Array; // Uᵀn of three corners
  readonly #shadowsB: Float64Array;
  #largestTerm = 0;

  constructor(shapes: ModeShapes, kind: GaugeKind) {
    this.#shapes = shapes;
    this.#shadowsA = new Float64Array(3 * shapes.modeCount);
    this.#shadowsB = new Float64Array(3 * shapes.modeCount);
    this.solver = new CellSolver(
      kind,
      shapes.modeCount,
      128,
      LEAST_GAP * shapes.largest,
      THICKNESS * shapes.largest,
    );
  }

  /** The triangles in question, as slots. Modes are kept relative to the first corner: differences are what counts. */
  load(s: number, t: number): void {
    const { corners } = this.#shapes;
    const reference = corners[3 * s];
    for (let k = 0; k < 3; k++) {
      this.#loadPoint(k, corners[3 * s + k], reference);
      this.#loadPoint(3 + k, corners[3 * t + k], reference);
    }
    this.solver.setSides(WHOLE, 0);
  }

  #loadPoint(block: number, point: number, reference: number): void {
    const { rest, rows, modeCount } = this.#shapes;
    const { positions, modes } = this.solver;
    const length = 3 * modeCount;
    for (let k = 0; k < 3; k++) positions[3 * block + k] = rest[3 * point + k];
    for (let k = 0; k < length; k++) {
      modes[block * length + k] = rows[point * length + k] - rows[reference * length + k];
    }
  }

  /** A quick lower bound for two triangles that need not be loaded, from a direction in which `s` is ahead of `t`. */
  estimate(s: number, t: number, n: Float64Array): number {
    const { corners, rest: X, largest, modeCount: r } = this.#shapes;
    const gaps = this.#gaps;
    const x = n[0],
      y = n[1],
      z = n[2];
    const size = Math.sqrt(x * x + y * y + z * z);
    if (!(size > 0 && size < Infinity)) return 0;
    for (let i = 0, k = 0; i < 3; i++) {
      const o = 3 * corners[3 * s + i];
      for (let j = 0; j < 3; j++, k++) {
        const p = 3 * corners[3 * t + j];
        const gap = x * (X[o] - X[p]) + y * (X[o + 1] - X[p + 1]) + z * (X[o + 2] - X[p + 2]);
        if (!(gap > LEAST_GAP * largest * size)) return 0;
        gaps[k] = gap - THICKNESS * largest * size;
      }
    }
    this.#largestTerm = 0;
    for (let k = 0; k < 3; k++) {
      this.#castShadow(corners[3 * s + k], this.#shadowsA, k * r, x, y, z);
      this.#castShadow(corners[3 * t + k], this.#shadowsB, k * r, x, y, z);
    }
    const error = SUPPORT_ERROR * r * this.#largestTerm;
    const supports = this.#supports,
      { kind } = this.solver;
    for (let i = 0; i < 3; i++)
      supportsBetween(kind, this.#shadowsA, i * r, this.#shadowsB, 3, r, supports, 3 * i);
    let bound = Infinity;
    for (let k = 0; k < 9; k++) bound = Math.min(bound, gaps[k] / (supports[k] + error));
    return bound > 0 ? bound : 0; // not a number is 0, too
  }

  /** Uᵀn of a point. */
  #castShadow(point: number, out: Float64Array, to: number, x: number, y: number, z: number): void {
    const { rows: U, modeCount: r } = this.#shapes;
    let largest = this.#largestTerm;
    for (let m = 0, o = 3 * r * point; m < r; m++, o++) {
      const a = x * U[o],
        b = y * U[o + r],
        c = z * U[o + 2 * r];
      out[to + m] = a + b + c;
      const sum = Math.abs(a) + Math.abs(b) + Math.abs(c);
      if (sum > largest) largest = sum;
    }
    this.#largestTerm = largest;
  }

  /** True when they touch at rest: then no pose is far enough. */
  touchAtRest(): boolean {
    const { positions } = this.solver;
    return trianglesIntersect(positions, 0, 3, 6, positions, 9, 12, 15);
  }

  /** Bounds from the two triangles as a whole; good where they are far apart. */
  solveWhole(enough: number): void {
    const { solver } = this;
    solver.setSides(WHOLE, 0);
    solver.solve(enough);
    this.lower = solver.lower;
    this.upper = solver.upper;
    this.#bestSides.set(WHOLE);
  }

  /** Goes on until `lower` is `least` times `upper`, or `limit`: what is above that is of no interest. */
  search(limit: number, least: number): void {
    this.#least = least;
    const heap = this.#heap;
    heap.clear();
    this.#cellCount = 0;
    this.#blockCount = CORNERS;
    this.upper = Infinity;
    for (let o = 0; o < FEATURES.length; o += CELL) this.#add(FEATURES, o, 0, limit);
    for (;;) {
      const head = heap.least;
      if (head >= least * Math.min(this.upper, limit)) break;
      if (this.#cellCount >= (this.upper < Infinity ? MOST_CELLS : FUTILE_CELLS)) {
        this.capped++;
        break;
      }
      this.#cut(heap.pop(), head, limit);
    }
    this.lower = heap.least;
  }

  /** The pose of gauge `upper` that was found last, in scaled modes. */
  readWitness(q: Float64Array): void {
    this.solver.setSides(this.#bestSides, 0);
    this.solver.solve(Infinity);
    this.solver.readWitness(q);
  }

  /** A cell from `o` of `from` on. What holds for a cell holds for its parts: `atLeast`. */
  #add(from: Uint16Array, o: number, atLeast: number, limit: number): void {
    const { solver } = this;
    solver.setSides(from, o);
    solver.solve(this.#least * Math.min(this.upper, limit), this.upper);
    const cells = this.#cells,
      cell = this.#cellCount++;
    for (let k = 0; k < CELL; k++) cells[CELL * cell + k] = from[o + k];
    if (solver.upper < this.upper) {
      this.upper = solver.upper;
      for (let k = 0; k < CELL; k++) this.#bestSides[k] = from[o + k];
    }
    this.#heap.push(Math.max(atLeast, solver.lower), cell);
  }

  /** At the longest edge of either side. */
  #cut(cell: number, atLeast: number, limit: number): void {
    const cells = this.#cells,
      o = CELL * cell;
    let longest = -1,
      side = 0,
      i = 0,
      j = 0;
    for (let s = 0; s < 2; s++) {
      const p = o + SIDE * s,
        count = cells[p];
      for (let k = 0; k < count; k++) {
        for (let l = k + 1; l < count; l++) {
          const length = this.#squaredLength(cells[p + 1 + k], cells[p + 1 + l]);
          if (!(length > longest)) continue;
          longest = length;
          side = s;
          i = k;
          j = l;
        }
      }
    }
    const middle = this.#blockCount++;
    const first = o + 1 + SIDE * side;
    this.solver.putMiddle(middle, cells[first + i], cells[first + j]);
    this.#addPart(o, first + i, middle, atLeast, limit);
    this.#addPart(o, first + j, middle, atLeast, limit);
  }

  /** The cell at `o` with another corner at `place`. */
  #addPart(o: number, place: number, corner: number, atLeast: number, limit: number): void {
    const cells = this.#cells,
      kept = cells[place];
    cells[place] = corner;
    this.#add(cells, o, atLeast, limit);
    cells[place] = kept;
  }

  #squaredLength(i: number, j: number): number {
    const p = this.solver.positions;
    const x = p[3 * i] - p[3 * j],
      y = p[3 * i + 1] - p[3 * j + 1],
      z = p[3 * i + 2] - p[3 * j + 2];
    return x * x + y * y + z * z;
  }
}
