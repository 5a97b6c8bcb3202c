import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/mesh/input-error.ts';
import { createTetrahedralMesh } from '../../src/mesh/tetrahedral-mesh.ts';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createRandom } from '../../src/shapes/random.ts';

const CORNER = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];

test('one tetrahedron: local face k lies opposite corner k and looks outwards', () => {
  const mesh = createTetrahedralMesh({ positions: CORNER, tetrahedra: [0, 1, 2, 3] });
  expect(Array.from(mesh.boundaryTriangles)).toEqual([1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1]);
  expect(volume(CORNER, mesh.boundaryTriangles)).toBeCloseTo(1 / 6, 15);
  expect(mesh.defects).toEqual({
    invertedTetrahedra: 0,
    flatTetrahedra: 0,
    nonManifoldFaces: 0,
    unusedVertices: 0,
  });
});

test('mirrored corners are counted, and the faces still look outwards', () => {
  const mesh = createTetrahedralMesh({ positions: CORNER, tetrahedra: [0, 2, 1, 3] });
  expect(mesh.defects.invertedTetrahedra).toBe(1);
  expect(volume(CORNER, mesh.boundaryTriangles)).toBeCloseTo(1 / 6, 15);
});

test('a block of cubes: the boundary is closed, outward, ordered, and what brute force finds', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { positions, tetrahedra } = block(3, createRandom(seed));
    const mesh = createTetrahedralMesh({ positions, tetrahedra });
    const surface = createTriangleMesh({ positions, triangles: mesh.boundaryTriangles });
    expect(surface.isClosed).toBe(true);
    expect(volume(positions, mesh.boundaryTriangles)).toBeCloseTo(27, 10);
    expect(mesh.boundaryTriangles.length).toBe(3 * 2 * 6 * 9);

    const boundary = boundaryByCounting(tetrahedra);
    expect(boundary.map(([t]) => t)).toEqual(Array.from(mesh.boundaryTetrahedron));
    boundary.forEach(([, corners], i) => {
      expect(Array.from(mesh.boundaryTriangles.subarray(3 * i, 3 * i + 3)).sort()).toEqual(corners);
    });
  }
});

test('flat tetrahedra, over-used faces and unused vertices are counted', () => {
  const positions = [...CORNER, 1, 1, 0, -1, -1, -1, -2, -2, -2];
  const tetrahedra = [0, 1, 2, 4, 0, 1, 2, 3, 0, 1, 2, 5];
  expect(createTetrahedralMesh({ positions, tetrahedra }).defects).toEqual({
    invertedTetrahedra: 1,
    flatTetrahedra: 1,
    nonManifoldFaces: 1,
    unusedVertices: 1,
  });
});

describe('bad input', () => {
  test.each<[string, string, object, string]>([
    ['a far index', 'index-out-of-range', { tetrahedra: [0, 1, 2, 4] }, 'tetrahedron 0 uses vertex 4'],
    [
      'NaN',
      'not-finite',
      { positions: CORNER.map((x, i) => (i === 4 ? NaN : x)) },
      'positions[4] (vertex 1, y) is NaN',
    ],
    ['three corners', 'wrong-length', { tetrahedra: [0, 1, 2] }, 'tetrahedra has 3 numbers'],
    ['none', 'empty', { tetrahedra: [] }, 'tetrahedra is empty'],
    ['null', 'wrong-type', { tetrahedra: null }, 'tetrahedra must be an array'],
    [
      'a name',
      'index-out-of-range',
      { name: 'hand', tetrahedra: [0, 1, 2, -4] },
      'mesh "hand": tetrahedron 0 uses',
    ],
  ])('%s', (_, code, part, message) => {
    const run = () => createTetrahedralMesh({ positions: CORNER, tetrahedra: [0, 1, 2, 3], ...part });
    expect(run).toThrow(InputError);
    expect(run).toThrow(message);
    expect(run).toThrow(expect.objectContaining({ code }));
  });
});

/** n³ unit cubes of six tetrahedra each, with corners in random order (so about half are mirrored). */
function block(n: number, random: () => number) {
  const positions: number[] = [];
  const tetrahedra: number[] = [];
  const id = (x: number, y: number, z: number) => x + (n + 1) * (y + (n + 1) * z);
  for (let z = 0; z <= n; z++)
    for (let y = 0; y <= n; y++) for (let x = 0; x <= n; x++) positions.push(x, y, z);
  const paths = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  for (let z = 0; z < n; z++) {
    for (let y = 0; y < n; y++) {
      for (let x = 0; x < n; x++) {
        for (const path of paths) {
          const at = [x, y, z];
          const corners = [id(x, y, z)];
          for (const axis of path) {
            at[axis]++;
            corners.push(id(at[0], at[1], at[2]));
          }
          const order = corners.map((v) => ({ v, key: random() })).sort((a, b) => a.key - b.key);
          tetrahedra.push(...order.map(({ v }) => v));
        }
      }
    }
  }
  return { positions, tetrahedra };
}

/** [tetrahedron, sorted corners] of every face that occurs once. */
function boundaryByCounting(tetrahedra: number[]): [number, number[]][] {
  const uses = new Map<string, number>();
  const faces: [number, number[]][] = [];
  for (let t = 0; 4 * t < tetrahedra.length; t++) {
    for (let k = 0; k < 4; k++) {
      const corners = tetrahedra
        .slice(4 * t, 4 * t + 4)
        .filter((_, i) => i !== k)
        .sort();
      faces.push([t, corners]);
      uses.set(corners.join(), (uses.get(corners.join()) ?? 0) + 1);
    }
  }
  return faces.filter(([, corners]) => uses.get(corners.join()) === 1);
}

function volume(positions: readonly number[], triangles: Uint32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.slice(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    sum +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}
