import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine } from 'pliant';
import { writeObj } from 'pliant/io';
import { CommandError } from '../command-error.ts';
import { type FrameOptions, FramePlan } from '../frames/frame-plan.ts';
import { checkMeshes } from '../output/check-json.ts';
import { refuseClashes } from '../output/clashes.ts';
import { OutputFile, writeOutput } from '../output/output-file.ts';
import { Progress } from '../output/progress.ts';
import { printNote } from '../output/streams.ts';
import { plural } from '../output/text.ts';
import { filesOf, findInputs, inputNames } from '../scene/inputs.ts';
import { openScene } from '../scene/open-scene.ts';
import { reasonOf } from '../scene/read-file.ts';
import type { MeshPose, Scene, SceneMesh } from '../scene/scene.ts';
import { type Actor, createActors } from '../scene/stage.ts';
import { Interruption } from './interruption.ts';

export interface BakeSettings {
  readonly frames: FrameOptions;
  readonly folder: string;
  readonly quiet: boolean;
}

/** Runs `pliant bake`: every frame as an OBJ of world positions, with vertices and triangles in the order of `check`. */
export async function bake(
  paths: readonly string[],
  { frames, folder, quiet }: BakeSettings,
): Promise<number> {
  const scene = await openScene(await findInputs(paths, false));
  const plan = new FramePlan(scene, frames);
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new CommandError(`${folder}: cannot be made: ${reasonOf(error)}`);
  }
  const engine = await createEngine();
  const interruption = new Interruption();
  const progress = new Progress(plan.frameCount, 'frames', quiet);
  try {
    const baker = new Baker(scene, createActors(engine, withEveryVertexUsed(scene)));
    const names = fileNames(plan);
    await refuseInputs(scene, plan, folder, names);
    const list: object[] = [];
    for (let k = 0; k < plan.frameCount && !interruption.signal.aborted; k++) {
      const { index, clip, time, start } = plan.frame(k);
      const file = names(k);
      await baker.write(
        join(folder, file),
        (await Promise.all(scene.parts.map((p, i) => p.poses(start[i])))).flat(),
      );
      list.push({ file, index, clip, time });
      progress.update(k + 1, '');
    }
    progress.finish();
    const head = { version: 1, files: inputNames(scene.inputs), meshes: checkMeshes(scene), frames: list };
    await writeOutput(join(folder, 'frames.json'), `${JSON.stringify(head, null, 1)}\n`, 'json');
    if (!quiet) printNote(`${plural(list.length, 'frame')} in ${folder}`);
    return interruption.exitCode;
  } finally {
    progress.finish();
    interruption.dispose();
    engine.dispose();
  }
}

/** Frames that were baked before may be baked again, but not into their own place. */
function refuseInputs(
  scene: Scene,
  plan: FramePlan,
  folder: string,
  names: (k: number) => string,
): Promise<void> {
  const files = Array.from({ length: plan.frameCount }, (_, k) => names(k));
  const targets = [...files, 'frames.json'].map((name) => {
    return { option: '-o', path: join(folder, name), isModel: true };
  });
  return refuseClashes(targets, scene.inputs.flatMap(filesOf));
}

class Baker {
  readonly #scene: Scene;
  readonly #actors: readonly Actor[];
  readonly #triangles: Uint32Array; // of all meshes, with vertices counted over all

  constructor(scene: Scene, actors: readonly Actor[]) {
    this.#scene = scene;
    this.#actors = actors;
    this.#triangles = new Uint32Array(3 * scene.triangleCount);
    let firstVertex = 0;
    for (const { triangles, positions, firstTriangle } of scene.meshes) {
      for (let i = 0; i < triangles.length; i++)
        this.#triangles[3 * firstTriangle + i] = firstVertex + triangles[i];
      firstVertex += positions.length / 3;
    }
  }

  async write(path: string, poses: readonly MeshPose[]): Promise<void> {
    const { meshes } = this.#scene;
    const pieces: Float64Array[] = meshes.map(({ positions }) => positions);
    for (const actor of this.#actors) {
      actor.pose(poses[actor.index]);
      pieces[actor.index] = actor.positions();
    }
    const groups = meshes.flatMap((mesh) => objectGroups(mesh));
    const bytes = writeObj({ positions: joined(pieces), triangles: this.#triangles, groups });
    const file = await OutputFile.open(path);
    try {
      await file.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
      await file.commit();
    } finally {
      await file.discard();
    }
  }
}

/** An object per mesh; a material is what comes first among the names of a region. */
function objectGroups({ name, regions, firstTriangle }: SceneMesh) {
  return regions
    .filter(({ triangleCount }) => triangleCount > 0)
    .map(({ names, firstTriangle: first, triangleCount }) => ({
      object: name,
      name: '',
      material: names[0] === name ? '' : names[0],
      firstTriangle: firstTriangle + first,
      triangleCount,
    }));
}

/** Bodies move only vertices of triangles. Here those without get a triangle that is a point. */
function withEveryVertexUsed(scene: Scene): Scene {
  const meshes = scene.meshes.map((mesh) => {
    const used = new Uint8Array(mesh.positions.length / 3);
    for (const vertex of mesh.triangles) used[vertex] = 1;
    const unused = [...used.keys()].filter((vertex) => used[vertex] === 0);
    if (unused.length === 0) return mesh;
    const triangles = new Uint32Array(mesh.triangles.length + 3 * unused.length);
    triangles.set(mesh.triangles);
    unused.forEach((vertex, k) => {
      triangles.fill(vertex, mesh.triangles.length + 3 * k, mesh.triangles.length + 3 * k + 3);
    });
    return { ...mesh, triangles };
  });
  return { ...scene, meshes };
}

/** `frame_<clip>_<index>.obj`; characters that file systems dislike become `_`. */
function fileNames(plan: FramePlan): (k: number) => string {
  const taken = new Map<string, number>();
  const stems = new Map(
    plan.clips.map((clip) => {
      const plain = (clip.name ?? 'rest').replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 100) || '_';
      const times = (taken.get(plain.toLowerCase()) ?? 0) + 1;
      taken.set(plain.toLowerCase(), times);
      return [clip, times > 1 ? `${plain}~${times}` : plain];
    }),
  );
  return (k) => `frame_${stems.get(plan.clipOf(k))}_${plan.frame(k).index}.obj`;
}

function joined(pieces: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
