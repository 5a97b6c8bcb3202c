import type { KernelMemory } from '../kernels/memory.ts';
import type { Handles } from './handles.ts';

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
  /** How many points it moves: as many as the mesh has in kernel memory. */
  readonly pointCount: number;
  /**
   * Declared by deformers whose points follow from affine handles: volumes are then computed from these. Without it they
   * are boxes of the posed points, which are sound for any deformation.
   */
  readonly handles?: Handles;
  /** Checks and copies one pose. Throws InputError, changing nothing, when it cannot be used. */
  setPose(pose: unknown): void;
  /** Checks and copies the two ends of a motion in which every point goes straight from one pose to another. */
  setMotion(start: unknown, end: unknown): void;
  /** A motion from the end of the last one, or from the last pose. */
  moveTo(end: unknown): void;
}

/** A deformer that declares handles. */
export type HandledDeformer = Deformer & { readonly handles: Handles };

export function hasHandles(deformer: Deformer): deformer is HandledDeformer {
  return deformer.handles !== undefined;
}

/** An epoch per point, none of which is valid. */
export function allocateStamps(memory: KernelMemory, count: number): number {
  const address = memory.allocate(4 * count);
  memory.u32.fill(0, address >>> 2, (address >>> 2) + count);
  return address;
}
