import { sinTurns } from '../algebra/trigonometry.ts';
import { bendPoint } from './bend.ts';
import { meshSolid, type Solid } from './implicit-surface.ts';
import { createMeshedShape } from './meshed-shape.ts';
import { createRandom } from './random.ts';
import { type RoundPart, unionValue } from './round-parts.ts';
import type { MotionOptions, Shape } from './shape.ts';

export interface FishOptions extends MotionOptions {
  /** About how many triangles; at least some 3500. Default: 16000. */
  triangles?: number;
  /** Proportions of body and fins. Default: 1. */
  seed?: number;
}

/**
 * A fish with tail, back and side fins, closed; its head looks along +x, y points up, and it is about 2 long. Motion:
 * it sways and curls up to one side. At amplitude 1 nose and tail touch in about 12 % of the frames, up to
 * 0.85 in none.
 */
export function createFish(options: FishOptions = {}): Shape {
  const sideways = new Float64Array(2); // across the fish, along it
  const move = (out: Float64Array, depth: number, periods: number) => {
    const curvature = CURL * depth;
    for (let o = 0; o < out.length; o += 3) {
      const sway = SWAY * Math.min(depth, 1) * sinTurns(0.4 * out[o] + 2 * periods);
      sideways[0] = out[o + 2] + sway;
      sideways[1] = out[o];
      bendPoint(sideways, 0, curvature);
      out[o] = sideways[1];
      out[o + 2] = sideways[0];
    }
  };
  const mesh = (triangles: number, seed: number) => meshSolid(createFishSolid(seed), triangles);
  return createMeshedShape({ name: 'fish', triangles: 16_000, mesh, move }, options);
}

const CURL = 3.4; // curvature at depth 1: the length of the fish, almost closed
const SWAY = 0.04;
const SEAM = 0.06;

function createFishSolid(seed: number): Solid {
  const parts = createParts(createRandom(seed));
  return {
    value: (x, y, z) => unionValue(parts, SEAM, x, y, z),
    slope: 2.6,
    box: [-1.25, -0.55, -0.4, 1.1, 0.65, 0.4],
    coarsest: 0.1,
  };
}

function createParts(random: () => number): RoundPart[] {
  const around = (value: number, spread: number) => value + spread * (2 * random() - 1);
  const height = around(0.3, 0.03);
  const slim = [1, 1, 1.5] as const,
    flat = [1, 1, 2] as const;
  const parts: RoundPart[] = [
    { from: [0.75, 0, 0], to: [0.25, 0.02, 0], fromRadius: 0.17, toRadius: height, thin: slim },
    { from: [0.25, 0.02, 0], to: [-0.3, 0, 0], fromRadius: height, toRadius: 0.2, thin: slim },
    { from: [-0.3, 0, 0], to: [-0.8, 0, 0], fromRadius: 0.2, toRadius: 0.1, thin: slim },
    { from: [-0.8, 0, 0], to: [-1.05, around(0.3, 0.04), 0], fromRadius: 0.11, toRadius: 0.1, thin: flat },
    { from: [-0.8, 0, 0], to: [-1.05, around(-0.28, 0.04), 0], fromRadius: 0.11, toRadius: 0.1, thin: flat },
    { from: [0.15, 0.25, 0], to: [around(-0.2, 0.05), 0.45, 0], fromRadius: 0.14, toRadius: 0.1, thin: flat },
  ];
  const droop = around(-0.2, 0.03);
  for (const side of [-1, 1]) {
    parts.push({
      from: [0.42, -0.1, 0.14 * side],
      to: [0.22, droop, 0.22 * side],
      fromRadius: 0.08,
      toRadius: 0.09,
      thin: [1, 1.4, 1.2],
    });
  }
  return parts;
}
