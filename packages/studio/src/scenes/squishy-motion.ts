import { BALL_TERMS, type TentacleRig } from 'pliant/shapes';
import { BallFit } from './ball-fit.ts';

export interface SquishyOptions {
  /** How far the lowest tip falls. */
  readonly height: number;
  readonly seed: number;
}

const SUBSTEPS = 10;
const GRAVITY = -14; // the ball has radius 1: in units of it
const DAMPING = 0.35; // of speed, per second
const LIGHT = 0.35; // mass of a joint of a tentacle, in those of the ball's points
const ROUND = 600; // how strongly the ball becomes round, 1 / s²
const BEND = 50_000; // how strongly tentacles straighten, 1 / s²
const STRETCH = 2e-7; // compliance of distances between joints
const FRICTION = 0.6;
const CROWD = 1.7; // joints of different tentacles keep so many radii apart
const CALM = 0.85; // share of what is pushed apart that gives no speed

/** Frames until it hops for the first time, and from hop to hop: it lies still by then. */
const FIRST_HOP = 270;
const NEXT_HOP = 210;
const HOP_SPEED = 6.5;
const HOP_TURN = 1.1;
const HOMING = 0.8; // back to the middle, per second

/**
 * A ball with tentacles that falls, is squashed and springs back, and hops when it has come to rest. Points at the feet
 * of tentacles are held on a common quadratic map, which is drawn towards a rotation (meshless shape matching, Müller et
 * al. 2005); tentacles are chains that resist bending. Joints keep apart, but surfaces do not: where tentacles crowd,
 * they touch. Frames are the same every time.
 */
export class SquishyMotion {
  /** Times as stiff as usual; may be written between steps. */
  stiffness = 1;
  readonly joints: Float64Array;
  /** As `TentacleRig.place` wants it. */
  readonly ball = new Float64Array(3 * BALL_TERMS);
  readonly #rig: TentacleRig;
  readonly #velocities: Float64Array;
  readonly #last: Float64Array;
  readonly #weights: Float64Array; // 1 / mass
  readonly #fit: BallFit;
  readonly #cells = new Map<number, number[]>();
  #frame = 0;

