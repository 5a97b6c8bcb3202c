import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  createPoser,
  type GltfMesh,
  type GltfScene,
  readGltf,
  weldAttributes,
} from '../../packages/pliant/src/gltf/index.ts';
import { type Body, createTriangleMesh, type Engine } from '../../packages/pliant/src/index.ts';
import { readBlendTracks } from './blend-tracks.ts';
import type { BodyTrack } from './moving-bodies.ts';

/** The meshes of a file in all its clips, one body per node, as `pliant check` has them. */
export interface CharacterScene extends BodyTrack {
  readonly clips: readonly CharacterClip[]; // one after the other
  /** Bodies whose own shape changes; the others touch themselves in every frame as they do at rest. */
  readonly deforms: readonly boolean[];
  /** Frames of all clips at full rate. */
  readonly allFrames: number;
}

export interface CharacterClip {
  readonly name: string;
  readonly firstFrame: number;
  readonly frames: number;
}

export interface CharacterSceneOptions {
  /** Only every n-th frame. Default: 1. */
  readonly step?: number;
  /** At most this many, evenly spread over all that would be taken. Default: all. */
  readonly frames?: number;
  /** Of a file without clips: seeded random poses within joint limits. Default: 200. */
  readonly randomPoses?: number;
}

const RATE = 30; // frames per second
const RANDOM_POSES = 200;
/** Random poses that count as one clip. */
const POSES_PER_CLIP = 20;

/** Undefined when the file is not here. */
export async function readCharacterScene(
  file: string,
  options: CharacterSceneOptions = {},
): Promise<CharacterScene | undefined> {
  const path = join(process.env.PLIANT_DATA ?? resolve('../shared/data'), `skinned/${file}.glb`);
  if (!existsSync(path)) return undefined;
  const scene = await readGltf(readFileSync(path), `${file}.glb`);
  const { moments, allFrames } =
    scene.clips.length > 0 ? clipMoments(scene, options) : await randomMoments(file, scene, options);
  const shapes = scene.meshes.map((mesh) => ({ mesh, shape: shapeOf(mesh) }));
  return {
    triangleCount: scene.meshes.reduce((sum, { triangles }) => sum + triangles.length / 3, 0),
    frames: moments.length,
    allFrames,
    clips: gather(moments),
    deforms: scene.meshes.map(({ skin, morphs }) => skin !== undefined || morphs !== undefined),
    createBodies: (engine) => shapes.map(({ mesh, shape }) => createBody(engine, mesh, shape)),
    pose: (bodies, frame) => {
      for (let m = 0; m < bodies.length; m++) setPose(bodies[m], moments[frame].poses[m]);
    },
  };
}

/** How a mesh stands: what its body is told. */
interface MeshPose {
  readonly world: Float64Array | undefined; // undefined where the joints place it
  readonly shape: Float64Array | { joints: Float64Array; modes: Float64Array } | undefined;
}

interface Moment {
  readonly clip: string;
  readonly poses: readonly MeshPose[];
}

function clipMoments(scene: GltfScene, { step = 1, frames = Infinity }: CharacterSceneOptions) {
  const poser = createPoser(scene);
  const times = scene.clips.flatMap(({ duration }, clip) =>
    Array.from({ length: Math.floor(duration * RATE + 1e-6) + 1 }, (_, k) => ({ clip, time: k / RATE, k })),
  );
  const moments = spread(
    times.filter(({ k }) => k % step === 0),
    frames,
  ).map(({ clip, time }): Moment => {
    poser.pose(clip, time);
    const poses = scene.meshes.map((mesh, m) => {
      const modes = mesh.morphs && new Float64Array(mesh.morphs.count);
      const joints = mesh.skin && new Float64Array(12 * mesh.skin.joints.length);
      const world = joints ? undefined : new Float64Array(12);
      if (modes) poser.morphWeights(m, modes);
      if (joints) poser.jointMatrices(m, joints);
      if (world) poser.worldMatrix(m, world);
      return { world, shape: joints && modes ? { joints, modes } : (joints ?? modes) };
    });
    return { clip: scene.clips[clip].name || String(clip), poses };
  });
  return { moments, allFrames: times.length };
}

/** Those of the bench `certificates`; morph targets stay as the file has them. */
async function randomMoments(file: string, scene: GltfScene, options: CharacterSceneOptions) {
  const { randomPoses = RANDOM_POSES, frames = Infinity } = options;
  const tracks = (await readBlendTracks(file, Math.min(frames, randomPoses)))!;
  if (tracks.length !== scene.meshes.length) throw new Error(`${file}: not every mesh has random poses`);
  const moments = tracks[0].poses.map((_, k): Moment => {
    const poses = tracks.map((track, m) => {
      const { morphs } = scene.meshes[m];
      const joints = track.poses[k];
      return { world: undefined, shape: morphs ? { joints, modes: morphs.defaultWeights } : joints };
    });
    return { clip: `poses ${Math.floor(k / POSES_PER_CLIP)}`, poses };
  });
  return { moments, allFrames: randomPoses };
}

function shapeOf(mesh: GltfMesh) {
  const { positions, triangles } = mesh;
  return createTriangleMesh({ positions, triangles, attributes: weldAttributes(mesh) });
}

function createBody(engine: Engine, mesh: GltfMesh, shape: ReturnType<typeof shapeOf>): Body {
  const { nodeName: name, skin, morphs } = mesh;
  const modes = morphs && { count: morphs.count, displacements: morphs.deltas };
  if (skin) {
    const { joints, influences, jointIndex, weights } = skin;
    return engine.createSkinnedBody(
      shape,
      { jointCount: joints.length, influences, joints: jointIndex, weights },
      { name, modes },
    );
  }
  return modes ? engine.createModalBody(shape, modes, { name }) : engine.createRigidBody(shape, { name });
}

function setPose(body: Body, { world, shape }: MeshPose): void {
  if (shape === undefined) body.setPose(world!);
  else {
    body.setPose(shape);
    if (world) body.setWorldMatrix(world);
  }
}

/** Runs of moments of one clip. */
function gather(moments: readonly Moment[]): CharacterClip[] {
  const clips: { name: string; firstFrame: number; frames: number }[] = [];
  moments.forEach(({ clip }, frame) => {
    if (clips.at(-1)?.name !== clip) clips.push({ name: clip, firstFrame: frame, frames: 0 });
    clips.at(-1)!.frames++;
  });
  return clips;
}

/** At most `wanted` of a list, the first one among them. */
export function spread<Item>(list: readonly Item[], wanted: number): Item[] {
  const count = Math.min(list.length, wanted);
  return Array.from({ length: count }, (_, k) => list[Math.floor((k * list.length) / count)]);
}
