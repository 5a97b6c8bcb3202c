import { checkLength, checkMade, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { GltfChannel, GltfClip, GltfMesh, GltfScene } from './gltf-scene.ts';
import { sampleChannel } from './interpolation.ts';
import { composeMatrix, multiplyMatrices } from './transforms.ts';

/** Where everything is at one time. Matrices are row-major 3×4, to world coordinates. */
export interface Poser {
  /** Goes to a time (seconds) of a clip; without a clip, to the rest pose. What the clip leaves alone is at rest. */
  pose(clip: number | undefined, time: number): void;
  /** The matrix of the mesh's node, 12 numbers. Of a skinned mesh it has no effect: the joints place it. */
  worldMatrix(mesh: number, out: Float64Array): void;
  /** joint to world × inverse bind, 12 numbers per joint of the mesh's skin. */
  jointMatrices(mesh: number, out: Float64Array): void;
  /** One number per morph target. */
  morphWeights(mesh: number, out: Float64Array): void;
}

/** Starts in the rest pose. */
export function createPoser(scene: GltfScene): Poser {
  checkMade('scene', scene, 'readGltf', 'nodes', 'meshes', 'clips');
  return new ScenePoser(scene);
}

class ScenePoser implements Poser {
  readonly #scene: GltfScene;
  readonly #meshOfNode = new Map<number, number>();
  readonly #translation: Float64Array;
  readonly #rotation: Float64Array;
  readonly #scale: Float64Array;
  readonly #local: Float64Array; // 12 per node
  readonly #world: Float64Array;
  readonly #weights: Float64Array[]; // per mesh

  constructor(scene: GltfScene) {
    const { nodes, meshes } = scene;
    this.#scene = scene;
    this.#translation = nodes.translation.slice();
    this.#rotation = nodes.rotation.slice();
    this.#scale = nodes.scale.slice();
    this.#local = nodes.matrix.slice();
    this.#world = new Float64Array(nodes.matrix.length);
    this.#weights = meshes.map(({ morphs }) => morphs?.defaultWeights.slice() ?? new Float64Array(0));
    meshes.forEach(({ node }, m) => {
      this.#meshOfNode.set(node, m);
    });
    this.#updateWorld();
  }

  pose(clip: number | undefined, time: number): void {
    const channels = clip === undefined ? [] : this.#clip(clip).channels;
    if (typeof time !== 'number' || Number.isNaN(time)) {
      throw new InputError('wrong-type', `time must be a number, not ${describe(time)}`);
    }
    this.#rest();
    for (const channel of channels) this.#apply(channel, time);
    const moved = {
      ...this.#scene.nodes,
      translation: this.#translation,
      rotation: this.#rotation,
      scale: this.#scale,
    };
    for (const { node, path } of channels) if (path !== 'weights') composeMatrix(moved, node, this.#local);
    this.#updateWorld();
  }

  worldMatrix(mesh: number, out: Float64Array): void {
    const { node } = this.#mesh(mesh);
    checkLength('worldMatrix: out', out, 12);
    out.set(this.#world.subarray(12 * node, 12 * node + 12));
  }

  jointMatrices(mesh: number, out: Float64Array): void {
    const { skin } = this.#mesh(mesh);
    if (skin === undefined) throw new InputError('mismatch', `jointMatrices: mesh ${mesh} has no skin`);
    checkLength('jointMatrices: out', out, 12 * skin.joints.length);
    for (let j = 0; j < skin.joints.length; j++) {
      multiplyMatrices(this.#world, 12 * skin.joints[j], skin.inverseBind, 12 * j, out, 12 * j);
    }
  }

  morphWeights(mesh: number, out: Float64Array): void {
    this.#mesh(mesh);
    checkLength('morphWeights: out', out, this.#weights[mesh].length);
    out.set(this.#weights[mesh]);
  }

  #mesh(mesh: number): GltfMesh {
    const found = this.#scene.meshes[mesh];
    if (found !== undefined) return found;
    throw new InputError(
      'index-out-of-range',
      `mesh ${mesh}, but the scene has ${this.#scene.meshes.length}`,
    );
  }

  #clip(clip: number): GltfClip {
    const found = this.#scene.clips[clip];
    if (found !== undefined) return found;
    throw new InputError('index-out-of-range', `clip ${clip}, but the file has ${this.#scene.clips.length}`);
  }

  #rest(): void {
    const { nodes, meshes } = this.#scene;
    this.#translation.set(nodes.translation);
    this.#rotation.set(nodes.rotation);
    this.#scale.set(nodes.scale);
    this.#local.set(nodes.matrix);
    for (let m = 0; m < meshes.length; m++) this.#weights[m].set(meshes[m].morphs?.defaultWeights ?? []);
  }

  #apply(channel: GltfChannel, time: number): void {
    const { node, path } = channel;
    if (path === 'translation') sampleChannel(channel, time, this.#translation, 3 * node);
    else if (path === 'rotation') sampleChannel(channel, time, this.#rotation, 4 * node);
    else if (path === 'scale') sampleChannel(channel, time, this.#scale, 3 * node);
    else sampleChannel(channel, time, this.#weights[this.#meshOfNode.get(node)!], 0);
  }

  #updateWorld(): void {
    const { parent, order } = this.#scene.nodes;
    for (let i = 0; i < order.length; i++) {
      const n = order[i];
      if (parent[n] >= 0)
        multiplyMatrices(this.#world, 12 * parent[n], this.#local, 12 * n, this.#world, 12 * n);
      else this.#world.set(this.#local.subarray(12 * n, 12 * n + 12), 12 * n);
    }
  }
}