  constructor(rig: TentacleRig, { height, seed }: SquishyOptions) {
    this.#rig = rig;
    const { restJoints, joints: count, radius } = rig;
    this.joints = turnedBy(seed, restJoints);
    let lowest = Infinity;
    for (let o = 1; o < this.joints.length; o += 3) lowest = Math.min(lowest, this.joints[o]);
    for (let o = 1; o < this.joints.length; o += 3) this.joints[o] += height + radius - lowest;
    this.#last = this.joints.slice();
    this.#velocities = new Float64Array(this.joints.length);
    this.#weights = Float64Array.from({ length: this.joints.length / 3 }, (_, p) =>
      p % count < 2 ? 1 : 1 / LIGHT,
    );
    const held = Uint32Array.from({ length: 2 * rig.tentacles }, (_, k) => (k >> 1) * count + (k & 1));
    this.#fit = new BallFit(restJoints, held);
    this.#fit.measure(this.joints, this.ball);
  }

  /** 1/60 s. */
  step(): void {
    this.#frame++;
    if (this.#frame >= FIRST_HOP && (this.#frame - FIRST_HOP) % NEXT_HOP === 0) this.#hop();
    const dt = 1 / 60 / SUBSTEPS;
    const { joints } = this;
    const velocities = this.#velocities,
      last = this.#last;
    const keep = 1 / (1 + DAMPING * dt),
      round = ROUND * this.stiffness * dt * dt;
    for (let k = 0; k < SUBSTEPS; k++) {
      last.set(joints);
      for (let o = 0; o < joints.length; o++) {
        velocities[o] = velocities[o] * keep + (o % 3 === 1 ? GRAVITY * dt : 0);
        joints[o] += dt * velocities[o];
      }
      this.#straighten(dt);
      this.#fit.measure(joints, this.ball);
      this.#fit.pull(joints, this.ball, round / (1 + round));
      if (k % 2 === 0) this.#keepApart();
      this.#leaveBall();
      this.#leaveFloor();
      for (let o = 0; o < joints.length; o++) velocities[o] = (joints[o] - last[o]) / dt;
    }
    this.#fit.measure(joints, this.ball);
  }

  /** Up, and turning about an axis that differs from time to time. */
  #hop(): void {
    const { joints } = this;
    const [cx, cy, cz] = [0, 1, 2].map((c) => this.ball[BALL_TERMS * c]);
    const way = 0.618 * (this.#frame % 1000);
    const turn = way - Math.floor(way);
    const ax = HOP_TURN * (1 - 2 * turn),
      az = HOP_TURN * (turn < 0.5 ? 1 : -1);
    for (let o = 0; o < joints.length; o += 3) {
      const x = joints[o] - cx,
        y = joints[o + 1] - cy,
        z = joints[o + 2] - cz;
      this.#velocities[o] += -az * y - HOMING * cx;
      this.#velocities[o + 1] += HOP_SPEED + az * x - ax * z;
      this.#velocities[o + 2] += ax * y - HOMING * cz;
    }
  }

  /** Distances along chains, and what is left of p − 2q + r = 0 with its compliance. */
  #straighten(dt: number): void {
    const { joints } = this;
    const { joints: count, tentacles, spacing } = this.#rig;
    const w = this.#weights;
    const bend = 1 / (BEND * this.stiffness * LIGHT) / (dt * dt),
      stretch = STRETCH / (dt * dt);
    for (let i = 0; i < tentacles; i++) {
      const first = i * count;
      for (let q = first + 1; q < first + count - 1; q++) {
        const a = 3 * (q - 1),
          b = 3 * q,
          c = 3 * (q + 1);
        const share = 1 / (w[q - 1] + 4 * w[q] + w[q + 1] + bend);
        for (let x = 0; x < 3; x++) {
          const off = share * (joints[a + x] - 2 * joints[b + x] + joints[c + x]);
          joints[a + x] -= w[q - 1] * off;
          joints[b + x] += 2 * w[q] * off;
          joints[c + x] -= w[q + 1] * off;
        }
      }
      for (let q = first; q < first + count - 1; q++) {
        const a = 3 * q,
          b = a + 3;
        const x = joints[b] - joints[a],
          y = joints[b + 1] - joints[a + 1],
          z = joints[b + 2] - joints[a + 2];
        const length = Math.sqrt(x * x + y * y + z * z);
        if (length === 0) continue;
        const pull = (length - spacing) / (w[q] + w[q + 1] + stretch) / length;
        joints[a] += w[q] * pull * x;
        joints[a + 1] += w[q] * pull * y;
        joints[a + 2] += w[q] * pull * z;
        joints[b] -= w[q + 1] * pull * x;
        joints[b + 1] -= w[q + 1] * pull * y;
        joints[b + 2] -= w[q + 1] * pull * z;
      }
    }
  }

  /** Joints of different tentacles push each other away where they are too near, half of the way at a time. */
  #keepApart(): void {
    const { joints } = this;
    const { joints: count, radius } = this.#rig;
    const least = CROWD * radius;
    const cells = this.#cells;
    cells.clear();
    for (let p = 0; p < joints.length / 3; p++) {
      if (p % count < 2) continue;
      const o = 3 * p;
      const i = Math.floor(joints[o] / least),
        j = Math.floor(joints[o + 1] / least),
        k = Math.floor(joints[o + 2] / least);
      for (let n = 0; n < 27; n++) {
        const near = cells.get(
          cellKey(i + (n % 3) - 1, j + (Math.floor(n / 3) % 3) - 1, k + Math.floor(n / 9) - 1),
        );
        if (near)
          for (const q of near)
            if (Math.floor(q / count) !== Math.floor(p / count)) this.#part(o, 3 * q, least);
      }
      const key = cellKey(i, j, k);
      const here = cells.get(key);
      if (here) here.push(p);
      else cells.set(key, [p]);
    }
  }

  #part(a: number, b: number, least: number): void {
    const { joints } = this;
    const x = joints[b] - joints[a],
      y = joints[b + 1] - joints[a + 1],
      z = joints[b + 2] - joints[a + 2];
    const square = x * x + y * y + z * z;
    if (square >= least * least || square === 0) return;
    const length = Math.sqrt(square);
    const push = (0.25 * (least - length)) / length;
    this.#shift(a, -push * x, -push * y, -push * z);
    this.#shift(b, push * x, push * y, push * z);
  }

  /** Moves a joint, most of it without giving it speed: what is pressed out is not thrown out. */
  #shift(o: number, x: number, y: number, z: number): void {
    const { joints } = this;
    const last = this.#last;
    joints[o] += x;
    joints[o + 1] += y;
    joints[o + 2] += z;
    last[o] += CALM * x;
    last[o + 1] += CALM * y;
    last[o + 2] += CALM * z;
  }

  /** Tentacles stay outside of the ball as its linear map has it. */
  #leaveBall(): void {
    const { joints } = this;
    const { joints: count, radius } = this.#rig;
    const { inverse, linear, centre } = this.#fit;
    const least = 1 + 0.8 * radius;
    for (let p = 0; p < joints.length / 3; p++) {
      if (p % count < 3) continue; // those at the foot are held by it
      const o = 3 * p;
      const x = joints[o] - centre[0],
        y = joints[o + 1] - centre[1],
        z = joints[o + 2] - centre[2];
      const u = inverse[0] * x + inverse[1] * y + inverse[2] * z,
        v = inverse[3] * x + inverse[4] * y + inverse[5] * z,
        w = inverse[6] * x + inverse[7] * y + inverse[8] * z;
      const square = u * u + v * v + w * w;
      if (square >= least * least || square === 0) continue;
      const by = least / Math.sqrt(square);
      const out = 0.3 * (by - 1);
      this.#shift(
        o,
        out * (linear[0] * u + linear[1] * v + linear[2] * w),
        out * (linear[3] * u + linear[4] * v + linear[5] * w),
        out * (linear[6] * u + linear[7] * v + linear[8] * w),
      );
    }
  }

  #leaveFloor(): void {
    const { joints } = this;
    const last = this.#last;
    const { joints: count, radius } = this.#rig;
    for (let p = 0; p < joints.length / 3; p++) {
      const o = 3 * p;
      const depth = (p % count < 2 ? 0.4 * radius : radius) - joints[o + 1];
      if (depth <= 0) continue;
      joints[o + 1] += depth;
      const x = joints[o] - last[o],
        z = joints[o + 2] - last[o + 2];
      const slid = Math.sqrt(x * x + z * z);
      const held = slid > 0 ? Math.min(1, (FRICTION * depth) / slid) : 0;
      joints[o] -= held * x;
      joints[o + 2] -= held * z;
    }
  }
}

function cellKey(i: number, j: number, k: number): number {
  return (i + 4096) * 67_108_864 + (j + 4096) * 8192 + (k + 4096);
}

/** By a rotation that depends on the seed: it does not fall on an axis of the lattice. */
function turnedBy(seed: number, points: Float64Array): Float64Array {
  const [a, b, c, d] = [1, 0.23 * seed, 0.31, -0.17 * seed];
  const n = a * a + b * b + c * c + d * d;
  // biome-ignore format: rows of a matrix
  const m = [
    a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c),
    2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b),
    2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d,
  ];
  const out = new Float64Array(points.length);
  for (let o = 0; o < points.length; o += 3) {
    for (let r = 0; r < 3; r++) {
      const [x, y, z] = [m[3 * r], m[3 * r + 1], m[3 * r + 2]];
      out[o + r] = (x * points[o] + y * points[o + 1] + z * points[o + 2]) / n;
    }
  }
  return out;
}
