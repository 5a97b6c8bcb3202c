import { ClosestWeights } from '../../../packages/pliant/src/cull/subspace/closest-weights.ts';
import { MinHeap } from '../../../packages/pliant/src/cull/subspace/min-heap.ts';
import type { ModeShapes } from '../../../packages/pliant/src/cull/subspace/pair-radius.ts';
import { trianglesIntersect } from '../../../packages/pliant/src/narrow/triangle-triangle.ts';

const DOWN = 1 - 1e-9; // covers roundings of what is computed from it
const CELL = 7; // corners of both triangles, and how often they were divided
const WHOLE = [0, 1, 2, 3, 4, 5, 0];
/** Corners of the four parts of a triangle: 0 to 2 are its own, 3 to 5 the middles of its edges 01, 12, 20. */
const PARTS = [0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5];

/**
 * The least ‖q‖² at which two triangles touch, as in SSCC §5.1: modes are taken as constant over each triangle, Eq. 10
 * bounds the error, and where it is too large both triangles are divided in four. `lower` and `upper` are squares.
 *
 * Corrected: R ≥ Rc / (1 + κ)², as Appendix A bounds ‖q‖ and not its square; triangles that touch at rest have 0;
 * Rc and σmin belong to the same matrix. In the paper's favour: max ‖Uᶜ − Uʲ‖ instead of the larger Eq. 11, and parts are
 * taken best first, so that a search that is given up leaves the best bound.
 */
export class PaperPair {
  lower = 0;
  upper = Infinity;
  evaluations = 0;
  /** Searches that were given up. */
  capped = 0;
  readonly #shapes: ModeShapes;
  readonly #most: number;
  readonly #heap = new MinHeap();
  readonly #positions: Float64Array; // of corners: 3 and 3 × modes, axis by axis
  readonly #modes: Float64Array;
  #points = 0;
  readonly #cells: Uint16Array;
  readonly #lowers: Float64Array; // of cells
  #cellCount = 0;
  #deviation = 0; // ‖ΔU₁‖ + ‖ΔU₂‖ of the whole
  #cellLower = 0;
  #cellUpper = Infinity;
  readonly #difference: Float64Array; // D, 3 × modes
  readonly #offset = new Float64Array(3); // P
  readonly #gram = new Float64Array(6); // xx xy xz yy yz zz
  readonly #factor = new Float64Array(6); // its Cholesky factor
  readonly #whiteA = new Float64Array(9);
  readonly #whiteB = new Float64Array(9);
  readonly #shadowA: Float64Array;
  readonly #shadowB: Float64Array;
  readonly #closest = new ClosestWeights();

  /** `most`: evaluations for one pair of triangles. */
  constructor(shapes: ModeShapes, most: number) {
    const { modeCount } = shapes;
    const points = 6 + 6 * Math.ceil(most / 16 + 1);
    if (points > 0xffff) throw new RangeError('more parts than there are numbers for');
    this.#shapes = shapes;
    this.#most = most;
    this.#positions = new Float64Array(3 * points);
    this.#modes = new Float64Array(3 * modeCount * points);
    this.#cells = new Uint16Array(CELL * (most + 32));
    this.#lowers = new Float64Array(most + 32);
    this.#difference = new Float64Array(3 * modeCount);
    this.#shadowA = new Float64Array(3 * modeCount);
    this.#shadowB = new Float64Array(3 * modeCount);
  }

