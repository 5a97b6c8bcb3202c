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

export interface BrainOptions extends MotionOptions {
  /** About how many triangles (20 f² for a whole f). Default: 60000, which gives 60500. */
  triangles?: number;
  /** Depth of the folds. Default: 0.06. */
  fold?: number;
  /** Where the folds run. Default: 1. */
  seed?: number;
}

/**
 * Two halves with a cleft between them, covered with winding folds; closed, about 2 wide, y points up. At rest every
 * ray from the middle meets it once. Motion: it is pulled long while the walls of the cleft are pressed together
 * above. At amplitude 1 they touch in about 20 % of the frames, up to 0.8 in none, because then no two vertices
 * beside each other change order.
 */
export function createBrain(options: BrainOptions = {}): Shape {
  const { amplitude, period } = motionOf(options);
  const { triangles = 60_000, fold = 0.06, seed = 1 } = options;
  checkTriangleTarget(triangles);
  checkOption('fold', fold, 0, 0.2);
  checkSeed(seed);

  const sphere = createGeodesicSphere(geodesicFrequency(triangles));
  const rest = sphere.positions.slice();
  const waves = createWaves(seed);
  for (let o = 0; o < rest.length; o += 3) placeRest(rest, o, waves, fold);
  return createShape('brain', sphere.triangles, rest.length / 3, (time, out) => {
    const depth = amplitude * swing(time, period);
    for (let o = 0; o < out.length; o += 3) {
      const y = rest[o + 1],
        z = rest[o + 2];
      out[o] = rest[o] * (1 - PRESS * depth * pressedShare(y, z));
      out[o + 1] = (1 - 0.1 * Math.min(depth, 2)) * y;
      out[o + 2] = (1 + 0.25 * depth) * z;
    }
  });
}

interface Wave {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly phase: number;
}

const WAVES = 5;
const PRESS = 1.15; // the walls meet at depth 1 / 1.15
const CLEFT = 0.25; // depth of the cleft at the top
const CLEFT_WIDTH = 0.12;
const WIDTH = [0.95, 0.8, 1.15]; // of the two halves together, half of it

function createWaves(seed: number): Wave[] {
  const random = createRandom(seed);
  return Array.from({ length: WAVES }, () => {
    const z = 2 * random() - 1,
      around = random();
    const r = Math.sqrt(1 - z * z),
      turns = 1.1 + 0.5 * random();
    return {
      x: turns * r * cosTurns(around),
      y: turns * r * sinTurns(around),
      z: turns * z,
      phase: random(),
    };
  });
}

/** A point of the unit sphere, moved along its ray. */
function placeRest(p: Float64Array, o: number, waves: readonly Wave[], fold: number): void {
  const x = p[o],
    y = p[o + 1],
    z = p[o + 2];
  const s = x / CLEFT_WIDTH;
  const cleft = (CLEFT * Math.max(0, y + 0.4)) / (1 + s * s);
  const below = y < 0 ? 1 - 0.25 * y * y : 1;
  const radius = below * (1 - cleft) * (1 + fold * windings(Math.abs(x), y, z, waves));
  for (let k = 0; k < 3; k++) p[o + k] *= WIDTH[k] * radius;
}

/** In [−1, 1]: broad ridges and narrow furrows along the level lines of a smooth field. */
function windings(x: number, y: number, z: number, waves: readonly Wave[]): number {
  let field = 0;
  for (const wave of waves) field += sinTurns(wave.x * x + wave.y * y + wave.z * z + wave.phase);
  const s = sinTurns(0.18 * field);
  return 1 - 2 * s * s * s * s;
}

/** 1 above the middle, 0 from a distance on, smooth. */
function pressedShare(y: number, z: number): number {
  const s = 1 - ((y - 0.7) * (y - 0.7) + z * z) / 0.5;
  return s > 0 ? s * s * s : 0;
}
