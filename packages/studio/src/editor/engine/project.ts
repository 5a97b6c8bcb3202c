import { InputError, type TaskPool } from 'pliant';
import type { ShapeState } from 'pliant/edit';
import {
  checkMadeFrom,
  hashOfSurface,
  readStored,
  type StoredArray,
  type StoredData,
  storedArray,
  writeStored,
} from 'pliant/io';
import type { AnimatedFile } from './correct/animated-file.ts';
import { type StoredFileNames, storeFile } from './correct/stored-file.ts';
import type { Clusters, EditorSettings } from './edits.ts';
import { MeshArrays } from './mesh-arrays.ts';
import { type EditedModel, surfaceOfModel } from './model.ts';
import type { Obstacle } from './obstacles.ts';
import type { Recording } from './recording.ts';
import { EditorSession, type Snapshot } from './session.ts';

const KIND = 'shape-project';
const VERSION = 1;

/** What the header of a project file says, beside its arrays. */
interface ProjectSettings {
  readonly version: number;
  readonly name: string;
  readonly resolution: number;
  readonly clusters: Clusters;
  readonly settings: EditorSettings;
  readonly controls: Snapshot['controls'];
  readonly obstacles: readonly Omit<Obstacle, 'mesh'>[];
  /** The hash that the shape inside says it was made from. */
  readonly shape: string;
  readonly recording?: Omit<Recording<unknown>, 'start'> & {
    readonly start: Omit<Snapshot, 'shape' | 'obstacles'> & {
      readonly obstacles: readonly Omit<Obstacle, 'mesh'>[];
      readonly shape: Omit<ShapeState, 'pose' | 'contacts' | 'blend'> & {
        readonly groups: readonly number[];
        /** Steps of a blend that was under way; its positions are an array. */
        readonly blendSteps?: number;
      };
    };
  };
  readonly poses: number;
  /** The file that it was opened from, where its poses can be corrected. */
  readonly file?: StoredFileNames;
}

/**
 * Everything about a session in one file, with checksums: the model, its shape with the functions made so far, handles,
 * obstacles, the recording and kept poses. What can be taken back is not stored.
 */
export function writeProject(session: EditorSession, file?: AnimatedFile): Uint8Array {
  const { model, shape, recording, poses } = session;
  const { name, positions, triangles, tetrahedra } = model;
  const { controls, obstacles, settings } = session.snapshot();
  const meshes = new MeshArrays();
  const stored = shape.serialize();
  const kept = file && storeFile(file);
  const header: ProjectSettings = {
    version: VERSION,
    name,
    resolution: session.resolution,
    clusters: session.clusters,
    settings,
    controls,
    obstacles: obstacles.map((obstacle) => meshes.put(obstacle)),
    shape: readStored(stored, 'the shape', 'shape').madeFrom,
    recording: recording && {
      steps: recording.steps,
      edits: recording.edits.map(({ step, edit }) => ({
        step,
        edit:
          edit.do === 'obstacles'
            ? { do: edit.do, obstacles: edit.obstacles.map((obstacle) => meshes.put(obstacle)) }
            : edit,
      })),
      start: {
        controls: recording.start.controls,
        settings: recording.start.settings,
        obstacles: recording.start.obstacles.map((obstacle) => meshes.put(obstacle)),
        shape: {
          controls: recording.start.shape.controls,
          still: recording.start.shape.still,
          groups: recording.start.shape.pose.groups,
          blendSteps: recording.start.shape.blend?.steps,
        },
      },
    },
    poses: poses.length,
    ...(kept && { file: kept.names }),
  };
  const arrays: Record<string, StoredArray> = {
    positions,
    triangles,
    shape: stored,
    ...meshes.arrays,
    ...kept?.arrays,
  };
  if (tetrahedra) arrays.tetrahedra = tetrahedra;
  if (recording) arrays.recordingPose = recording.start.shape.pose.v;
  if (recording?.start.shape.blend) arrays.recordingShown = recording.start.shape.blend.shown;
  poses.forEach((pose, k) => {
    arrays[`pose${k}`] = pose;
  });
  const madeFrom = hashOfSurface(surfaceOfModel(model));
  return writeStored({ kind: KIND, madeFrom, settings: { ...header }, arrays });
}

