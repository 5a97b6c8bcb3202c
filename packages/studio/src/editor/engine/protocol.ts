import type { SourceFile } from '../../scenes/scene.ts';
import type { PoseChoice, ShownFile } from './correct/animated-file.ts';
import type { PoseFrames } from './correct/posing.ts';
import type { ScannedFrames } from './correct/scan.ts';
import type { Clusters, ControlKind, EditorSettings, Move } from './edits.ts';
import type { ExportedFile, ExportFormat } from './exports.ts';
import type { FullTimes } from './full-method.ts';
import type { Obstacle, ObstacleKind } from './obstacles.ts';
import type { PictureBuffers } from './picture.ts';

/** What the page asks of the worker that edits. Answers come when they are there; nothing waits for them. */
export type Command =
  | { readonly type: 'open-example'; readonly example: string; readonly resolution?: number }
  | { readonly type: 'open-files'; readonly files: readonly SourceFile[]; readonly resolution?: number }
  | { readonly type: 'open-project'; readonly name: string; readonly bytes: Uint8Array }
  /** What was being edited when the page was closed; else an example. */
  | { readonly type: 'open-last'; readonly example: string; readonly resolution?: number }
  /** The same model with another cage. */
  | { readonly type: 'prepare'; readonly resolution: number }
  | { readonly type: 'cancel' }
  /** Another pose of the file is looked at. What is not said stays, or is what comes first. */
  | ({ readonly type: 'choose-pose' } & Partial<PoseChoice>)
  /** Contacts of the clip are counted, frame by frame; or no further. */
  | { readonly type: 'scan' | 'stop-scan' }
  /** A correction of the pose that is looked at. */
  | { readonly type: 'prepare-correction'; readonly resolution?: number }
  /** Lets the correction come apart. */
  | { readonly type: 'resolve' }
  /** The file with the correction, to be saved. */
  | ({ readonly type: 'save-corrected' } & TargetOptions)
  /** The same, to go on with: its poses can be corrected as well. */
  | ({ readonly type: 'keep-correction' } & TargetOptions)
  /** From a pose or a correction back to the shape of its file. */
  | { readonly type: 'leave-pose' }
  | { readonly type: 'add-handle'; readonly vertex: number }
  /** Where a ray first meets the shape, if that is no further than `within`. */
  | {
      readonly type: 'add-handle-at';
      readonly origin: readonly number[];
      readonly direction: readonly number[];
      readonly within?: number;
    }
  | {
      readonly type: 'add-region';
      readonly kind: 'pin' | 'rigid';
      readonly polygon: readonly number[];
      readonly matrix: readonly number[];
      readonly through: boolean;
    }
  /** A gesture: everything until the next one is taken back together. */
  | { readonly type: 'begin'; readonly what: string }
  | { readonly type: 'move'; readonly moves: readonly Move[] }
  | { readonly type: 'remove'; readonly ids: readonly number[] }
  | { readonly type: 'add-obstacle'; readonly kind: ObstacleKind; readonly files?: readonly SourceFile[] }
  | {
      readonly type: 'move-obstacle';
      readonly id: number;
      readonly matrix: readonly number[];
      readonly size?: readonly number[];
    }
  | { readonly type: 'remove-obstacle'; readonly id: number }
  | { readonly type: 'settings'; readonly settings: EditorSettings }
  | { readonly type: 'clusters'; readonly clusters: Clusters }
  | { readonly type: 'undo' | 'redo' | 'reset' | 'record' | 'stop-recording' | 'replay' | 'stop-replay' }
  | { readonly type: 'keep-pose' | 'forget-poses' }
  | { readonly type: 'measure-full' }
  | { readonly type: 'save' }
  | { readonly type: 'export'; readonly format: ExportFormat }
  /** Buffers of a picture that is no longer shown. */
  | { readonly type: 'spare'; readonly ticket: number; readonly buffers: PictureBuffers };

/** A command with what the page was about when it was given. */
export type SentCommand = Command & {
  /** Number of the last request to open something; answers about opening carry it. */
  readonly request?: number;
  /** Ticket of the model that was shown. What was meant for one that is gone does not change another. */
  readonly model?: number;
};

/** Of a morph target. */
export interface TargetOptions {
  readonly name: string;
  readonly ramp: number; // seconds
}

