import { InputError } from 'pliant';
import type { Scene, SceneMesh, ScenePart } from '../../../cli/src/scene/scene.ts';
import type { SourceFile } from '../scenes/scene.ts';
import { openGltf } from './open-gltf.ts';
import { openCached, openMesh, openSequence } from './open-mesh.ts';

const GLTF = /\.(glb|gltf)(\.gz)?$/i;
const CACHE = /\.(pc2|mdd)(\.gz)?$/i;
const MESH = /\.(obj|ply|stl|off|mesh|msh|vtk|veg|node)(\.gz)?$/i;
const KNOWN =
  'a .glb or .gltf, a mesh (obj, ply, stl, off, tetrahedra), a folder of frames, or a mesh with its .pc2 or .mdd';
const MOST_TRIANGLES = 4_000_000; // beyond this no browser draws it smoothly

export interface OpenedFiles {
  readonly names: readonly string[]; // of those that are shown
  readonly scene: Scene;
}

/** What files mean together, by the rules of `pliant check`: a model, a mesh, a sequence, or a mesh and its cache. */
export async function openFiles(files: readonly SourceFile[]): Promise<OpenedFiles> {
  const sorted = [...files].sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
  const gltf = sorted.filter(({ path }) => GLTF.test(path));
  const caches = sorted.filter(({ path }) => CACHE.test(path));
  const meshes = sorted.filter(({ path }) => MESH.test(path));
  if (gltf.length > 1 || (gltf.length === 1 && meshes.length > 0)) {
    throw new InputError('unsupported', 'glTF files are shown one at a time');
  }
  if (gltf.length === 1) return finish([gltf[0]], await openGltf(gltf[0], sorted));
  if (meshes.length === 0) throw new InputError('unsupported', nothingToShow(sorted, caches));
  if (caches.length === 0) {
    const part = await (meshes.length === 1 ? openMesh(meshes[0], sorted) : openSequence(meshes, sorted));
    return finish(meshes, part);
  }
  if (caches.length > 1 || meshes.length > 1) {
    throw new InputError('unsupported', `${baseName(caches[0].path)}: a point cache goes with one mesh file`);
  }
  return finish([meshes[0], caches[0]], await openCached(meshes[0], caches[0], sorted));
}

function finish(files: readonly SourceFile[], part: ScenePart): OpenedFiles {
  const meshes: SceneMesh[] = [];
  let firstTriangle = 0;
  part.meshes.forEach((mesh, indexInPart) => {
    meshes.push({ ...mesh, part: 0, indexInPart, firstTriangle, firstTriangleInFile: firstTriangle });
    firstTriangle += mesh.triangles.length / 3;
  });
  if (firstTriangle === 0) throw new InputError('empty', `${part.path}: there are no triangles in this file`);
  if (firstTriangle > MOST_TRIANGLES) {
    const advice = 'use `pliant check` for models of this size';
    throw new InputError('too-large', `${part.path}: ${firstTriangle} triangles; ${advice}`);
  }
  const names = files.map(({ path }) => baseName(path));
  return { names, scene: { inputs: [], parts: [part], meshes, triangleCount: firstTriangle } };
}

function nothingToShow(files: readonly SourceFile[], caches: readonly SourceFile[]): string {
  if (files.length === 0) return `there are no files in this; drop ${KNOWN}`;
  if (caches.length > 0) {
    return `${baseName(caches[0].path)}: a point cache has no triangles; drop the mesh file it belongs to as well`;
  }
  const others = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return `${baseName(files[0].path)}${others}: this is not a format we read; drop ${KNOWN}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
