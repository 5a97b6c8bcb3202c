import type { ShapeState } from 'pliant/edit';
import type { ControlKind, EditorSettings } from './edits.ts';
import type { Obstacle } from './obstacles.ts';

/** Everything about a session that comes and goes, as a value. */
export interface Snapshot {
  readonly shape: ShapeState;
  readonly controls: readonly SavedControl[];
  readonly obstacles: readonly Obstacle[];
  readonly settings: EditorSettings;
  /** Of a correction: what was eased beside the shape. */
  readonly eased?: Float64Array;
}

/** What the session knows about a control beside what the shape keeps of it. */
export interface SavedControl {
  readonly id: number;
  readonly kind: ControlKind;
  readonly shapeId: number;
  readonly isHold?: boolean;
  readonly centre?: readonly number[];
  readonly matrix?: readonly number[];
}
