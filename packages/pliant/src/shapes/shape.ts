import { cosTurns } from '../algebra/trigonometry.ts';
import { COUNT_LIMIT, checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';

/**
 * A procedural mesh with a smooth motion. Bit-equal on every platform for equal options: rest and poses
 * use only + − × ÷, square roots and our own sine. No shape touches itself at rest.
 */
export interface Shape {
  /** For `createTriangleMesh`; positions are those at time 0. */
  readonly source: ShapeSource;
  /** Positions at `time` (seconds) into `out`, three per vertex. Any order of times gives the same poses. */
  deform(time: number, out: Float64Array): void;
}

export interface ShapeSource {
  readonly name: string;
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

export interface MotionOptions {
  /** How far it deforms: 0 stays at rest for ever, 1 is the motion described at the shape. Default: 1. */
  amplitude?: number;
  /** Seconds from rest through the largest deformation and back. Default: 2. */
  period?: number;
}

/** Wraps the motion with checks; the rest shape is the pose at time 0. */
export function createShape(
  name: string,
  triangles: Uint32Array,
  vertexCount: number,
  motion: (time: number, out: Float64Array) => void,
): Shape {
  const positions = new Float64Array(3 * vertexCount);
  motion(0, positions);
  return {
    source: { name, positions, triangles },
    deform(time, out) {
      if (!Number.isFinite(time)) throw new InputError('not-finite', `${name}: time is ${describe(time)}`);
      if (!(out instanceof Float64Array)) {
        throw new InputError('wrong-type', `${name}: out must be a Float64Array`);
      }
      if (out.length !== positions.length) {
        throw new InputError(
          'wrong-length',
          `${name}: out has ${out.length} numbers, expected ${positions.length}`,
        );
      }
      motion(time, out);
    },
  };
}

/** 0 at rest, 1 in the middle of the period, smooth; exactly 0 at time 0. */
export function swing(time: number, period: number): number {
  return (1 - cosTurns(time / period)) / 2;
}

/** The motion's numbers, checked; the first thing a shape does with its options. */
export function motionOf(options: MotionOptions): { amplitude: number; period: number } {
  checkObject('options', options);
  const { amplitude = 1, period = 2 } = options;
  checkOption('amplitude', amplitude, 0, 100);
  checkOption('period', period, 1e-6, 1e6);
  return { amplitude, period };
}

/** A wished number of triangles; shapes come as close as their pattern allows. */
export function checkTriangleTarget(triangles: number): void {
  checkOption('triangles', triangles, 1, COUNT_LIMIT);
}

/** An integer for the random numbers. */
export function checkSeed(seed: number): void {
  checkOption('seed', seed, -(2 ** 31), 2 ** 32);
  if (!Number.isInteger(seed)) throw new InputError('bad-option', `seed must be an integer, not ${seed}`);
}

export function checkOption(name: string, value: number, low: number, high: number): void {
  if (typeof value === 'number' && value >= low && value <= high) return;
  throw new InputError('bad-option', `${name} must be a number in [${low}, ${high}], not ${describe(value)}`);
}

/** A whole number from `least` to `most`. */
export function checkCount(name: string, value: number, least: number, most: number): void {
  checkOption(name, value, least, most);
  if (!Number.isInteger(value))
    throw new InputError('bad-option', `${name} must be a whole number, not ${value}`);
}
