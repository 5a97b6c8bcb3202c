import type { NumberArray } from './check-input.ts';
import {
  checkArray,
  checkCoordinates,
  checkCount,
  checkIndices,
  checkObject,
  meshAddress,
} from './check-input.ts';
import { haveSameCorners, sortCorners } from './defects.ts';
import { tetrahedronSign } from './exact-sign.ts';
import { createSlots, finishHash, mixHash } from './hash.ts';

/** Tetrahedra in their rest shape, checked once by `createTetrahedralMesh`. Nothing is welded or reordered. */
export interface TetrahedralMesh {
  readonly name: string;
  readonly vertexCount: number;
  readonly tetrahedronCount: number;
  readonly positions: Float64Array; // 3 per vertex
  readonly tetrahedra: Uint32Array; // 4 vertices per tetrahedron, as given
  readonly sign: Int8Array; // per tetrahedron: of det(b − a, c − a, d − a), exact
  readonly boundaryTriangles: Uint32Array; // 3 vertices per face of one tetrahedron only; see below
  readonly boundaryTetrahedron: Uint32Array; // per boundary triangle: the tetrahedron behind it
  readonly defects: TetrahedralDefects;
}

/** Legal, but worth knowing. */
export interface TetrahedralDefects {
  readonly invertedTetrahedra: number; // sign −1: corners in mirrored order
  readonly flatTetrahedra: number; // sign 0: exactly coplanar corners
  readonly nonManifoldFaces: number; // more than two tetrahedra
  readonly unusedVertices: number;
}

export interface TetrahedralMeshSource {
  /** x, y, z per vertex. */
  positions: NumberArray;
  /** Four vertices per tetrahedron. */
  tetrahedra: NumberArray;
  /** Appears in messages. Default: ''. */
  name?: string;
}

/**
 * Local face k lies opposite corner k. Boundary triangles are ordered by (tetrahedron, local face), and
 * seen from outside their tetrahedron they turn counter-clockwise, whichever way its corners were given.
 */
const FACE_CORNERS = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
] as const;

/** Errors as in `createTriangleMesh`. */
export function createTetrahedralMesh(source: TetrahedralMeshSource): TetrahedralMesh {
  checkObject('the mesh source', source);
  const { name = '' } = source;
  const where = meshAddress(name);
  checkArray(`${where}positions`, source.positions);
  const vertexCount = checkCount(`${where}positions`, source.positions, 3);
  checkArray(`${where}tetrahedra`, source.tetrahedra);
  const tetrahedronCount = checkCount(`${where}tetrahedra`, source.tetrahedra, 4);
  checkCoordinates(`${where}positions`, source.positions);
  checkIndices(where, 'tetrahedron', 4, source.tetrahedra, vertexCount);

  const positions = Float64Array.from(source.positions as ArrayLike<number>);
  const tetrahedra = Uint32Array.from(source.tetrahedra as ArrayLike<number>);
  const sign = findSigns(positions, tetrahedra);
  const faces = listFaces(tetrahedra, sign);
  const { boundary, nonManifoldFaces } = findBoundary(faces);
  return {
    name,
    vertexCount,
    tetrahedronCount,
    positions,
    tetrahedra,
    sign,
    boundaryTriangles: gatherFaces(faces, boundary),
    boundaryTetrahedron: boundary.map((face) => Math.trunc(face / 4)),
    defects: {
      invertedTetrahedra: count(sign, -1),
      flatTetrahedra: count(sign, 0),
      nonManifoldFaces,
      unusedVertices: countUnused(tetrahedra, vertexCount),
    },
  };
}

function findSigns(positions: Float64Array, tetrahedra: Uint32Array): Int8Array {
  const sign = new Int8Array(tetrahedra.length / 4);
  for (let i = 0; i < sign.length; i++) {
    const a = tetrahedra[4 * i],
      b = tetrahedra[4 * i + 1],
      c = tetrahedra[4 * i + 2],
      d = tetrahedra[4 * i + 3];
    sign[i] = tetrahedronSign(positions, 3 * a, 3 * b, 3 * c, 3 * d);
  }
  return sign;
}

/** All four faces of every tetrahedron, turned outwards. */
function listFaces(tetrahedra: Uint32Array, sign: Int8Array): Uint32Array {
  const faces = new Uint32Array(3 * tetrahedra.length);
  for (let face = 0; face < tetrahedra.length; face++) {
    const [a, b, c] = FACE_CORNERS[face % 4];
    const tetrahedron = Math.trunc(face / 4);
    const mirrored = sign[tetrahedron] < 0;
    faces[3 * face] = tetrahedra[4 * tetrahedron + a];
    faces[3 * face + 1] = tetrahedra[4 * tetrahedron + (mirrored ? c : b)];
    faces[3 * face + 2] = tetrahedra[4 * tetrahedron + (mirrored ? b : c)];
  }
  return faces;
}

function findBoundary(faces: Uint32Array): { boundary: Uint32Array; nonManifoldFaces: number } {
  const faceCount = faces.length / 3;
  const sorted = sortCorners(faces);
  const slots = createSlots(faceCount);
  const mask = slots.length - 1;
  const uses = new Uint32Array(faceCount); // at the first of equal faces
  for (let face = 0; face < faceCount; face++) {
    const o = 3 * face;
    let slot = finishHash(mixHash(mixHash(mixHash(0, sorted[o]), sorted[o + 1]), sorted[o + 2])) & mask;
    while (slots[slot] !== 0 && !haveSameCorners(sorted, 3 * (slots[slot] - 1), o)) slot = (slot + 1) & mask;
    if (slots[slot] === 0) slots[slot] = face + 1;
    uses[slots[slot] - 1]++;
  }

  const boundary = new Uint32Array(count(uses, 1));
  let used = 0;
  let nonManifoldFaces = 0;
  for (let face = 0; face < faceCount; face++) {
    if (uses[face] === 1) boundary[used++] = face;
    else if (uses[face] > 2) nonManifoldFaces++;
  }
  return { boundary, nonManifoldFaces };
}

function gatherFaces(faces: Uint32Array, selected: Uint32Array): Uint32Array {
  const gathered = new Uint32Array(3 * selected.length);
  for (let i = 0; i < selected.length; i++) {
    gathered[3 * i] = faces[3 * selected[i]];
    gathered[3 * i + 1] = faces[3 * selected[i] + 1];
    gathered[3 * i + 2] = faces[3 * selected[i] + 2];
  }
  return gathered;
}

function count(values: Int8Array | Uint32Array, value: number): number {
  let n = 0;
  for (let i = 0; i < values.length; i++) if (values[i] === value) n++;
  return n;
}

function countUnused(tetrahedra: Uint32Array, vertexCount: number): number {
  const used = new Uint8Array(vertexCount);
  for (let i = 0; i < tetrahedra.length; i++) used[tetrahedra[i]] = 1;
  let unused = 0;
  for (let v = 0; v < vertexCount; v++) unused += 1 - used[v];
  return unused;
}
