import { cosTurns, sinTurns } from '../algebra/trigonometry.ts';
import { bendPoint, bendVector } from './bend.ts';
import {
  checkOption,
  checkTriangleTarget,
  createShape,
  type MotionOptions,
  motionOf,
  type Shape,
  swing,
} from './shape.ts';
import {
  circle,
  curveLength,
  equidistantParameters,
  sweepTube,
  tubeResolution,
  tubeTriangles,
} from './tube.ts';

export interface SpringOptions extends MotionOptions {
  /** About how many triangles; at least 120 per turn, the ends counted as two. Default: 16000. */
  triangles?: number;
  /** Full turns of each of the two coils. Default: 6. */
  turns?: number;
  /** Radius of the tube; coils have radius 1 and pitch 1, so neighbours are 0.5 apart. Default: 0.16. */
  tubeRadius?: number;
}

/**
 * A double-helix spring (the spring of SSCC): one closed tube whose centre line is a stadium, two straight
 * sides and two half circles, twisted around its long axis. Motion: the spring is compressed and
 * bent. At amplitude 1 coils touch on the inner side in about 35 % of the frames, up to 0.7 in none.
 */
export function createSpring(options: SpringOptions = {}): Shape {
  const { amplitude, period } = motionOf(options);
  const { triangles = 16_000, turns = 6, tubeRadius = 0.16 } = options;
  checkTriangleTarget(triangles);
  checkOption('turns', turns, 0.5, 1000);
  checkOption('tubeRadius', tubeRadius, 0.01, 0.2);

  const curve = (u: number, out: Float64Array) => twist(stadium(u, turns, out), turns);
  const length = curveLength(curve, SAMPLES_PER_TURN * Math.ceil(turns));
  const { rings, sides } = tubeResolution(
    Math.max(triangles, MIN_PER_TURN * (turns + 2)),
    length,
    tubeRadius,
  );
  const flat = flatRings(equidistantParameters(curve, rings), turns);
  const centers = new Float64Array(3 * rings),
    normals = new Float64Array(3 * rings);
  const directions = circle(sides);

  return createShape('spring', tubeTriangles(rings, sides), rings * sides, (time, out) => {
    const depth = amplitude * swing(time, period);
    const stretch = 1 / (1 + 0.4 * depth); // 1 at rest
    const curvature = (1.3 * depth) / turns;
    for (let o = 0; o < centers.length; o += 3) {
      placeRing(flat[o], flat[o + 1], turns, stretch, centers, normals, o);
      bendVector(normals, o, curvature, centers[o + 1]);
      bendPoint(centers, o, curvature);
    }
    sweepTube(centers, normals, tubeRadius, directions, out);
  });
}

const SAMPLES_PER_TURN = 512;
const MIN_PER_TURN = 120;

/** The closed curve before twisting: signed distance from the axis, height. `u` in [0, 1). */
function stadium(u: number, height: number, out: Float64Array): Float64Array {
  const arc = Math.PI;
  const s = u * (2 * height + 2 * arc);
  if (s < height) setPoint(out, 1, s - height / 2);
  else if (s < height + arc) {
    const turn = (s - height) / (2 * arc);
    setPoint(out, cosTurns(turn), height / 2 + sinTurns(turn));
  } else if (s < 2 * height + arc) setPoint(out, -1, height / 2 - (s - height - arc));
  else {
    const turn = (s - 2 * height - arc) / (2 * arc);
    setPoint(out, -cosTurns(turn), -height / 2 - sinTurns(turn));
  }
  return out;
}

function setPoint(out: Float64Array, distance: number, height: number): void {
  out[0] = distance;
  out[1] = height;
  out[2] = 0;
}

function twist(point: Float64Array, turns: number): void {
  const distance = point[0],
    angle = twistAt(point[1], turns);
  point[0] = distance * cosTurns(angle);
  point[2] = distance * sinTurns(angle);
}

/** In turns: one per unit of height along the coils; it fades out in the half circles, which bend enough. */
function twistAt(y: number, turns: number): number {
  const beyond = Math.abs(y) - turns / 2;
  if (beyond <= 0) return y;
  const rest = 1 - beyond;
  return Math.sign(y) * (turns / 2 + (1 - rest * rest * rest) / 3);
}

/** The derivative of `twistAt`. */
function twistRate(y: number, turns: number): number {
  const rest = 1 - Math.max(Math.abs(y) - turns / 2, 0);
  return rest * rest;
}

function flatRings(parameters: Float64Array, turns: number): Float64Array {
  const flat = new Float64Array(3 * parameters.length);
  for (let i = 0; i < parameters.length; i++) stadium(parameters[i], turns, flat.subarray(3 * i, 3 * i + 3));
  return flat;
}

/** The normal is that of the helicoid in which the curve lies, so rings return to themselves. */
function placeRing(
  distance: number,
  y: number,
  turns: number,
  stretch: number,
  centers: Float64Array,
  normals: Float64Array,
  o: number,
): void {
  const angle = twistAt(y, turns);
  const c = cosTurns(angle),
    s = sinTurns(angle);
  centers[o] = distance * c;
  centers[o + 1] = stretch * y;
  centers[o + 2] = distance * s;
  normals[o] = -stretch * s;
  normals[o + 1] = -2 * Math.PI * distance * twistRate(y, turns);
  normals[o + 2] = stretch * c;
}
