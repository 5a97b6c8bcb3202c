import { InputError } from 'pliant';
import type { Correction, ShapeState } from 'pliant/edit';
import { hashOfSurface, type StoredArray, type StoredData, storedArray, writeStored } from 'pliant/io';
import type { EditorSettings } from '../edits.ts';
import { MeshArrays } from '../mesh-arrays.ts';
import { surfaceOfModel } from '../model.ts';
import type { Obstacle } from '../obstacles.ts';
import type { EditorSession, Snapshot } from '../session.ts';
import type { StoredChanges } from '../store.ts';
import type { AnimatedFile, PoseChoice } from './animated-file.ts';
import { modelOf, Posing } from './posing.ts';
import { type PrepareOptions, prepareCorrection } from './prepare-correction.ts';
import { readStoredFile, type StoredFileNames, storeFile } from './stored-file.ts';

export const CORRECTION_PROJECT = 'correction-project';
const VERSION = 1;
/** What is farther from what was stored, of the size, is not the same. */
const SAME = 1e-6;

/** What the header says. A pose that is looked at only has no `state`. */
interface CorrectionSettings {
  readonly version: number;
  readonly file: StoredFileNames;
  readonly choice: PoseChoice;
  readonly state?: {
    readonly resolution: number;
    /** Absent where no shape could be made. */
    readonly shape?: Omit<Snapshot, 'shape' | 'eased' | 'obstacles'> & {
      readonly obstacles: readonly Omit<Obstacle, 'mesh'>[];
      readonly state: Omit<ShapeState, 'pose' | 'contacts' | 'blend'> & {
        readonly groups: readonly number[];
      };
    };
  };
}

/** A pose that is looked at, or a correction on its way. */
export interface CorrectionWork {
  readonly file: AnimatedFile;
  readonly choice: PoseChoice;
  readonly correction: Correction | undefined;
  readonly resolution: number | undefined;
  readonly session: EditorSession | undefined;
}

/**
 * A correction in one file: the file it is for, which pose, and how far it has come. Its shape is prepared anew when it
 * is opened; what has become of the surface is stored as well, so that nothing of it can be lost.
 */
export function writeCorrection({
  file,
  choice,
  correction,
  resolution,
  session,
}: CorrectionWork): Uint8Array {
  const { names, arrays: kept } = storeFile(file);
  const arrays: Record<string, StoredArray> = { ...kept };
  const meshes = new MeshArrays();
  let state: CorrectionSettings['state'];
  if (correction) {
    arrays.result = correction.positions;
    state = { resolution: resolution! };
  }
  if (session) {
    const { shape, controls, obstacles, settings, eased } = session.snapshot();
    arrays.eased = eased!;
    arrays.pose = shape.pose.v;
    const stored = { controls: shape.controls, still: shape.still, groups: shape.pose.groups };
    const placed = obstacles.map((obstacle) => meshes.put(obstacle));
    state = { resolution: resolution!, shape: { controls, settings, obstacles: placed, state: stored } };
  }
  const settings: CorrectionSettings = { version: VERSION, file: names, choice, ...(state && { state }) };
  return writeStored({
    kind: CORRECTION_PROJECT,
    madeFrom: hashOfBind(file, choice),
    settings: { ...settings },
    arrays: { ...arrays, ...meshes.arrays },
  });
}

/** A session that corrects, or a pose, from what `writeCorrection` gave. `changes` came later. Errors: as for projects. */
export async function readCorrection(
  data: StoredData,
  fileName: string,
  { changes, ...work }: PrepareOptions & { changes?: StoredChanges },
): Promise<{ session?: EditorSession; posing?: Posing; file: AnimatedFile; problem?: string }> {
  const settings = readHeader(data, fileName);
  const file = await readStoredFile(data, fileName);
  if (file === undefined) throw new InputError('syntax', `${fileName}: the file in it is missing`);
  const choice = changes?.pose ?? settings.choice;
  const { state } = settings;
  if (state === undefined) return { posing: await Posing.create(file, choice), file };
  const opened = await prepareCorrection(file, choice, { resolution: state.resolution, ...work });
  const { session, posing } = { session: undefined, posing: undefined, ...opened };
  const result = changes?.result ?? storedArray(data, fileName, 'result', 'float64');
  let problem: string | undefined;
  try {
    if (session) session.restore(changes?.snapshot ?? readSnapshot(data, settings, fileName));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'InputError')) throw error;
    problem = `its handles could not be restored (${error.message})`;
    session!.restore(session!.first!);
  }
  const correction = session?.corrected?.correction ?? posing!.correction!;
  try {
    if (isElsewhere(correction.positions, result)) {
      correction.adopt(result);
      problem ??= 'its shape comes out otherwise than it did';
    }
  } catch (error) {
    (session ?? posing)!.dispose();
    throw error;
  }
  if (session === undefined) problem = undefined; // only the result counts
  return { session, posing, file, problem: problem && `${problem}; the surface is as it was left` };
}

function readHeader({ settings }: StoredData, fileName: string): CorrectionSettings {
  const { version, choice, state } = settings as unknown as CorrectionSettings;
  if (version !== VERSION) {
    const advice = `this version of the studio reads ${VERSION}`;
    throw new InputError('unsupported', `${fileName} is a project of version ${String(version)}; ${advice}`);
  }
  const isWhole =
    typeof choice === 'object' && (state === undefined || typeof state?.resolution === 'number');
  if (!isWhole) throw new InputError('syntax', `${fileName}: its settings are not what they should be`);
  return settings as unknown as CorrectionSettings;
}

function readSnapshot(data: StoredData, { state }: CorrectionSettings, fileName: string): Snapshot {
  const { shape } = state!;
  if (shape === undefined) throw new InputError('syntax', `${fileName}: the state of its shape is missing`);
  const { controls, settings, obstacles, state: stored } = shape;
  const meshes = new MeshArrays(data.arrays);
  const { groups, ...rest } = stored;
  const v = storedArray(data, fileName, 'pose', 'float64');
  return {
    controls,
    settings: settings as EditorSettings,
    obstacles: obstacles.map((obstacle) => meshes.take(obstacle, fileName)),
    shape: { ...rest, contacts: undefined, pose: { groups, v } },
    eased: storedArray(data, fileName, 'eased', 'float64'),
  };
}

function isElsewhere(positions: Float64Array, wanted: Float64Array): boolean {
  let size = 0,
    farthest = 0;
  for (let i = 0; i < positions.length; i++) {
    size = Math.max(size, Math.abs(positions[i] - positions[i % 3]));
    farthest = Math.max(farthest, Math.abs(positions[i] - wanted[i]));
  }
  return !(farthest <= SAME * size);
}

export function hashOfBind(file: AnimatedFile, { mesh }: PoseChoice): string {
  return hashOfSurface(surfaceOfModel(modelOf(file, mesh, file.scene.meshes[mesh].positions)));
}
