import { cos, sin } from '../algebra/trigonometry.ts';
import { checkNumbers } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { Point } from './part-surface.ts';

/** Name, name of the parent ('' for the root) and place at rest; parents come first. */
export type JointPlan = readonly [name: string, parent: string, x: number, y: number, z: number];

/** Joints at rest; all face the same way, so a bind matrix is a shift. */
export interface Skeleton {
  readonly names: readonly string[];
  readonly parents: Int32Array;
  readonly places: Float64Array; // three per joint, at rest
  readonly bind: Float64Array; // row-major 3×4 per joint
}

/** The joints of a left and a right limb; L and R are added to their names. */
export function bothSides(...limb: readonly JointPlan[]): JointPlan[] {
  const own = limb.map(([name]) => name);
  return ['L', 'R'].flatMap((side) =>
    limb.map(([name, parent, x, y, z]): JointPlan => {
      const from = own.includes(parent) ? parent + side : parent;
      return [name + side, from, side === 'L' ? x : -x, y, z];
    }),
  );
}

export function createSkeleton(plan: readonly JointPlan[]): Skeleton {
  const names = plan.map(([name]) => name);
  const parents = Int32Array.from(plan, ([, parent]) => names.indexOf(parent));
  const places = Float64Array.from(plan.flatMap(([, , x, y, z]) => [x, y, z]));
  const bind = new Float64Array(12 * names.length);
  for (let j = 0; j < names.length; j++) {
    bind.set([1, 0, 0, places[3 * j], 0, 1, 0, places[3 * j + 1], 0, 0, 1, places[3 * j + 2]], 12 * j);
  }
  return { names, parents, places, bind };
}

/** World matrices for one quaternion (x, y, z, w; of any length but 0) per joint, relative to its parent. */
export function poseSkeleton(skeleton: Skeleton, rotations: Float64Array, out: Float64Array): Float64Array {
  const { names, parents } = skeleton;
  checkNumbers('rotations', rotations, 4 * names.length);
  for (let j = 0; j < names.length; j++) {
    const x = rotations[4 * j],
      y = rotations[4 * j + 1],
      z = rotations[4 * j + 2],
      w = rotations[4 * j + 3];
    const norm = x * x + y * y + z * z + w * w;
    if (!(norm > 0)) throw new InputError('out-of-range', `the rotation of joint ${j} is 0`);
    const s = 2 / norm,
      o = 12 * j;
    out[o] = 1 - s * (y * y + z * z);
    out[o + 1] = s * (x * y - z * w);
    out[o + 2] = s * (x * z + y * w);
    out[o + 4] = s * (x * y + z * w);
    out[o + 5] = 1 - s * (x * x + z * z);
    out[o + 6] = s * (y * z - x * w);
    out[o + 8] = s * (x * z - y * w);
    out[o + 9] = s * (y * z + x * w);
    out[o + 10] = 1 - s * (x * x + y * y);
    if (parents[j] >= 0) rotateBy(out, 12 * parents[j], o);
    place(skeleton, j, out);
  }
  return out;
}

/** World matrices become what a skin wants: world × inverse bind, in place. */
export function applyInverseBind({ names, places }: Skeleton, matrices: Float64Array): void {
  for (let j = 0; j < names.length; j++) {
    const x = places[3 * j],
      y = places[3 * j + 1],
      z = places[3 * j + 2];
    for (let o = 12 * j; o < 12 * j + 12; o += 4) {
      matrices[o + 3] -= matrices[o] * x + matrices[o + 1] * y + matrices[o + 2] * z;
    }
  }
}

/**
 * A puppet for gaits: joints are turned, the root is moved, legs reach for places, and the world matrices come
 * out. Joints have to be set parents first. Angles in degrees: nod about x, turn about y, tilt about z.
 */
export class Rig {
  readonly skeleton: Skeleton;
  world: Float64Array;
  readonly #ends = new Float64Array(18); // two frames of three columns
  readonly #knee = new Float64Array(3);

  constructor(skeleton: Skeleton) {
    this.skeleton = skeleton;
    this.world = skeleton.bind.slice();
  }

  joint(name: string): number {
    const j = this.skeleton.names.indexOf(name);
    if (j < 0) throw new RangeError(`no joint ${name}`);
    return j;
  }

  /** The root's turn and shift. */
  placeRoot(x: number, y: number, z: number, nod: number, turn: number, tilt: number): void {
    this.turn(0, nod, turn, tilt);
    this.world[3] += x;
    this.world[7] += y;
    this.world[11] += z;
  }

  /** Turns a joint relative to its parent: tilt first, then nod, then turn. */
  turn(j: number, nod: number, turn: number, tilt: number): void {
    const w = this.world,
      o = 12 * j;
    this.#setAngles(o, nod, turn, tilt);
    const parent = this.skeleton.parents[j];
    if (parent >= 0) rotateBy(w, 12 * parent, o);
    place(this.skeleton, j, w);
  }

  /** Turns a joint relative to the world. */
  turnInWorld(j: number, nod: number, turn: number, tilt: number): void {
    this.#setAngles(12 * j, nod, turn, tilt);
    place(this.skeleton, j, this.world);
  }

