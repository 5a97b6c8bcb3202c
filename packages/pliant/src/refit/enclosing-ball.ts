/** Points on the boundary of a smallest ball. */
const MOST_SUPPORT = 4;
/** Points this little outside count as inside while searching; the radius covers them in the end. */
const TOLERANCE = 1e-10;
const MOST_STEPS = 64;

/**
 * The smallest ball around points, by pivoting (Gärtner 1999): the point farthest from the ball joins those on its
 * boundary, of which at most four stay. Whatever the centre that comes out, the radius holds every point.
 */
export class BallFinder {
  /** Of the last search: centre, then radius. */
  readonly ball = new Float64Array(4);
  readonly #candidates = new Float64Array(3 * (MOST_SUPPORT + 1)); // the farthest point first
  #count = 0;
  readonly #trial = new Float64Array(4);
  readonly #best = new Float64Array(4);
  readonly #system = new Float64Array(12); // three rows of a linear system

  /** Around `count` points of three numbers each: those of `points`, from `base` on, that `ids` names. */
  find(points: Float64Array, base: number, ids: ArrayLike<number>, count: number): void {
    const { ball } = this;
    const first = base + 3 * ids[0];
    ball.set([points[first], points[first + 1], points[first + 2], 0]);
    this.#candidates.set(ball.subarray(0, 3));
    this.#count = 1;
    for (let step = 0; step < MOST_STEPS; step++) {
      const far = base + 3 * ids[this.#farthest(points, base, ids, count)];
      if (isInside(ball, points, far) || !this.#include(points, far)) break;
    }
    this.#settle(points, base, ids, count);
  }

  #farthest(points: Float64Array, base: number, ids: ArrayLike<number>, count: number): number {
    let far = 0,
      most = -1;
    for (let k = 0; k < count; k++) {
      const d = distanceSquared(this.ball, points, base + 3 * ids[k]);
      if (d > most) {
        most = d;
        far = k;
      }
    }
    return far;
  }

  /** The smallest ball around the candidates with a new one. False when rounding keeps it from growing. */
  #include(points: Float64Array, p: number): boolean {
    const candidates = this.#candidates,
      best = this.#best;
    candidates.copyWithin(3, 0, 3 * MOST_SUPPORT);
    for (let k = 0; k < 3; k++) candidates[k] = points[p + k];
    const count = Math.min(this.#count + 1, MOST_SUPPORT + 1);
    let support = 0;
    best[3] = Infinity;
    // Every way to choose up to four of them; the new one is always on the boundary.
    for (let chosen = 1; chosen < 1 << count; chosen += 2) {
      if (chosen === 31 || !this.#fitThrough(chosen)) continue;
      const trial = this.#trial;
      if (!(trial[3] < best[3])) continue;
      let holds = true;
      for (let k = 0; k < count && holds; k++) holds = isInside(trial, candidates, 3 * k);
      if (!holds) continue;
      best.set(trial);
      support = chosen;
    }
    if (!(best[3] > this.ball[3] && best[3] < Infinity)) return false;
    this.ball.set(best);
    this.#keep(support);
    return true;
  }

  #keep(support: number): void {
    const candidates = this.#candidates;
    this.#count = 0;
    for (let k = 0; k <= MOST_SUPPORT; k++) {
      if (((support >>> k) & 1) === 0) continue;
      candidates.copyWithin(3 * this.#count, 3 * k, 3 * k + 3);
      this.#count++;
    }
  }

  /**
   * The ball with the chosen candidates on its boundary and its centre among them: p₀ + Σ λᵢ qᵢ with qᵢ = pᵢ − p₀ and
   * 2 Σ (qᵢ·qⱼ) λⱼ = qᵢ·qᵢ.
   */
  #fitThrough(chosen: number): boolean {
    const c = this.#candidates,
      rows = this.#system,
      trial = this.#trial;
    let n = 0;
    const at = [0, 0, 0];
    for (let k = 1; k <= MOST_SUPPORT; k++) if ((chosen >>> k) & 1) at[n++] = 3 * k;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) rows[4 * i + j] = 2 * this.#dot(at[i], at[j]);
      rows[4 * i + 3] = this.#dot(at[i], at[i]);
    }
    if (!solve(rows, n)) return false;
    let x = 0,
      y = 0,
      z = 0;
    for (let i = 0; i < n; i++) {
      const s = rows[4 * i + 3];
      x += s * (c[at[i]] - c[0]);
      y += s * (c[at[i] + 1] - c[1]);
      z += s * (c[at[i] + 2] - c[2]);
    }
    trial[0] = c[0] + x;
    trial[1] = c[1] + y;
    trial[2] = c[2] + z;
    trial[3] = Math.sqrt(x * x + y * y + z * z);
    return true;
  }

  #dot(i: number, j: number): number {
    const c = this.#candidates;
    return (
      (c[i] - c[0]) * (c[j] - c[0]) +
      (c[i + 1] - c[1]) * (c[j + 1] - c[1]) +
      (c[i + 2] - c[2]) * (c[j + 2] - c[2])
    );
  }

  /** A centre within the box of the points, and the radius that holds all of them, rounded up. */
  #settle(points: Float64Array, base: number, ids: ArrayLike<number>, count: number): void {
    const { ball } = this;
    for (let k = 0; k < 3; k++) {
      let lo = Infinity,
        hi = -Infinity;
      for (let i = 0; i < count; i++) {
        lo = Math.min(lo, points[base + 3 * ids[i] + k]);
        hi = Math.max(hi, points[base + 3 * ids[i] + k]);
      }
      ball[k] = Math.min(hi, Math.max(lo, ball[k]));
    }
    let most = 0;
    for (let i = 0; i < count; i++) most = Math.max(most, distanceSquared(ball, points, base + 3 * ids[i]));
    ball[3] = most === 0 ? UNDERFLOW : Math.sqrt(most) * (1 + 2 ** -48) + UNDERFLOW;
  }
}

/** No more than this is lost of a distance when its square underflows. */
const UNDERFLOW = 2 ** -500;

function distanceSquared(ball: Float64Array, points: Float64Array, p: number): number {
  const x = points[p] - ball[0],
    y = points[p + 1] - ball[1],
    z = points[p + 2] - ball[2];
  return x * x + y * y + z * z;
}

function isInside(ball: Float64Array, points: Float64Array, p: number): boolean {
  return distanceSquared(ball, points, p) <= ball[3] * ball[3] * (1 + TOLERANCE);
}

/** Elimination with the largest pivot of the diagonal; the solution replaces the right-hand sides in column 3. */
function solve(rows: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(rows[4 * r + i]) > Math.abs(rows[4 * pivot + i])) pivot = r;
    if (pivot !== i) {
      for (let k = 0; k < 4; k++) {
        const x = rows[4 * i + k];
        rows[4 * i + k] = rows[4 * pivot + k];
        rows[4 * pivot + k] = x;
      }
    }
    const p = rows[5 * i];
    if (!(Math.abs(p) > 0)) return false;
    for (let r = 0; r < n; r++) {
      if (r === i) continue;
      const f = rows[4 * r + i] / p;
      for (let k = i; k < 4; k++) rows[4 * r + k] -= f * rows[4 * i + k];
    }
  }
  for (let i = 0; i < n; i++) rows[4 * i + 3] /= rows[5 * i];
  return true;
}
