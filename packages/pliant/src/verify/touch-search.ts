import { triangleDistance } from '../narrow/triangle-distance.ts';
import { trianglesIntersect } from '../narrow/triangle-triangle.ts';

/** Points of a surface moved by modes, x = rest + rows · q, with modes scaled so that a pose is measured by a plain norm. */
export interface MovedPoints {
  readonly gauge: 'ball' | 'one-sided' | 'box';
  readonly modeCount: number;
  readonly rest: Float64Array; // 3 per point
  readonly rows: Float64Array; // 3 rows of modeCount numbers per point
  readonly corners: Uint32Array; // 3 points per slot
}

const STEPS = 12; // from one guess to the next
const PATIENCE = 3; // guesses that may be anything
const BEYOND = 1.3; // times what is asked for
/** Sizes at which triangles are pressed together, of the least guess, and the steps that this takes. */
const PRESSED = [0.95, 1.02, 1.1];
const PRESSES = 16;
/** Directions of a sweep, and its steps in shares of the least guess. */
const DIRECTIONS = 24;
const FINE = 0.02;
const FOLLOWED = 4; // one in so many guesses is followed, and the last
/** Sizes at which a guess is tried, and how often the interval before the first that touches is halved. */
const SIZES = [0.95, 1, 1.02, 1.1, 1.3, 1.7];
const HALVINGS = 8;

/**
 * Looks for the smallest pose in which two triangles touch. In a pose q their closest points are Σα a and Σβ b, apart by a
 * gap along n. To the first order the gap closes where n·(Δ + D q) = 0, with Δ and D the differences of rest positions and of
 * mode rows at these points; of all such poses the smallest is known in closed form, and is the next guess. Each guess is
 * then followed, larger and smaller, to where the triangles touch according to the exact test. What is found is a pose that
 * touches, and seldom much larger than the smallest one.
 */
export class TouchSearch {
  /** The pose that was found. */
  readonly q: Float64Array;
  /** Its gauge; Infinity when none was found. */
  found = Infinity;

  readonly #points: MovedPoints;
  readonly #guess: Float64Array;
  readonly #before: Float64Array;
  readonly #slope: Float64Array; // Dᵀn
  readonly #x = new Float64Array(18); // corners in a pose
  readonly #witnesses = new Float64Array(6);
  readonly #weights = new Float64Array(6);
  readonly #normal = new Float64Array(3);

  constructor(points: MovedPoints) {
    const { modeCount } = points;
    this.#points = points;
    this.q = new Float64Array(modeCount);
    this.#guess = new Float64Array(modeCount);
    this.#before = new Float64Array(modeCount);
    this.#slope = new Float64Array(modeCount);
  }

