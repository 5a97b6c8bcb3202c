import type { KernelMemory } from '../kernels/memory.ts';

/** The start (0) or the end (1) of a motion. Without a motion both are the same pose. */
export type MotionEnd = 0 | 1;

/**
 * Positions of a body's points in some coordinates, computed when somebody asks. Every form uses the same
 * float64 operations in the same order: a point evaluated alone has the bits it has when all are evaluated.
 */
export interface PointSource {
  /** Grows whenever a position may have changed. */
  readonly epoch: number;
  readonly hasMotion: boolean;
  /** The epoch of the motion at whose end the present one starts, where that is known. */
  readonly continuedEpoch?: number;
  /** How many points were computed so far; queries report the difference. Kernels that compute points add theirs. */
  evaluated: number;
  /** Where the points are in kernel memory. Only ensured ones are valid. */
  address(end: MotionEnd): number;
  ensureAll(end: MotionEnd): void;
  ensurePoint(end: MotionEnd, point: number): void;
  /** Where the epoch of each point that is valid now is kept, a u32 each; 0 when all are. */
  stampsAddress(end: MotionEnd): number;
  free(): void;
}

/** Points that follow a pose, in the body's own coordinates. */
export interface Deformer extends PointSource {
  readonly kind: string;
  /** Checks and copies one pose. Throws InputError, changing nothing, when it cannot be used. */
  setPose(pose: unknown): void;
  /** The same for a straight motion of every point from one pose to another. */
  setMotion(start: unknown, end: unknown): void;
  /** A motion from the end of the last one, or from the last pose. */
  moveTo(end: unknown): void;
}

/** An epoch per point, none of which is valid. */
export function allocateStamps(memory: KernelMemory, count: number): number {
  const address = memory.allocate(4 * count);
  memory.u32.fill(0, address >>> 2, (address >>> 2) + count);
  return address;
}
