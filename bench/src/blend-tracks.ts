import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  createPoser,
  type GltfMesh,
  type GltfScene,
  readGltf,
  weldAttributes,
} from '../../packages/pliant/src/gltf/index.ts';
import {
  type Body,
  createTriangleMesh,
  type Engine,
  type Skin,
  type TriangleMesh,
} from '../../packages/pliant/src/index.ts';
import { createRandom } from '../../packages/pliant/src/shapes/random.ts';

/** A skinned body and the joint matrices it goes through. */
export interface BlendTrack {
  readonly name: string;
  readonly mesh: TriangleMesh;
  readonly skin: Skin;
  readonly poses: readonly Float64Array[];
}

export type BlendTrackName = (typeof BLEND_TRACKS)[number];
export const BLEND_TRACKS = ['cesium-man', 'makehuman', 'kaykit-knight', 'bent-cylinder'] as const;

export function createBlendBody(engine: Engine, { mesh, skin, name }: BlendTrack): Body {
  return engine.createSkinnedBody(mesh, skin, { name });
}

/** The skinned meshes of a case; undefined when its file is not here. */
export async function createBlendTracks(
  name: BlendTrackName,
  frames: number,
): Promise<BlendTrack[] | undefined> {
  if (name === 'bent-cylinder') return [createBentCylinder(frames, 24, 160, 100)];
  const file = { 'cesium-man': 'CesiumMan', makehuman: 'makehuman', 'kaykit-knight': 'KayKit_Knight' }[name];
  return readBlendTracks(file, frames);
}

/** The skinned meshes of a file of the data folder, over all its clips; without clips in random poses. */
export async function readBlendTracks(file: string, frames: number): Promise<BlendTrack[] | undefined> {
  const path = join(process.env.PLIANT_DATA ?? resolve('../shared/data'), `skinned/${file}.glb`);
  if (!existsSync(path)) return undefined;
  const scene = await readGltf(readFileSync(path), `${file}.glb`);
  const tracks: BlendTrack[] = [];
  scene.meshes.forEach((mesh, index) => {
    if (mesh.skin === undefined || mesh.triangles.length < 3 * SMALLEST_MESH) return;
    const poses =
      scene.clips.length === 0 ? randomPoses(scene, index, frames) : clipPoses(scene, index, frames);
    tracks.push({ name: mesh.nodeName, ...shapeOf(mesh), poses });
  });
  return tracks;
}

/** Parts with fewer triangles are left out. */
const SMALLEST_MESH = 100;

function shapeOf(mesh: GltfMesh): Pick<BlendTrack, 'mesh' | 'skin'> {
  const { positions, triangles } = mesh;
  const { joints, influences, jointIndex, weights } = mesh.skin!;
  return {
    mesh: createTriangleMesh({ positions, triangles, attributes: weldAttributes(mesh) }),
    skin: { jointCount: joints.length, influences, joints: jointIndex, weights },
  };
}

/** Spread over all clips of the file, one after the other. */
function clipPoses(scene: GltfScene, mesh: number, frames: number): Float64Array[] {
  const poser = createPoser(scene);
  const total = scene.clips.reduce((sum, { duration }) => sum + duration, 0);
  return Array.from({ length: frames }, (_, frame) => {
    let time = ((frame + 0.5) / frames) * total,
      clip = 0;
    while (clip < scene.clips.length - 1 && time > scene.clips[clip].duration)
      time -= scene.clips[clip++].duration;
    poser.pose(clip, time);
    const matrices = new Float64Array(12 * scene.meshes[mesh].skin!.joints.length);
    poser.jointMatrices(mesh, matrices);
    return matrices;
  });
}

/** How far a joint may be turned away from its rest, in degrees, by its name; the first that fits counts. */
const LIMITS: readonly (readonly [RegExp, number])[] = [
  [/^root/, 0],
  [/^(spine|neck|head)/, 8],
  [/^(clavicle|shoulder|pelvis|breast)/, 8],
  [/^(upperarm|upperleg)01/, 40],
  [/^(lowerarm|lowerleg)01/, 60],
  [/^(upperarm|upperleg|lowerarm|lowerleg)02/, 15],
  [/^(wrist|foot)/, 25],
  [/^(finger|metacarpal|toe)/, 20],
  [/./, 4], // the face
];

/** Seeded: every joint turned about a random axis, evenly up to its limit. */
function randomPoses(scene: GltfScene, mesh: number, frames: number): Float64Array[] {
  const random = createRandom(4);
  const { joints } = scene.meshes[mesh].skin!;
  return Array.from({ length: frames }, () => {
    const channels = joints.map((node) => {
      const [, limit] = LIMITS.find(([name]) => name.test(scene.nodes.names[node]))!;
      const angle = ((limit * Math.PI) / 180) * random();
      const rest = scene.nodes.rotation.subarray(4 * node, 4 * node + 4);
      const values = turned(rest, [random() - 0.5, random() - 0.5, random() - 0.5], angle);
      return {
        node,
        path: 'rotation',
        interpolation: 'STEP',
        size: 4,
        times: Float64Array.of(0),
        values,
      } as const;
    });
    const poser = createPoser({ ...scene, clips: [{ name: '', duration: 0, channels }] });
    poser.pose(0, 0);
    const matrices = new Float64Array(12 * joints.length);
    poser.jointMatrices(mesh, matrices);
    return matrices;
  });
}

/** A quaternion after a turn about an axis of its own coordinates. */
function turned([a, b, c, d]: Float64Array, axis: readonly number[], angle: number): Float64Array {
  const s = Math.sin(angle / 2) / Math.hypot(...axis);
  const [x, y, z, w] = [s * axis[0], s * axis[1], s * axis[2], Math.cos(angle / 2)];
  return Float64Array.of(
    d * x + a * w + b * z - c * y,
    d * y - a * z + b * w + c * x,
    d * z + a * y - b * x + c * w,
    d * w - a * x - b * y - c * z,
  );
}

/** A cylinder of length 8 and radius 1 with two joints, bent in the middle, more in every frame. */
export function createBentCylinder(frames: number, around: number, along: number, most: number): BlendTrack {
  const positions: number[] = [],
    triangles: number[] = [],
    weights: number[] = [];
  for (let i = 0; i <= along; i++) {
    const x = (8 * i) / along - 4;
    const s = Math.min(1, Math.max(0, x / 4 + 0.5)),
      w = s * s * (3 - 2 * s); // smooth over the middle half
    for (let j = 0; j < around; j++) {
      const angle = (2 * Math.PI * j) / around;
      positions.push(x, Math.cos(angle), Math.sin(angle));
      weights.push(1 - w, w);
      if (i === along) continue;
      const a = i * around + j,
        b = i * around + ((j + 1) % around);
      triangles.push(a, b, a + around, b, b + around, a + around);
    }
  }
  const poses = Array.from({ length: frames }, (_, frame) => {
    const angle = (((frame + 1) / frames) * most * Math.PI) / 180;
    const c = Math.cos(angle),
      s = Math.sin(angle);
    return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0);
  });
  const mesh = createTriangleMesh({ positions, triangles });
  const joints = weights.map((_, k) => k % 2);
  return { name: 'cylinder', mesh, skin: { jointCount: 2, influences: 2, joints, weights }, poses };
}
