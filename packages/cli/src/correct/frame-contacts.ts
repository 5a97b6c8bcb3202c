import { CollisionReport, type Engine, findCollisions, findSelfCollisions } from 'pliant';
import type { GltfScene } from 'pliant/gltf';
import { createGltfPart } from '../scene/gltf-part.ts';
import { assembleScene } from '../scene/open-scene.ts';
import { createActors } from '../scene/stage.ts';

/** Pairs of triangles that touch at one time, as `pliant check` counts them. */
export interface FrameContacts {
  readonly within: readonly number[]; // per mesh of the scene
  readonly between: number;
}

export async function countContacts(
  engine: Engine,
  model: GltfScene,
  path: string,
  clip: number,
  time: number,
): Promise<FrameContacts> {
  const part = createGltfPart(model, path);
  const scene = assembleScene([{ kind: 'gltf', path }], [part]);
  const poses = await part.poses({ clip, time });
  const actors = createActors(engine, scene);
  const within = new Array<number>(scene.meshes.length).fill(0);
  const report = new CollisionReport();
  let between = 0;
  for (const actor of actors) actor.pose(poses[actor.index]);
  actors.forEach((actor, k) => {
    within[actor.index] = findSelfCollisions(actor.body, { report }).pairCount;
    for (const other of actors.slice(k + 1))
      between += findCollisions(actor.body, other.body, { report }).pairCount;
  });
  for (const { body } of actors) body.dispose();
  return { within, between };
}