export type Answer =
  | {
      readonly type: 'progress';
      readonly what: string;
      readonly share: number;
      readonly request?: number;
    }
  | { readonly type: 'opened'; readonly model: OpenedModel; readonly request?: number }
  /** A file whose poses can be corrected; undefined: there is none now. */
  | { readonly type: 'file'; readonly file: ShownFile | undefined }
  | { readonly type: 'scanned'; readonly ticket: number; readonly frames: ScannedFrames }
  /** No more frames are looked at for now. */
  | { readonly type: 'scan-ended'; readonly ticket: number }
  | { readonly type: 'resolved'; readonly corrected: ShownCorrection }
  | { readonly type: 'frame'; readonly frame: EditorFrame }
  | { readonly type: 'state'; readonly state: EditorState }
  | { readonly type: 'full'; readonly times: FullTimes | undefined }
  | { readonly type: 'files'; readonly files: readonly ExportedFile[] }
  | { readonly type: 'added'; readonly what: 'control' | 'obstacle'; readonly id: number }
  /** A ray met nothing of the shape. */
  | { readonly type: 'missed' }
  | { readonly type: 'cancelled'; readonly request?: number }
  | { readonly type: 'notice'; readonly title: string; readonly text: string }
  | {
      readonly type: 'failed';
      readonly what: string;
      readonly message: string;
      readonly isExpected: boolean;
      readonly request?: number;
    };

/** A model that is ready to be edited. */
export interface OpenedModel {
  readonly ticket: number; // goes along with its frames
  /** A pose is looked at only; a correction is of one. */
  readonly kind: 'shape' | 'pose' | 'correction';
  readonly name: string;
  readonly example?: string;
  readonly index: Uint32Array;
  readonly vertexCount: number; // drawn
  readonly triangles: number;
  readonly cageVertices: number;
  readonly tetrahedra: number;
  readonly levels: number;
  readonly resolution: number;
  readonly hasOwnTetrahedra: boolean;
  readonly low: readonly number[]; // box of the model at rest
  readonly high: readonly number[];
  /** What was repaired, and what is doubtful. */
  readonly notes: readonly string[];
  readonly isRestored: boolean;
  /** Of a pose or correction: which, and where its clip is looked at. */
  readonly pose?: PoseChoice & { readonly frames: PoseFrames };
  readonly correction?: {
    readonly before: ShownCorrection;
    readonly target: TargetOptions;
    readonly hasShape: boolean;
  };
}

/** Pairs of triangles that touch, those of the bind pose among them; vertices that move, and how far at most. */
export interface ShownCorrection {
  readonly pairs: number;
  readonly atBind: number;
  readonly moved: number;
  readonly furthest: number;
}

/** A shape as it is after some steps. */
export interface EditorFrame {
  readonly ticket: number;
  readonly buffers: PictureBuffers;
  readonly manipulators: Float32Array; // place and level, four numbers each
  readonly contacts: Float32Array; // place and direction, six numbers each
  readonly controls: readonly ShownControl[];
  /** Milliseconds of the steps since the frame before. */
  readonly steps: readonly number[];
  readonly figures: Figures | undefined; // of the last step
  readonly isAtRest: boolean;
  /** At rest: how deep the shape is in anything as it is now, and pairs of triangles that cross. */
  readonly measured: { readonly depth: number; readonly crossingPairs: number } | undefined;
  /** Steps of a replay that are done, and all of them. */
  readonly replay: readonly [done: number, all: number] | undefined;
  /** Of a pose or correction: when, and what touches. */
  readonly touching?: { readonly time: number; readonly pairs: number; readonly atBind: number };
  /** Of a correction at rest. */
  readonly corrected?: ShownCorrection;
}

export interface Figures {
  readonly ms: number;
  readonly columns: number;
  readonly groups: readonly number[]; // by level
  readonly contacts: number;
  readonly pushing: number;
  readonly depth: number;
  readonly crossingPairs: number;
  readonly isKept: boolean; // no shape was found
}

export interface ShownControl {
  readonly id: number;
  readonly kind: ControlKind;
  readonly count: number; // of vertices
  readonly isHold?: boolean;
  readonly target?: readonly number[];
  readonly held?: readonly number[];
  readonly centre?: readonly number[];
  readonly matrix?: readonly number[];
}

/** What changes by commands, not by steps. */
export interface EditorState {
  readonly settings: EditorSettings;
  readonly clusters: Clusters;
  readonly obstacles: readonly ShownObstacle[];
  /** Surfaces of obstacles that the page has not seen yet. */
  readonly meshes: readonly ShownMesh[];
  readonly undoes: string | undefined;
  readonly redoes: string | undefined;
  readonly isRecording: boolean;
  readonly recordedSteps: number | undefined;
  readonly isReplaying: boolean;
  readonly poses: number;
}

export interface ShownObstacle extends Omit<Obstacle, 'mesh'> {
  readonly mesh?: number; // key of a ShownMesh
}

export interface ShownMesh {
  readonly key: number;
  readonly positions: Float32Array;
  readonly triangles: Uint32Array;
}

/** Arrays that change hands instead of being copied. */
export function transferOf(answer: Answer): Transferable[] {
  if (answer.type === 'opened') return [answer.model.index.buffer as ArrayBuffer];
  if (answer.type === 'files') return answer.files.map(({ bytes }) => bytes.buffer as ArrayBuffer);
  if (answer.type !== 'frame') return [];
  const { buffers, manipulators, contacts } = answer.frame;
  const arrays = [...Object.values(buffers), manipulators, contacts] as { buffer: ArrayBuffer }[];
  return arrays.map(({ buffer }) => buffer);
}
