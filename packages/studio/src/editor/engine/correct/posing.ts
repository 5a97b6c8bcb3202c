import {
  type ContactCount,
  type Correction,
  createPoseContacts,
  type PoseContacts,
  type TouchingPairs,
} from 'pliant/edit';
import type { EditedModel } from '../model.ts';
import { type AnimatedFile, checkChoice, nameOfMesh, type PoseChoice } from './animated-file.ts';

const FPS = 30; // as `pliant check` samples clips
const MOST_FRAMES = 1200;

/** Where a clip is looked at: evenly, from its beginning on. */
export interface PoseFrames {
  readonly count: number;
  readonly fps: number;
}

/** A skinned mesh in a pose that is being chosen. */
export class Posing {
  readonly file: AnimatedFile;
  readonly frames: PoseFrames;
  /** What could be made of it without a shape: contacts are eased only. */
  readonly correction: Correction | undefined;
  readonly resolution: number | undefined;
  readonly #contacts: PoseContacts;
  #choice: PoseChoice;

  /** Errors: as for `checkChoice`. */
  static async create(file: AnimatedFile, choice: PoseChoice): Promise<Posing> {
    checkChoice(file, choice);
    return new Posing(file, choice, await createPoseContacts(file.scene, { mesh: choice.mesh }));
  }

  constructor(
    file: AnimatedFile,
    choice: PoseChoice,
    contacts: PoseContacts,
    given: { correction?: Correction; resolution?: number } = {},
  ) {
    this.file = file;
    this.frames = framesOf(file.scene.clips[choice.clip].duration);
    this.correction = given.correction;
    this.resolution = given.resolution;
    this.#contacts = contacts;
    this.#choice = choice;
  }

  get choice(): PoseChoice {
    return this.#choice;
  }

  /** Another time of the same clip. */
  set time(time: number) {
    const choice = { ...this.#choice, time };
    checkChoice(this.file, choice);
    this.#choice = choice;
  }

  /** Where the mesh is, and which of its triangles touch. */
  look(): TouchingPairs & { readonly positions: Float64Array } {
    const { clip, time } = this.#choice;
    if (this.correction) return { positions: this.correction.positions, ...this.correction.touching() };
    return this.#contacts.find(clip, time);
  }

  /** The mesh as it stands. */
  get model(): EditedModel {
    return modelOf(this.file, this.#choice.mesh, this.look().positions);
  }

  /** Contacts of a frame of the clip. */
  countAt(frame: number): ContactCount {
    const { clip } = this.#choice;
    const { duration } = this.file.scene.clips[clip];
    return this.#contacts.count(clip, Math.min(duration, frame / this.frames.fps));
  }

  dispose(): void {
    this.#contacts.dispose();
    this.correction?.dispose();
  }
}

/** A mesh of the file with its vertices in some places. */
export function modelOf({ name, scene }: AnimatedFile, mesh: number, positions: Float64Array): EditedModel {
  const { triangles, positions: bind } = scene.meshes[mesh];
  const plain = name.replace(/\.gz$/i, '').replace(/\.[^.]+$/, '') || name;
  return { name: plain, part: nameOfMesh(scene, mesh), positions, triangles, bind };
}

export function framesOf(duration: number): PoseFrames {
  const fps = Math.min(FPS, (MOST_FRAMES - 1) / Math.max(duration, 1e-9));
  return { fps, count: Math.floor(duration * fps * (1 + 1e-9)) + 1 };
}
