import type { Tree } from '../../tree/tree.ts';
import type { GaugeKind } from './gauge.ts';
import type { SpreadData } from './node-spread.ts';
import type { ModeShapes } from './pair-radius.ts';

/** What radii need of a tree. */
export type SlotTree = Pick<Tree, 'nodeCount' | 'link' | 'firstSlot' | 'slotCount'>;

/** What tells where the points under nodes are, and how differently modes move them. */
export type SpreadProblem = Pick<RadiusProblem, 'tree' | 'shapes' | 'spread' | 'kind'>;

/** What two nodes are searched with. */
export type SearchProblem = SpreadProblem & Pick<RadiusProblem, 'ignored'>;

/** All that radii around one centre follow from. Plain arrays: it is sent to other threads as it is. */
export interface RadiusProblem {
  readonly tree: SlotTree;
  readonly shapes: ModeShapes;
  /** The same in other units, for planes between parts; and how far they go in those, per gauge. */
  readonly planeShapes: ModeShapes;
  readonly planeShare: number;
  readonly spread: SpreadData;
  readonly kind: GaugeKind;
  /** Part of the squared radius that may be given away. */
  readonly tolerance: number;
  /** Pairs of slots that are left out, as s · slots + t with s < t. */
  readonly ignored: Float64Array;
}
