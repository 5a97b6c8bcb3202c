import { cos, sin } from '../algebra/trigonometry.ts';
import type { Part, Point } from './part-surface.ts';

export interface PartOptions {
  blend?: number;
  detail?: number;
  softness?: number;
  carve?: boolean;
}

export interface LimbOptions extends PartOptions {
  /** Flattened along this direction … */
  across?: Point;
  /** … to this share of its width. */
  flat?: number;
}

export interface EllipsoidOptions extends PartOptions {
  /** Turned about x (nod), y (turn) and z (tilt), in degrees, in this order. */
  turn?: Point;
}

/** A rounded cone between two points. */
export function limb(
  joint: string,
  from: Point,
  to: Point,
  r1: number,
  r2: number,
  options: LimbOptions = {},
): Part {
  const { across = [0, 0, 1], flat = 1 } = options;
  const axis = subtract(to, from);
  const length = norm(axis);
  const y = scale(axis, 1 / length);
  const across2 = subtract(across, scale(y, dot(across, y)));
  const z = norm(across2) > 1e-6 ? scale(across2, 1 / norm(across2)) : anyAcross(y);
  const x = cross(y, z);
  const middle = scale(add(from, to), 0.5);
  const radius = length / 2 + Math.max(r1, r2) * Math.max(1, flat);
  return {
    joint,
    centre: from,
    rows: [...x, ...y, ...scale(z, 1 / flat)],
    length,
    radii: [r1, r2],
    ball: [...middle, radius],
    thickness: Math.max(Math.min(r1, r2), 0.5 * Math.max(r1, r2)) * Math.min(1, flat),
    ...common(options, Math.min(r1, r2)),
  };
}

export function ball(joint: string, centre: Point, radius: number, options: PartOptions = {}): Part {
  return ellipsoid(joint, centre, [radius, radius, radius], options);
}

export function ellipsoid(joint: string, centre: Point, radii: Point, options: EllipsoidOptions = {}): Part {
  const { turn = [0, 0, 0] } = options;
  const [x, y, z] = axesOf(turn);
  const smallest = Math.min(...radii);
  return {
    joint,
    centre,
    rows: [...scale(x, 1 / radii[0]), ...scale(y, 1 / radii[1]), ...scale(z, 1 / radii[2])],
    length: 0,
    radii: [1, 1],
    ball: [...centre, Math.max(...radii)],
    thickness: options.carve ? 2 * smallest : smallest,
    ...common(options, smallest),
  };
}

/** A place and the radius there. */
export type Knot = readonly [x: number, y: number, z: number, radius: number];

/**
 * Rounded cones along a smooth curve through several points; `joints` has one joint per stretch between them, or
 * the only one. Only the first cone melts far into what is before it: the others continue each other.
 */
export function chain(
  joints: string | readonly string[],
  knots: readonly Knot[],
  options: LimbOptions = {},
): Part[] {
  const parts: Part[] = [];
  let [x, y, z, r] = knots[0];
  for (let i = 0; i + 1 < knots.length; i++) {
    const joint = typeof joints === 'string' ? joints : joints[Math.min(i, joints.length - 1)];
    for (let step = 1; step <= CHAIN_STEPS; step++) {
      const [x1, y1, z1, r1] = betweenKnots(knots, i, step / CHAIN_STEPS);
      const inner = parts.length > 0 ? { ...options, blend: 0.15 * r } : options;
      parts.push(limb(joint, [x, y, z], [x1, y1, z1], r, r1, inner));
      [x, y, z, r] = [x1, y1, z1, r1];
    }
  }
  return parts;
}

const CHAIN_STEPS = 2;

/** A cubic that goes through all knots and at each runs parallel to the line between its neighbours. */
export function betweenKnots(knots: readonly Knot[], i: number, t: number): Knot {
  const at = (k: number) => knots[Math.min(Math.max(k, 0), knots.length - 1)];
  const u = 1 - t;
  const value = (k: 0 | 1 | 2 | 3) => {
    const slope1 = (at(i + 1)[k] - at(i - 1)[k]) / 2,
      slope2 = (at(i + 2)[k] - at(i)[k]) / 2;
    return (
      u * u * (1 + 2 * t) * at(i)[k] + t * t * (1 + 2 * u) * at(i + 1)[k] + t * u * (u * slope1 - t * slope2)
    );
  };
  return [value(0), value(1), value(2), value(3)];
}

/** The same on the other side: x and the joint's last letter, L, are mirrored. */
export function mirror(parts: readonly Part[]): Part[] {
  return parts.map((part) => ({
    ...part,
    joint: part.joint.replace(/L$/, 'R'),
    centre: [-part.centre[0], part.centre[1], part.centre[2]],
    rows: part.rows.map((value, k) => (k % 3 === 0 ? -value : value)),
    ball: [-part.ball[0], part.ball[1], part.ball[2], part.ball[3]],
  }));
}

function common(options: PartOptions, radius: number) {
  const { blend = 0.6 * radius, detail = 1, softness = 0.55 * radius, carve = false } = options;
  return { blend, detail, softness, carve };
}

const DEGREE = Math.PI / 180;

/** The turned axes. */
function axesOf([nod, turn, tilt]: Point): [Point, Point, Point] {
  const rotate = ([x, y, z]: Point): Point => {
    const [y1, z1] = rotate2(y, z, nod);
    const [z2, x2] = rotate2(z1, x, turn);
    const [x3, y3] = rotate2(x2, y1, tilt);
    return [x3, y3, z2];
  };
  return [rotate([1, 0, 0]), rotate([0, 1, 0]), rotate([0, 0, 1])];
}

function rotate2(a: number, b: number, degrees: number): [number, number] {
  const c = cos(DEGREE * degrees),
    s = sin(DEGREE * degrees);
  return [c * a - s * b, s * a + c * b];
}

function add(a: Point, b: Point): Point {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function subtract(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function scale(a: Point, s: number): Point {
  return [a[0] * s, a[1] * s, a[2] * s];
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function norm(a: Point): number {
  return Math.sqrt(dot(a, a));
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function anyAcross(y: Point): Point {
  const side = cross(Math.abs(y[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], y);
  return scale(side, 1 / norm(side));
}
