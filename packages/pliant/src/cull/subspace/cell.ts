import { ClosestWeights } from './closest-weights.ts';
import type { GaugeKind } from './gauge.ts';
import { supportsBetween } from './supports.ts';

/** Rounding of a support, relative to the largest number that goes into it, per mode. */
export const SUPPORT_ERROR = 1e-13;
/** Numbers per side: how many corners, and their blocks. */
export const SIDE = 4;
const ROUNDS = 3; // of looking for the modes that matter, where not all do

/**
 * Two convex sets of points with their modes: corners of a point, an edge or a triangle on either side. Any pose that
 * lets them meet has at least gauge `lower` (CERTIFICATES §0, Lemma 1: a direction n in which all corners of one side
 * lie ahead of all corners of the other), and one that does so has gauge `upper`.
 *
 * Points live in blocks: 3 coordinates in `positions`, 3 × modeCount numbers in `modes`, axis by axis.
 */
export class CellSolver {
  readonly modeCount: number;
  readonly kind: GaugeKind;
  positions: Float64Array;
  modes: Float64Array;
  /** What `solve` found. */
  lower = 0;
  upper = Infinity;
  /** Where the sides meet in the pose of gauge `upper`. */
  readonly closest = new ClosestWeights();
  /** Evaluations so far: counts instead of times. */
  evaluations = 0;

  readonly #leastGap: number;
  readonly #thickness: number;
  readonly #a = new Uint32Array(3);
  readonly #b = new Uint32Array(3);
  #countA = 0;
  #countB = 0;
  readonly #whiteA = new Float64Array(9);
  readonly #whiteB = new Float64Array(9);
  readonly #difference: Float64Array; // D, 3 × modeCount
  readonly #isActive: Float64Array; // weight of each mode in S
  readonly #shadowA: Float64Array; // Uᵀn of the corners
  readonly #shadowB: Float64Array;
  readonly #z: Float64Array;
  readonly #S = new Float64Array(6); // xx xy xz yy yz zz, then its Cholesky factor
  readonly #n = new Float64Array(3);
  readonly #p = new Float64Array(3);
  readonly #towards = new Float64Array(3);
  readonly #rest = new Float64Array(3); // what is left of P + Dq
  readonly #supports = new Float64Array(9);
  readonly #gaps = new Float64Array(9);
  #largestTerm = 0;

  /** `blocks`: how many points there is room for at first. */
  constructor(kind: GaugeKind, modeCount: number, blocks: number, leastGap: number, thickness: number) {
    this.kind = kind;
    this.modeCount = modeCount;
    this.positions = new Float64Array(3 * blocks);
    this.modes = new Float64Array(3 * modeCount * blocks);
    this.#leastGap = leastGap;
    this.#thickness = thickness;
    this.#difference = new Float64Array(3 * modeCount);
    this.#isActive = new Float64Array(modeCount);
    this.#shadowA = new Float64Array(3 * modeCount);
    this.#shadowB = new Float64Array(3 * modeCount);
    this.#z = new Float64Array(modeCount);
  }

  /** The corners of both sides, as blocks: how many and which, four numbers for each side from `o` on. */
  setSides(sides: Uint16Array, o: number): void {
    this.#countA = sides[o];
    this.#countB = sides[o + SIDE];
    for (let k = 0; k < 3; k++) {
      this.#a[k] = sides[o + 1 + k];
      this.#b[k] = sides[o + SIDE + 1 + k];
    }
  }

  /** Block `to` becomes the middle of two others. */
  putMiddle(to: number, i: number, j: number): void {
    if (3 * to >= this.positions.length) this.#grow();
    const { positions, modes } = this;
    for (let k = 0; k < 3; k++) positions[3 * to + k] = (positions[3 * i + k] + positions[3 * j + k]) / 2;
    const length = 3 * this.modeCount;
    for (let k = 0; k < length; k++) {
      modes[to * length + k] = (modes[i * length + k] + modes[j * length + k]) / 2;
    }
  }

