import type { Correction, TouchingPairs } from 'pliant/edit';
import { boxOfModel } from '../place-obstacle.ts';
import type { EditorFrame, OpenedModel, ShownCorrection } from '../protocol.ts';
import { framesOf, type Posing } from './posing.ts';
import type { CorrectedPose } from './prepare-correction.ts';

const RAMP = 0.1; // seconds, as the library has it

/** A pose that is looked at, or one without a shape whose contacts can be eased. */
export function describePosing(
  posing: Posing,
  drawn: Pick<OpenedModel, 'ticket' | 'index' | 'vertexCount' | 'isRestored'>,
): OpenedModel {
  const { model, correction, choice, frames, resolution = 0 } = posing;
  return {
    ...drawn,
    kind: correction ? 'correction' : 'pose',
    name: model.name,
    triangles: model.triangles.length / 3,
    cageVertices: 0,
    tetrahedra: 0,
    levels: 0,
    resolution,
    hasOwnTetrahedra: false,
    ...boxOfModel(model),
    notes: correction?.notes ?? [],
    pose: { ...choice, frames },
    ...(correction && { correction: aboutCorrection(correction) }),
  };
}

/** What a session that corrects says about itself beside what all say. */
export function describeCorrected({
  file,
  choice,
  correction,
}: CorrectedPose): Pick<OpenedModel, 'pose' | 'correction'> {
  const frames = framesOf(file.scene.clips[choice.clip].duration);
  return { pose: { ...choice, frames }, correction: aboutCorrection(correction) };
}

export function correctionNow(correction: Correction): ShownCorrection {
  const { after, moved, furthest } = correction.report();
  return { ...after, moved, furthest };
}

export function countTouching(time: number, { pairs, atBind }: TouchingPairs): EditorFrame['touching'] {
  return { time, pairs: pairs.length / 2, atBind: atBind.reduce((sum, one) => sum + one, 0) };
}

function aboutCorrection({ before, name, shape }: Correction): OpenedModel['correction'] {
  return {
    before: { ...before, moved: 0, furthest: 0 },
    target: { name, ramp: RAMP },
    hasShape: shape !== undefined,
  };
}
