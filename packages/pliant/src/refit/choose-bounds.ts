import { type BlendHandles, isBlend } from '../deform/handles.ts';
import type { PlacedPoints } from '../deform/placed.ts';
import type { Deformer, HandledDeformer } from '../deform/point-source.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import type { BallNodes } from './ball-nodes.ts';
import type { Bounds } from './bounds.ts';
import { HandleBoxes } from './handle-boxes.ts';
import { BlendBalls } from './sphere-blend.ts';
import { SphereBounds } from './sphere-bounds.ts';
import { JointSetBalls } from './sphere-skin.ts';

/** Volumes of the nodes of a body that follows handles; see `BodyOptions.bounds`. */
export type BoundsName = (typeof BOUNDS)[number];
export const BOUNDS = ['auto', 'boxes', 'two-largest', 'sphere-skin', 'sphere'] as const;

/** Weights of a joint set have up to 280 corners when there are eight, and soon more than anybody wants. */
const MOST_INFLUENCES = 8;

/** Throws InputError for a name that is none, and for volumes that such a body cannot have. */
export function checkBounds(
  { memory }: Kernels,
  { pointCount }: ResidentMesh,
  { handles }: Deformer,
  name: unknown,
): void {
  if (name === undefined || name === 'auto') return;
  if (!(BOUNDS as readonly unknown[]).includes(name)) {
    const given = typeof name === 'string' ? name.slice(0, 80) : describe(name);
    throw new InputError('bad-option', `bounds must be one of ${BOUNDS.join(', ')}, not ${given}`);
  }
  if (handles === undefined) {
    throw new InputError('unsupported', `bounds: this body follows no handles and cannot have '${name}'`);
  }
  if (name !== 'sphere-skin') return;
  const isSkin = handles.kind === 'skin' || handles.kind === 'skin-modes';
  if (!(isSkin && isBlend(handles))) {
    throw new InputError('unsupported', "bounds: only a body with a skin can have 'sphere-skin'");
  }
  const start = handles.skinList!.start >>> 2;
  for (let point = 0; point < pointCount; point++) {
    const count = memory.u32[start + point + 1] - memory.u32[start + point];
    if (count <= MOST_INFLUENCES) continue;
    throw new InputError(
      'unsupported',
      `bounds: 'sphere-skin' is for at most ${MOST_INFLUENCES} joints per vertex, and one has ${count}`,
    );
  }
}

/**
 * Volumes of a deformer that declares handles: in the world with `placed`, without it in the body's own coordinates.
 */
export function createHandleBounds(
  kernels: Kernels,
  mesh: ResidentMesh,
  deformer: HandledDeformer,
  placed: PlacedPoints | undefined,
  name: BoundsName,
): Bounds {
  if (name === 'sphere') {
    return new SphereBounds(kernels, mesh, deformer, placed, (nodes) => new BlendBalls(nodes));
  }
  if (name === 'sphere-skin') {
    const skin = deformer.handles as BlendHandles; // see checkBounds
    const createRule = (nodes: BallNodes) => new JointSetBalls(kernels, mesh, skin, nodes);
    return new SphereBounds(kernels, mesh, deformer, placed, createRule);
  }
  const variant = name === 'two-largest' ? 'two-largest' : 'best';
  return new HandleBoxes(kernels, mesh, deformer, placed, { variant });
}
