import type { IgnoreRule } from '../verdict/name-rules.ts';
import type { FrameOptions } from './frame-plan.ts';

export const METHODS = ['auto', 'batch', 'on-demand', 'depth-first', 'brute-force'] as const;
export const BOUNDS = ['auto', 'boxes', 'two-largest', 'sphere', 'sphere-skin'] as const;

/** What is asked of every frame. Plain data: workers get it too. */
export interface CheckOptions extends FrameOptions {
  readonly scope: 'all' | 'self' | 'between';
  readonly adjacent: boolean;
  readonly method: (typeof METHODS)[number];
  /** For meshes that can have such volumes; the others keep their own. */
  readonly bounds?: (typeof BOUNDS)[number];
  readonly maxPairs?: number;
  readonly ignore: readonly IgnoreRule[];
}
