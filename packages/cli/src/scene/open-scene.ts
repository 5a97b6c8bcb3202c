import { CommandError } from '../command-error.ts';
import type { PartInput } from './inputs.ts';
import { openGltf } from './open-gltf.ts';
import { openCached, openMesh, openSequence } from './open-mesh.ts';
import { openModal } from './open-modal.ts';
import type { Scene, SceneMesh, ScenePart } from './scene.ts';

const MOST_TRIANGLES = 2 ** 26; // so that a pair of ids fits in one double

export async function openScene(inputs: readonly PartInput[]): Promise<Scene> {
  const parts: ScenePart[] = [];
  for (const input of inputs) parts.push(await openPart(input));
  return assembleScene(inputs, parts);
}

export function assembleScene(inputs: readonly PartInput[], parts: readonly ScenePart[]): Scene {
  const meshes: SceneMesh[] = [];
  let firstTriangle = 0;
  parts.forEach((part, p) => {
    let firstTriangleInFile = 0;
    part.meshes.forEach((mesh, indexInPart) => {
      meshes.push({ ...mesh, part: p, indexInPart, firstTriangle, firstTriangleInFile });
      firstTriangle += mesh.triangles.length / 3;
      firstTriangleInFile += mesh.triangles.length / 3;
    });
    if (firstTriangleInFile === 0)
      throw new CommandError(`${part.path}: there are no triangles in this file`);
    if (firstTriangle > MOST_TRIANGLES) {
      throw new CommandError(`${part.path}: ${firstTriangle} triangles; the limit is 2^26`);
    }
  });
  return { inputs, parts, meshes, triangleCount: firstTriangle };
}

function openPart(input: PartInput): Promise<ScenePart> {
  if (input.kind === 'gltf') return openGltf(input.path);
  if (input.kind === 'mesh') return openMesh(input.path);
  if (input.kind === 'sequence') return openSequence(input.paths);
  if (input.kind === 'modal') return openModal(input.path, input.modes, input.poses);
  return openCached(input.path, input.cache);
}
