import type { StepReport } from 'pliant/edit';
import { correctionNow, countTouching } from './correct/describe.ts';
import type { Posing } from './correct/posing.ts';
import { contactsOf, manipulatorsOf } from './marks.ts';
import type { Picture, PictureBuffers } from './picture.ts';
import type { EditorFrame } from './protocol.ts';
import { figuresOf, shownControls } from './replies.ts';
import type { EditorSession } from './session.ts';

type Frame = Omit<EditorFrame, 'ticket' | 'steps'>;

/** A session as it is now, drawn into `buffers`. */
export function frameOf(
  session: EditorSession,
  picture: Picture,
  buffers: PictureBuffers,
  report: StepReport | undefined,
): Frame {
  const { shape, replay, isAtRest, corrected } = session;
  const touching = corrected?.correction.touching();
  picture.write({ positions: session.positions, shape, touching }, buffers);
  const frame: Frame = {
    buffers,
    manipulators: manipulatorsOf(shape),
    contacts: contactsOf(shape),
    controls: shownControls(session),
    figures: figuresOf(report),
    isAtRest,
    measured: isAtRest ? (session.measured ??= shape.measure()) : undefined,
    replay: replay && [replay.step, replay.steps],
  };
  if (!corrected || !touching) return frame;
  const count = countTouching(corrected.choice.time, touching)!;
  return {
    ...frame,
    touching: count,
    measured: frame.measured && { ...frame.measured, crossingPairs: count.pairs - count.atBind },
    ...(isAtRest && { corrected: correctionNow(corrected.correction) }),
  };
}

/** A pose that is looked at, or whose contacts are eased. */
export function poseFrameOf(posing: Posing, picture: Picture, buffers: PictureBuffers): Frame {
  const { positions, ...touching } = posing.look();
  picture.write({ positions, touching }, buffers);
  const count = countTouching(posing.choice.time, touching)!;
  return {
    buffers,
    manipulators: new Float32Array(0),
    contacts: new Float32Array(0),
    controls: [],
    figures: undefined,
    isAtRest: true,
    measured: { depth: 0, crossingPairs: count.pairs - count.atBind },
    replay: undefined,
    touching: count,
    ...(posing.correction && { corrected: correctionNow(posing.correction) }),
  };
}
