import { cos, cosc, cosTurns, sin, sinc, sinTurns } from '../algebra/trigonometry.ts';
import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { gridTriangles } from './grid-triangles.ts';
import { createRandom } from './random.ts';
import {
  checkSeed,
  checkTriangleTarget,
  createShape,
  type MotionOptions,
  motionOf,
  type Shape,
  swing,
} from './shape.ts';

export interface ClothOptions extends MotionOptions {
  /** About how many triangles: two per cell of a square grid. Default: 51200. */
  triangles?: number;
  /** 'flow': travelling waves. 'fold': one half is laid over the other. Default: 'flow'. */
  motion?: 'flow' | 'fold';
  /** Directions and phases of the waves. Default: 1. */
  seed?: number;
}

/**
 * A flat square of side 2 in the plane y = 0, open. Motions: 'flow' is a sum of waves, free of contact up
 * to amplitude 1.1 (the sideways displacement has a slope below 1, so no two points meet), with
 * overturning crests and contact in about 20 % of the frames at 1.5; 'fold' lays the right part over the
 * left, touching in about 25 % of the frames at amplitude 1 and in none up to 0.8.
 */
export function createCloth(options: ClothOptions = {}): Shape {
  const { amplitude, period } = motionOf(options);
  const { triangles = 51_200, motion = 'flow', seed = 1 } = options;
  checkTriangleTarget(triangles);
  checkSeed(seed);
  if (motion !== 'flow' && motion !== 'fold') {
    throw new InputError('bad-option', `motion must be 'flow' or 'fold', not ${describe(motion)}`);
  }
  const cells = Math.max(1, Math.round(Math.sqrt(triangles / 2)));
  const waves = createWaves(seed, motion === 'flow' ? WAVELENGTHS_FLOW : WAVELENGTHS_FOLD);
  const place = motion === 'flow' ? placeFlowing : placeFolded;

  return createShape('cloth', gridTriangles(cells, cells), (cells + 1) ** 2, (time, out) => {
    const depth = amplitude * swing(time, period);
    let o = 0;
    for (let row = 0; row <= cells; row++) {
      for (let column = 0; column <= cells; column++, o += 3) {
        place((2 * column) / cells - 1, (2 * row) / cells - 1, depth, time / period, waves, out, o);
      }
    }
  });
}

interface Wave {
  readonly x: number; // direction times waves per unit length
  readonly z: number;
  readonly length: number;
  readonly phase: number; // in turns
  readonly speed: number; // in turns per period
}

const WAVELENGTHS_FLOW = [1.3, 0.8, 0.55, 0.4];
const WAVELENGTHS_FOLD = [0.9, 0.6];
const STEEPNESS = 0.9; // sum over the waves at depth 1; from 1 on crests may overturn
const TAU = 2 * Math.PI;

function createWaves(seed: number, lengths: readonly number[]): Wave[] {
  const random = createRandom(seed);
  return lengths.map((length) => {
    const direction = random();
    const x = cosTurns(direction) / length,
      z = sinTurns(direction) / length;
    return { x, z, length, phase: random(), speed: 0.5 + random() };
  });
}

/** Gerstner waves: points circle, so crests are sharp and the cloth moves sideways too. */
function placeFlowing(
  x: number,
  z: number,
  depth: number,
  periods: number,
  waves: readonly Wave[],
  out: Float64Array,
  o: number,
): void {
  const steepness = (depth * STEEPNESS) / waves.length;
  let dx = 0,
    dy = 0,
    dz = 0;
  for (const wave of waves) {
    const turns = wave.x * x + wave.z * z + wave.phase - wave.speed * periods;
    const radius = (steepness * wave.length) / TAU;
    const sideways = radius * wave.length * sinTurns(turns);
    dx -= wave.x * sideways;
    dy += radius * cosTurns(turns);
    dz -= wave.z * sideways;
  }
  out[o] = x + dx;
  out[o + 1] = dy;
  out[o + 2] = z + dz;
}

const FOLD_START = -0.1; // where the bend begins
const FOLD_LENGTH = 0.3; // along the cloth
const FOLD_ANGLE = 1.2 * Math.PI; // at depth 1: past parallel, so the flap comes down
const RIPPLE = 0.012;

/** Flat, then a circular bend, then flat again; ripples along the normal. */
function placeFolded(
  x: number,
  z: number,
  depth: number,
  periods: number,
  waves: readonly Wave[],
  out: Float64Array,
  o: number,
): void {
  let ripple = 0;
  for (const wave of waves) {
    ripple += RIPPLE * depth * cosTurns(wave.x * x + wave.z * z + wave.phase - wave.speed * periods);
  }
  const inBend = Math.min(Math.max(x - FOLD_START, 0), FOLD_LENGTH);
  const beyond = x - FOLD_START - inBend; // negative before the bend
  const angle = (FOLD_ANGLE * depth * inBend) / FOLD_LENGTH;
  const c = cos(angle),
    s = sin(angle);
  out[o] = FOLD_START + inBend * sinc(angle) + beyond * c - ripple * s;
  out[o + 1] = inBend * cosc(angle) + beyond * s + ripple * c;
  out[o + 2] = z;
}
