import { InputError } from 'pliant';
import { writeObj, writePc2 } from 'pliant/io';
import { writeGlb } from './glb.ts';
import type { EditedModel } from './model.ts';
import type { EditorSession } from './session.ts';

export type ExportFormat = 'obj' | 'glb' | 'morph' | 'sequence' | 'cache';

export interface ExportedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const SECONDS_PER_POSE = 0.5;
const SAMPLED_POSES = 24;

/**
 * The shape as it is now (obj, glb), as a morph target of the model (morph), or kept poses as an animation of morph
 * targets (sequence) or as a point cache beside an OBJ (cache).
 */
export function exportShape(session: EditorSession, format: ExportFormat): ExportedFile[] {
  const { model, positions: now } = session;
  const { name } = model;
  switch (format) {
    case 'obj':
      return [{ name: `${name}-shaped.obj`, bytes: writeObj(meshOf(model, now)) }];
    case 'glb':
      return [{ name: `${name}-shaped.glb`, bytes: writeGlb({ name, ...meshOf(model, now) }) }];
    case 'morph': {
      const [base, shaped] = compacted(model, [model.positions, now]);
      const targets = [{ name: 'shaped', positions: shaped.positions }];
      return [{ name: `${name}-morph.glb`, bytes: writeGlb({ name, ...base, targets }) }];
    }
    case 'sequence': {
      const [base, ...poses] = compacted(model, [model.positions, ...posesOf(session)]);
      const targets = poses.map(({ positions }, k) => ({ name: `pose ${k + 1}`, positions }));
      const bytes = writeGlb({ name, ...base, targets, secondsPerTarget: SECONDS_PER_POSE });
      return [{ name: `${name}-poses.glb`, bytes }];
    }
    case 'cache': {
      const [base, ...poses] = compacted(model, [model.positions, ...posesOf(session)]);
      const frames = [base, ...poses].map(({ positions }) => positions);
      return [
        { name: `${name}-poses.obj`, bytes: writeObj(base) },
        { name: `${name}-poses.pc2`, bytes: writePc2(frames) },
      ];
    }
  }
}

/** Poses that were kept; else some of the recording, which is played through for it. */
function posesOf(session: EditorSession): ArrayLike<number>[] {
  if (session.poses.length > 0) return session.poses;
  if (session.recording === undefined) {
    throw new InputError('empty', 'there are no poses yet: keep some, or record a session');
  }
  const before = session.snapshot();
  const { steps, start } = session.recording;
  const poses: Float64Array[] = [];
  session.restore(start);
  session.playThrough(session.recording, (step) => {
    if (poses.length < Math.ceil((SAMPLED_POSES * step) / steps)) poses.push(session.positions.slice());
  });
  session.restore(before);
  return poses;
}

function meshOf(model: EditedModel, positions: Float64Array) {
  return compacted(model, [positions])[0];
}

/** Vertices inside of a solid have no place in a surface: they are left out where there are some. */
function compacted(
  { triangles, tetrahedra }: EditedModel,
  shapes: readonly ArrayLike<number>[],
): { positions: Float64Array; triangles: Uint32Array }[] {
  if (tetrahedra === undefined) {
    return shapes.map((positions) => ({ positions: Float64Array.from(positions), triangles }));
  }
  const number = new Map<number, number>();
  for (const v of [...new Set(triangles)].sort((a, b) => a - b)) number.set(v, number.size);
  const kept = [...number.keys()];
  const renumbered = triangles.map((v) => number.get(v)!);
  return shapes.map((positions) => ({
    positions: Float64Array.from(kept.flatMap((v) => [0, 1, 2].map((a) => positions[3 * v + a]))),
    triangles: renumbered,
  }));
}
