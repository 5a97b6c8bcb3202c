import { hashOfSurface } from 'pliant/io';
import type { Keepable } from './autosave.ts';
import { hashOfBind, writeCorrection } from './correct/correction-project.ts';
import { surfaceOfModel } from './model.ts';
import type { Before } from './open-session.ts';
import { writeProject } from './project.ts';

/** How what is open is kept: a shape with the file it came from, a correction, or the pose that is looked at. */
export function keepableOf({ session, posing, file }: Before): Keepable {
  if (session && !session.corrected) {
    return {
      hash: hashOfSurface(surfaceOfModel(session.model)),
      write: () => writeProject(session, file),
      changes: () => ({ snapshot: session.snapshot() }),
    };
  }
  const choice = () => posing?.choice ?? session!.corrected!.choice;
  const correction = session?.corrected?.correction ?? posing?.correction;
  const resolution = session?.resolution ?? posing?.resolution;
  return {
    hash: hashOfBind(file!, choice()),
    write: () => writeCorrection({ file: file!, choice: choice(), correction, resolution, session }),
    changes: () => ({
      pose: choice(),
      ...(session && { snapshot: session.snapshot() }),
      ...(correction && { result: correction.positions }),
    }),
  };
}