  /** About the gauge at which two slots meet, from how they lie at rest. */
  estimate(s: number, t: number): number {
    this.found = Infinity;
    this.#guess.fill(0);
    this.place(s, t, this.#guess, 1, this.#x);
    return this.#findNormal() ? this.#aim(s, t, 1) : 0;
  }

  /**
   * After `estimate`, from its guess on: `found` and `q`, at most `most`. It ends when guesses stay far beyond that. Where
   * guesses promise a contact below `claimed` that is not there when they are followed, the triangles are pressed together
   * in poses of just that size.
   */
  search(s: number, t: number, most: number, claimed: number): number {
    const least = this.#walk(s, t, most, 1, FOLLOWED);
    if (this.found < claimed || !(least <= BEYOND * claimed)) return this.found;
    for (const share of PRESSED) if (share * least < claimed && this.#press(s, t, share * least)) break;
    if (claimed < Infinity && !(this.found < claimed)) this.#press(s, t, 0.998 * claimed);
    if (this.found === Infinity) this.#sweep(s, t, least, most);
    return this.found;
  }

  /** Triangles that only graze each other: many directions around the last guess, in small steps. */
  #sweep(s: number, t: number, least: number, most: number): void {
    const { gauge } = this.#points;
    const guess = this.#guess;
    this.#before.set(guess);
    let state = 7;
    const noise = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 31 - 1;
    };
    for (let k = 0; k < DIRECTIONS; k++) {
      for (let m = 0; m < guess.length; m++) {
        const weight = this.#before[m] + (k / DIRECTIONS) * least * noise();
        guess[m] = gauge === 'ball' ? weight : Math.max(0, weight);
      }
      const size = gaugeOf(gauge, guess);
      if (!(size > 0)) continue;
      const to = Math.min(most, 1.6 * least);
      for (let target = 0.7 * least; target < to; target += FINE * least) {
        if (!this.#touchesAt(s, t, target / size)) continue;
        this.#keep(target / size, size);
        break;
      }
    }
  }

  /** Brings the triangles as close as poses of one gauge can; true when they touch. */
  #press(s: number, t: number, size: number): boolean {
    const { gauge } = this.#points;
    const guess = this.#guess;
    guess.fill(0);
    this.place(s, t, guess, 1, this.#x);
    for (let step = 0; step < PRESSES; step++) {
      if (!this.#findNormal()) return false;
      this.#before.set(guess);
      if (this.#aim(s, t, 1) === Infinity) return false;
      const aimed = gaugeOf(gauge, guess);
      const share = 2 / (step + 2);
      for (let m = 0; m < guess.length; m++) {
        guess[m] = (1 - share) * this.#before[m] + share * guess[m] * (size / aimed);
      }
      if (this.#touchesAt(s, t, 1)) {
        this.#keep(1, gaugeOf(gauge, guess));
        return true;
      }
    }
    return false;
  }

  /** Searches for a touching pose from another pose than rest: where weights may not be negative, rest can be the wrong side. */
  searchFrom(s: number, t: number, start: Float64Array, most: number): number {
    this.#guess.set(start);
    this.#walk(s, t, most, 0.5, 1);
    return this.found;
  }

  /** Goes this share of the way from each guess to the next; returns the least gauge of any. */
  #walk(s: number, t: number, most: number, share: number, followed: number): number {
    let size = gaugeOf(this.#points.gauge, this.#guess),
      least = size;
    for (let step = 0; step < STEPS && size < Infinity; step++) {
      if (step >= PATIENCE && size > BEYOND * most) break;
      this.place(s, t, this.#guess, 1, this.#x);
      if (!this.#findNormal()) {
        this.#follow(s, t, Math.min(most, this.found));
        this.place(s, t, this.#guess, 0.9, this.#x);
        if (!this.#findNormal()) break;
      }
      const before = size;
      size = this.#aim(s, t, share);
      least = Math.min(least, size);
      if (step % followed === followed - 1) this.#follow(s, t, Math.min(most, this.found));
      if (Math.abs(size - before) < 1e-4 * before) break;
    }
    this.#follow(s, t, Math.min(most, this.found));
    return least;
  }

  /** Where two slots' corners are in a pose: 18 numbers. */
  place(s: number, t: number, q: Float64Array, scale: number, out: Float64Array): void {
    const { modeCount: r, rest, rows, corners } = this.#points;
    for (let k = 0; k < 6; k++) {
      const p = corners[3 * (k < 3 ? s : t) + (k % 3)];
      for (let axis = 0; axis < 3; axis++) {
        let x = rest[3 * p + axis];
        for (let m = 0; m < r; m++) x += rows[(3 * p + axis) * r + m] * q[m] * scale;
        out[3 * k + axis] = x;
      }
    }
  }

  /** The direction between the closest points of the corners at hand, and their weights; false when they touch. */
  #findNormal(): boolean {
    const x = this.#x,
      w = this.#witnesses,
      n = this.#normal;
    const distance = triangleDistance(x, 0, 3, 6, x, 9, 12, 15, w);
    if (!(distance > 0)) return false;
    for (let axis = 0; axis < 3; axis++) n[axis] = (w[axis] - w[3 + axis]) / distance;
    writeWeights(x, 0, w, 0, this.#weights, 0);
    writeWeights(x, 9, w, 3, this.#weights, 3);
    return true;
  }

  /** The guess goes a share of the way to the smallest pose that closes the gap along the normal; returns its gauge. */
  #aim(s: number, t: number, share: number): number {
    const { modeCount: r, rest, rows, corners, gauge } = this.#points;
    const slope = this.#slope.fill(0),
      n = this.#normal;
    let gap = 0;
    for (let k = 0; k < 6; k++) {
      const weight = k < 3 ? this.#weights[k] : -this.#weights[k];
      if (weight === 0) continue;
      const p = corners[3 * (k < 3 ? s : t) + (k % 3)];
      for (let axis = 0; axis < 3; axis++) {
        gap += weight * n[axis] * rest[3 * p + axis];
        for (let m = 0; m < r; m++) slope[m] -= weight * n[axis] * rows[(3 * p + axis) * r + m];
      }
    }
    if (!(gap > 0)) return Infinity; // it is closed already
    let support = 0;
    for (let m = 0; m < r; m++) {
      const rate = gauge === 'ball' ? slope[m] : Math.max(0, slope[m]);
      support += gauge === 'box' ? rate : rate * rate;
    }
    if (!(support > 0)) return Infinity; // no pose closes it
    for (let m = 0; m < r; m++) {
      const rate = gauge === 'ball' ? slope[m] : Math.max(0, slope[m]);
      const aim = (gauge === 'box' ? (rate > 0 ? 1 : 0) : rate) * (gap / support);
      this.#guess[m] += share * (aim - this.#guess[m]);
    }
    return gaugeOf(gauge, this.#guess);
  }

  /** The guess, made larger or smaller until the triangles just touch. */
  #follow(s: number, t: number, most: number): void {
    const size = gaugeOf(this.#points.gauge, this.#guess);
    let apart = 0;
    for (const factor of SIZES) {
      if (!(factor * size < most)) return;
      if (!this.#touchesAt(s, t, factor)) {
        apart = factor;
        continue;
      }
      let touching = factor;
      for (let k = 0; k < HALVINGS; k++) {
        const middle = (apart + touching) / 2;
        if (this.#touchesAt(s, t, middle)) touching = middle;
        else apart = middle;
      }
      this.#keep(touching, size);
      return;
    }
  }

  #keep(factor: number, size: number): void {
    if (!(factor * size < this.found)) return;
    this.found = factor * size;
    for (let m = 0; m < this.q.length; m++) this.q[m] = this.#guess[m] * factor;
  }

  #touchesAt(s: number, t: number, factor: number): boolean {
    this.place(s, t, this.#guess, factor, this.#x);
    return trianglesIntersect(this.#x, 0, 3, 6, this.#x, 9, 12, 15);
  }
}

/** Barycentric coordinates of a point of a triangle, at `o` and `p`. Of one without an area: a corner or an edge. */
function writeWeights(
  x: Float64Array,
  o: number,
  point: Float64Array,
  p: number,
  out: Float64Array,
  to: number,
): void {
  let uu = 0,
    uv = 0,
    vv = 0,
    uw = 0,
    vw = 0;
  for (let axis = 0; axis < 3; axis++) {
    const u = x[o + 3 + axis] - x[o + axis],
      v = x[o + 6 + axis] - x[o + axis],
      w = point[p + axis] - x[o + axis];
    uu += u * u;
    uv += u * v;
    vv += v * v;
    uw += u * w;
    vw += v * w;
  }
  const determinant = uu * vv - uv * uv;
  let b = determinant > 0 ? (vv * uw - uv * vw) / determinant : uu > 0 ? uw / uu : 0;
  let c = determinant > 0 ? (uu * vw - uv * uw) / determinant : 0;
  b = Math.min(1, Math.max(0, b));
  c = Math.min(1 - b, Math.max(0, c));
  out[to] = 1 - b - c;
  out[to + 1] = b;
  out[to + 2] = c;
}

export function gaugeOf(kind: MovedPoints['gauge'], q: Float64Array): number {
  let squares = 0,
    most = 0;
  for (let m = 0; m < q.length; m++) {
    squares += q[m] * q[m];
    most = Math.max(most, q[m]);
  }
  return kind === 'box' ? most : Math.sqrt(squares);
}
