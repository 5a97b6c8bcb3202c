import { solveSymmetric } from '../../algebra/matrix3.ts';
import { ceil32, floor32 } from '../../algebra/rounding.ts';
import { type GaugeKind, supportBetween, supportNorm } from './gauge.ts';
import { LEAST_GAP, type ModeShapes, THICKNESS } from './pair-radius.ts';
import type { SlotTree } from './radius-problem.ts';

/** Numbers before the row of a plane: the gap at rest, and how differently the modes move the points. */
export const PLANE_HEAD = 2;

/** Numbers per pair: a multiple of 4. */
export function planeStride(modeCount: number): number {
  return 4 * Math.ceil((PLANE_HEAD + modeCount) / 4);
}

const PAIRS_PER_STEP = 64;
/** For a reach without end. */
const LARGEST = 1e30;
/** Steps towards the best direction. */
const STEPS = 24;

/**
 * A plane between the two nodes of every pair of a tree of pairs. With its normal n, points a of one and b of the other
 * are apart while n·(p_a − p_b) + n·(U_a − U_b) q is positive: for all of them at once that is
 *
 *     gap + m·q − spread · gauge(q) > 0,
 *
 * where m is a row that all n·(U_a − U_b) are near to, and `spread` bounds the rest, up to a gauge of `reach`. Other than a radius this knows in
 * which direction a pose goes. Nodes that share points have no plane: the gap is −∞ then.
 */
export function* createPairPlanes(
  tree: SlotTree,
  shapes: ModeShapes,
  kind: GaugeKind,
  reach: number,
  a: Uint32Array,
  b: Uint32Array,
): Generator<undefined, Float32Array> {
  const stride = planeStride(shapes.modeCount);
  const planes = new Float32Array(stride * a.length);
  const fit = new PlaneFit(tree, shapes, kind, Math.min(reach, LARGEST));
  for (let k = 0; k < a.length; k++) {
    if (a[k] === b[k] || !fit.run(a[k], b[k])) planes[k * stride] = -Infinity;
    else fit.write(planes, k * stride);
    if (k % PAIRS_PER_STEP === 0) yield;
  }
  return planes;
}

const ROW = [0, 1, 2, 0, 0, 1];
const COLUMN = [0, 1, 2, 1, 2, 2];

class PlaneFit {
  readonly #tree: SlotTree;
  readonly #shapes: ModeShapes;
  readonly #kind: GaugeKind;
  readonly #reach: number; // the largest gauge that matters
  readonly #seen: Uint32Array; // per point: the side that has it
  #side = 0;
  #points = new Uint32Array(64);
  #first = 0; // how many of them are of the first node
  #count = 0;
  readonly #mean: Float64Array; // 3 rows: mean of the first less mean of the second
  readonly #metric = new Float64Array(6); // xx, yy, zz, xy, xz, yz
  readonly #offset = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  readonly #step = new Float64Array(3);
  readonly #image = new Float64Array(3);
  readonly #row: Float64Array; // of one point
  readonly #middle: Float64Array; // of both sides, m
  readonly #best: Float64Array;
  #gap = 0;
  #spread = 0;
  #bestGap = 0;
  #bestSpread = 0;
  #bestBound = 0;

  constructor(tree: SlotTree, shapes: ModeShapes, kind: GaugeKind, reach: number) {
    this.#tree = tree;
    this.#shapes = shapes;
    this.#kind = kind;
    this.#reach = reach;
    this.#seen = new Uint32Array(shapes.pointCount);
    this.#mean = new Float64Array(3 * shapes.modeCount);
    this.#row = new Float64Array(shapes.modeCount);
    this.#middle = new Float64Array(2 * shapes.modeCount);
    this.#best = new Float64Array(shapes.modeCount);
  }