  #grow(): void {
    const { positions, modes } = this;
    this.positions = new Float64Array(2 * positions.length);
    this.modes = new Float64Array(2 * modes.length);
    this.positions.set(positions);
    this.modes.set(modes);
  }

  /**
   * Sets `lower` and `upper`. The best direction where the sides would come closest, then the best one for constant
   * modes; the second is not tried when the first reaches `enough`. An upper bound above `known` is not looked for.
   */
  solve(enough: number, known = Infinity): void {
    this.evaluations++;
    this.#isActive.fill(1);
    this.#setMean();
    this.#factorise();
    if (this.kind !== 'ball') this.#findActive();
    this.#whiten(this.#a, this.#countA, this.#whiteA);
    this.#whiten(this.#b, this.#countB, this.#whiteB);
    this.closest.find(this.#whiteA, this.#countA, this.#whiteB, this.#countB);
    this.#setPoint();
    this.#solveDirection(); // with S of the middle: n_c
    const x = this.#n[0],
      y = this.#n[1],
      z = this.#n[2];
    this.#factorise();
    this.#solveDirection();
    if (this.kind !== 'ball') this.#findActive();
    const { kind } = this;
    this.upper = kind === 'ball' && this.#gaugeOfDirection() > known ? Infinity : this.#upperBound();
    this.lower = this.#lowerBound();
    if (this.lower >= enough) return;
    this.#n[0] = x;
    this.#n[1] = y;
    this.#n[2] = z;
    this.lower = Math.max(this.lower, this.#lowerBound());
  }

  /** Of the pose that n stands for: √(Pᵀ S⁻¹ P), but for rounding. */
  #gaugeOfDirection(): number {
    return Math.sqrt(this.#p[0] * this.#n[0] + this.#p[1] * this.#n[1] + this.#p[2] * this.#n[2]);
  }

  /** The pose of gauge `upper` after `solve`: scaled modes. */
  readWitness(q: Float64Array): void {
    this.#factorise();
    this.#solveDirection();
    if (this.kind !== 'ball') this.#findActive();
    this.#upperBound();
    q.set(this.#z);
  }

  /** P and D between the middles of the sides. */
  #setMean(): void {
    const { alpha, beta } = this.closest;
    alpha.fill(0);
    beta.fill(0);
    for (let k = 0; k < this.#countA; k++) alpha[k] = 1 / this.#countA;
    for (let k = 0; k < this.#countB; k++) beta[k] = 1 / this.#countB;
    this.#setPoint();
  }

  /** P and D between the points with the weights of `closest`. */
  #setPoint(): void {
    const { alpha, beta } = this.closest;
    this.#p.fill(0);
    this.#difference.fill(0);
    for (let k = 0; k < this.#countA; k++) this.#addCorner(this.#a[k], alpha[k]);
    for (let k = 0; k < this.#countB; k++) this.#addCorner(this.#b[k], -beta[k]);
  }

  #addCorner(block: number, weight: number): void {
    if (weight === 0) return;
    const D = this.#difference,
      U = this.modes,
      length = D.length;
    for (let k = 0; k < 3; k++) this.#p[k] += weight * this.positions[3 * block + k];
    for (let k = 0, o = block * length; k < length; k++, o++) D[k] += weight * U[o];
  }

  /** S = D Dᵀ over the modes that matter, as its Cholesky factor. Sloppy: it only serves to find a direction. */
  #factorise(): void {
    const r = this.modeCount,
      D = this.#difference,
      S = this.#S,
      w = this.#isActive;
    let xx = 0,
      xy = 0,
      xz = 0,
      yy = 0,
      yz = 0,
      zz = 0;
    for (let m = 0; m < r; m++) {
      const x = w[m] * D[m],
        y = w[m] * D[r + m],
        z = w[m] * D[2 * r + m];
      xx += x * D[m];
      xy += x * D[r + m];
      xz += x * D[2 * r + m];
      yy += y * D[r + m];
      yz += y * D[2 * r + m];
      zz += z * D[2 * r + m];
    }
    const more = 1e-12 * (xx + yy + zz) + 1e-150;
    const a = Math.sqrt(xx + more),
      b = xy / a,
      c = xz / a;
    const d = Math.sqrt(Math.max(yy + more - b * b, more)),
      e = (yz - b * c) / d;
    const f = Math.sqrt(Math.max(zz + more - c * c - e * e, more));
    S[0] = a;
    S[1] = b;
    S[2] = c;
    S[3] = d;
    S[4] = e;
    S[5] = f;
  }

  /** Corners in the metric of S⁻¹. */
  #whiten(blocks: Uint32Array, count: number, out: Float64Array): void {
    const S = this.#S;
    const a = S[0],
      b = S[1],
      c = S[2],
      d = S[3],
      e = S[4],
      f = S[5];
    for (let k = 0; k < count; k++) {
      const o = 3 * blocks[k];
      const x = this.positions[o] / a,
        y = (this.positions[o + 1] - b * x) / d;
      out[3 * k] = x;
      out[3 * k + 1] = y;
      out[3 * k + 2] = (this.positions[o + 2] - c * x - e * y) / f;
    }
  }

  /** n = S⁻¹ P. */
  #solveDirection(): void {
    this.#solveFor(this.#p, this.#n);
  }

  #solveFor(v: Float64Array, out: Float64Array): void {
    const S = this.#S;
    const x = v[0] / S[0],
      y = (v[1] - S[1] * x) / S[3],
      z = (v[2] - S[2] * x - S[4] * y) / S[5];
    out[2] = z / S[5];
    out[1] = (y - S[4] * out[2]) / S[3];
    out[0] = (x - S[1] * out[1] - S[2] * out[2]) / S[0];
  }

  /** One-sided: only modes that bring the sides together matter. The box weighs them by how much they still have to do. */
  #findActive(): void {
    const r = this.modeCount,
      D = this.#difference,
      n = this.#n,
      w = this.#isActive;
    for (let round = 0; round < ROUNDS; round++) {
      this.#solveDirection();
      let most = 0;
      for (let m = 0; m < r; m++) {
        const c = -(D[m] * n[0] + D[r + m] * n[1] + D[2 * r + m] * n[2]);
        w[m] = c > 0 ? c : 0;
        most = Math.max(most, w[m]);
      }
      if (!(most > 0)) {
        w.fill(1);
        this.#factorise();
        return;
      }
      for (let m = 0; m < r; m++) {
        if (this.kind === 'one-sided') w[m] = w[m] > 0 ? 1 : 1e-9;
        else w[m] = w[m] > 0 ? most / Math.max(w[m], 1e-3 * most) : 1e-9;
      }
      this.#factorise();
    }
    this.#solveDirection();
  }

  /** Of the pose that n stands for, when it does bring the two points together. */
  #upperBound(): number {
    const q = this.#z.fill(0),
      p = this.#p,
      rest = this.#rest;
    rest.set(p);
    this.#towards.set(this.#n);
    this.#addToPose();
    // S is not exactly D Dᵀ: once more for what is left between them.
    this.#solveFor(rest, this.#towards);
    this.#addToPose();
    let squares = 0,
      most = 0;
    for (let m = 0; m < q.length; m++) {
      if (this.kind !== 'ball' && q[m] < 0) return Infinity;
      squares += q[m] * q[m];
      most = Math.max(most, q[m]);
    }
    const size = Math.abs(p[0]) + Math.abs(p[1]) + Math.abs(p[2]);
    if (!(Math.abs(rest[0]) + Math.abs(rest[1]) + Math.abs(rest[2]) <= 1e-9 * size)) return Infinity;
    return this.kind === 'box' ? most : Math.sqrt(squares);
  }

  /** q ← q − Dᵀn over the modes that matter, and what is left of P + Dq. */
  #addToPose(): void {
    const r = this.modeCount,
      D = this.#difference,
      n = this.#towards,
      q = this.#z,
      rest = this.#rest;
    for (let m = 0; m < r; m++) {
      let change = -this.#isActive[m] * (D[m] * n[0] + D[r + m] * n[1] + D[2 * r + m] * n[2]);
      if (this.kind !== 'ball' && q[m] === 0) change = Math.max(0, change);
      q[m] += change;
      rest[0] += D[m] * change;
      rest[1] += D[r + m] * change;
      rest[2] += D[2 * r + m] * change;
    }
  }

  /** Lemma 1 for the direction n: the least ratio of gap and support over all corners, rounded down. */
  #lowerBound(): number {
    const n = this.#n,
      r = this.modeCount;
    const size = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(size > 0 && size < Infinity)) return 0;
    const least = this.#leastGap * size;
    const X = this.positions;
    for (let i = 0, k = 0; i < this.#countA; i++) {
      const o = 3 * this.#a[i];
      for (let j = 0; j < this.#countB; j++, k++) {
        const p = 3 * this.#b[j];
        const gap = n[0] * (X[o] - X[p]) + n[1] * (X[o + 1] - X[p + 1]) + n[2] * (X[o + 2] - X[p + 2]);
        if (!(gap > least)) return 0;
        this.#gaps[k] = gap - this.#thickness * size;
      }
    }
    this.#largestTerm = 0;
    this.#castShadows(this.#a, this.#countA, this.#shadowA);
    this.#castShadows(this.#b, this.#countB, this.#shadowB);
    const A = this.#shadowA,
      B = this.#shadowB;
    const columns = this.#countB;
    for (let i = 0; i < this.#countA; i++) {
      supportsBetween(this.kind, A, i * r, B, columns, r, this.#supports, i * columns);
    }
    const k = this.#countA * columns;
    const error = SUPPORT_ERROR * r * this.#largestTerm; // 0 where no mode moves anything in this direction
    let bound = Infinity;
    for (let corner = 0; corner < k; corner++) {
      bound = Math.min(bound, this.#gaps[corner] / (this.#supports[corner] + error));
    }
    return bound > 0 ? bound : 0; // not a number is 0, too
  }

  #castShadows(blocks: Uint32Array, count: number, out: Float64Array): void {
    const r = this.modeCount,
      U = this.modes,
      n = this.#n;
    const x = n[0],
      y = n[1],
      z = n[2];
    let largest = this.#largestTerm;
    for (let k = 0; k < count; k++) {
      const o = 3 * r * blocks[k];
      for (let m = 0; m < r; m++) {
        const a = x * U[o + m],
          b = y * U[o + r + m],
          c = z * U[o + 2 * r + m];
        out[k * r + m] = a + b + c;
        largest = Math.max(largest, Math.abs(a) + Math.abs(b) + Math.abs(c));
      }
    }
    this.#largestTerm = largest;
  }
}
