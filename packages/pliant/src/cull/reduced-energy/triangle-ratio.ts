import { triangleDistance } from '../../narrow/triangle-distance.ts';
import { MinHeap } from '../subspace/min-heap.ts';

/** Cells that a pair of triangles may be cut into. */
const MOST_CELLS = 60;
/** A bound that is so close to what is possible is close enough. */
const CLOSE = 0.97;
/** Covers the roundings of a ratio. */
const DOWN = 1 - 2 ** -40;
const CORNERS = 6;

/**
 * The least ‖p − q‖ / ‖ψ(p) − ψ(q)‖ over points of two triangles, as a lower bound. For any direction n of length 1 in
 * which all corners of one lie ahead of those of the other, it is at least the least n·(X_i − X_j) / ‖ψ_i − ψ_j‖ over the
 * nine pairs of corners (CERTIFICATES §0, Lemma 1). Several n are tried; where none is good enough, the triangles are cut.
 */
export class TriangleRatio {
  /** Lower bound; 0 proves nothing. */
  lower = 0;
  /** Some corners have this ratio. */
  upper = Infinity;
  /** … these, 0 to 2 of the one and 3 to 5 of the other triangle. */
  cornerA = 0;
  cornerB = 3;
  evaluations = 0;

  readonly #thickness: number;
  #k = 0;
  readonly #X = new Float64Array(3 * (CORNERS + MOST_CELLS));
  #psi = new Float64Array(0);
  #pointCount = 0;
  readonly #cells = new Uint8Array(6 * 2 * (MOST_CELLS + 2));
  readonly #heap = new MinHeap();
  readonly #n = new Float64Array(3);
  readonly #witness = new Float64Array(6);
  readonly #spreads = new Float64Array(9); // ‖ψ_i − ψ_j‖ of the corners of the cell at hand
  readonly #bestDirection = new Float64Array(3);
  #best = Infinity; // least ratio of corners of the cell that was compared last

  /** Triangles are kept so far apart. */
  constructor(thickness: number) {
    this.#thickness = thickness;
  }

  /** Sets `lower` and `upper` for the loaded triangles. What is above `enough` need not be known closer. */
  find(enough: number): void {
    this.#compare(0, true);
    this.lower = this.#bound(0, enough);
    this.upper = this.#best;
    if (this.lower >= enough || this.lower >= CLOSE * this.upper) return;
    this.#divide(enough);
  }

  /** The same for the corners alone. */
  compareCorners(): void {
    this.#compare(0, true);
    this.lower = this.upper = this.#best;
  }

  /** Triangles s and t. */
  load(X: Float64Array, psi: Float64Array, k: number, corners: Uint32Array, s: number, t: number): void {
    this.#k = k;
    if (this.#psi.length < k * (CORNERS + MOST_CELLS))
      this.#psi = new Float64Array(k * (CORNERS + MOST_CELLS));
    this.#pointCount = CORNERS;
    this.#setCell(0, 0, 1, 2, 3, 4, 5);
    for (let c = 0; c < CORNERS; c++) {
      const p = corners[3 * (c < 3 ? s : t) + (c % 3)];
      for (let a = 0; a < 3; a++) this.#X[3 * c + a] = X[3 * p + a];
      for (let f = 0; f < k; f++) this.#psi[k * c + f] = psi[k * p + f];
    }
  }

  #setCell(cell: number, a: number, b: number, c: number, d: number, e: number, f: number): void {
    const o = 6 * cell,
      cells = this.#cells;
    cells[o] = a;
    cells[o + 1] = b;
    cells[o + 2] = c;
    cells[o + 3] = d;
    cells[o + 4] = e;
    cells[o + 5] = f;
  }

