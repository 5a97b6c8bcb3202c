import type { TaskPool } from 'pliant';
import { type Correction, createCorrection, createPoseContacts } from 'pliant/edit';
import { DEFAULT_RESOLUTION } from '../edits.ts';
import { EditorSession } from '../session.ts';
import { type AnimatedFile, checkChoice, type PoseChoice } from './animated-file.ts';
import { modelOf, Posing } from './posing.ts';

/** A correction on its way, and what it is for. */
export interface CorrectedPose {
  readonly file: AnimatedFile;
  readonly choice: PoseChoice;
  readonly correction: Correction;
}

export interface PrepareOptions {
  /** About how many vertices the cage has. Default: 6000. */
  readonly resolution?: number;
  readonly pool?: TaskPool;
  readonly signal?: AbortSignal;
  readonly onProgress?: (share: number) => void;
}

/**
 * A session with the posed mesh as its shape; or, where no shape can be made of it, a pose whose contacts can be eased.
 * Errors: as for `checkChoice` and `createCorrection`.
 */
export async function prepareCorrection(
  file: AnimatedFile,
  choice: PoseChoice,
  { resolution = DEFAULT_RESOLUTION, ...work }: PrepareOptions,
): Promise<{ session: EditorSession } | { posing: Posing }> {
  checkChoice(file, choice);
  const { mesh, clip, time } = choice;
  const correction = await createCorrection(file.scene, clip, time, {
    mesh,
    cage: { vertices: resolution },
    ...work,
  });
  if (correction.shape) {
    const model = modelOf(file, mesh, correction.posed);
    return {
      session: EditorSession.correct({ file, choice, correction }, model, { resolution, pool: work.pool }),
    };
  }
  const contacts = await createPoseContacts(file.scene, { mesh });
  return { posing: new Posing(file, choice, contacts, { correction, resolution }) };
}
