import { BALL_TERMS } from 'pliant/shapes';

const BEYOND = 0.4; // share of the fitted map in what points are drawn to; the rest is a rotation
const HELD = 0.7; // share of the way back to the map, each time
const MOST_SWELLING = 1.2;
const TURNS = 8; // steps that follow the rotation from one measurement to the next

/** The quadratic map that takes points at rest nearest to where they are, and its rotation. */
export class BallFit {
  /** Linear part of the last map, by rows, and its inverse. */
  readonly linear = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  readonly inverse = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  /** The middle of the points. */
  readonly centre = new Float64Array(3);
  readonly #points: Uint32Array;
  readonly #terms: Float64Array; // ten per point
  readonly #project: Float64Array; // ten per point: pseudo-inverse
  readonly #rotation = new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  readonly #goal = new Float64Array(3 * BALL_TERMS);
  readonly #square: number; // mean of x², of y² and of z²

  /** Of three numbers per point in `rest` those in `points`. */
  constructor(rest: Float64Array, points: Uint32Array) {
    this.#points = points;
    this.#terms = new Float64Array(BALL_TERMS * points.length);
    points.forEach((p, k) => {
      const [x, y, z] = rest.subarray(3 * p, 3 * p + 3);
      this.#terms.set([1, x, y, z, x * x, y * y, z * z, x * y, y * z, z * x], BALL_TERMS * k);
    });
    this.#square =
      this.#terms.reduce((sum, x, k) => sum + (k % BALL_TERMS > 3 && k % BALL_TERMS < 7 ? x : 0), 0) /
      (3 * points.length);
    this.#project = pseudoInverse(this.#terms, points.length);
  }

