import {
  createTetrahedralMesh,
  createTriangleMesh,
  type Modes,
  type TetrahedralMesh,
  type TriangleMesh,
} from 'pliant';
import { type MeshFile, readMesh, type TetFile } from 'pliant/io';
import { CommandError } from '../command-error.ts';
import { filesOf, findInputs, inputNames, type PartInput } from '../scene/inputs.ts';
import { surfaceOf } from '../scene/mesh-part.ts';
import { openScene } from '../scene/open-scene.ts';
import { readBytes } from '../scene/read-file.ts';
import type { PartMesh, Scene } from '../scene/scene.ts';
import { naming } from './named-errors.ts';

/** The surface whose modes are wanted, and what the files say about how it moves. */
export interface ModesSource {
  readonly path: string; // for messages
  readonly paths: readonly string[];
  readonly files: readonly string[]; // base names
  readonly surface: TriangleMesh; // welded by position only
  /** Of a file of tetrahedra: its vertices are the surface's source vertices. */
  readonly tetrahedra?: TetrahedralMesh;
  readonly morphs?: Modes & { readonly names: readonly string[] };
  readonly frames?: { readonly count: number; read(frame: number): Promise<Float64Array> };
  readonly notes: readonly string[];
}

/** `meshName` chooses among the meshes of a glTF file. */
export async function openModesSource(
  paths: readonly string[],
  meshName: string | undefined,
): Promise<ModesSource> {
  const [input] = await findInputs(paths, false);
  if (meshName !== undefined && input.kind !== 'gltf') {
    throw new CommandError(`--mesh is for glTF files; ${paths[0]} has one mesh only`);
  }
  if (input.kind === 'mesh') return openMeshFile(input);
  const scene = await openScene([input]);
  const [part] = scene.parts;
  const mesh = chooseMesh(scene, meshName);
  const { positions, triangles, modes } = mesh;
  const { sequence } = part;
  return {
    path: part.path,
    paths: filesOf(input),
    files: inputNames([input]),
    surface: await naming(part.path, () => createTriangleMesh({ positions, triangles })),
    morphs: modes,
    frames: sequence && {
      count: sequence.frameCount,
      read: async (frame) => (await part.poses({ frame }))[0].positions!,
    },
    notes: part.notes,
  };
}

/** The tetrahedra of a file that lists some. */
export async function openTetrahedra(path: string): Promise<TetrahedralMesh> {
  const file = await read(path);
  if (file.kind !== 'tetrahedra') throw new CommandError(`${path}: there are no tetrahedra in this file`);
  return tetrahedraOf(file, path);
}

async function openMeshFile(input: PartInput & { kind: 'mesh' }): Promise<ModesSource> {
  const { path } = input;
  const file = await read(path);
  const { positions, triangles } = surfaceOf(file, path);
  if (triangles.length === 0) throw new CommandError(`${path}: there are no triangles in this file`);
  return {
    path,
    paths: [path],
    files: inputNames([input]),
    surface: await naming(path, () => createTriangleMesh({ positions, triangles })),
    tetrahedra: file.kind === 'tetrahedra' ? await tetrahedraOf(file, path) : undefined,
    notes: [],
  };
}

async function read(path: string): Promise<MeshFile | TetFile> {
  return readMesh(await readBytes(path), path, { readSibling: (name) => readBytes(name) });
}

function tetrahedraOf({ positions, tetrahedra }: TetFile, path: string): Promise<TetrahedralMesh> {
  return naming(path, () => createTetrahedralMesh({ positions, tetrahedra }));
}

function chooseMesh({ parts: [part], meshes }: Scene, name: string | undefined): PartMesh {
  const solid = meshes.filter(({ triangles }) => triangles.length > 0);
  const found = name === undefined ? solid : solid.filter((mesh) => mesh.name === name);
  if (found.length === 1) return found[0];
  const names = solid.map((mesh) => mesh.name).join(', ');
  if (name === undefined) {
    throw new CommandError(`${part.path}: choose one of ${solid.length} meshes with --mesh: ${names}`);
  }
  throw new CommandError(
    `${part.path}: ${found.length || 'no'} meshes are called "${name}"; there are ${names}`,
  );
}
