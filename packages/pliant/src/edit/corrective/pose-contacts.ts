import { Engine } from '../../body/engine.ts';
import type { GltfScene } from '../../gltf/gltf-scene.ts';
import { createPoser, type Poser } from '../../gltf/poser.ts';
import { chooseKernels } from '../../kernels/choose-kernels.ts';
import { checkMade, checkObject } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { ContactCount } from './correction.ts';
import { Crossings, type TouchingPairs } from './crossings.ts';
import { checkTime, findClip, findMesh } from './find-pose.ts';
import { moveSkin, surfaceOf } from './skin-pose.ts';
import { weldValues } from './weld-values.ts';

export interface PoseContactsOptions {
  /** Which of `scene.meshes`; it must have a skin. Default: the only one that has. */
  mesh?: number;
  /** Where it lives. Default: an engine of its own, which is disposed of with it. */
  engine?: Engine;
}

/** A skinned mesh at a time of a clip, and where it touches itself. */
export interface PosedMesh extends TouchingPairs {
  /** In world coordinates, three numbers per vertex of the file. */
  readonly positions: Float64Array;
}

/** Tells where a skinned mesh touches itself, at any time of any clip. See `createPoseContacts`. */
export class PoseContacts {
  /** Which of the scene's meshes. */
  readonly mesh: number;
  readonly #scene: GltfScene;
  readonly #engine: Engine;
  readonly #ownsEngine: boolean;
  readonly #crossings: Crossings;
  readonly #poser: Poser;
  #isDisposed = false;

  /** Use `createPoseContacts`. @internal */
  constructor(scene: GltfScene, mesh: number, engine: Engine, ownsEngine: boolean) {
    this.mesh = mesh;
    this.#scene = scene;
    this.#engine = engine;
    this.#ownsEngine = ownsEngine;
    this.#crossings = new Crossings(engine, surfaceOf(scene.meshes[mesh]));
    this.#poser = createPoser(scene);
  }

  /** How many pairs of triangles touch, and how many of them do so in the bind pose. Errors as for `createCorrection`. */
  count(clip: number | string, time: number): ContactCount {
    return this.#crossings.count(this.#weld(this.#move(clip, time)));
  }

  /** Which ones, and where the mesh is. */
  find(clip: number | string, time: number): PosedMesh {
    const positions = this.#move(clip, time);
    return { positions, ...this.#crossings.touching(this.#weld(positions)) };
  }

  /** Gives its memory back. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#crossings.dispose();
    if (this.#ownsEngine) this.#engine.dispose();
  }

  #move(clip: number | string, time: number): Float64Array {
    if (this.#isDisposed) throw new InputError('disposed', 'these contacts have been disposed of');
    const { index } = findClip(this.#scene, clip);
    checkTime(this.#scene, index, time);
    return moveSkin(this.#scene, this.mesh, this.#poser, index, time).positions;
  }

  #weld(positions: Float64Array): Float64Array {
    return weldValues(this.#crossings.mesh, positions, 3);
  }
}

/**
 * What tells where a skinned mesh touches itself: to look for poses to correct. It counts what `createCorrection` counts,
 * and `pliant check`. Errors: 'unsupported' without a skin, 'index-out-of-range', 'bad-option'.
 */
export async function createPoseContacts(
  scene: GltfScene,
  options: PoseContactsOptions = {},
): Promise<PoseContacts> {
  checkMade('scene', scene, 'readGltf', 'meshes', 'nodes', 'clips');
  checkObject('options', options);
  const mesh = findMesh(scene, options.mesh);
  const engine = options.engine ?? new Engine(await chooseKernels());
  return new PoseContacts(scene, mesh, engine, options.engine === undefined);
}
