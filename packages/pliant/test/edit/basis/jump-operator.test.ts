import fc from 'fast-check';
import { expect, test } from 'vitest';
import { symmetricEigen } from '../../../src/algebra/dense/symmetric-eigen.ts';
import { multiply } from '../../../src/algebra/sparse/symmetric-matrix.ts';
import { createJumpOperator } from '../../../src/edit/basis/jump-operator.ts';
import { NO_TIES } from '../../../src/edit/cage-ties.ts';
import { createTetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import { blockCage, cages, dense } from './cages.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 25;

/** How many eigenvalues are zero, as far as can be told. */
function nullity(matrix: Float64Array, size: number): number {
  const { values } = symmetricEigen(matrix, size);
  const most = values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  return values.filter((value) => Math.abs(value) < 1e-10 * (most || 1)).length;
}

test('affine functions have no jumps, however a cage lies', () => {
  fc.assert(
    fc.property(
      cages(),
      fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 4, maxLength: 4 }),
      (cage, f) => {
        const A = createJumpOperator(cage);
        const { positions, vertexCount } = cage.tetrahedra;
        const x = new Float64Array(vertexCount),
          y = new Float64Array(vertexCount);
        for (let v = 0; v < vertexCount; v++) {
          x[v] = f[0] + f[1] * positions[3 * v] + f[2] * positions[3 * v + 1] + f[3] * positions[3 * v + 2];
        }
        multiply(A, x, y);
        const largest = A.value.reduce((most, a) => Math.max(most, Math.abs(a)), 0);
        for (const value of y) expect(Math.abs(value)).toBeLessThan(1e-10 * (largest + 1) * 20);
      },
    ),
    { numRuns: 4 * RUNS },
  );
});

test('nothing else has none: the null space has 4 dimensions when ties hold all parts together', () => {
  fc.assert(
    fc.property(
      cages().filter((cage) => cage.tetrahedra.vertexCount <= 90),
      (cage) => {
        expect(nullity(dense(createJumpOperator(cage)), cage.tetrahedra.vertexCount)).toBe(4);
      },
    ),
    { numRuns: RUNS },
  );
});

test('4 dimensions for each of two parts that float', () => {
  const { tetrahedra } = blockCage(2, 1, 1);
  const count = tetrahedra.vertexCount;
  const far = tetrahedra.positions.map((x) => x + 5);
  const mesh = createTetrahedralMesh({
    positions: [...tetrahedra.positions, ...far],
    tetrahedra: [...tetrahedra.tetrahedra, ...tetrahedra.tetrahedra.map((v) => v + count)],
  });
  const { glue } = blockCage(2, 1, 1);
  const twice = Uint32Array.from([...glue, ...glue.map((t) => t + tetrahedra.tetrahedronCount)]);
  const A = createJumpOperator({ tetrahedra: mesh, glue: twice, ties: NO_TIES });
  expect(nullity(dense(A), 2 * count)).toBe(8);
  const torn = createJumpOperator({ tetrahedra: mesh, glue: twice.slice(2), ties: NO_TIES });
  expect(nullity(dense(torn), 2 * count)).toBeGreaterThanOrEqual(8);
});

test('three tetrahedra on one face', () => {
  const mesh = createTetrahedralMesh({
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 1, 0.3, 0.1, -1, 0.6, 0.7, -0.8],
    tetrahedra: [0, 1, 2, 3, 0, 2, 1, 4, 0, 2, 1, 5],
  });
  const glue = Uint32Array.of(0, 1, 0, 2);
  const A = createJumpOperator({ tetrahedra: mesh, glue, ties: NO_TIES });
  expect(nullity(dense(A), 6)).toBe(4);
  const half = createJumpOperator({ tetrahedra: mesh, glue: glue.slice(0, 2), ties: NO_TIES });
  expect(nullity(dense(half), 6)).toBe(5); // vertex 5 would be free: the test above can fail
});

test('an entry is the sum over faces of jumps of gradients', () => {
  const cage = blockCage(2, 2, 1);
  const { tetrahedra, glue } = cage;
  const { positions, vertexCount } = tetrahedra;
  const A = dense(createJumpOperator(cage));
  // The jump of f across a face, from the values where f leaves the affine function of one side.
  const expected = new Float64Array(vertexCount ** 2);
  for (let i = 0; i < glue.length; i += 2) {
    const corners = [glue[i], glue[i + 1]].map((t) =>
      Array.from(tetrahedra.tetrahedra.subarray(4 * t, 4 * t + 4)),
    );
    const near = corners[0].find((v) => !corners[1].includes(v))!,
      far = corners[1].find((v) => !corners[0].includes(v))!;
    const face = corners[0].filter((v) => v !== near);
    const at = (v: number) => positions.subarray(3 * v, 3 * v + 3);
    const [p, q, r] = face.map(at);
    const cross = (a: Float64Array | number[], b: Float64Array | number[]) => [
      a[1] * b[2] - a[2] * b[1],
      a[2] * b[0] - a[0] * b[2],
      a[0] * b[1] - a[1] * b[0],
    ];
    const minus = (a: Float64Array, b: Float64Array) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const normal = cross(minus(q, p), minus(r, p)); // twice the area long
    const heights = [near, far].map((v) => dot(normal, minus(at(v), p)) / Math.hypot(...normal));
    const area = Math.hypot(...normal) / 2;
    const mass = (area * (Math.abs(heights[0]) + Math.abs(heights[1]))) / 3 / 4;
    // Barycentric coordinates of `far` in the first tetrahedron.
    const inside = (v: Float64Array, k: number) => {
      const with_ = (j: number, other: Float64Array) =>
        [near, ...face].map((w, l) => (l === j ? other : at(w)));
      const volume = ([a, b, c, d]: Float64Array[]) => dot(minus(b, a), cross(minus(c, a), minus(d, a)));
      return volume(with_(k, v)) / volume(with_(-1, v));
    };
    const row = new Float64Array(vertexCount);
    [near, ...face].forEach((w, k) => {
      row[w] -= inside(at(far), k);
    });
    row[far] += 1;
    for (let v = 0; v < vertexCount; v++) row[v] *= area / heights[1] / Math.sqrt(mass);
    for (let a = 0; a < vertexCount; a++) {
      for (let b = 0; b < vertexCount; b++) expected[a * vertexCount + b] += row[a] * row[b];
    }
  }
  const largest = expected.reduce((most, a) => Math.max(most, Math.abs(a)), 0);
  for (let k = 0; k < A.length; k++) expect(Math.abs(A[k] - expected[k])).toBeLessThan(1e-11 * largest);
});
