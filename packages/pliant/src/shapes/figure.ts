import { bendPoint } from './bend.ts';
import { meshSolid, type Solid } from './implicit-surface.ts';
import { createMeshedShape } from './meshed-shape.ts';
import { createRandom } from './random.ts';
import { type RoundPart, unionValue } from './round-parts.ts';
import type { MotionOptions, Shape } from './shape.ts';

export interface FigureOptions extends MotionOptions {
  /** About how many triangles; at least some 3500. Default: 15000. */
  triangles?: number;
  /** Proportions and how the limbs hang. Default: 1. */
  seed?: number;
}

/**
 * A doll that hangs by its head: torso, head, two arms and two legs, closed; y points up, and it is about 2.4 high.
 * Motion: its legs are pressed together while it bends. At amplitude 1 they touch in about a third of the
 * frames, up to 0.7 in none, because then no two vertices beside each other change order.
 */
export function createFigure(options: FigureOptions = {}): Shape {
  const move = (out: Float64Array, depth: number) => {
    const curvature = 0.3 * Math.min(depth, 2);
    for (let o = 0; o < out.length; o += 3) {
      out[o] *= 1 - PRESS * depth * legShare(out[o + 1]);
      bendPoint(out, o, curvature);
    }
  };
  const mesh = (triangles: number, seed: number) => meshSolid(createDoll(seed), triangles);
  return createMeshedShape({ name: 'figure', triangles: 15_000, mesh, move }, options);
}

const PRESS = 1.3; // legs meet at depth 1 / 1.3
const SEAM = 0.07;

/** 0 above the hips, 1 at the feet, smooth. */
function legShare(y: number): number {
  const s = Math.min(1, Math.max(0, (-0.45 - y) / 0.6));
  return s * s * (3 - 2 * s);
}

function createDoll(seed: number): Solid {
  const parts = createParts(createRandom(seed));
  return {
    value: (x, y, z) => unionValue(parts, SEAM, x, y, z),
    slope: 1.3,
    box: [-0.95, -1.6, -0.45, 0.95, 1.2, 0.5],
    coarsest: 0.14,
  };
}

function createParts(random: () => number): RoundPart[] {
  const around = (value: number, spread: number) => value + spread * (2 * random() - 1);
  const belly = around(0.3, 0.03);
  const parts: RoundPart[] = [
    { from: [0, 0.3, 0], to: [0, -0.2, 0.02], fromRadius: 0.25, toRadius: belly },
    { from: [0, 0.45, 0], to: [0, 0.75, 0], fromRadius: 0.12, toRadius: 0.11 },
    { from: [0, 0.85, 0.02], to: [0, 0.95, 0], fromRadius: 0.21, toRadius: 0.17 },
  ];
  for (const side of [-1, 1]) {
    const shoulder: [number, number, number] = [0.24 * side, 0.36, 0];
    const elbow: [number, number, number] = [
      around(0.62, 0.04) * side,
      around(0.1, 0.05),
      around(0.02, 0.06),
    ];
    const hand: [number, number, number] = [around(0.7, 0.05) * side, around(-0.3, 0.05), around(0.1, 0.1)];
    const hip: [number, number, number] = [0.16 * side, -0.35, 0];
    const knee: [number, number, number] = [around(0.23, 0.02) * side, -0.85, around(0.05, 0.05)];
    const heel: [number, number, number] = [around(0.24, 0.02) * side, -1.3, around(-0.02, 0.04)];
    const toe: [number, number, number] = [heel[0] + 0.03 * side, -1.36, heel[2] + 0.2];
    parts.push(
      { from: shoulder, to: elbow, fromRadius: 0.12, toRadius: 0.095 },
      { from: elbow, to: hand, fromRadius: 0.095, toRadius: 0.085 },
      { from: hand, to: hand, fromRadius: 0.11, toRadius: 0.11 },
      { from: hip, to: knee, fromRadius: 0.16, toRadius: 0.12 },
      { from: knee, to: heel, fromRadius: 0.12, toRadius: 0.1 },
      { from: heel, to: toe, fromRadius: 0.1, toRadius: 0.09 },
    );
  }
  return parts;
}
