import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { denseCholesky, solveDense } from '../../../src/algebra/dense/cholesky.ts';
import { GroupSolver, problemSteps } from '../../../src/edit/basis/basis-problem.ts';
import { FactorArena } from '../../../src/edit/basis/factor-arena.ts';
import { createCage } from '../../../src/edit/cage.ts';
import type { Cage } from '../../../src/edit/types.ts';
import { runSteps } from '../../../src/long-work/in-slices.ts';
import { createTetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import { createTriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { createTorusKnot } from '../../../src/shapes/torus-knot.ts';
import { ball, meshOf } from '../../solid/meshes.ts';
import { blockCage, cages, cubesMesh, dense } from './cages.ts';

const FULL = process.env.PLIANT_FULL !== undefined;
const RUNS = FULL ? 300 : 30;

const sizes = fc.record({
  manipulators: fc.integer({ min: 4, max: 12 }),
  children: fc.integer({ min: 2, max: 5 }),
});

function problemOf(cage: Cage, options = {}) {
  return { positions: cage.tetrahedra.positions, ...runSteps(problemSteps(cage, options), {}) };
}

/** The largest of |Σ W − 1| and |Σ W p − p|, in sizes of the cage. */
function imprecision(cage: Cage, options = {}): number {
  const problem = problemOf(cage, options);
  const W = new GroupSolver(problem).solveExactly(0);
  const { vertex, groupStart, vertexCount } = problem.hierarchy;
  const columns = groupStart[1];
  const p = problem.positions;
  let most = 0;
  for (let v = 0; v < vertexCount; v++) {
    const sum = [-1, -p[3 * v], -p[3 * v + 1], -p[3 * v + 2]];
    for (let c = 0; c < columns; c++) {
      const w = W[v * columns + c];
      sum[0] += w;
      for (let k = 0; k < 3; k++) sum[k + 1] += w * p[3 * vertex[c] + k];
    }
    most = Math.max(most, ...sum.map(Math.abs));
  }
  return most;
}

describe('global functions reproduce affine maps to 1e-9', () => {
  test('on cages in pieces, with ties and without', () => {
    for (const attach of [true, false]) {
      fc.assert(
        fc.property(cages(attach), sizes, (cage, options) => {
          expect(imprecision(cage, options)).toBeLessThan(1e-9);
        }),
        { numRuns: RUNS },
      );
    }
  });

  test('after any rotation, scaling and shift', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: -20, max: 20 }),
        (turn, power) => {
          const [a, b, c] = turn.map((t) => t / 50);
          const scale = 2 ** power;
          const rotate = (x: number, y: number, z: number) => {
            const [x1, y1] = [Math.cos(a) * x - Math.sin(a) * y, Math.sin(a) * x + Math.cos(a) * y];
            const [y2, z2] = [Math.cos(b) * y1 - Math.sin(b) * z, Math.sin(b) * y1 + Math.cos(b) * z];
            const [x3, z3] = [Math.cos(c) * x1 - Math.sin(c) * z2, Math.sin(c) * x1 + Math.cos(c) * z2];
            return [scale * (x3 + a), scale * (y2 + b), scale * (z3 + c)];
          };
          const isThere = new Array(24).fill(true);
          expect(
            imprecision(createCage(cubesMesh({ size: [4, 3, 2], isThere, place: rotate }))),
          ).toBeLessThan(1e-9);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('with tetrahedra that are nearly flat, unless nearly all are', () => {
    const isThere = new Array(80).fill(true);
    const press = (place: (x: number, y: number, z: number) => number[]) =>
      imprecision(createCage(cubesMesh({ size: [5, 4, 4], isThere, place })), { manipulators: 12 });
    for (const height of [1e-2, 1e-5, 1e-8]) {
      expect(press((x, y, z) => [x + 0.1 * z, y, z < 2 ? z : z - 1 + height])).toBeLessThan(1e-9);
      const isMoved = (x: number, y: number, z: number) => x === 2 && y === 2 && z === 2;
      expect(press((x, y, z) => [x, y, isMoved(x, y, z) ? 1 + height : z])).toBeLessThan(1e-9);
    }
    expect(() => press((x, y, z) => [x + 0.1 * z, y, z < 2 ? z : 1 + (z - 1) * 1e-7])).toThrow('too flat');
  });

  test('on a lattice', () => {
    const knot = createTriangleMesh(createTorusKnot({ triangles: 2000 }).source);
    expect(imprecision(createCage(knot, { vertices: FULL ? 20_000 : 2500 }))).toBeLessThan(1e-9);
  });

  test('on balls, some of one tetrahedron only', () => {
    const loose = meshOf(ball(3, 1), ball(2, 0.02, [3, 0, 0]), ball(2, 0.01, [0, 3, 0]));
    const options = { manipulators: 4 };
    for (const attach of [true, false]) {
      const cage = createCage(loose, { vertices: 300, attach });
      expect(imprecision(cage, options)).toBeLessThan(1e-9);
    }
    const { positions, tetrahedra } = blockCage(2, 2, 2).tetrahedra;
    const count = positions.length / 3;
    const single = createTetrahedralMesh({
      positions: [...positions, 5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1],
      tetrahedra: [...tetrahedra, count, count + 1, count + 2, count + 3],
    });
    const cage = createCage(single, { attach: false });
    expect(imprecision(cage, options)).toBeLessThan(1e-9);
    const { hierarchy } = problemOf(cage, options);
    const global = Array.from(hierarchy.vertex.subarray(0, hierarchy.groupStart[1]));
    expect(global).toEqual(expect.arrayContaining([count, count + 1, count + 2, count + 3]));
  });
});

test('groups solve what a dense solver solves', () => {
  fc.assert(
    fc.property(cages(), sizes, (cage, options) => {
      const problem = problemOf(cage, options);
      const { hierarchy: h } = problem;
      const A = dense(problem.operator);
      const solver = new GroupSolver(problem);
      for (let g = 0; g < h.groupCount; g++) {
        const rows = Array.from(h.row.subarray(h.rowStart[g], h.rowStart[g + 1]));
        const columns = Array.from(h.vertex.subarray(h.groupStart[g], h.groupStart[g + 1]));
        const free = rows.filter((v) => !columns.includes(v));
        const W = solver.solveExactly(g);
        const at = (v: number, c: number) => W[rows.indexOf(v) * columns.length + c];
        const factor = denseCholesky(
          Float64Array.from(free.flatMap((i) => free.map((j) => A[i * h.vertexCount + j]))),
          free.length,
        )!;
        columns.forEach((m, c) => {
          const x = Float64Array.from(free, (i) => -A[i * h.vertexCount + m]);
          solveDense(factor, x);
          free.forEach((v, k) => {
            expect(at(v, c)).toBeCloseTo(x[k], 7);
          });
          columns.forEach((v, k) => {
            expect(at(v, c)).toBe(k === c ? 1 : 0);
          });
        });
      }
    }),
    { numRuns: RUNS },
  );
});

test('all functions together are independent: at manipulators they form a unit triangle', () => {
  fc.assert(
    fc.property(cages(), sizes, (cage, options) => {
      const problem = problemOf(cage, options);
      const { hierarchy: h } = problem;
      const solver = new GroupSolver(problem);
      const nodeOf = new Uint32Array(h.vertexCount);
      h.vertex.forEach((v, node) => {
        nodeOf[v] = node;
      });
      const levelOfNode = new Uint8Array(h.nodeCount);
      for (let g = 0; g < h.groupCount; g++)
        levelOfNode.fill(h.groupLevel[g], h.groupStart[g], h.groupStart[g + 1]);
      for (let g = 0; g < h.groupCount; g++) {
        const W = solver.solve(g);
        const columns = h.groupStart[g + 1] - h.groupStart[g];
        for (let i = h.rowStart[g]; i < h.rowStart[g + 1]; i++) {
          const node = nodeOf[h.row[i]];
          if (levelOfNode[node] > h.groupLevel[g]) continue;
          expect(levelOfNode[node]).toBe(h.groupLevel[g]);
          for (let c = 0; c < columns; c++) {
            expect(W[(i - h.rowStart[g]) * columns + c]).toBe(node === h.groupStart[g] + c ? 1 : 0);
          }
        }
      }
    }),
    { numRuns: RUNS },
  );
});

test('both kinds of kernels, and the work in steps, give the same bits', () => {
  const problem = problemOf(blockCage(9, 8, 7), { manipulators: 7 });
  const wasm = new GroupSolver(problem),
    ts = new GroupSolver(problem, new FactorArena('ts'));
  for (const group of [0, 1, 2, 8, 20]) {
    const steps = wasm.steps(group);
    const first = steps.next();
    const here = wasm.solve(group); // in the middle of the steps
    expect(ts.solve(group)).toEqual(here);
    expect(first.done ? first.value : runSteps(steps, {})).toEqual(here);
  }
});
