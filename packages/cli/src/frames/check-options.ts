import type { IgnoreRule } from '../verdict/name-rules.ts';
import type { FrameOptions } from './frame-plan.ts';

export const METHODS = ['auto', 'batch', 'on-demand', 'depth-first', 'brute-force'] as const;
export const BOUNDS = ['auto', 'boxes', 'two-largest', 'sphere', 'sphere-skin'] as const;

/** Pairs that a frame lists unless --max-pairs says otherwise: about 14 MB of JSON. */
export const DEFAULT_MAX_PAIRS = 1_000_000;

/** What is asked of every frame. Plain data: workers get it too. */
export interface CheckOptions extends FrameOptions {
  readonly scope: 'all' | 'self' | 'between';
  readonly adjacent: boolean;
  readonly method: (typeof METHODS)[number];
  /** For meshes that can have such volumes; the others keep their own. */
  readonly bounds?: (typeof BOUNDS)[number];
  /** Pairs of a frame that are listed, the lowest ones; all are counted. Undefined: all. */
  readonly maxPairs?: number;
  /** Also look at meshes that are flattened or shrunk to a point in a frame; otherwise they are left out of it. */
  readonly includeCollapsed?: boolean;
  readonly ignore: readonly IgnoreRule[];
}
