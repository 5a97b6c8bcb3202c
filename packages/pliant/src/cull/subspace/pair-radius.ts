import { trianglesIntersect } from '../../narrow/triangle-triangle.ts';
import { CellSolver } from './cell.ts';
import type { GaugeKind } from './gauge.ts';
import { MinHeap } from './min-heap.ts';

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
  readonly #cells = new Uint16Array(8 * (MOST_CELLS + 32)); // countA, a0, a1, a2, countB, b0, b1, b2
  #cellCount = 0;
  #blockCount = 0;
  readonly #bestSides = new Uint16Array(8);

  constructor(shapes: ModeShapes, kind: GaugeKind) {
    this.#shapes = shapes;
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
    this.solver.setSides(3, 0, 1, 2, 3, 3, 4, 5);
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

  /** A quick lower bound for the loaded triangles. */
  estimate(): number {
    return this.solver.bound();
  }

  /** True when they touch at rest: then no pose is far enough. */
  touchAtRest(): boolean {
    const { positions } = this.solver;
    return trianglesIntersect(positions, 0, 3, 6, positions, 9, 12, 15);
  }

  /** Bounds from the two triangles as a whole; good where they are far apart. */
  solveWhole(enough: number): void {
    const { solver } = this;
    solver.setSides(3, 0, 1, 2, 3, 3, 4, 5);
    solver.solve(enough);
    this.lower = solver.lower;
    this.upper = solver.upper;
    this.#keepSides(3, 0, 1, 2, 3, 3, 4, 5);
  }

  /** Goes on until `lower` is `least` times `upper`, or `limit`: what is above that is of no interest. */
  search(limit: number, least: number): void {
    this.#least = least;
    const heap = this.#heap;
    heap.clear();
    this.#cellCount = 0;
    this.#blockCount = CORNERS;
    this.upper = Infinity;
    for (let k = 0; k < 3; k++) {
      this.#add(1, k, 0, 0, 3, 3, 4, 5, 0, limit);
      this.#add(3, 0, 1, 2, 1, 3 + k, 0, 0, 0, limit);
      for (let l = 0; l < 3; l++) {
        this.#add(2, k, (k + 1) % 3, 0, 2, 3 + l, 3 + ((l + 1) % 3), 0, 0, limit);
      }
    }
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
    const [countA, a0, a1, a2, countB, b0, b1, b2] = this.#bestSides;
    this.solver.setSides(countA, a0, a1, a2, countB, b0, b1, b2);
    this.solver.solve(Infinity);
    this.solver.readWitness(q);
  }

  /** What holds for a cell holds for its parts: `atLeast`. */
  #add(
    countA: number,
    a0: number,
    a1: number,
    a2: number,
    countB: number,
    b0: number,
    b1: number,
    b2: number,
    atLeast: number,
    limit: number,
  ): void {
    const { solver } = this;
    solver.setSides(countA, a0, a1, a2, countB, b0, b1, b2);
    solver.solve(this.#least * Math.min(this.upper, limit), this.upper);
    if (solver.upper < this.upper) {
      this.upper = solver.upper;
      this.#keepSides(countA, a0, a1, a2, countB, b0, b1, b2);
    }
    const cell = this.#cellCount++,
      o = 8 * cell,
      cells = this.#cells;
    cells[o] = countA;
    cells[o + 1] = a0;
    cells[o + 2] = a1;
    cells[o + 3] = a2;
    cells[o + 4] = countB;
    cells[o + 5] = b0;
    cells[o + 6] = b1;
    cells[o + 7] = b2;
    this.#heap.push(Math.max(atLeast, solver.lower), cell);
  }

  /** At the longest edge of either side. */
  #cut(cell: number, atLeast: number, limit: number): void {
    const cells = this.#cells,
      o = 8 * cell;
    let longest = -1,
      side = 0,
      i = 0,
      j = 0;
    for (let s = 0; s < 2; s++) {
      const p = o + 4 * s,
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
    const first = o + 1 + 4 * side;
    this.solver.putMiddle(middle, cells[first + i], cells[first + j]);
    for (const replaced of [i, j]) {
      const kept = cells[first + replaced];
      cells[first + replaced] = middle;
      this.#add(
        cells[o],
        cells[o + 1],
        cells[o + 2],
        cells[o + 3],
        cells[o + 4],
        cells[o + 5],
        cells[o + 6],
        cells[o + 7],
        atLeast,
        limit,
      );
      cells[first + replaced] = kept;
    }
  }

  #squaredLength(i: number, j: number): number {
    const p = this.solver.positions;
    const x = p[3 * i] - p[3 * j],
      y = p[3 * i + 1] - p[3 * j + 1],
      z = p[3 * i + 2] - p[3 * j + 2];
    return x * x + y * y + z * z;
  }

  #keepSides(
    countA: number,
    a0: number,
    a1: number,
    a2: number,
    countB: number,
    b0: number,
    b1: number,
    b2: number,
  ): void {
    this.#bestSides.set([countA, a0, a1, a2, countB, b0, b1, b2]);
  }
}