/**
 * A session from what `writeProject` gave. Errors say what is wrong with the file: 'syntax' or 'truncated' when it is
 * damaged, 'unsupported' for other versions, 'mismatch' when it is stale or no project.
 */
export async function readProject(
  bytes: Uint8Array,
  fileName: string,
  { pool, light }: { pool?: TaskPool; light?: Snapshot } = {},
): Promise<EditorSession> {
  const data = readStored(bytes, fileName, KIND);
  const header = readHeader(data, fileName);
  const positions = storedArray(data, fileName, 'positions', 'float64');
  const triangles = storedArray(data, fileName, 'triangles', 'uint32');
  const tetrahedra = Object.hasOwn(data.arrays, 'tetrahedra')
    ? storedArray(data, fileName, 'tetrahedra', 'uint32')
    : undefined;
  const model: EditedModel = { name: header.name, positions, triangles, tetrahedra };
  checkMadeFrom(data, fileName, hashOfSurface(surfaceOfModel(model)), 'the model in it');
  const stored = storedArray(data, fileName, 'shape', 'uint8');
  const { madeFrom } = readStored(stored, fileName, 'shape');
  if (madeFrom !== header.shape) {
    throw new InputError('mismatch', `${fileName} is stale: the shape in it was made from something else`);
  }
  const meshes = new MeshArrays(data.arrays);
  const { controls, settings, resolution, clusters } = header;
  const obstacles = header.obstacles.map((obstacle) => meshes.take(obstacle, fileName));
  const session = await EditorSession.restore(model, stored, light ?? { controls, obstacles, settings }, {
    resolution,
    clusters,
    pool,
    fileName,
  });
  session.recording = readRecording(data, header, meshes, fileName);
  for (let k = 0; k < header.poses; k++) {
    session.poses.push(storedArray(data, fileName, `pose${k}`, 'float32', positions.length));
  }
  return session;
}

function readHeader({ settings }: StoredData, fileName: string): ProjectSettings {
  const { version, name, resolution, controls, obstacles, poses, shape } =
    settings as unknown as ProjectSettings;
  if (version !== VERSION) {
    const advice = `this version of the studio reads ${VERSION}`;
    throw new InputError('unsupported', `${fileName} is a project of version ${String(version)}; ${advice}`);
  }
  const isWhole =
    typeof name === 'string' &&
    typeof resolution === 'number' &&
    typeof poses === 'number' &&
    typeof shape === 'string' &&
    typeof settings.settings === 'object' &&
    Array.isArray(controls) &&
    Array.isArray(obstacles);
  if (!isWhole) throw new InputError('syntax', `${fileName}: its settings are not what they should be`);
  return settings as unknown as ProjectSettings;
}

function readRecording(
  data: StoredData,
  { recording }: ProjectSettings,
  meshes: MeshArrays,
  fileName: string,
): Recording<Snapshot> | undefined {
  if (recording === undefined) return undefined;
  const { steps, edits, start } = recording;
  const { groups, blendSteps, ...shape } = start.shape;
  const v = storedArray(data, fileName, 'recordingPose', 'float64');
  const blend =
    blendSteps === undefined
      ? undefined
      : { steps: blendSteps, shown: storedArray(data, fileName, 'recordingShown', 'float64') };
  return {
    steps,
    edits: edits.map(({ step, edit }) => ({
      step,
      edit:
        edit.do === 'obstacles'
          ? { do: edit.do, obstacles: edit.obstacles.map((obstacle) => meshes.take(obstacle, fileName)) }
          : edit,
    })),
    start: {
      controls: start.controls,
      settings: start.settings,
      obstacles: start.obstacles.map((obstacle) => meshes.take(obstacle, fileName)),
      shape: { ...shape, contacts: undefined, pose: { groups, v }, blend },
    },
  };
}