  /**
   * R̃ ≤ R: the triangles' shadows on the line between their middles (those of balls around them, as in the paper, are
   * longer), and u_max as the largest of nine differences, each the 2-norm over the modes: the largest single mode, as
   * in the paper, is not enough.
   */
  estimate(s: number, t: number): number {
    const { corners, rest, rows, modeCount: r } = this.#shapes;
    const n = [0, 0, 0];
    for (let c = 0; c < 9; c++) {
      const k = c % 3;
      const corner = Math.floor(c / 3);
      n[k] += rest[3 * corners[3 * s + corner] + k] - rest[3 * corners[3 * t + corner] + k];
    }
    let near = Infinity,
      far = -Infinity;
    for (let c = 0; c < 3; c++) {
      const i = corners[3 * s + c],
        j = corners[3 * t + c];
      near = Math.min(near, n[0] * rest[3 * i] + n[1] * rest[3 * i + 1] + n[2] * rest[3 * i + 2]);
      far = Math.max(far, n[0] * rest[3 * j] + n[1] * rest[3 * j + 1] + n[2] * rest[3 * j + 2]);
      for (let m = 0; m < r; m++) {
        const p = 3 * r * i + m,
          q = 3 * r * j + m;
        this.#shadowA[c * r + m] = n[0] * rows[p] + n[1] * rows[p + r] + n[2] * rows[p + 2 * r];
        this.#shadowB[c * r + m] = n[0] * rows[q] + n[1] * rows[q + r] + n[2] * rows[q + 2 * r];
      }
    }
    if (!(near > far)) return 0;
    let most = 0;
    for (let k = 0; k < 9; k++) {
      const a = Math.floor(k / 3) * r,
        b = (k % 3) * r;
      let sum = 0;
      for (let m = 0; m < r; m++) sum += (this.#shadowA[a + m] - this.#shadowB[b + m]) ** 2;
      most = Math.max(most, sum);
    }
    return DOWN * ((near - far) ** 2 / most);
  }

  /** Until `lower` ≥ (1 − ε) `upper`, or until it is clear that the pair has more than `limit`. */
  search(s: number, t: number, limit: number, epsilon: number): void {
    const heap = this.#heap;
    this.#load(s, t);
    this.lower = this.upper = 0;
    if (trianglesIntersect(this.#positions, 0, 3, 6, this.#positions, 9, 12, 15)) return;
    heap.clear();
    this.upper = Infinity;
    this.#cellCount = 0;
    this.#add(WHOLE, 0);
    let evaluations = 1;
    while (heap.least < Math.min(limit, (1 - epsilon) * this.upper)) {
      if (evaluations + 16 > this.#most) {
        this.capped++;
        break;
      }
      evaluations += 16;
      this.#divide(heap.pop());
    }
    this.lower = heap.least;
  }

  /** Modes relative to those of the first corner: differences are what counts. */
  #load(s: number, t: number): void {
    const { corners, rest, rows, modeCount: r } = this.#shapes;
    const reference = 3 * r * corners[3 * s];
    for (let k = 0; k < 6; k++) {
      const point = k < 3 ? corners[3 * s + k] : corners[3 * t + k - 3];
      for (let x = 0; x < 3; x++) this.#positions[3 * k + x] = rest[3 * point + x];
      for (let x = 0; x < 3 * r; x++) {
        this.#modes[3 * r * k + x] = rows[3 * r * point + x] - rows[reference + x];
      }
    }
    this.#points = 6;
    this.#deviation = this.#deviationOf(0) + this.#deviationOf(3);
  }

  /** max ‖Uᶜ − Uʲ‖₂ of a triangle. Of its four parts, each a copy of half the size, it is half of that. */
  #deviationOf(first: number): number {
    let most = 0;
    for (let k = 0; k < 3; k++) {
      this.#difference.fill(0);
      for (let c = 0; c < 3; c++) this.#addPoint(first + c, (c === k ? 1 : 0) - 1 / 3);
      this.#setGram();
      most = Math.max(most, extremeEigenvalues(this.#gram)[1]);
    }
    return Math.sqrt(most) / DOWN;
  }

  /** Sixteen parts instead of one. */
  #divide(cell: number): void {
    const o = CELL * cell;
    const cells = this.#cells;
    const sides = [0, 3].map((side) => {
      const own = [cells[o + side], cells[o + side + 1], cells[o + side + 2]];
      return [
        ...own,
        this.#middle(own[0], own[1]),
        this.#middle(own[1], own[2]),
        this.#middle(own[2], own[0]),
      ];
    });
    const atLeast = this.#lowers[cell];
    for (let i = 0; i < PARTS.length; i += 3) {
      for (let j = 0; j < PARTS.length; j += 3) {
        const part = [0, 1, 2].map((c) => sides[0][PARTS[i + c]]);
        part.push(...[0, 1, 2].map((c) => sides[1][PARTS[j + c]]), cells[o + 6] + 1);
        this.#add(part, atLeast);
      }
    }
  }

  #middle(i: number, j: number): number {
    const { modeCount: r } = this.#shapes;
    const to = this.#points++;
    const p = this.#positions,
      U = this.#modes;
    for (let x = 0; x < 3; x++) p[3 * to + x] = (p[3 * i + x] + p[3 * j + x]) / 2;
    for (let x = 0; x < 3 * r; x++) U[3 * r * to + x] = (U[3 * r * i + x] + U[3 * r * j + x]) / 2;
    return to;
  }

  #add(corners: readonly number[], atLeast: number): void {
    const cell = this.#cellCount++;
    for (let k = 0; k < CELL; k++) this.#cells[CELL * cell + k] = corners[k];
    this.#evaluate(CELL * cell);
    this.upper = Math.min(this.upper, this.#cellUpper);
    this.#lowers[cell] = Math.max(atLeast, this.#cellLower); // what holds for a cell holds for its parts
    this.#heap.push(this.#lowers[cell], cell);
  }

  /** Eq. 10 with the corrections, and the pose in which the points that are closest then meet. */
  #evaluate(o: number): void {
    this.evaluations++;
    const cells = this.#cells;
    this.#difference.fill(0);
    for (let k = 0; k < 6; k++) this.#addPoint(cells[o + k], k < 3 ? 1 / 3 : -1 / 3);
    const sigma = Math.sqrt(this.#smallestEigenvalue());
    this.#factorise();
    this.#whiten(o, this.#whiteA);
    this.#whiten(o + 3, this.#whiteB);
    this.#closest.find(this.#whiteA, 3, this.#whiteB, 3);
    const slack = 1 + this.#deviation / 2 ** cells[o + 6] / sigma;
    this.#cellLower = sigma > 0 ? (DOWN * this.#squaredDistance()) / (slack * slack) : 0;
    this.#cellUpper = this.#meetingPose(o);
  }

  #addPoint(point: number, weight: number): void {
    const D = this.#difference,
      U = this.#modes,
      o = D.length * point;
    for (let k = 0; k < D.length; k++) D[k] += weight * U[o + k];
  }

