import type { Engine } from 'pliant';
import { reportRegions } from '../../../cli/src/report/mesh-regions.ts';
import type { MeshPose, Scene } from '../../../cli/src/scene/scene.ts';
import { createActors } from '../../../cli/src/scene/stage.ts';
import type { Cast, Stage, StageClip } from '../scenes/scene.ts';
import type { OpenedFiles } from './open-files.ts';

/** Files on a stage: frame k of a clip at k / fps, as `pliant check` counts them. */
export function createFileStage(engine: Engine, { names, scene }: OpenedFiles, fps: number): Stage {
  const [part] = scene.parts;
  let poses: readonly MeshPose[] = [];
  const createCast = (): Cast => {
    const actors = createActors(engine, scene);
    return {
      get bodies() {
        return actors.map(({ body }) => body);
      },
      pose: () => {
        for (const actor of actors) actor.pose(poses[actor.index]);
      },
    };
  };
  const shown = scene.meshes.filter(({ triangles }) => triangles.length > 0);
  const bodies = createCast().bodies; // for their meshes, which later casts share
  const meshes = shown.map((mesh, k) => ({
    name: mesh.name,
    node: mesh.node,
    mesh: bodies[k].mesh,
    sourceTriangles: mesh.triangles,
    tone: k,
    regions: reportRegions(mesh),
  }));
  for (const body of bodies) body.dispose();
  return {
    files: names,
    meshes,
    clips: clipsOf(scene, fps),
    fps,
    self: true,
    notes: part.notes,
    createCast,
    goTo: async (clip, frame) => {
      const moment = part.sequence ? { frame } : part.clips.length > 0 ? { clip, time: frame / fps } : {};
      poses = await part.poses(moment);
    },
  };
}

function clipsOf({ parts: [part] }: Scene, fps: number): StageClip[] {
  const { sequence, clips } = part;
  if (sequence) return [{ name: null, frameCount: sequence.frameCount, times: sequence.times }];
  if (clips.length === 0) return [{ name: null, frameCount: 1 }];
  return clips.map(({ name, duration }) => ({ name, frameCount: Math.floor(duration * fps + 1e-6) + 1 }));
}
