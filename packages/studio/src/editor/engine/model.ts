import { createTetrahedralMesh, createTriangleMesh, InputError, type TriangleMesh } from 'pliant';
import type { CageSource } from 'pliant/edit';
import { readMesh } from 'pliant/io';
import { baseName, openFiles } from '../../files/open-files.ts';
import type { SourceFile } from '../../scenes/scene.ts';

/** What is edited: a surface, or tetrahedra with their outer faces. Vertices keep the order of the file. */
export interface EditedModel {
  readonly name: string;
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
  /** Four vertices each, where the file has them. */
  readonly tetrahedra?: Uint32Array;
  /** Of a mesh in a pose: where its vertices are without it, and what it is called in its file. */
  readonly bind?: Float64Array;
  readonly part?: string;
}

const TETRAHEDRA = /\.(mesh|msh|vtk|veg|node|ele)(\.gz)?$/i;
const MOST_TRIANGLES = 1_000_000;

/** The surface alone; its source vertices are those of the model. */
export function surfaceOfModel({ name, positions, triangles }: EditedModel): TriangleMesh {
  return createTriangleMesh({ name, positions, triangles });
}

/** What a cage is made from. */
export function cageSourceOf(model: EditedModel): CageSource {
  const { name, positions, tetrahedra } = model;
  return tetrahedra ? createTetrahedralMesh({ name, positions, tetrahedra }) : surfaceOfModel(model);
}

/** All meshes of a file as one surface, at rest; skins in their bind pose. Errors as for `openFiles`. */
export async function readModel(files: readonly SourceFile[]): Promise<EditedModel> {
  const solid = files.find(({ path }) => TETRAHEDRA.test(path));
  if (solid !== undefined) {
    const model = await readSolid(solid, files);
    if (model !== undefined) return model;
  }
  const { names, scene } = await openFiles(files);
  const [part] = scene.parts;
  const poses = await part.poses({});
  const positions: number[][] = [],
    triangles: number[] = [];
  let first = 0;
  for (const mesh of scene.meshes) {
    const { world } = poses[mesh.indexInPart];
    const points = mesh.skin ? Array.from(mesh.positions) : placed(mesh.positions, world);
    positions.push(points);
    for (const vertex of mesh.triangles) triangles.push(first + vertex);
    first += points.length / 3;
  }
  return checked({
    name: withoutExtension(names[0]),
    positions: Float64Array.from(positions.flat()),
    triangles: Uint32Array.from(triangles),
  });
}

/** Undefined for files of such a format that hold triangles only. */
async function readSolid(
  { path, bytes }: SourceFile,
  all: readonly SourceFile[],
): Promise<EditedModel | undefined> {
  const name = baseName(path);
  const file = await readMesh(bytes, name, {
    readSibling: async (sibling) => {
      const found = all.find((other) => baseName(other.path) === sibling);
      if (found) return found.bytes;
      throw new InputError('missing-file', `${sibling}: open it together with ${name}`);
    },
  });
  if (file.kind === 'triangles') return undefined;
  const { positions, tetrahedra } = file;
  if (tetrahedra.length === 0) throw new InputError('empty', `${name}: no tetrahedra`);
  const { boundaryTriangles } = createTetrahedralMesh({ name, positions, tetrahedra });
  return checked({ name: withoutExtension(name), positions, tetrahedra, triangles: boundaryTriangles });
}

function checked(model: EditedModel): EditedModel {
  const count = model.triangles.length / 3;
  if (count > MOST_TRIANGLES) {
    throw new InputError(
      'too-large',
      `${model.name}: ${count} triangles; the editor takes ${MOST_TRIANGLES}`,
    );
  }
  return model;
}

function placed(points: Float64Array, m: Float64Array): number[] {
  const out: number[] = new Array(points.length);
  for (let o = 0; o < points.length; o += 3) {
    for (let a = 0; a < 3; a++) {
      out[o + a] =
        m[4 * a] * points[o] + m[4 * a + 1] * points[o + 1] + m[4 * a + 2] * points[o + 2] + m[4 * a + 3];
    }
  }
  return out;
}

function withoutExtension(name: string): string {
  return name.replace(/\.gz$/i, '').replace(/\.[^.]+$/, '') || name;
}
