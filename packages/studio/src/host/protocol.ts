import type { Counters } from 'pliant';
import type {
  ControlValues,
  FactRow,
  FrameFacts,
  Legend,
  SourceFile,
  StageSound,
  Strikes,
} from '../scenes/scene.ts';

/** Number of a request. Numbers grow; the answer to a request carries its number. The page only heeds its latest one. */
export type Ticket = number;

interface Asked {
  readonly ticket: Ticket;
  /** Ticket of the request that opened the scene on the page; 0 where there is none. The host forgets all others. */
  readonly shown: Ticket;
}

/** Where in a scene, and what of it. */
export interface FrameChoice {
  readonly clip: number;
  readonly frame: number;
  readonly wants: FrameWants;
}

/**
 * What the page asks of the host; the host lives in a worker where there are workers. Every request but `keep` is
 * answered exactly once, by a reply with its ticket, after any number of `progress` replies.
 */
export type Request = Asked &
  (
    | {
        /** Builds a scene. Whatever is still being built, or reported, is given up. */
        readonly type: 'open';
        readonly scene: string;
        readonly values: ControlValues;
        readonly files: readonly SourceFile[];
        readonly kernels: 'auto' | 'ts';
        readonly first: FrameChoice; // brought into range
      }
    | ({
        /** A frame of the scene that is shown. */
        readonly type: 'frame';
        readonly values: ControlValues; // for live controls
        readonly spare?: SpareBuffers;
      } & FrameChoice)
    | {
        readonly type: 'report';
        readonly kind: 'json' | 'html';
        readonly clip: number;
        readonly frame: number;
        readonly whole: boolean;
      }
    /** Nothing but the scene that is shown is wanted any longer. */
    | { readonly type: 'keep' }
  );

/** Extra pictures of a frame; each costs time that is not measured. */
export interface FrameWants {
  readonly curves: boolean;
  readonly trace: boolean;
}

/** Arrays of a frame that is no longer shown, to be filled again. */
export interface SpareBuffers {
  readonly positions: Float32Array;
  readonly normals: Int16Array;
}

export type Reply = { readonly ticket: Ticket } & (
  | { readonly type: 'opened'; readonly scene: OpenedScene; readonly first: FrameResult }
  | { readonly type: 'frame'; readonly result: FrameResult }
  | { readonly type: 'progress'; readonly what: string; readonly share: number }
  | { readonly type: 'report'; readonly kind: 'json' | 'html'; readonly text: string; readonly name: string }
  | { readonly type: 'failed'; readonly message: string; readonly isExpected: boolean }
  /** Not done: a later request made it superfluous, or its scene is gone. */
  | { readonly type: 'dropped' }
);

/** What is drawn, and what the page says about it. Vertices are those of all meshes, one after the other. */
export interface OpenedScene {
  readonly id: string;
  readonly values: ControlValues;
  readonly files: readonly string[];
  readonly clips: readonly { readonly name: string | null; readonly frameCount: number }[];
  readonly fps: number;
  readonly outlook: readonly [number, number, number];
  readonly floats: boolean;
  readonly margin: number;
  readonly follows: boolean;
  readonly notes: readonly string[];
  readonly kernels: string;
  readonly meshes: readonly OpenedMesh[];
  readonly index: Uint32Array; // three vertices per triangle, by triangle id
  readonly tones: Uint8Array; // per vertex
  readonly vertexCount: number;
  readonly levels: number; // of the deepest tree
  readonly outline: Float32Array; // some points of everything, from some of the frames
  readonly legend: Legend;
  readonly sound?: StageSound;
}

export interface OpenedMesh {
  readonly name: string;
  readonly firstTriangle: number;
  readonly triangleCount: number;
}

export interface FrameResult {
  readonly clip: number;
  readonly frame: number;
  readonly time: number; // seconds
  readonly positions: Float32Array;
  readonly normals: Int16Array; // four per vertex, the last unused
  readonly pliant: Measured;
  readonly traditional: Measured;
  readonly agree: boolean;
  readonly pairCount: number;
  readonly pairs: Uint32Array; // triangle ids over all meshes, sorted; at most MOST_PAIRS
  readonly touching: Uint32Array; // vertices of touching triangles, three each
  readonly curves?: Float32Array; // two points per segment
  readonly trace?: FrameTrace;
  readonly facts?: ShownFacts;
}

/** What the scene itself says about a frame. */
export interface ShownFacts {
  readonly rows: readonly FactRow[];
  readonly tones?: Uint8Array; // per vertex
  readonly legend?: Legend; // instead of that of the scene
  readonly gauge?: FrameFacts['gauge'];
  readonly strikes?: Strikes;
}

export interface Measured {
  readonly milliseconds: number;
  readonly method: string;
  readonly reason: string;
  readonly counters: Counters;
}

/** How far the traditional walk down the trees came; see trace.ts. */
export interface FrameTrace {
  readonly pairs: number; // of boxes that were compared
  readonly boxes: Float32Array; // seven per box: low, high, level
  readonly boxesLeftOut: number;
  readonly index: Uint32Array; // vertices of all triangles, those that the walk did not reach first, then by level
  readonly levelStart: Uint32Array; // into `index`: [0] not reached, [1 + level]; then its length
}

/** Pairs that are sent to the page; all are counted. */
export const MOST_PAIRS = 20_000;

/** Boxes of a trace that are sent to the page, larger ones first. */
export const MOST_BOXES = 8_000;

/** Arrays that change hands instead of being copied. */
export function transferOf(reply: Reply): Transferable[] {
  if (reply.type === 'opened') {
    const { index, tones } = reply.scene;
    return [...buffersOf([index, tones]), ...transferOfFrame(reply.first)];
  }
  return reply.type === 'frame' ? transferOfFrame(reply.result) : [];
}

function transferOfFrame({ positions, normals, pairs, touching, curves, trace, facts }: FrameResult) {
  const ofTrace = [trace?.boxes, trace?.index, trace?.levelStart];
  const ofFacts = [facts?.tones, facts?.strikes?.times, facts?.strikes?.impulses];
  return buffersOf([positions, normals, pairs, touching, curves, ...ofTrace, ...ofFacts]);
}

function buffersOf(arrays: readonly (ArrayBufferView | undefined)[]): Transferable[] {
  return arrays.filter((array) => array !== undefined).map((array) => array.buffer as ArrayBuffer);
}
