import { checkNumbers, checkObject } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { checkCount, checkOption, checkTriangleTarget, type ShapeSource } from './shape.ts';
import { createTentacleBody, type Tentacle } from './tentacle-body.ts';

export interface TentacleRigOptions {
  /** About how many triangles; at least some 40 per tentacle. Default: 100000. */
  triangles?: number;
  /** About how many tentacles (10 g² + 2 for a whole g). Default: 92. */
  tentacles?: number;
  /** Their length; the ball has radius 1. Default: 0.8. */
  length?: number;
  /** Joints of each: one inside the ball, one at its foot, the last at its tip. Default: 7. */
  joints?: number;
}

/** Numbers that say how the ball is deformed: ten per coordinate, see `TentacleRig.place`. */
export const BALL_TERMS = 10;

const COLUMNS = 4; // per vertex of a tentacle: two across, place between joints, share of the tentacle
const AXES = 9; // per joint: where it is, and two vectors across

/**
 * The ball of `createTentacleBall`, to be moved by a few points: a coarse simulation of these carries a surface of any
 * resolution. At rest it has the same vertices and triangles.
 */
export class TentacleRig {
  readonly source: ShapeSource;
  readonly tentacles: number;
  /** Per tentacle. */
  readonly joints: number;
  /** Distance of neighbouring joints. */
  readonly spacing: number;
  /** Of a tentacle above its foot. */
  readonly radius: number;
  /** Three numbers per joint, tentacle after tentacle. Joint 0 is inside the ball, joint 1 at the foot. */
  readonly restJoints: Float64Array;

  readonly #parts: readonly Tentacle[];
  readonly #columns: readonly Float64Array[];
  readonly #first: readonly Uint8Array[]; // the first of four joints that move a vertex
  readonly #isBall: Uint8Array; // per vertex
  readonly #axes: Float64Array;

  /** Use `createTentacleRig`. */
  constructor(options: TentacleRigOptions) {
    checkObject('options', options);
    const { triangles = 100_000, tentacles = 92, length = 0.8, joints = 7 } = options;
    checkTriangleTarget(triangles);
    checkOption('tentacles', tentacles, 1, 10_000);
    checkOption('length', length, 0.05, 10);
    checkCount('joints', joints, 4, 64);
    const coarse = Math.round(Math.sqrt(Math.max(tentacles - 2, 10) / 10));
    const body = createTentacleBody(triangles, coarse, length);
    const parts = body.tentacles;
    this.tentacles = parts.length;
    this.joints = joints;
    this.spacing = length / (joints - 2);
    this.restJoints = new Float64Array(3 * joints * parts.length);
    parts.forEach(({ axis }, i) => {
      for (let j = 0; j < joints; j++) {
        const far = 1 + (j - 1) * this.spacing;
        this.restJoints.set([far * axis[0], far * axis[1], far * axis[2]], 3 * (i * joints + j));
      }
    });
    this.#parts = parts;
    this.#isBall = new Uint8Array(body.vertexCount).fill(1);
    this.#first = parts.map(({ vertices }) => new Uint8Array(vertices.length));
    this.#columns = parts.map(({ vertices }) => new Float64Array(COLUMNS * vertices.length));
    parts.forEach((part, i) => void this.#bind(part, this.#columns[i], this.#first[i]));
    this.#axes = new Float64Array(AXES * (joints + 1));
    const positions = body.ball.slice();
    for (const part of parts) placeAtRest(part, positions);
    this.radius = narrowest(parts[0]);
    this.source = { name: 'tentacle ball', positions, triangles: body.triangles };
  }

  /**
   * Vertices into `out`, three numbers each. `ball` maps what is at x, y, z at rest to the sum of
   * `ball[10 c + k]` times 1, x, y, z, x², y², z², xy, yz, zx for coordinate c. Tentacles follow their joints along a
   * cubic spline, without twist; at the foot they go over into the ball.
   */
  place(ball: Float64Array, joints: Float64Array, out: Float64Array): void {
    checkNumbers('ball', ball, 3 * BALL_TERMS);
    checkNumbers('joints', joints, this.restJoints.length);
    const { positions } = this.source;
    if (!(out instanceof Float64Array) || out.length !== positions.length) {
      throw new InputError('wrong-length', `out must be a Float64Array of ${positions.length} numbers`);
    }
    const isBall = this.#isBall;
    for (let v = 0; v < isBall.length; v++) if (isBall[v] === 1) mapPoint(ball, positions, 3 * v, out, 1);
    for (let i = 0; i < this.#parts.length; i++) {
      this.#findAxes(this.#parts[i], ball, joints, 3 * i * this.joints);
      this.#placeTentacle(i, ball, out);
    }
  }

  /** Where a vertex is along its tentacle never changes. */
  #bind({ vertices, local }: Tentacle, columns: Float64Array, first: Uint8Array): void {
    for (let k = 0; k < vertices.length; k++) {
      const height = local[3 * k + 2];
      const at = height / this.spacing; // in joints above the foot
      const segment = Math.max(0, Math.min(this.joints - 3, Math.floor(at)));
      const rise = Math.max(0, Math.min(1, at));
      first[k] = segment;
      columns.set([local[3 * k], local[3 * k + 1], at - segment, rise * rise * (3 - 2 * rise)], COLUMNS * k);
      this.#isBall[vertices[k]] = 0;
    }
  }