  /** D Dᵀ. */
  #setGram(): void {
    const D = this.#difference,
      r = D.length / 3,
      S = this.#gram.fill(0);
    for (let m = 0; m < r; m++) {
      const x = D[m],
        y = D[r + m],
        z = D[2 * r + m];
      S[0] += x * x;
      S[1] += x * y;
      S[2] += x * z;
      S[3] += y * y;
      S[4] += y * z;
      S[5] += z * z;
    }
  }

  /** σmin², rounded down. */
  #smallestEigenvalue(): number {
    this.#setGram();
    const S = this.#gram;
    return Math.max(0, extremeEigenvalues(S)[0] - 1e-12 * (S[0] + S[3] + S[5]));
  }

  /** A little is added to S: Rc only becomes smaller. */
  #factorise(): void {
    const S = this.#gram,
      L = this.#factor;
    const more = 1e-12 * (S[0] + S[3] + S[5]) + 1e-150;
    L[0] = Math.sqrt(S[0] + more);
    L[1] = S[1] / L[0];
    L[2] = S[2] / L[0];
    L[3] = Math.sqrt(Math.max(S[3] + more - L[1] * L[1], more));
    L[4] = (S[4] - L[1] * L[2]) / L[3];
    L[5] = Math.sqrt(Math.max(S[5] + more - L[2] * L[2] - L[4] * L[4], more));
  }

  #whiten(o: number, out: Float64Array): void {
    const p = this.#positions,
      L = this.#factor;
    for (let k = 0; k < 3; k++) {
      const c = 3 * this.#cells[o + k];
      out[3 * k] = p[c] / L[0];
      out[3 * k + 1] = (p[c + 1] - L[1] * out[3 * k]) / L[3];
      out[3 * k + 2] = (p[c + 2] - L[2] * out[3 * k] - L[4] * out[3 * k + 1]) / L[5];
    }
  }

  /** Of the two triangles with constant modes, Rc: how far apart the planes through the closest points keep all corners. */
  #squaredDistance(): number {
    const { alpha, beta } = this.#closest;
    const a = this.#whiteA,
      b = this.#whiteB;
    const n = [0, 1, 2].map((x) => {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += alpha[k] * a[3 * k + x] - beta[k] * b[3 * k + x];
      return sum;
    });
    let near = Infinity,
      far = -Infinity;
    for (let k = 0; k < 9; k += 3) {
      near = Math.min(near, n[0] * a[k] + n[1] * a[k + 1] + n[2] * a[k + 2]);
      far = Math.max(far, n[0] * b[k] + n[1] * b[k + 1] + n[2] * b[k + 2]);
    }
    if (!(near > far)) return 0;
    return (near - far) ** 2 / (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  }

  /** ‖q‖² of the least q that brings the closest points together, with their own modes; Infinity when there is none. */
  #meetingPose(o: number): number {
    const { alpha, beta } = this.#closest;
    const cells = this.#cells,
      P = this.#offset.fill(0);
    this.#difference.fill(0);
    for (let k = 0; k < 6; k++) {
      const weight = k < 3 ? alpha[k] : -beta[k - 3];
      this.#addPoint(cells[o + k], weight);
      for (let x = 0; x < 3; x++) P[x] += weight * this.#positions[3 * cells[o + k] + x];
    }
    this.#setGram();
    this.#factorise();
    const L = this.#factor;
    const x = P[0] / L[0],
      y = (P[1] - L[1] * x) / L[3],
      z = (P[2] - L[2] * x - L[4] * y) / L[5];
    const n2 = z / L[5],
      n1 = (y - L[4] * n2) / L[3],
      n0 = (x - L[1] * n1 - L[2] * n2) / L[0];
    // What is left of P + Dq with q = −Dᵀn.
    const S = this.#gram;
    const left =
      Math.abs(P[0] - S[0] * n0 - S[1] * n1 - S[2] * n2) +
      Math.abs(P[1] - S[1] * n0 - S[3] * n1 - S[4] * n2) +
      Math.abs(P[2] - S[2] * n0 - S[4] * n1 - S[5] * n2);
    if (!(left <= 1e-8 * (Math.abs(P[0]) + Math.abs(P[1]) + Math.abs(P[2])))) return Infinity;
    return (x * x + y * y + z * z) / DOWN;
  }
}

