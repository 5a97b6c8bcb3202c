import { cosTurns, sinTurns } from '../algebra/trigonometry.ts';
import { InputError } from '../mesh/input-error.ts';
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

export interface TorusKnotOptions extends MotionOptions {
  /** About how many triangles. Default: 100000. */
  triangles?: number;
  /** Times around the axis; without common divisor with `q`. Default: 2. */
  p?: number;
  /** Times around the core of the torus. Default: 3. */
  q?: number;
  /** Radius of the tube; the torus has radii 1 and 0.5. Default: 0.16, free for p ≤ 3, q ≤ 5. */
  tubeRadius?: number;
}

/**
 * A closed tube along a torus knot. Motion: a squeeze travels around it, narrowing the torus until
 * strands meet, while the whole bends. At amplitude 1 strands touch in about 35 % of the frames, up to 0.7
 * in none.
 */
export function createTorusKnot(options: TorusKnotOptions = {}): Shape {
  const { amplitude, period } = motionOf(options);
  const { triangles = 100_000, p = 2, q = 3, tubeRadius = 0.16 } = options;
  checkTriangleTarget(triangles);
  checkWindings(p, q);
  checkOption('tubeRadius', tubeRadius, 0.005, 0.3);

  const curve = (u: number, out: Float64Array) => placeRing(p * u, q * u, CORE, out, null, 0);
  const { rings, sides } = tubeResolution(
    triangles,
    curveLength(curve, SAMPLES_PER_WINDING * (p + q)),
    tubeRadius,
  );
  const parameters = equidistantParameters(curve, rings);
  const centers = new Float64Array(3 * rings),
    normals = new Float64Array(3 * rings);
  const directions = circle(sides);

  return createShape('torus knot', tubeTriangles(rings, sides), rings * sides, (time, out) => {
    const depth = amplitude * swing(time, period);
    const curvature = 0.35 * depth;
    for (let ring = 0; ring < rings; ring++) {
      const u = parameters[ring],
        o = 3 * ring;
      const squeeze = (1 + cosTurns(p * u - time / (3 * period))) / 2; // strongest at one side, which travels
      placeRing(p * u, q * u, CORE * Math.max(1 - 0.9 * depth * squeeze, 0), centers, normals, o);
      bendVector(normals, o, curvature, centers[o + 1]);
      bendPoint(centers, o, curvature);
    }
    sweepTube(centers, normals, tubeRadius, directions, out);
  });
}

const CORE = 0.5; // radius of the torus' cross-section
const SAMPLES_PER_WINDING = 512;

/** A point of the torus and its outward normal, which is perpendicular to the knot. */
function placeRing(
  around: number,
  over: number,
  core: number,
  centers: Float64Array,
  normals: Float64Array | null,
  o: number,
): void {
  const c = cosTurns(around),
    s = sinTurns(around);
  const cOver = cosTurns(over),
    sOver = sinTurns(over);
  centers[o] = (1 + core * cOver) * c;
  centers[o + 1] = (1 + core * cOver) * s;
  centers[o + 2] = core * sOver;
  if (normals === null) return;
  normals[o] = cOver * c;
  normals[o + 1] = cOver * s;
  normals[o + 2] = sOver;
}

function checkWindings(p: number, q: number): void {
  checkOption('p', p, 1, 20);
  checkOption('q', q, 1, 20);
  if (Number.isInteger(p) && Number.isInteger(q) && greatestCommonDivisor(p, q) === 1) return;
  throw new InputError('bad-option', `p and q must be integers without common divisor, not ${p} and ${q}`);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