  /** Of all joints and one beyond the tip: the point, and two unit vectors across, carried on without twist. */
  #findAxes({ across }: Tentacle, ball: Float64Array, joints: Float64Array, first: number): void {
    const axes = this.#axes;
    const last = this.joints - 1;
    for (let j = 0; j <= last; j++)
      for (let c = 0; c < 3; c++) axes[AXES * j + c] = joints[first + 3 * j + c];
    for (let c = 0; c < 3; c++) {
      axes[AXES * (last + 1) + c] = 2 * axes[AXES * last + c] - axes[AXES * (last - 1) + c];
    }
    let nx = turned(ball, 0, across),
      ny = turned(ball, 1, across),
      nz = turned(ball, 2, across);
    for (let j = 0; j <= last + 1; j++) {
      const a = AXES * Math.max(0, j - 1),
        b = AXES * Math.min(last + 1, j + 1),
        o = AXES * j;
      let x = axes[b] - axes[a],
        y = axes[b + 1] - axes[a + 1],
        z = axes[b + 2] - axes[a + 2];
      const length = Math.sqrt(x * x + y * y + z * z) || 1;
      x /= length;
      y /= length;
      z /= length;
      const along = nx * x + ny * y + nz * z;
      nx -= along * x;
      ny -= along * y;
      nz -= along * z;
      const norm = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
      nx /= norm;
      ny /= norm;
      nz /= norm;
      axes[o + 3] = nx;
      axes[o + 4] = ny;
      axes[o + 5] = nz;
      axes[o + 6] = y * nz - z * ny;
      axes[o + 7] = z * nx - x * nz;
      axes[o + 8] = x * ny - y * nx;
    }
  }

  #placeTentacle(i: number, ball: Float64Array, out: Float64Array): void {
    const { positions } = this.source;
    const axes = this.#axes,
      columns = this.#columns[i],
      first = this.#first[i];
    const { vertices } = this.#parts[i];
    for (let k = 0; k < vertices.length; k++) {
      const c = COLUMNS * k,
        v = 3 * vertices[k];
      const across = columns[c],
        across2 = columns[c + 1],
        t = columns[c + 2],
        share = columns[c + 3];
      if (share < 1) mapPoint(ball, positions, v, out, 1 - share);
      else out[v] = out[v + 1] = out[v + 2] = 0;
      if (share === 0) continue;
      const s = 1 - t;
      // The uniform cubic B-spline: it keeps what is straight, and has no corners.
      const w0 = (share * s * s * s) / 6,
        w1 = (share * (4 - 6 * t * t + 3 * t * t * t)) / 6,
        w3 = (share * t * t * t) / 6;
      const w2 = share - w0 - w1 - w3;
      const a = AXES * first[k],
        b = a + AXES,
        d = b + AXES,
        e = d + AXES;
      for (let x = 0; x < 3; x++) {
        out[v + x] +=
          w0 * (axes[a + x] + across * axes[a + 3 + x] + across2 * axes[a + 6 + x]) +
          w1 * (axes[b + x] + across * axes[b + 3 + x] + across2 * axes[b + 6 + x]) +
          w2 * (axes[d + x] + across * axes[d + 3 + x] + across2 * axes[d + 6 + x]) +
          w3 * (axes[e + x] + across * axes[e + 3 + x] + across2 * axes[e + 6 + x]);
      }
    }
  }
}

/** See `TentacleRig`. */
export function createTentacleRig(options: TentacleRigOptions = {}): TentacleRig {
  return new TentacleRig(options);
}

/** `share` times where the ball's map puts a point. */
function mapPoint(ball: Float64Array, rest: Float64Array, o: number, out: Float64Array, share: number): void {
  const x = rest[o],
    y = rest[o + 1],
    z = rest[o + 2];
  for (let c = 0; c < 3; c++) {
    const b = BALL_TERMS * c;
    out[o + c] =
      share *
      (ball[b] +
        ball[b + 1] * x +
        ball[b + 2] * y +
        ball[b + 3] * z +
        ball[b + 4] * x * x +
        ball[b + 5] * y * y +
        ball[b + 6] * z * z +
        ball[b + 7] * x * y +
        ball[b + 8] * y * z +
        ball[b + 9] * z * x);
  }
}

/** Coordinate `c` of a vector that goes along with the ball. */
function turned(ball: Float64Array, c: number, [x, y, z]: readonly number[]): number {
  const b = BALL_TERMS * c;
  return ball[b + 1] * x + ball[b + 2] * y + ball[b + 3] * z;
}

function placeAtRest({ axis, across, across2, vertices, local }: Tentacle, out: Float64Array): void {
  for (let k = 0; k < vertices.length; k++) {
    for (let c = 0; c < 3; c++) {
      const up = (1 + local[3 * k + 2]) * axis[c];
      out[3 * vertices[k] + c] = up + local[3 * k] * across[c] + local[3 * k + 1] * across2[c];
    }
  }
}

/** The radius in the middle of a tentacle's column: it is widest at the foot and round at the tip. */
function narrowest({ local }: Tentacle): number {
  let top = 0;
  for (let o = 2; o < local.length; o += 3) top = Math.max(top, local[o]);
  let radius = Infinity;
  for (let o = 0; o < local.length; o += 3) {
    if (local[o + 2] < 0.4 * top || local[o + 2] > 0.6 * top) continue;
    radius = Math.min(radius, Math.sqrt(local[o] * local[o] + local[o + 1] * local[o + 1]));
  }
  return Number.isFinite(radius) ? radius : Math.sqrt(local[0] * local[0] + local[1] * local[1]);
}
