import { type AnimationClip, AnimationMixer, LoopOnce, type Mesh, type Object3D, Vector3 } from 'three';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { openContainer } from '../../src/gltf/container.ts';
import { packGlb } from './raw-gltf.ts';

const LOOKS = ['images', 'textures', 'samplers', 'materials', 'cameras'];

/** The same file in three.js, which serves as the oracle: AnimationMixer and getVertexPosition. */
export class ThreeModel {
  readonly gltf: GLTF;
  readonly clips: AnimationClip[];
  #mixer: AnimationMixer | undefined;
  #clip: number | undefined;

  private constructor(gltf: GLTF) {
    this.gltf = gltf;
    this.clips = gltf.animations;
  }

  static async load(bytes: Uint8Array): Promise<ThreeModel> {
    return new ThreeModel(await new GLTFLoader().parseAsync(withoutLooks(bytes), ''));
  }

  pose(clip: number | undefined, time: number): void {
    if (clip !== this.#clip) {
      this.#mixer?.stopAllAction(); // back to rest
      this.#mixer = clip === undefined ? undefined : new AnimationMixer(this.gltf.scene);
      this.#clip = clip;
      if (clip !== undefined) {
        const action = this.#mixer!.clipAction(this.clips[clip]);
        action.setLoop(LoopOnce, 1);
        action.clampWhenFinished = true;
      }
    }
    if (clip !== undefined) this.#mixer!.clipAction(this.clips[clip]).reset().play();
    this.#mixer?.setTime(time);
    this.gltf.scene.updateMatrixWorld(true);
  }

  /** The meshes that a node shows, one per primitive. */
  primitives(node: number): Mesh[] {
    const { associations } = this.gltf.parser;
    let owner: Object3D | undefined;
    this.gltf.scene.traverse((object) => {
      if (associations.get(object)?.nodes === node) owner ??= object;
    });
    if (owner === undefined) throw new Error(`three.js has no node ${node}`);
    if ((owner as Mesh).isMesh) return [owner as Mesh];
    return owner.children.filter(
      (child) => (child as Mesh).isMesh && associations.get(child)?.nodes === undefined,
    ) as Mesh[];
  }

  static worldPositions(mesh: Mesh): Float64Array {
    const { count } = mesh.geometry.attributes.position;
    const out = new Float64Array(3 * count);
    const point = new Vector3();
    for (let v = 0; v < count; v++) {
      mesh.getVertexPosition(v, point);
      point.applyMatrix4(mesh.matrixWorld).toArray(out, 3 * v);
    }
    return out;
  }
}

/** As a .glb, since three.js fetches data URIs. Images cannot be decoded here, and nobody looks at them. */
function withoutLooks(bytes: Uint8Array): ArrayBuffer {
  const { json, binary } = openContainer(bytes, 'oracle');
  const copy = structuredClone(json) as Record<string, unknown> & GLTFJson;
  for (const key of LOOKS) delete copy[key];
  for (const mesh of copy.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  for (const node of copy.nodes ?? []) delete node.camera;
  if (copy.buffers === undefined) return packGlb(copy, new Uint8Array(0)).buffer;

  const buffers = copy.buffers.map(({ uri }) =>
    uri === undefined ? Buffer.from(binary!) : Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64'),
  );
  for (const view of copy.bufferViews ?? []) {
    const before = buffers.slice(0, view.buffer).reduce((sum, buffer) => sum + buffer.length, 0);
    view.byteOffset = (view.byteOffset ?? 0) + before;
    view.buffer = 0;
  }
  const all = new Uint8Array(Buffer.concat(buffers));
  copy.buffers = [{ byteLength: all.length }];
  return packGlb(copy, all).buffer;
}

interface GLTFJson {
  meshes?: { primitives: { material?: number }[] }[];
  nodes?: { camera?: number }[];
  buffers?: { uri?: string; byteLength: number }[];
  bufferViews?: { buffer: number; byteOffset?: number }[];
}