  /** Of where the points are now, into `ball`: see `TentacleRig.place`. */
  measure(at: Float64Array, ball: Float64Array): void {
    ball.fill(0);
    const points = this.#points,
      project = this.#project;
    for (let k = 0; k < points.length; k++) {
      const o = 3 * points[k];
      for (let m = 0; m < BALL_TERMS; m++) {
        const w = project[BALL_TERMS * k + m];
        ball[m] += w * at[o];
        ball[BALL_TERMS + m] += w * at[o + 1];
        ball[2 * BALL_TERMS + m] += w * at[o + 2];
      }
    }
    const { linear, centre } = this;
    for (let c = 0; c < 3; c++) {
      const o = BALL_TERMS * c;
      centre[c] = ball[o] + (ball[o + 4] + ball[o + 5] + ball[o + 6]) * this.#square;
      for (let d = 0; d < 3; d++) linear[3 * c + d] = ball[o + 1 + d];
    }
    invert(linear, this.inverse);
    followRotation(linear, this.#rotation);
    const volume = determinant(linear);
    const scale = Math.min(MOST_SWELLING, volume > 0.1 ? 1 / Math.cbrt(volume) : 1); // it keeps its volume
    const goal = this.#goal;
    for (let c = 0; c < 3; c++) {
      const o = BALL_TERMS * c;
      for (let m = 0; m < BALL_TERMS; m++) goal[o + m] = BEYOND * ball[o + m];
      for (let d = 0; d < 3; d++) {
        goal[o + 1 + d] = BEYOND * scale * linear[3 * c + d] + (1 - BEYOND) * this.#rotation[3 * c + d];
      }
      goal[o] = ball[o] + (1 - BEYOND) * (ball[o + 4] + ball[o + 5] + ball[o + 6]) * this.#square;
    }
  }

  /** Holds the points on the last map, `ball`, and draws them towards a rounder shape by this share of the way. */
  pull(at: Float64Array, ball: Float64Array, share: number): void {
    const points = this.#points,
      terms = this.#terms,
      goal = this.#goal;
    for (let k = 0; k < points.length; k++) {
      const o = 3 * points[k];
      for (let c = 0; c < 3; c++) {
        let mapped = 0,
          round = 0;
        for (let m = 0; m < BALL_TERMS; m++) {
          mapped += ball[BALL_TERMS * c + m] * terms[BALL_TERMS * k + m];
          round += goal[BALL_TERMS * c + m] * terms[BALL_TERMS * k + m];
        }
        at[o + c] += HELD * (mapped - at[o + c]) + share * (round - mapped);
      }
    }
  }
}

/** (Tᵀ T)⁻¹ Tᵀ for ten columns, by Gauss–Jordan elimination; ten numbers per row of T. */
function pseudoInverse(terms: Float64Array, count: number): Float64Array {
  const n = BALL_TERMS;
  const rows = Array.from({ length: n }, (_, a) =>
    Float64Array.from({ length: 2 * n }, (_, b) => {
      if (b >= n) return b - n === a ? 1 : 0;
      let sum = 0;
      for (let k = 0; k < count; k++) sum += terms[n * k + a] * terms[n * k + b];
      return sum + (a === b ? 1e-9 : 0);
    }),
  );
  for (let a = 0; a < n; a++) {
    const pivot = rows[a][a]; // positive: the matrix is positive definite
    for (let b = 0; b < 2 * n; b++) rows[a][b] /= pivot;
    for (let other = 0; other < n; other++) {
      if (other === a) continue;
      const by = rows[other][a];
      for (let b = 0; b < 2 * n; b++) rows[other][b] -= by * rows[a][b];
    }
  }
  const out = new Float64Array(n * count);
  for (let k = 0; k < count; k++) {
    for (let a = 0; a < n; a++) {
      let sum = 0;
      for (let b = 0; b < n; b++) sum += rows[a][n + b] * terms[n * k + b];
      out[n * k + a] = sum;
    }
  }
  return out;
}

/** Turns R towards A: sums of cross products of their columns say about what (Müller et al. 2016). */
function followRotation(A: Float64Array, R: Float64Array): void {
  for (let turn = 0; turn < TURNS; turn++) {
    let x = 0,
      y = 0,
      z = 0,
      sum = 0;
    for (let c = 0; c < 3; c++) {
      x += R[3 + c] * A[6 + c] - R[6 + c] * A[3 + c];
      y += R[6 + c] * A[c] - R[c] * A[6 + c];
      z += R[c] * A[3 + c] - R[3 + c] * A[c];
      sum += R[c] * A[c] + R[3 + c] * A[3 + c] + R[6 + c] * A[6 + c];
    }
    const scale = 1 / (Math.abs(sum) + 1e-9);
    rotate(R, x * scale, y * scale, z * scale);
  }
}

/** By a small rotation vector: half of it as a quaternion, which is exact enough and stays a rotation. */
function rotate(R: Float64Array, x: number, y: number, z: number): void {
  const norm = Math.sqrt(4 + x * x + y * y + z * z);
  const w = 2 / norm,
    i = x / norm,
    j = y / norm,
    k = z / norm;
  for (let c = 0; c < 3; c++) {
    const a = R[c],
      b = R[3 + c],
      d = R[6 + c];
    const tx = 2 * (j * d - k * b),
      ty = 2 * (k * a - i * d),
      tz = 2 * (i * b - j * a);
    R[c] = a + w * tx + (j * tz - k * ty);
    R[3 + c] = b + w * ty + (k * tx - i * tz);
    R[6 + c] = d + w * tz + (i * ty - j * tx);
  }
}

function determinant(m: Float64Array): number {
  return (
    m[0] * (m[4] * m[8] - m[5] * m[7]) -
    m[1] * (m[3] * m[8] - m[5] * m[6]) +
    m[2] * (m[3] * m[7] - m[4] * m[6])
  );
}

/** Leaves `out` as it was where there is none. */
function invert(m: Float64Array, out: Float64Array): void {
  const d = determinant(m);
  if (!(Math.abs(d) > 1e-6)) return;
  out[0] = (m[4] * m[8] - m[5] * m[7]) / d;
  out[1] = (m[2] * m[7] - m[1] * m[8]) / d;
  out[2] = (m[1] * m[5] - m[2] * m[4]) / d;
  out[3] = (m[5] * m[6] - m[3] * m[8]) / d;
  out[4] = (m[0] * m[8] - m[2] * m[6]) / d;
  out[5] = (m[2] * m[3] - m[0] * m[5]) / d;
  out[6] = (m[3] * m[7] - m[4] * m[6]) / d;
  out[7] = (m[1] * m[6] - m[0] * m[7]) / d;
  out[8] = (m[0] * m[4] - m[1] * m[3]) / d;
}
