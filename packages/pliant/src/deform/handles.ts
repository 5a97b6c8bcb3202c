import type { BlendList, BlendLists } from './blend-data.ts';
import type { MotionEnd } from './point-source.ts';

/**
 * What a pose is made of: nothing (the points stay at rest, and the body's pose is its world matrix), joint matrices,
 * mode weights, both, meshless nodes, or control points of a cage.
 */
export type HandlesKind = (typeof HANDLES_KINDS)[number];
export const HANDLES_KINDS = ['rest', 'skin', 'modes', 'skin-modes', 'meshless', 'embedded'] as const;

/**
 * The promise of a deformer that every point follows from the handles by blended affine deformation, the formula of
 * BlendDeformer, in its order of operations. Volumes and certificates that are computed from handles rely on it.
 */
export interface Handles {
  readonly kind: HandlesKind;
  readonly jointCount: number;
  readonly modeCount: number;
  /** Joints and their weights per point; undefined without a skin. */
  readonly skinList: BlendList | undefined;
  /** Modes and their displacements per point; undefined without modes. */
  readonly modeList: BlendList | undefined;
  /** Owns both lists, and what is prepared from them; undefined when there are none. */
  readonly lists: BlendLists | undefined;
  /** Where the joint matrices of the pose are in kernel memory: row-major 3×4. */
  matricesAddress(end: MotionEnd): number;
  /** Where the mode weights of the pose are in kernel memory. */
  weightsAddress(end: MotionEnd): number;
}

/** Handles with lists: a skin, modes or both. */
export interface BlendHandles extends Handles {
  readonly lists: BlendLists;
}

/** Handles of points that never leave the rest shape. */
export const REST_HANDLES: Handles = {
  kind: 'rest',
  jointCount: 0,
  modeCount: 0,
  skinList: undefined,
  modeList: undefined,
  lists: undefined,
  matricesAddress: () => 0,
  weightsAddress: () => 0,
};

/** True for handles that move points: a skin, modes or both. */
export function isBlend(handles: Handles | undefined): handles is BlendHandles {
  return handles?.lists !== undefined;
}