const SWEEPS = 8; // of Jacobi's rotations: three or four are enough
const DIAGONAL = [0, 3, 5];
const OFF_DIAGONAL = [1, 2, 4]; // of rows 0 and 1, 0 and 2, 1 and 2

/** The least and the largest eigenvalue of a symmetric 3 × 3 matrix (xx xy xz yy yz zz). */
export function extremeEigenvalues(S: Float64Array): [number, number] {
  const A = S.slice();
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let k = 0; k < 3; k++) {
      const off = OFF_DIAGONAL[k],
        p = DIAGONAL[k === 2 ? 1 : 0],
        q = DIAGONAL[k === 0 ? 1 : 2];
      if (A[off] === 0) continue;
      const theta = (A[q] - A[p]) / (2 * A[off]);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1),
        s = t * c;
      // The third row with the first of the two, and with the second.
      const i = OFF_DIAGONAL[k === 2 ? 0 : k === 1 ? 0 : 1],
        j = OFF_DIAGONAL[k === 2 ? 1 : 2];
      const x = A[i],
        y = A[j];
      A[p] -= t * A[off];
      A[q] += t * A[off];
      A[off] = 0;
      A[i] = c * x - s * y;
      A[j] = s * x + c * y;
    }
  }
  return [Math.min(A[0], A[3], A[5]), Math.max(A[0], A[3], A[5])];
}
