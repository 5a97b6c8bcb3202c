import type { Modes } from '../deform/blend-data.ts';
import {
  checkCoordinates,
  checkIndices,
  checkNumbers,
  checkObject,
  describe,
  type NumberArray,
} from '../mesh/check-input.ts';
import { checkTriangleMesh } from '../mesh/check-mesh.ts';
import { ContentHash } from '../mesh/content-hash.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { weldVertices } from '../mesh/weld.ts';
import { checkMaterial, type Material } from '../simulate/material.ts';
import type { FileBytes } from './file-bytes.ts';
import {
  checkMadeFrom,
  readStored,
  type StoredArray,
  type StoredData,
  storedArray,
  writeStored,
} from './stored-file.ts';

/** How modes came about. 'nonlinear' ones are linear ones and their derivatives, 'sequence' those of a recorded motion. */
export type ModesOrigin = (typeof ORIGINS)[number];

/** Modes of a surface and, where they come from tetrahedra, what reduced dynamics is built from. */
export interface StoredModes {
  readonly origin: ModesOrigin;
  /** Of the surface's source vertices: what `engine.createModalBody` takes. */
  readonly modes: Modes;
  /** Of each mode, such as those of morph targets. */
  readonly names?: readonly string[];
  /** Vibrations per second of each mode. */
  readonly frequencies?: Float64Array;
  /** uᵀKu / uᵀMu of each mode; ω² of linear ones. */
  readonly eigenvalues?: Float64Array;
  /** ‖K x − λ M x‖ / ((λ + σ) ‖M x‖) of each linear mode. */
  readonly residuals?: Float64Array;
  /** Of principal modes: how much of the given displacements each holds. Those left out may follow. */
  readonly singularValues?: Float64Array;
  /** Of a recorded motion: as many numbers per frame as there are modes. */
  readonly poses?: Float64Array;
  readonly material?: Material;
  readonly solid?: StoredSolid;
  /** Anything else worth keeping, as JSON would keep it. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * With `material`, the source of a reduced model: `createReducedModel({ mesh: createTetrahedralMesh(solid), modes:
 * solid.vectors, weights: solid.fill, material, surface, surfaceModes: modes })`.
 */
export interface StoredSolid {
  readonly positions: Float64Array; // 3 per vertex
  readonly tetrahedra: Uint32Array;
  /** 3 per vertex of the tetrahedra, mode after mode. */
  readonly vectors: Float64Array;
  /** How much each tetrahedron counts, more than 0. Absent: all of it. */
  readonly fill?: Float64Array;
  /** Vertices that cannot move. Absent: none. */
  readonly fixed?: Uint32Array;
  /** Where the surface's source vertices lie, 4 entries each. Absent: they are the vertices of the tetrahedra. */
  readonly embedding?: { readonly controls: Uint32Array; readonly weights: Float64Array };
}

const KIND = 'modes';
const ORIGINS = ['linear', 'nonlinear', 'polynomial', 'sequence', 'imported', 'morph-targets'] as const;
const PER_MODE = ['frequencies', 'eigenvalues', 'residuals'] as const;

/** Modes as a file: version, hash of the surface, checksums. Errors: InputError for what does not fit together. */
export function writeModes(model: StoredModes, surface: TriangleMesh): Uint8Array {
  checkObject('modes', model);
  checkTriangleMesh(surface, 'surface');
  const vertexCount = surface.sourceVertexCount;
  checkModel('', model, vertexCount);
  const { origin, modes, names, material, solid, details } = model;
  const arrays: Record<string, StoredArray> = {};
  const isShared = solid !== undefined && solid.embedding === undefined;
  if (!isShared) arrays.displacements = Float64Array.from(modes.displacements);
  for (const name of [...PER_MODE, 'singularValues', 'poses'] as const) {
    const values = model[name];
    if (values !== undefined) arrays[name] = values;
  }
  if (solid !== undefined) {
    const { positions, tetrahedra, vectors, fill, fixed, embedding } = solid;
    Object.assign(arrays, { positions, tetrahedra, vectors });
    if (fill !== undefined) arrays.fill = fill;
    if (fixed !== undefined) arrays.fixed = fixed;
    if (embedding !== undefined) {
      arrays.controls = embedding.controls;
      arrays.weights = embedding.weights;
    }
  }
  const settings = { origin, count: modes.count, vertexCount, names, material, details };
  return writeStored({ kind: KIND, madeFrom: hashOfSurface(surface), settings, arrays });
}

/**
 * Errors as in `readStored`; 'mismatch' when `surface` is given and not the one they were made for. Where its vertices
 * are one at rest but move apart, as they can in recorded motions, make it with the displacements as attributes.
 */
export function readModes(file: FileBytes, fileName: string, surface?: TriangleMesh): StoredModes {
  const data = readStored(file, fileName, KIND);
  if (surface !== undefined) checkMadeFrom(data, fileName, hashOfSurface(surface), 'this surface');
  const { origin, names, material, details } = data.settings;
  const { count, vertexCount } = readCounts(data, fileName);
  const solid = readSolid(data, fileName);
  const isShared = solid !== undefined && solid.embedding === undefined;
  const displacements = isShared ? solid.vectors : storedArray(data, fileName, 'displacements', 'float64');
  const model: StoredModes = {
    origin: origin as ModesOrigin,
    modes: { count, displacements },
    ...optional(data, fileName, [...PER_MODE, 'singularValues', 'poses']),
    ...(names === undefined ? {} : { names: names as string[] }),
    ...(material === undefined ? {} : { material: material as Material }),
    ...(details === undefined ? {} : { details: details as Record<string, unknown> }),
    ...(solid === undefined ? {} : { solid }),
  };
  checkModel(`${fileName}: `, model, vertexCount);
  return model;
}

/**
 * Of what modes depend on: where the source vertices are and how triangles connect them. The same however the surface
 * was welded.
 */
export function hashOfSurface(surface: TriangleMesh): string {
  checkTriangleMesh(surface, 'surface');
  const { positions, triangles, weldedVertex } = surface;
  const { weldedVertex: place, sourceVertex } = weldVertices(positions);
  const points = new Float64Array(3 * sourceVertex.length);
  sourceVertex.forEach((vertex, k) => {
    points.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * k);
  });
  return new ContentHash()
    .addText('surface')
    .addNumbers(points)
    .addNumbers(weldedVertex.map((vertex) => place[vertex]))
    .addNumbers(triangles.map((vertex) => place[vertex]))
    .finish();
}

