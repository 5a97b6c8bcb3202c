import type { IgnoreRule } from '../verdict/name-rules.ts';
import type { FrameOptions } from './frame-plan.ts';

export const METHODS = ['auto', 'batch', 'on-demand', 'depth-first', 'brute-force'] as const;

/** What is asked of every frame. Plain data: workers get it too. */
export interface CheckOptions extends FrameOptions {
  readonly scope: 'all' | 'self' | 'between';
  readonly adjacent: boolean;
  readonly method: (typeof METHODS)[number];
  readonly maxPairs?: number;
  readonly ignore: readonly IgnoreRule[];
}