  /** False when no plane was found. */
  run(a: number, b: number): boolean {
    this.#count = 0;
    if (!this.#collect(a, true)) return false;
    this.#first = this.#count;
    if (!this.#collect(b, false)) return false;
    this.#bestBound = 0;
    this.#findMean();
    const n = this.#normal,
      p = this.#offset;
    n.set(p);
    this.#try();
    this.#descend();
    this.#try();
    for (let axis = 0; axis < 3; axis++) {
      const sign = p[axis] < 0 ? -1 : 1;
      n.fill(0);
      n[axis] = sign;
      this.#try();
    }
    return this.#bestBound > 0;
  }

  write(planes: Float32Array, o: number): void {
    const m = this.#best;
    let squares = 0,
      sizes = 0;
    for (let k = 0; k < m.length; k++) {
      const x = Math.fround(m[k]);
      planes[o + PLANE_HEAD + k] = x;
      squares += x * x;
      sizes += Math.abs(x);
    }
    // Rows, poses and their products are rounded to single precision.
    const rounding = (m.length + 16) * 2 ** -24;
    planes[o] = floor32(this.#bestGap * (1 - rounding));
    planes[o + 1] = ceil32(
      this.#bestSpread * (1 + rounding) + rounding * supportNorm(this.#kind, squares, sizes),
    );
  }

  /** Points under a node, once each; false when the other node has one of them. */
  #collect(node: number, isFirst: boolean): boolean {
    const { firstSlot, slotCount } = this.#tree;
    const { corners } = this.#shapes;
    if (this.#side + 2 > 0xffffffff) {
      this.#seen.fill(0);
      this.#side = 0;
    }
    const side = ++this.#side,
      other = isFirst ? 0 : side - 1;
    const last = 3 * (firstSlot[node] + slotCount[node]);
    for (let c = 3 * firstSlot[node]; c < last; c++) {
      const p = corners[c];
      if (this.#seen[p] === side) continue;
      if (other > 0 && this.#seen[p] === other) return false;
      this.#seen[p] = side;
      if (this.#count === this.#points.length) {
        const larger = new Uint32Array(2 * this.#count);
        larger.set(this.#points);
        this.#points = larger;
      }
      this.#points[this.#count++] = p;
    }
    return true;
  }

  /** How the two sides lie and move on average. */
  #findMean(): void {
    const { rest, rows, modeCount } = this.#shapes;
    const length = 3 * modeCount;
    const mean = this.#mean.fill(0),
      offset = this.#offset.fill(0);
    for (let k = 0; k < this.#count; k++) {
      const p = this.#points[k];
      const share = k < this.#first ? 1 / this.#first : -1 / (this.#count - this.#first);
      for (let axis = 0; axis < 3; axis++) offset[axis] += share * rest[3 * p + axis];
      for (let i = 0; i < length; i++) mean[i] += share * rows[p * length + i];
    }
  }

  /** Towards the direction in which the modes take longest to close the gap: the least P in the metric (D Dᵀ)⁻¹. */
  #descend(): void {
    const { rest, modeCount } = this.#shapes;
    const mean = this.#mean,
      S = this.#metric,
      P = this.#offset,
      n = this.#normal,
      d = this.#step;
    for (let k = 0; k < 6; k++) {
      const i = ROW[k] * modeCount,
        j = COLUMN[k] * modeCount;
      let sum = 0;
      for (let m = 0; m < modeCount; m++) sum += mean[i + m] * mean[j + m];
      S[k] = sum;
    }
    const softening = 1e-3 * (S[0] + S[1] + S[2]) + 1e-300;
    for (let k = 0; k < 3; k++) S[k] += softening;
    for (let step = 0; step < STEPS; step++) {
      solveSymmetric(S, P[0], P[1], P[2], n);
      const a = this.#extreme(n, 0, this.#first, 1),
        b = this.#extreme(n, this.#first, this.#count, -1);
      let along = 0;
      for (let k = 0; k < 3; k++) {
        d[k] = rest[3 * a + k] - rest[3 * b + k] - P[k];
        along -= n[k] * d[k];
      }
      if (!(along > 0)) return;
      solveSymmetric(S, d[0], d[1], d[2], this.#image);
      let squared = 0;
      for (let k = 0; k < 3; k++) squared += this.#image[k] * d[k];
      const share = Math.min(1, along / squared);
      for (let k = 0; k < 3; k++) P[k] += share * d[k];
    }
    solveSymmetric(S, P[0], P[1], P[2], n);
  }

  /** The point of a range that is farthest against `sign` · n. */
  #extreme(n: Float64Array, from: number, to: number, sign: number): number {
    const { rest } = this.#shapes;
    let least = Infinity,
      found = this.#points[from];
    for (let k = from; k < to; k++) {
      const p = this.#points[k];
      const height = sign * (n[0] * rest[3 * p] + n[1] * rest[3 * p + 1] + n[2] * rest[3 * p + 2]);
      if (!(height < least)) continue;
      least = height;
      found = p;
    }
    return found;
  }

  /** Keeps the direction in `#normal` when it is the best so far. */
  #try(): void {
    const n = this.#normal;
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0 && length < Infinity)) return;
    for (let k = 0; k < 3; k++) n[k] /= length;
    const { modeCount: r, largest } = this.#shapes;
    const a = this.#extreme(n, 0, this.#first, 1),
      b = this.#extreme(n, this.#first, this.#count, -1);
    const gap = this.#height(a) - this.#height(b);
    if (!(gap > LEAST_GAP * largest)) return;
    this.#gap = gap - THICKNESS * largest;
    this.#spread =
      this.#fitSide(0, this.#first, 0, 1, gap) + this.#fitSide(this.#first, this.#count, r, -1, gap);
    const middle = this.#middle;
    const bound = this.#gap / (supportBetween(this.#kind, middle, 0, middle, r, r) + this.#spread);
    if (!(bound > this.#bestBound)) return;
    this.#bestBound = bound;
    this.#bestGap = this.#gap;
    this.#bestSpread = this.#spread;
    for (let m = 0; m < r; m++) this.#best[m] = middle[m] - middle[r + m];
  }

  #height(point: number): number {
    const { rest } = this.#shapes;
    const n = this.#normal;
    return n[0] * rest[3 * point] + n[1] * rest[3 * point + 1] + n[2] * rest[3 * point + 2];
  }

  /**
   * The middle of the rows n·U of those points that are near the plane goes to `o`. Returns how fast, per gauge, the
   * bound of all points may come nearer to the plane than the middle does: points further away may be faster. Their least
   * height is a concave function of the gauge, so it is nowhere below the line between its ends at 0 and at the reach.
   */
  #fitSide(from: number, to: number, o: number, sign: number, gap: number): number {
    const { modeCount: r } = this.#shapes;
    const middle = this.#middle,
      row = this.#row;
    let lowest = Infinity;
    for (let k = from; k < to; k++) lowest = Math.min(lowest, sign * this.#height(this.#points[k]));
    middle.fill(0, o, o + r);
    let near = 0;
    for (let k = from; k < to; k++) {
      const point = this.#points[k];
      if (sign * this.#height(point) > lowest + gap) continue;
      near++;
      this.#readRow(point);
      for (let m = 0; m < r; m++) middle[o + m] += row[m];
    }
    for (let m = 0; m < r; m++) middle[o + m] /= near;
    let least = Infinity;
    for (let k = from; k < to; k++) {
      const point = this.#points[k];
      this.#readRow(point);
      let squares = 0,
        sizes = 0;
      for (let m = 0; m < r; m++) {
        const d = row[m] - middle[o + m];
        squares += d * d;
        sizes += Math.abs(d);
      }
      const speed = supportNorm(this.#kind, squares, sizes) * (1 + 1e-12);
      least = Math.min(least, sign * this.#height(point) - lowest - speed * this.#reach);
    }
    return Math.max(0, -least / this.#reach) * (1 + 1e-12);
  }

  #readRow(point: number): void {
    const { rows, modeCount: r } = this.#shapes;
    const n = this.#normal,
      row = this.#row;
    const o = 3 * r * point;
    for (let m = 0; m < r; m++)
      row[m] = n[0] * rows[o + m] + n[1] * rows[o + r + m] + n[2] * rows[o + 2 * r + m];
  }
}