function readCounts({ settings }: StoredData, fileName: string): { count: number; vertexCount: number } {
  const { count, vertexCount } = settings;
  if (isCount(count) && isCount(vertexCount)) return { count, vertexCount };
  throw new InputError(
    'syntax',
    `${fileName}: there must be modes and vertices; their counts are ${describe(count)} and ${describe(vertexCount)}`,
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 2 ** 32;
}

function readSolid(data: StoredData, fileName: string): StoredSolid | undefined {
  const { arrays } = data;
  if (!Object.hasOwn(arrays, 'tetrahedra')) return undefined;
  const isEmbedded = Object.hasOwn(arrays, 'controls');
  return {
    positions: storedArray(data, fileName, 'positions', 'float64'),
    tetrahedra: storedArray(data, fileName, 'tetrahedra', 'uint32'),
    vectors: storedArray(data, fileName, 'vectors', 'float64'),
    ...optional(data, fileName, ['fill']),
    ...(Object.hasOwn(arrays, 'fixed') ? { fixed: storedArray(data, fileName, 'fixed', 'uint32') } : {}),
    ...(isEmbedded
      ? {
          embedding: {
            controls: storedArray(data, fileName, 'controls', 'uint32'),
            weights: storedArray(data, fileName, 'weights', 'float64'),
          },
        }
      : {}),
  };
}

function optional(
  data: StoredData,
  fileName: string,
  names: readonly string[],
): Readonly<Record<string, Float64Array>> {
  const present = names.filter((name) => Object.hasOwn(data.arrays, name));
  return Object.fromEntries(present.map((name) => [name, storedArray(data, fileName, name, 'float64')]));
}

/** Lengths, ranges and finite numbers; `where` stands before each message. */
function checkModel(where: string, model: StoredModes, vertexCount: number): void {
  const { origin, modes, names, singularValues, poses, material, solid, details } = model;
  if (!ORIGINS.includes(origin)) {
    const known = ORIGINS.join(', ');
    throw new InputError('bad-option', `${where}origin must be one of ${known}, not ${describe(origin)}`);
  }
  checkObject(`${where}modes`, modes);
  const { count } = modes;
  if (!isCount(count)) {
    throw new InputError(
      'bad-option',
      `${where}a count of ${describe(count)}; it must be a whole number above 0`,
    );
  }
  checkNumbers(`${where}displacements`, modes.displacements, 3 * count * vertexCount);
  for (const name of PER_MODE) {
    const values = model[name];
    if (values !== undefined) checkNotNegative(where, name, values, count);
  }
  if (singularValues !== undefined) checkNotNegative(where, 'singularValues', singularValues);
  if (poses !== undefined) {
    checkNumbers(`${where}poses`, poses);
    if (poses.length % count !== 0) {
      throw new InputError(
        'wrong-length',
        `${where}poses has ${poses.length} numbers, not some for each of ${count} modes`,
      );
    }
  }
  if (names !== undefined && !(isTextList(names) && names.length === count)) {
    throw new InputError('wrong-type', `${where}names must be a text for each of ${count} modes`);
  }
  if (details !== undefined) checkObject(`${where}details`, details);
  if (material !== undefined) checkMaterialOf(where, material);
  if (solid !== undefined) checkSolid(where, solid, modes, vertexCount);
}

function checkSolid(
  where: string,
  solid: StoredSolid,
  { count, displacements }: Modes,
  vertexCount: number,
): void {
  const { positions, tetrahedra, vectors, fill, fixed, embedding } = solid;
  checkCoordinates(`${where}positions`, positions);
  const solidCount = positions.length / 3;
  if (!Number.isInteger(solidCount) || tetrahedra.length % 4 !== 0 || tetrahedra.length === 0) {
    throw new InputError(
      'wrong-length',
      `${where}a solid of ${positions.length} coordinates and ${tetrahedra.length} corners of tetrahedra`,
    );
  }
  checkIndices(where, 'tetrahedron', 4, tetrahedra, solidCount);
  checkNumbers(`${where}vectors`, vectors, 3 * count * solidCount);
  if (fill !== undefined) {
    checkNumbers(`${where}fill`, fill, tetrahedra.length / 4);
    const empty = fill.findIndex((share) => !(share > 0));
    if (empty >= 0) {
      throw new InputError(
        'out-of-range',
        `${where}fill[${empty}] is ${fill[empty]}; it must be more than 0`,
      );
    }
  }
  if (fixed !== undefined) checkIndices(where, 'fixed', 1, fixed, solidCount);
  if (embedding !== undefined) {
    const { controls, weights } = embedding;
    checkNumbers(`${where}controls`, controls, 4 * vertexCount);
    checkNumbers(`${where}weights`, weights, 4 * vertexCount);
    checkIndices(where, 'the embedding of vertex', 4, controls, solidCount);
  } else if (!areEqual(displacements, vectors)) {
    throw new InputError(
      'mismatch',
      `${where}without an embedding the vertices of surface and tetrahedra are the same, and so must be their modes`,
    );
  }
}

function areEqual(a: NumberArray, b: NumberArray): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

function checkNotNegative(where: string, name: string, values: Float64Array, length?: number): void {
  checkNumbers(`${where}${name}`, values, length);
  const wrong = values.findIndex((value) => value < 0);
  if (wrong >= 0) {
    throw new InputError('out-of-range', `${where}${name}[${wrong}] is ${values[wrong]}, below 0`);
  }
}

function checkMaterialOf(where: string, material: unknown): void {
  try {
    checkMaterial(material);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.code, `${where}${error.message}`);
  }
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
