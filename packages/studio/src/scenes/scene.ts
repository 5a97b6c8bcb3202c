import type { Body, Engine, TriangleMesh } from 'pliant';
import type { ReportRegions } from '../../../cli/src/html/report-data.ts';

/** A scene of the gallery: one file, one entry in registry.ts. Heavy imports belong inside `open`. */
export interface SceneDefinition {
  readonly id: string; // in links
  readonly title: string;
  readonly summary: string; // one sentence
  readonly controls: readonly Control[];
  /** True for scenes that show files which the user brings. */
  readonly takesFiles?: boolean;
  /** Builds the scene where queries run: in the worker, or in Node. Throws InputError for what it cannot show. */
  open(request: SceneRequest): Promise<Stage>;
}

export interface SceneRequest {
  readonly engine: Engine;
  readonly values: ControlValues;
  readonly files: readonly SourceFile[]; // none: the scene's own data
  /** Told what is being prepared and how much of it is done, from 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
  /** Aborts when the user has gone elsewhere: `open` is then rejected with its reason. */
  readonly signal?: AbortSignal;
}

/** A file by its path below what was dropped. */
export interface SourceFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export type ControlValue = number | string | boolean;
export type ControlValues = Readonly<Record<string, ControlValue>>;

interface ControlBase {
  readonly name: string; // in links
  readonly label: string;
  /** Taken over by `Stage.setValues` while it is being changed. Without it the scene is built anew. */
  readonly live?: boolean;
  /** Changing it shows this clip. */
  readonly clip?: number;
}

export type Control =
  | (ControlBase & {
      readonly kind: 'number';
      readonly initial: number;
      readonly min: number;
      readonly max: number;
      readonly step: number;
    })
  | (ControlBase & {
      readonly kind: 'choice';
      readonly initial: string;
      readonly choices: readonly (readonly [value: string, label: string])[];
    })
  | (ControlBase & { readonly kind: 'flag'; readonly initial: boolean })
  /** A button that starts the motion, with its sound: it has no value. */
  | (ControlBase & { readonly kind: 'start' });

export type ValueControl = Exclude<Control, { kind: 'start' }>;

/** A scene that is set up: what moves, and how. */
export interface Stage {
  /** Base names of files, or the scene's own name: as reports show them. */
  readonly files: readonly string[];
  readonly meshes: readonly StageMesh[]; // one per body
  readonly clips: readonly StageClip[]; // at least one
  readonly fps: number;
  /** Whether bodies are also asked about contacts with themselves. A single body always is. */
  readonly self: boolean;
  /** From where the camera looks at first: a direction out of the scene. */
  readonly outlook?: readonly [x: number, y: number, z: number];
  /** True hides the ground. */
  readonly floats?: boolean;
  /** How far away the camera stands, where 1 just shows what the first frames fill. Default: a little more. */
  readonly margin?: number;
  /** True lets the camera go along with the bodies. */
  readonly follows?: boolean;
  readonly notes: readonly string[];
  /** Points that belong into the picture beside the bodies, three numbers each. */
  readonly corners?: readonly number[];
  /** True: bodies come into the picture from outside; the corners alone say what it shows. */
  readonly isEntered?: boolean;
  /** What tones of bodies mean, where `FrameFacts` change them. */
  readonly legend?: Legend;
  /** How it sounds. Strikes come with `FrameFacts`. */
  readonly sound?: StageSound;
  /**
   * A fresh set of bodies in the order of `meshes`: each method gets its own, so that none helps the other. The
   * traditional one has no certificates.
   */
  createCast(isTraditional?: boolean): Cast;
  /** New values of live controls; the next `goTo` goes by them. */
  setValues?(values: ControlValues): void;
  /** Frees what the stage made in the engine beside its casts. */
  dispose?(): void;
  /** Works out where everything is in a frame. Frames of an endless clip come one after the other, or 0 again. */
  goTo(clip: number, frame: number): void | Promise<void>;
}

export interface Cast {
  /** May be other ones after `pose`. */
  readonly bodies: readonly Body[];
  /** Hands the bodies what `goTo` worked out: part of what is measured. */
  pose(): void;
  /** What else there is to say about the frame, after the queries; not measured. */
  tell?(): FrameFacts;
}

/** What a scene knows about a frame beyond its contacts. */
export interface FrameFacts {
  readonly rows: readonly FactRow[];
  /** Per body, instead of the tones of the meshes. */
  readonly tones?: Uint8Array;
  /** Per triangle of some of them, instead of those of bodies. */
  readonly triangleTones?: readonly { readonly mesh: number; readonly tones: Uint8Array }[];
  /** What tones mean in this frame, instead of the legend of the stage. */
  readonly legend?: Legend;
  /** Triangles that touched something since the frame before: shown like those that touch now. */
  readonly lit?: readonly { readonly mesh: number; readonly triangles: Uint32Array }[];
  /** How far the pose is from rest, and how far nothing can touch. NaN: not known. */
  readonly gauge?: { readonly value: number; readonly limit: number; readonly whose?: string };
  readonly strikes?: Strikes;
}

/** What tones of bodies or of triangles mean. */
export type Legend = readonly (readonly [tone: number, text: string])[];

export type FactRow = readonly [label: string, value: string, title?: string];

/** Resonators of a body, see `LiveSound` of the library. */
export interface StageSound {
  readonly coefficients: Float64Array;
  readonly gains: Float64Array;
  readonly sampleRate: number;
  readonly strikeLength: number; // samples
  readonly loudness: number; // factor that brings usual strikes to about 1
}

/** What struck a body since the frame before. */
export interface Strikes {
  readonly times: Float64Array; // seconds from the frame before
  readonly impulses: Float64Array; // of each strike in turn, one per resonator
}

export interface StageMesh {
  readonly name: string;
  readonly node: number | null;
  readonly mesh: TriangleMesh;
  readonly sourceTriangles: Uint32Array; // three source vertices each
  readonly tone: number; // which colour of the palette
  readonly regions?: ReportRegions;
}

export interface StageClip {
  readonly name: string | null; // null: at rest, a sequence, or the scene's only motion
  readonly frameCount: number; // Infinity: simulated, without end
  /** Seconds at a frame. Default: frame / fps. */
  readonly times?: Float64Array;
}

/** Every control of a scene with its value: the given one where it is sensible, else the initial one. */
export function completeValues(
  { controls }: Pick<SceneDefinition, 'controls'>,
  given: Readonly<Record<string, ControlValue | undefined>>,
): ControlValues {
  return Object.fromEntries(
    controls
      .filter((control) => control.kind !== 'start')
      .map((control) => [control.name, sensible(control, given[control.name])]),
  );
}

function sensible(control: ValueControl, value: ControlValue | undefined): ControlValue {
  if (value === undefined) return control.initial;
  if (control.kind === 'flag') return value === true || value === 'true' || value === '1' || value === 1;
  if (control.kind === 'choice') {
    const text = String(value);
    return control.choices.some(([name]) => name === text) ? text : control.initial;
  }
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return control.initial;
  const steps = Math.round((number - control.min) / control.step);
  // Twelve steps of 0.05 are 0.6, not 0.6000000000000001.
  const rounded = Number((control.min + steps * control.step).toFixed(9));
  return Math.min(control.max, Math.max(control.min, rounded));
}
