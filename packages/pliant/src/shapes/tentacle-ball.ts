import { cos, cosc, cosTurns, sin, sinc, sinTurns } from '../algebra/trigonometry.ts';
import { createRandom } from './random.ts';
import {
  checkOption,
  checkSeed,
  checkTriangleTarget,
  createShape,
  type MotionOptions,
  motionOf,
  type Shape,
  swing,
} from './shape.ts';
import { createTentacleBody, type Tentacle } from './tentacle-body.ts';

export interface TentacleBallOptions extends MotionOptions {
  /** About how many triangles; at least some 40 per tentacle. Default: 100000. */
  triangles?: number;
  /** About how many tentacles (10 g² + 2 for a whole g). Default: 92. */
  tentacles?: number;
  /** Their length; the ball has radius 1. Default: 0.8. */
  length?: number;
  /** Directions and phases of their swaying. Default: 1. */
  seed?: number;
}

/**
 * A ball with many tentacles (the squishy ball of ESCC), closed. A patch around each point of a coarse
 * geodesic lattice is lifted off the ball to become the tip of a tentacle; rings of triangles fill the gap.
 * Motion: tentacles bend, each in its own direction, while the ball is squashed. At amplitude 1 tips touch
 * in about 30 % of the frames, up to 0.6 in none.
 */
export function createTentacleBall(options: TentacleBallOptions = {}): Shape {
  const { amplitude, period } = motionOf(options);
  const { triangles = 100_000, tentacles = 92, length = 0.8, seed = 1 } = options;
  checkTriangleTarget(triangles);
  checkOption('tentacles', tentacles, 1, 10_000);
  checkOption('length', length, 0.05, 10);
  checkSeed(seed);

  const coarse = Math.round(Math.sqrt(Math.max(tentacles - 2, 10) / 10));
  const body = createTentacleBody(triangles, coarse, length);
  const sways = createSways(seed, body.tentacles.length, length);
  return createShape('tentacle ball', body.triangles, body.vertexCount, (time, out) => {
    const depth = amplitude * swing(time, period);
    out.set(body.ball);
    for (let i = 0; i < body.tentacles.length; i++) {
      const { reach, direction, phase } = sways[i];
      const curvature = reach * depth * (0.75 + 0.25 * sinTurns((2 * time) / period + phase));
      placeTentacle(body.tentacles[i], curvature, direction + 0.2 * depth * sinTurns(phase), out);
    }
    squash(out, Math.min(depth, 2));
  });
}

interface Sway {
  readonly reach: number; // curvature at depth 1
  readonly direction: number; // in turns around the axis
  readonly phase: number;
}

function createSways(seed: number, count: number, length: number): Sway[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => ({
    reach: (0.9 + 0.6 * random()) / length,
    direction: random(),
    phase: random(),
  }));
}

/** Bends the axis into a circle in the given direction; cross-sections stay rigid. */
function placeTentacle(tentacle: Tentacle, curvature: number, turns: number, out: Float64Array): void {
  const { axis, across, across2, vertices, local } = tentacle;
  const cosT = cosTurns(turns),
    sinT = sinTurns(turns);
  for (let i = 0; i < vertices.length; i++) {
    const x = local[3 * i],
      y = local[3 * i + 1],
      height = local[3 * i + 2];
    const towards = x * cosT + y * sinT,
      beside = y * cosT - x * sinT;
    const angle = curvature * height;
    const u = towards * cos(angle) + height * cosc(angle);
    const h = 1 + height * sinc(angle) - towards * sin(angle);
    const a = u * cosT - beside * sinT,
      b = u * sinT + beside * cosT;
    const o = 3 * vertices[i];
    out[o] = a * across[0] + b * across2[0] + h * axis[0];
    out[o + 1] = a * across[1] + b * across2[1] + h * axis[1];
    out[o + 2] = a * across[2] + b * across2[2] + h * axis[2];
  }
}

function squash(out: Float64Array, depth: number): void {
  const flat = 1 - 0.2 * depth,
    wide = 1 + 0.1 * depth;
  for (let o = 0; o < out.length; o += 3) {
    out[o] *= wide;
    out[o + 1] *= flat;
    out[o + 2] *= wide;
  }
}
