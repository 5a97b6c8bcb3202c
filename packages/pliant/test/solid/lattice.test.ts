import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createSpring } from '../../src/shapes/spring.ts';
import { createTentacleBall } from '../../src/shapes/tentacle-ball.ts';
import { createTorusKnot } from '../../src/shapes/torus-knot.ts';
import { createLattice, type Lattice } from '../../src/solid/create-lattice.ts';
import { surfaceMassProperties, tetrahedralMassProperties } from '../../src/solid/mass-properties.ts';
import { checkEmbedding, countParts, graphDistance, naiveDistance, tornTriangles } from './lattice-oracle.ts';
import { ball, box, fork, meshOf, torus } from './meshes.ts';

const RUNS = process.env.PLIANT_FULL ? 20 : 3;
const MOST = process.env.PLIANT_FULL ? 3000 : 400;
const offset = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });

describe('a fork', () => {
  const tipsOf = (lattice: Lattice, tips: readonly number[]) =>
    tips.map((v) => lattice.embedding.controls[4 * v] as number) as [number, number];

  test.each([0.05, 0.01, 0, -0.02])('with gap %d keeps its prongs apart at a = 1/8', (gap) => {
    const soup = fork(gap);
    const lattice = createLattice(meshOf(soup), { cellSize: 1 / 8 });
    const [a, b] = tipsOf(lattice, soup.tips);
    expect(graphDistance(lattice, a, b)).toBeGreaterThanOrEqual(1.2);
    expect(naiveDistance(lattice, a, b)).toBeLessThan(0.6); // the same test fails without the copies
    expect(countParts(lattice)).toBe(1);
    expect(lattice.report.duplicates).toBeGreaterThan(0);
  });

  test('wherever the lattice lies', () => {
    fc.assert(
      fc.property(offset, fc.constantFrom(0.05, 0.01, 0), (shift, gap) => {
        const soup = fork(gap);
        const lattice = createLattice(meshOf(soup), { cellSize: 1 / 8, offset: shift });
        expect(lattice.report.components).toHaveLength(1);
        expect(graphDistance(lattice, ...tipsOf(lattice, soup.tips))).toBeGreaterThanOrEqual(1.2);
      }),
      { numRuns: RUNS },
    );
  });
});

const MESHES = {
  ball: () => meshOf(ball(6, 0.5)),
  box: () => meshOf(box([0, 0, 0], [1, 0.5, 0.75])),
  torus: () => meshOf(torus(1, 0.2, 40, 12)),
  fork: () => meshOf(fork(0.01)),
  spring: () => createTriangleMesh(createSpring({ triangles: 3000 }).source),
  knot: () => createTriangleMesh(createTorusKnot({ triangles: 4000 }).source),
  tentacles: () => createTriangleMesh(createTentacleBall({ triangles: 3000 }).source), // dozens in one cell
};

describe.each(Object.entries(MESHES))('%s', (_, create) => {
  const mesh = create();

  test('every lattice holds the surface', () => {
    fc.assert(
      fc.property(offset, fc.integer({ min: 60, max: MOST }), (shift, vertices) => {
        const lattice = createLattice(mesh, { vertices, offset: shift });
        const { report, tetrahedra } = lattice;
        const { error, lowest, sum } = checkEmbedding(mesh, lattice);
        expect(lowest).toBeGreaterThanOrEqual(0);
        expect(sum).toBeLessThan(1e-14);
        expect(error).toBeLessThan(1e-13);
        expect(report.smallestAngle).toBeCloseTo(60, 6);
        expect(report.largestAngle).toBeCloseTo(90, 6);
        expect(tetrahedra.defects.invertedTetrahedra + tetrahedra.defects.flatTetrahedra).toBe(0);
        expect(tetrahedra.defects.unusedVertices).toBe(0);
        expect(report.components).toHaveLength(1);
        expect(countParts(lattice)).toBe(1);
        expect(report.fillVolume / report.surfaceVolume).toBeCloseTo(1, 8);
        expect(report.warnings.concat(report.repairs)).toEqual([]);
        expect(tornTriangles(mesh, lattice)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('the filled tetrahedra weigh what the solid weighs', () => {
    const lattice = createLattice(mesh, { vertices: 2000 });
    const solid = surfaceMassProperties(mesh),
      filled = tetrahedralMassProperties(lattice.tetrahedra, lattice.fill);
    expect(filled.volume).toBeCloseTo(solid.volume, 10);
    expect(Math.hypot(...filled.centre.map((x, k) => x - solid.centre[k]))).toBeLessThan(0.01);
    for (let k = 0; k < 9; k += 4) {
      expect(Math.abs(filled.inertia[k] / solid.inertia[k] - 1)).toBeLessThan(0.03);
    }
  });
});

test.each([
  ['ball', meshOf(ball(12, 0.5)), Math.PI / 6],
  ['box', meshOf(box([0, 0, 0], [1, 2, 3])), 6],
  ['torus', meshOf(torus(1, 0.25, 96, 48)), 2 * Math.PI ** 2 * 0.25 ** 2],
] as const)('the volume of a %s', (_, mesh, volume) => {
  const { report } = createLattice(mesh, { vertices: 3000 });
  expect(Math.abs(report.fillVolume / volume - 1)).toBeLessThan(0.01);
});

test('glue joins tetrahedra that share exactly three vertices, each pair once', () => {
  const { glue, tetrahedra } = createLattice(MESHES.fork(), { vertices: 800 });
  const seen = new Set<string>();
  for (let i = 0; i < glue.length; i += 2) {
    const a = new Set(tetrahedra.tetrahedra.subarray(4 * glue[i], 4 * glue[i] + 4));
    const b = tetrahedra.tetrahedra.subarray(4 * glue[i + 1], 4 * glue[i + 1] + 4);
    if (b.filter((v) => a.has(v)).length === 3) seen.add(`${glue[i]} ${glue[i + 1]}`);
  }
  expect(seen.size).toBe(glue.length / 2);
});

test('without some of the glue the surface tears: the oracle sees it', () => {
  const mesh = MESHES.torus();
  const lattice = createLattice(mesh, { vertices: 400 });
  const cut = { ...lattice, glue: lattice.glue.filter((_, i) => Math.trunc(i / 2) % 2 === 0) };
  expect(tornTriangles(mesh, lattice)).toEqual([]);
  expect(tornTriangles(mesh, cut).length).toBeGreaterThan(0);
});

test('the wanted number of vertices is met within a tenth', () => {
  for (const mesh of [MESHES.ball(), MESHES.fork(), MESHES.knot()]) {
    for (const vertices of [300, 4000]) {
      const { report } = createLattice(mesh, { vertices });
      expect(Math.abs(report.vertices / vertices - 1)).toBeLessThanOrEqual(0.1);
    }
  }
});

test('moving and scaling the surface moves and scales the lattice', () => {
  const plain = createLattice(MESHES.knot(), { vertices: 1000 });
  const { source } = createTorusKnot({ triangles: 4000 });
  const moved = createLattice(
    createTriangleMesh({ ...source, positions: source.positions.map((x, i) => 1024 * x + 64 * (i % 3)) }),
    { vertices: 1000 },
  );
  expect(moved.tetrahedra.tetrahedra).toEqual(plain.tetrahedra.tetrahedra);
  expect(moved.report.cellSize).toBeCloseTo(1024 * plain.report.cellSize, 6);
  expect(moved.fill.every((f, i) => Math.abs(f - plain.fill[i]) < 1e-9)).toBe(true);
});
