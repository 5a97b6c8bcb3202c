import {
  type Body,
  createTetrahedralMesh,
  createTriangleMesh,
  type Engine,
  embedInTetrahedra,
  type TriangleMesh,
} from '../../../src/index.ts';
import { rolledSheet } from '../subspace/modal-cases.ts';
import { smoothModes } from '../subspace/smooth-modes.ts';

/** A body of each kind that a mesh can be, and poses of it: from rest to something that touches. */
export interface MovedBody {
  readonly body: Body;
  readonly poses: readonly Float64Array[];
}

export type Movement = 'matrix' | 'modes' | 'handles' | 'vertices' | 'cage';

export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** 2 · columns · rows triangles. */
export function rolledMesh(columns: number, rows: number): TriangleMesh {
  return createTriangleMesh(rolledSheet(columns, rows, 0.8));
}

const SIZES = [0, 0.02, 0.1, 0.3, 0.7, 1.2];

export function createMovedBody(engine: Engine, mesh: TriangleMesh, movement: Movement): MovedBody {
  const options = { split: 'connected' } as const;
  if (movement === 'matrix') return { body: engine.createRigidBody(mesh), poses: [] };
  if (movement === 'modes') {
    const body = engine.createModalBody(mesh, smoothModes(mesh, 3));
    return { body, poses: SIZES.map((size) => Float64Array.of(size, -size, 0.5 * size)) };
  }
  if (movement === 'handles') {
    const poses = SIZES.map((size) => Float64Array.from([...IDENTITY, ...turned(2.5 * size)]));
    return { body: engine.createSkinnedBody(mesh, skinOf(mesh), options), poses };
  }
  if (movement === 'cage') {
    const cage = createCage();
    const body = engine.createEmbeddedBody(mesh, embedInTetrahedra(mesh, cage), options);
    // One corner goes through the middle and out on the other side.
    const poses = SIZES.map((size) => cage.positions.map((x, k) => (k < 3 ? x * (1 - 3 * size) : x)));
    return { body, poses };
  }
  const poses = SIZES.map((size) => crumpled(mesh, size));
  return { body: engine.createFreeBody(mesh, options), poses };
}

/** Two joints, one for each end of x. */
function skinOf({ positions, vertexCount }: TriangleMesh) {
  const weights = new Float64Array(2 * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const share = Math.min(1, Math.max(0, 0.5 + 0.5 * positions[3 * v]));
    weights.set([1 - share, share], 2 * v);
  }
  const joints = Uint16Array.from({ length: 2 * vertexCount }, (_, k) => k % 2);
  return { jointCount: 2, influences: 2, joints, weights };
}

/** A cube around the origin, in six tetrahedra along a diagonal. */
function createCage() {
  const positions = Array.from({ length: 8 }, (_, c) =>
    [c & 1, (c >> 1) & 1, c >> 2].map((k) => 2.4 * k - 1.2),
  );
  const walks = [
    [1, 3],
    [3, 2],
    [2, 6],
    [6, 4],
    [4, 5],
    [5, 1],
  ];
  const tetrahedra = walks.map(([a, b]) => [0, a, b, 7]);
  return createTetrahedralMesh({ positions: positions.flat(), tetrahedra: tetrahedra.flat() });
}

/** About y. */
function turned(angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0];
}

function crumpled({ positions }: TriangleMesh, size: number): Float64Array {
  return positions.map((x, k) => {
    const [a, b] = [positions[k - (k % 3)], positions[k - (k % 3) + 1]];
    return x + size * Math.sin(5 * a + 4 * b + 2 * (k % 3));
  });
}
