import { cosTurns, sinTurns } from '../algebra/trigonometry.ts';
import { createGeodesicSphere, geodesicFrequency } from './geodesic-sphere.ts';
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

export interface BumpyBallOptions extends MotionOptions {
  /** About how many triangles (20 f² for a whole f). Default: 15000, which gives 14580. */
  triangles?: number;
  /** Height of the bumps on the unit ball. Default: 0.12. */
  bump?: number;
  /** Waves around the ball. Default: 4. */
  frequency?: number;
  /** Places of the bumps. Default: 1. */
  seed?: number;
}

/**
 * A ball with bumps, closed. Motion: it is squashed, its bumps travel, and both poles are pressed in until
 * they meet. At amplitude 1 the poles touch in about 25 % of the frames; below 0.85 never, because then no two
 * points above each other change order.
 */
export function createBumpyBall(options: BumpyBallOptions = {}): Shape {
  const { amplitude, period } = motionOf(options);
  const { triangles = 15_000, bump = 0.12, frequency = 4, seed = 1 } = options;
  checkTriangleTarget(triangles);
  checkOption('bump', bump, 0, 0.5);
  checkOption('frequency', frequency, 0, 100);
  checkSeed(seed);

  const sphere = createGeodesicSphere(geodesicFrequency(triangles));
  const waves = createWaves(seed, frequency);
  const vertexCount = sphere.positions.length / 3;
  return createShape('bumpy ball', sphere.triangles, vertexCount, (time, out) => {
    const depth = amplitude * swing(time, period);
    const travelled = (amplitude * time) / period;
    for (let o = 0; o < out.length; o += 3) {
      const x = sphere.positions[o],
        y = sphere.positions[o + 1],
        z = sphere.positions[o + 2];
      const radius = 1 + bump * bumpiness(x, y, z, waves, travelled);
      const pressed = 1 - PRESS * depth * dent(radius * radius * (x * x + z * z));
      out[o] = (1 + 0.1 * depth) * radius * x;
      out[o + 1] = (1 - 0.2 * Math.min(depth, 1)) * radius * y * pressed;
      out[o + 2] = (1 + 0.1 * depth) * radius * z;
    }
  });
}

interface Wave {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly phase: number;
}

const WAVES = 6;
const PRESS = 1.15; // the poles meet at depth 1 / 1.15
const DENT_RADIUS = 0.9;

/** Directions spread over the sphere, of random length around `frequency` / 2. */
function createWaves(seed: number, frequency: number): Wave[] {
  const random = createRandom(seed);
  return Array.from({ length: WAVES }, () => {
    const z = 2 * random() - 1,
      around = random();
    const r = Math.sqrt(1 - z * z),
      turns = (frequency / 2) * (0.6 + 0.8 * random());
    return {
      x: turns * r * cosTurns(around),
      y: turns * r * sinTurns(around),
      z: turns * z,
      phase: random(),
    };
  });
}

/** In [−1, 1], smooth. */
function bumpiness(x: number, y: number, z: number, waves: readonly Wave[], travelled: number): number {
  let sum = 0;
  for (const wave of waves) sum += cosTurns(wave.x * x + wave.y * y + wave.z * z + wave.phase + travelled);
  return sum / waves.length;
}

/** 1 on the axis, 0 from DENT_RADIUS on, smooth. */
function dent(distanceSquared: number): number {
  const s = 1 - distanceSquared / (DENT_RADIUS * DENT_RADIUS);
  return s > 0 ? s * s * s : 0;
}
