import { haveSameCorners, sortCorners } from '../mesh/defects.ts';
import { createSlots, finishHash, mixHash } from '../mesh/hash.ts';
import { InputError } from '../mesh/input-error.ts';
import { createTetrahedralMesh, type TetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';
import { sixVolumes } from './cage-ties.ts';

/** Of less volume than this, in cubes of its longest edge, a tetrahedron has gradients that mean nothing. */
const FLAT = 1e-9;

/** The tetrahedra with a volume, turned so that it is positive, and the vertices that they use. */
export function cleanTetrahedra(given: TetrahedralMesh): {
  mesh: TetrahedralMesh;
  repairs: string[];
  warnings: string[];
} {
  const kept: number[] = [];
  const place = new Int32Array(given.vertexCount).fill(-1);
  let turned = 0;
  for (let t = 0; t < given.tetrahedronCount; t++) {
    const corners = Array.from(given.tetrahedra.subarray(4 * t, 4 * t + 4));
    const [a, b, c, d] = corners.map((v) => 3 * v);
    const volume = sixVolumes(given.positions, a, b, c, d);
    if (!(Math.abs(volume) > FLAT * longestEdge(given.positions, [a, b, c, d]) ** 3)) continue;
    if (volume < 0) {
      turned++;
      kept.push(corners[0], corners[1], corners[3], corners[2]);
    } else kept.push(...corners);
    for (const v of corners) place[v] = 1;
  }
  if (kept.length === 0) throw new InputError('singular', 'all tetrahedra are flat');
  const positions: number[] = [];
  let used = 0;
  for (let v = 0; v < given.vertexCount; v++) {
    if (place[v] < 0) continue;
    place[v] = used++;
    positions.push(...given.positions.subarray(3 * v, 3 * v + 3));
  }
  const tetrahedra = kept.map((v) => place[v]);
  const flat = given.tetrahedronCount - kept.length / 4,
    unused = given.vertexCount - used;
  const repairs: string[] = [];
  if (flat > 0) repairs.push(`flat tetrahedra left out: ${flat}`);
  if (turned > 0) repairs.push(`mirrored tetrahedra turned round: ${turned}`);
  if (unused > 0) repairs.push(`vertices in no tetrahedron left out: ${unused}`);
  const mesh = createTetrahedralMesh({ positions, tetrahedra, name: given.name });
  const { nonManifoldFaces } = mesh.defects;
  const warnings = nonManifoldFaces > 0 ? [`faces of more than two tetrahedra: ${nonManifoldFaces}`] : [];
  return { mesh, repairs, warnings };
}

function longestEdge(p: Float64Array, corners: readonly number[]): number {
  let longest = 0;
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < i; j++) {
      const a = corners[i],
        b = corners[j];
      longest = Math.max(longest, Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]));
    }
  }
  return longest;
}

/** Corners of the faces, each opposite the corner of its number. */
const FACES = [1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1];

/** Pairs of tetrahedra with three vertices in common: each with the one before it that has the same face. */
export function glueFaces({ tetrahedra }: TetrahedralMesh): Uint32Array {
  const faces = new Uint32Array(3 * tetrahedra.length);
  for (let i = 0; i < faces.length; i++) {
    const t = Math.trunc(i / 12);
    faces[i] = tetrahedra[4 * t + FACES[i % 12]];
  }
  const sorted = sortCorners(faces);
  const slots = createSlots(tetrahedra.length);
  const mask = slots.length - 1;
  const glue: number[] = [];
  for (let face = 0; face < tetrahedra.length; face++) {
    const o = 3 * face;
    let slot = finishHash(mixHash(mixHash(mixHash(0, sorted[o]), sorted[o + 1]), sorted[o + 2])) & mask;
    while (slots[slot] !== 0 && !haveSameCorners(sorted, 3 * (slots[slot] - 1), o)) slot = (slot + 1) & mask;
    if (slots[slot] !== 0) glue.push((slots[slot] - 1) >>> 2, face >>> 2);
    slots[slot] = face + 1;
  }
  return Uint32Array.from(glue);
}