  /**
   * Bends `upper` and `lower` so that `end`, the child of `lower`, comes to x, y, z, with the bend towards
   * `pole`. Where it is too far away the leg stretches towards it, smoothly.
   */
  reach(upper: number, lower: number, end: number, x: number, y: number, z: number, pole: Point): void {
    const w = this.world,
      { places } = this.skeleton;
    this.turn(upper, 0, 0, 0); // sets the place
    const hx = w[12 * upper + 3],
      hy = w[12 * upper + 7],
      hz = w[12 * upper + 11];
    const l1 = this.#boneLength(upper, lower),
      l2 = this.#boneLength(lower, end);
    const dx = x - hx,
      dy = y - hy,
      dz = z - hz;
    const far = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const d = softLimit(far, 0.96 * (l1 + l2), 0.998 * (l1 + l2));
    const ux = dx / far,
      uy = dy / far,
      uz = dz / far;
    const along = (d * d + l1 * l1 - l2 * l2) / (2 * d);
    const out = Math.sqrt(Math.max(0, l1 * l1 - along * along));
    const dot = pole[0] * ux + pole[1] * uy + pole[2] * uz;
    const px = pole[0] - dot * ux,
      py = pole[1] - dot * uy,
      pz = pole[2] - dot * uz;
    const p = out / Math.sqrt(px * px + py * py + pz * pz);
    const knee = this.#knee;
    knee[0] = ux * along + px * p;
    knee[1] = uy * along + py * p;
    knee[2] = uz * along + pz * p;
    this.#aim(upper, places, lower, knee[0], knee[1], knee[2], pole);
    this.#aim(lower, places, end, ux * d - knee[0], uy * d - knee[1], uz * d - knee[2], pole);
  }

  #boneLength(a: number, b: number): number {
    const { places } = this.skeleton;
    const x = places[3 * b] - places[3 * a],
      y = places[3 * b + 1] - places[3 * a + 1],
      z = places[3 * b + 2] - places[3 * a + 2];
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** Turns a joint so that its child lies in the given direction and what faced the pole still does. */
  #aim(j: number, places: Float64Array, child: number, x: number, y: number, z: number, pole: Point): void {
    const ends = this.#ends,
      w = this.world,
      o = 12 * j;
    const bx = places[3 * child] - places[3 * j],
      by = places[3 * child + 1] - places[3 * j + 1],
      bz = places[3 * child + 2] - places[3 * j + 2];
    setFrame(ends, 0, bx, by, bz, pole);
    setFrame(ends, 9, x, y, z, pole);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        w[o + 4 * r + c] = ends[9 + r] * ends[c] + ends[12 + r] * ends[3 + c] + ends[15 + r] * ends[6 + c];
      }
    }
    place(this.skeleton, j, w);
  }

  #setAngles(o: number, nod: number, turn: number, tilt: number): void {
    const w = this.world;
    const cx = cos(DEGREE * nod),
      sx = sin(DEGREE * nod),
      cy = cos(DEGREE * turn),
      sy = sin(DEGREE * turn),
      cz = cos(DEGREE * tilt),
      sz = sin(DEGREE * tilt);
    w[o] = cy * cz + sy * sx * sz;
    w[o + 1] = sy * sx * cz - cy * sz;
    w[o + 2] = sy * cx;
    w[o + 4] = cx * sz;
    w[o + 5] = cx * cz;
    w[o + 6] = -sx;
    w[o + 8] = cy * sx * sz - sy * cz;
    w[o + 9] = sy * sz + cy * sx * cz;
    w[o + 10] = cy * cx;
  }
}

const DEGREE = Math.PI / 180;

/** Three columns: the direction, across it towards the pole, and the third. */
function setFrame(out: Float64Array, o: number, x: number, y: number, z: number, pole: Point): void {
  const n = 1 / Math.sqrt(x * x + y * y + z * z);
  const ux = x * n,
    uy = y * n,
    uz = z * n;
  const dot = pole[0] * ux + pole[1] * uy + pole[2] * uz;
  const px = pole[0] - dot * ux,
    py = pole[1] - dot * uy,
    pz = pole[2] - dot * uz;
  const m = 1 / Math.sqrt(px * px + py * py + pz * pz);
  out[o] = ux;
  out[o + 1] = uy;
  out[o + 2] = uz;
  out[o + 3] = px * m;
  out[o + 4] = py * m;
  out[o + 5] = pz * m;
  out[o + 6] = (uy * pz - uz * py) * m;
  out[o + 7] = (uz * px - ux * pz) * m;
  out[o + 8] = (ux * py - uy * px) * m;
}

/** x up to `from`, then ever slower towards `limit`. */
function softLimit(x: number, from: number, limit: number): number {
  if (x <= from) return x;
  const room = limit - from;
  return from + (room * (x - from)) / (x - from + room);
}

/** The 3×3 part at `o` becomes that at `by` times it. */
function rotateBy(m: Float64Array, by: number, o: number): void {
  for (let c = 0; c < 3; c++) {
    const x = m[o + c],
      y = m[o + 4 + c],
      z = m[o + 8 + c];
    m[o + c] = m[by] * x + m[by + 1] * y + m[by + 2] * z;
    m[o + 4 + c] = m[by + 4] * x + m[by + 5] * y + m[by + 6] * z;
    m[o + 8 + c] = m[by + 8] * x + m[by + 9] * y + m[by + 10] * z;
  }
}

/** Sets the joint's place from its parent's matrix. */
function place({ parents, places }: Skeleton, j: number, m: Float64Array): void {
  const parent = parents[j],
    o = 12 * j;
  if (parent < 0) {
    for (let k = 0; k < 3; k++) m[o + 4 * k + 3] = places[3 * j + k];
    return;
  }
  const x = places[3 * j] - places[3 * parent],
    y = places[3 * j + 1] - places[3 * parent + 1],
    z = places[3 * j + 2] - places[3 * parent + 2];
  const p = 12 * parent;
  for (let k = 0; k < 12; k += 4)
    m[o + k + 3] = m[p + k] * x + m[p + k + 1] * y + m[p + k + 2] * z + m[p + k + 3];
}
