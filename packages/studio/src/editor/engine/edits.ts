import type { Obstacle } from './obstacles.ts';

/** What can be changed at any time. Lengths are in units of the model. */
export interface EditorSettings {
  /** The deepest level of functions that contacts bring in. */
  readonly maxLevel: number;
  /** Static damping, from 0 to 1. */
  readonly damping: number;
  /** Whether the shape can touch itself. */
  readonly self: boolean;
}

export const DEFAULT_SETTINGS: EditorSettings = { maxLevel: 3, damping: 0.5, self: true };

/** Rotations shared in clusters: cells of a level, none, or as many as suit the size. */
export type Clusters = 'auto' | 'off' | 1 | 2 | 3;

export const DEFAULT_RESOLUTION = 6000;

export type ControlKind = 'handle' | 'pin' | 'rigid';

/** A handle to a place, or a rigid region by a row-major 3×4 matrix. */
export type Move =
  | { readonly id: number; readonly target: readonly number[] }
  | { readonly id: number; readonly matrix: readonly number[] };

/** Everything that changes a shape between two steps, as plain data: what is recorded and replayed. */
export type Edit =
  | { readonly do: 'add-handle'; readonly vertex: number }
  | { readonly do: 'add-region'; readonly kind: 'pin' | 'rigid'; readonly vertices: readonly number[] }
  | { readonly do: 'move'; readonly moves: readonly Move[] }
  | { readonly do: 'remove'; readonly ids: readonly number[] }
  | { readonly do: 'obstacles'; readonly obstacles: readonly Obstacle[] }
  | { readonly do: 'settings'; readonly settings: EditorSettings };

/** A handle, pin or region as the page knows it. */
export interface ControlInfo {
  readonly id: number;
  readonly kind: ControlKind;
  /** Of the model. */
  readonly vertices: readonly number[];
  /** Of a pin: it came with the correction, and holds what is far from contacts. */
  readonly isHold?: boolean;
  /** Of a handle: where it should be, and where it is held meanwhile. */
  readonly target?: readonly number[];
  readonly held?: readonly number[];
  /** Of a region: the middle of its vertices when it was made, and how it was moved since. */
  readonly centre?: readonly number[];
  readonly matrix?: readonly number[];
}
