import { toCommonIntegers } from '../algebra/exact-number.ts';
import {
  add,
  findUnitRoots,
  multiply,
  type Polynomial,
  refineRoot,
  signAtRoot,
  subtract,
  trim,
  type UnitRoot,
} from '../algebra/exact-polynomial.ts';
import { POINT, VERTEX_FACE } from './continuous-scratch.ts';

/**
 * First contact of four moving points, in exact arithmetic; the formulas are those of continuous-filter.ts.
 * For all finite coordinates. Returns a time with 0 ≤ exact - time ≤ 2⁻⁴⁷, or Infinity.
 *
 * f ≢ 0: contact can only be at its roots. f ≡ 0: the points are coplanar throughout, and the answer at t
 * depends on the signs of the weights, and where all of these are zero on those of coordinate differences. The set of
 * contact times is closed, so its first is 0 or a root of a weight that is not zero throughout; if all weights are, the
 * points are collinear throughout, and it is 0 or a root of a difference.
 */
export function exactContactTime(points: Float64Array, kind: number, offsets: readonly number[]): number {
  const motion = exactMotion(points, kind, offsets);
  const isCoplanar = motion.volume.length === 0;
  if (isCoplanar && touchesAt(motion, START)) return 0; // features with a common point, often
  const candidates = isCoplanar ? coplanarCandidates(motion) : findUnitRoots(motion.volume);
  const first = candidates
    .map((root) => refineRoot(root, TIME_BITS))
    .sort((a, b) => lowerTime(a) - lowerTime(b))
    .find((root) => touchesAt(motion, root));
  return first === undefined ? Infinity : lowerTime(first);
}

interface ExactMotion {
  readonly kind: number;
  /** coordinates[axis][point], linear in t, each axis with its own power of two. */
  readonly coordinates: readonly (readonly Polynomial[])[];
  /** weights[axis][point], quadratic; contact asks for one sign. */
  readonly weights: readonly (readonly Polynomial[])[];
  /** f, cubic. */
  readonly volume: Polynomial;
}

const TIME_BITS = 48;

/** Scaling an axis by a power of two changes no sign that is asked for: contact is an affine notion. */
function exactMotion(points: Float64Array, kind: number, offsets: readonly number[]): ExactMotion {
  const coordinates = [0, 1, 2].map((axis) => linearPaths(points, offsets, axis));
  const [x, y, z] = coordinates.map((path) => path.slice(1).map((p) => subtract(p, path[0])));
  const weights = [signedWeights(y, z, kind), signedWeights(z, x, kind), signedWeights(x, y, kind)];
  const volume = add(
    add(multiply(x[0], weights[0][1]), multiply(y[0], weights[1][1])),
    multiply(z[0], weights[2][1]),
  );
  return { kind, coordinates, weights, volume };
}

function linearPaths(points: Float64Array, offsets: readonly number[], axis: number): Polynomial[] {
  const ends = offsets.flatMap((o) => [points[o + axis], points[o + axis + POINT / 2]]);
  const integers = toCommonIntegers(Float64Array.from(ends));
  return offsets.map((_, i) => trim([integers[2 * i], integers[2 * i + 1] - integers[2 * i]]));
}

/** λ along one axis from the edges e₁, e₂, e₃ along the two others, times the signs of the kind. */
function signedWeights(u: readonly Polynomial[], v: readonly Polynomial[], kind: number): Polynomial[] {
  const first = cross(u, v, 1, 2);
  const second = kind === VERTEX_FACE ? cross(u, v, 2, 0) : cross(u, v, 0, 2);
  const third = kind === VERTEX_FACE ? cross(u, v, 0, 1) : cross(u, v, 1, 0);
  const others = add(second, third);
  return [kind === VERTEX_FACE ? add(others, first) : subtract(others, first), first, second, third];
}

function cross(u: readonly Polynomial[], v: readonly Polynomial[], i: number, j: number): Polynomial {
  return subtract(multiply(u[i], v[j]), multiply(v[i], u[j]));
}

/** Times after the start at which contact may begin. Coordinates matter only where no weight tells anything. */
function coplanarCandidates({ coordinates, weights }: ExactMotion): UnitRoot[] {
  const signed = weights.flat().filter((p) => p.length > 0);
  const decisive =
    signed.length > 0
      ? signed
      : coordinates.flatMap((path) => PAIRS_OF_POINTS.map(([i, j]) => subtract(path[i], path[j])));
  return decisive.filter((p) => p.length > 1).flatMap(findUnitRoots);
}

const PAIRS_OF_POINTS = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const;
const START: UnitRoot = { polynomial: [0n, 1n], numerator: 0n, bits: 0, exact: true };

/** Whether the features touch at a time when the four points are coplanar. */
function touchesAt(motion: ExactMotion, root: UnitRoot): boolean {
  for (const axis of motion.weights) {
    const signs = axis.map((w) => signAtRoot(w, root));
    if (signs.includes(1)) return !signs.includes(-1);
    if (signs.includes(-1)) return true;
  }
  return motion.coordinates.every((path) => touchOnLine(path, motion.kind, root)); // collinear points
}

/**
 * Points on a line: the features are intervals, and they meet when they do along every axis, because a
 * coordinate runs along the line monotonically or not at all.
 */
function touchOnLine(path: readonly Polynomial[], kind: number, root: UnitRoot): boolean {
  const firstCount = kind === VERTEX_FACE ? 1 : 2;
  const first = path.slice(0, firstCount);
  const second = path.slice(firstCount);
  const signs = first.flatMap((p) => second.map((q) => signAtRoot(subtract(p, q), root)));
  return signs.some((s) => s <= 0) && signs.some((s) => s >= 0); // neither is wholly beyond the other
}

/** The root rounded down to 48 bits: at most 2⁻⁴⁸ below the interval of the root, which is as narrow. */
function lowerTime({ numerator, bits }: UnitRoot): number {
  const scaled = bits > TIME_BITS ? numerator >> BigInt(bits - TIME_BITS) : numerator;
  return Number(scaled) / 2 ** Math.min(bits, TIME_BITS);
}
