import {
  type AnimationClip,
  AnimationMixer,
  LoopOnce,
  type Mesh,
  type Object3D,
  type SkinnedMesh,
  Vector3,
} from 'three';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

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

  /** 16 numbers by columns per joint: what three.js hands to the shader. */
  static boneMatrices(mesh: Mesh): Float32Array {
    const { skeleton } = mesh as SkinnedMesh;
    skeleton.update();
    return skeleton.boneMatrices as Float32Array;
  }
}


/** Images cannot be decoded here, and nobody looks at them. */
function withoutLooks(bytes: Uint8Array): ArrayBuffer | string {
  const isBinary = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === 0x46546c67;
  const jsonLength = isBinary ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true) : bytes.length;
  const start = isBinary ? 20 : 0;
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(start, start + jsonLength)));
  for (const key of LOOKS) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  for (const node of json.nodes ?? []) delete node.camera;
  if (!isBinary) return JSON.stringify(json);
  return repack(json, bytes.subarray(start + jsonLength));
}

/** A .glb of this JSON and of the chunks that followed the old one. */
export function repack(json: unknown, chunks: Uint8Array): ArrayBuffer {
  let text = JSON.stringify(json);
  while (new TextEncoder().encode(text).length % 4 !== 0) text += ' ';
  const encoded = new TextEncoder().encode(text);
  const out = new Uint8Array(20 + encoded.length + chunks.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, out.length, true);
  view.setUint32(12, encoded.length, true);
  view.setUint32(16, 0x4e4f534a, true);
  out.set(encoded, 20);
  out.set(chunks, 20 + encoded.length);
  return out.buffer;
}