  /** Best first: the head of the queue bounds all of them. */
  #divide(enough: number): void {
    const heap = this.#heap;
    heap.clear();
    heap.push(this.lower, 0);
    let cells = 1;
    while (this.#pointCount < CORNERS + MOST_CELLS) {
      this.lower = heap.least;
      if (this.lower >= enough || this.lower >= CLOSE * this.upper) return;
      const cell = heap.pop();
      const { lower } = this;
      this.#cut(cell, cells);
      for (let half = 0; half < 2; half++) {
        this.#compare(cells, false);
        const bound = Math.max(lower, this.#bound(cells, enough));
        this.upper = Math.min(this.upper, this.#best);
        heap.push(bound, cells++);
      }
    }
    this.lower = heap.least;
  }

  /** In the middle of its longest edge, as ψ sees it. */
  #cut(cell: number, to: number): void {
    const cells = this.#cells,
      k = this.#k,
      o = 6 * cell;
    let longest = -1,
      from = 0,
      next = 0;
    for (let side = 0; side < 6; side += 3) {
      for (let c = 0; c < 3; c++) {
        const i = side + c,
          j = side + ((c + 1) % 3);
        const length = this.#spread(cells[o + i], cells[o + j]);
        if (length <= longest) continue;
        longest = length;
        from = i;
        next = j;
      }
    }
    const p = cells[o + from],
      q = cells[o + next],
      middle = this.#pointCount++;
    for (let a = 0; a < 3; a++) this.#X[3 * middle + a] = (this.#X[3 * p + a] + this.#X[3 * q + a]) / 2;
    const psi = this.#psi;
    for (let f = 0; f < k; f++) psi[k * middle + f] = (psi[k * p + f] + psi[k * q + f]) / 2;
    for (let c = 0; c < 6; c++) {
      cells[6 * to + c] = c === from ? middle : cells[o + c];
      cells[6 * to + 6 + c] = c === next ? middle : cells[o + c];
    }
  }

  #spread(p: number, q: number): number {
    const psi = this.#psi,
      k = this.#k;
    let squares = 0;
    for (let f = 0, i = k * p, j = k * q; f < k; f++, i++, j++) {
      const d = psi[i] - psi[j];
      squares += d * d;
    }
    return Math.sqrt(squares);
  }

  /** The nine pairs of corners of one cell: their spreads, the least ratio, and the direction between the middles. */
  #compare(cell: number, isWhole: boolean): void {
    const o = 6 * cell,
      cells = this.#cells,
      X = this.#X,
      n = this.#n;
    this.#best = Infinity;
    n.fill(0);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const p = cells[o + i],
          q = cells[o + 3 + j];
        const x = X[3 * p] - X[3 * q],
          y = X[3 * p + 1] - X[3 * q + 1],
          z = X[3 * p + 2] - X[3 * q + 2];
        n[0] += x;
        n[1] += y;
        n[2] += z;
        const spread = (this.#spreads[3 * i + j] = this.#spread(p, q));
        const ratio = Math.sqrt(x * x + y * y + z * z) / spread;
        if (!(ratio < this.#best)) continue;
        this.#best = ratio;
        this.#bestDirection[0] = x;
        this.#bestDirection[1] = y;
        this.#bestDirection[2] = z;
        if (!isWhole) continue;
        this.cornerA = i;
        this.cornerB = 3 + j;
      }
    }
  }

  /** Lemma 1 for a cell that was compared, with directions in turn until one is good enough. */
  #bound(cell: number, enough: number): number {
    this.evaluations++;
    const o = 6 * cell,
      n = this.#n;
    let bound = this.#boundAlong(o);
    if (bound >= enough) return bound;
    n.set(this.#bestDirection);
    bound = Math.max(bound, this.#boundAlong(o));
    if (bound >= enough || bound >= CLOSE * this.#best) return bound;
    this.#setClosest(o);
    return Math.max(bound, this.#boundAlong(o));
  }

  #setClosest(o: number): void {
    const cells = this.#cells,
      X = this.#X,
      w = this.#witness,
      n = this.#n;
    const a = 3 * cells[o],
      b = 3 * cells[o + 1],
      c = 3 * cells[o + 2],
      d = 3 * cells[o + 3],
      e = 3 * cells[o + 4],
      f = 3 * cells[o + 5];
    triangleDistance(X, a, b, c, X, d, e, f, w);
    n[0] = w[0] - w[3];
    n[1] = w[1] - w[4];
    n[2] = w[2] - w[5];
  }

  #boundAlong(o: number): number {
    const n = this.#n,
      X = this.#X,
      cells = this.#cells;
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0 && length < Infinity)) return 0;
    const x = n[0] / length,
      y = n[1] / length,
      z = n[2] / length;
    let bound = Infinity;
    for (let i = 0; i < 3; i++) {
      const p = 3 * cells[o + i];
      for (let j = 0; j < 3; j++) {
        const q = 3 * cells[o + 3 + j];
        const gap =
          x * (X[p] - X[q]) + y * (X[p + 1] - X[q + 1]) + z * (X[p + 2] - X[q + 2]) - this.#thickness;
        const spread = this.#spreads[3 * i + j];
        if (!(gap > 0 && spread < Infinity)) return 0;
        const ratio = gap / spread;
        if (ratio < bound) bound = ratio;
      }
    }
    return bound * DOWN;
  }
}
