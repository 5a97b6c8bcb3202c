import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/mesh/input-error.ts';
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createRandom } from '../../src/shapes/random.ts';
import { createLattice, type Lattice } from '../../src/solid/create-lattice.ts';
import { triangleSoup } from '../arbitraries.ts';
import { checkEmbedding, countParts, tornTriangles } from './lattice-oracle.ts';
import { ball, box, fork, insideOut, meshOf, type Soup, torus } from './meshes.ts';

/** What must hold of every lattice. */
function latticeOf(mesh: TriangleMesh, vertices = 900) {
  const lattice = createLattice(mesh, { vertices });
  const { error, lowest, sum } = checkEmbedding(mesh, lattice);
  expect(lowest).toBeGreaterThanOrEqual(0);
  expect(Math.max(error, sum)).toBeLessThan(1e-12);
  expect(tornTriangles(mesh, lattice)).toEqual([]);
  expect(countParts(lattice)).toBe(lattice.report.components.length);
  lattice.report.components.forEach((size, part) => {
    expect(lattice.component.filter((c) => c === part)).toHaveLength(size);
  });
  expect(lattice.fill.every((f) => f >= 0 && f <= 1)).toBe(true);
  return lattice;
}

/** Without the triangles around its top, as many as wished. */
function opened(soup: Soup, missing: number): Soup {
  const height = (t: number) =>
    Math.max(...[0, 1, 2].map((k) => soup.positions[3 * soup.triangles[3 * t + k] + 2]));
  const order = Array.from({ length: soup.triangles.length / 3 }, (_, t) => t).sort(
    (s, t) => height(s) - height(t),
  );
  return {
    positions: soup.positions,
    triangles: order.slice(0, order.length - missing).flatMap((t) => soup.triangles.slice(3 * t, 3 * t + 3)),
  };
}

const isSame = (a: Uint32Array, b: Uint32Array) => a.length === b.length && a.every((v, i) => v === b[i]);

const BALL = (4 / 3) * Math.PI;

describe('several shells', () => {
  test('far apart: stated', () => {
    const { report } = latticeOf(meshOf(ball(5, 1), ball(5, 0.5, [3, 0, 0])));
    expect(report.shells).toBe(2);
    expect(report.components).toHaveLength(2);
    expect(report.components[0]).toBeGreaterThan(report.components[1]);
    expect(report.warnings.join()).toContain('falls into 2 parts that nothing holds together');
    expect(report.fillVolume / report.surfaceVolume).toBeCloseTo(1, 8);
  });

  test('closer than a cell: still two', () => {
    const { report } = latticeOf(
      meshOf(box([0, 0, 0], [1, 1, 1]), box([1.002, 0.01, 0.02], [2, 1.01, 1.02])),
    );
    expect(report.components).toHaveLength(2);
    expect(report.fillVolume / report.surfaceVolume).toBeCloseTo(1, 8);
  });

  test('an eye in a head, or half in it, is one with it', () => {
    for (const at of [0, 0.2, 0.85]) {
      const { report } = latticeOf(meshOf(ball(8, 1), ball(4, 0.3, [at, 0.05, 0.03])));
      expect(report.components).toHaveLength(1);
      const alone = createLattice(meshOf(ball(8, 1)), { cellSize: report.cellSize }).report.fillVolume;
      const extra = report.fillVolume / alone - 1; // what sticks out
      expect(extra).toBeGreaterThan(at > 0.7 ? 0.001 : -0.002);
      expect(extra).toBeLessThan(at > 0.7 ? 0.02 : 0.002);
    }
  });

  test('a cavity stays hollow', () => {
    const { report } = latticeOf(meshOf(ball(8, 1), insideOut(ball(6, 0.7))));
    expect(report.components).toHaveLength(1);
    expect(report.fillVolume / (BALL * (1 - 0.7 ** 3))).toBeCloseTo(1, 1);
    expect(report.fillVolume / report.surfaceVolume).toBeCloseTo(1, 8);
  });
});

describe('orientation', () => {
  const straight = latticeOf(meshOf(torus(1, 0.3, 30, 12)));

  test('inside out is turned', () => {
    const { report, tetrahedra, fill } = latticeOf(meshOf(insideOut(torus(1, 0.3, 30, 12))));
    expect(report.repairs).toEqual(['the surface was inside out: all triangles turned']);
    expect(isSame(tetrahedra.tetrahedra, straight.tetrahedra.tetrahedra)).toBe(true);
    expect(fill.every((f, i) => Math.abs(f - straight.fill[i]) < 1e-9)).toBe(true);
  });

  test('triangles that disagree are turned', () => {
    const soup = torus(1, 0.3, 30, 12);
    const random = createRandom(3);
    let turned = 0;
    for (let t = 0; t < soup.triangles.length; t += 3) {
      if (random() > 0.3) continue;
      [soup.triangles[t], soup.triangles[t + 1]] = [soup.triangles[t + 1], soup.triangles[t]];
      turned++;
    }
    const { report, tetrahedra } = latticeOf(meshOf(soup));
    expect(report.repairs).toEqual([`triangles turned to agree with their neighbours: ${turned}`]);
    expect(isSame(tetrahedra.tetrahedra, straight.tetrahedra.tetrahedra)).toBe(true);
    expect(report.fillVolume).toBeCloseTo(straight.report.fillVolume, 10);
  });

  test('one shell of two inside out is turned, as it is no cavity', () => {
    const { report } = latticeOf(meshOf(ball(5, 1), insideOut(ball(5, 0.5, [3, 0, 0]))));
    expect(report.repairs).toEqual(['shells turned that were inside out: 1']);
    expect(report.fillVolume / report.surfaceVolume).toBeCloseTo(1, 8);
    expect(report.surfaceVolume / (BALL * 1.125)).toBeCloseTo(1, 1);
  });
});

describe('open surfaces', () => {
  test.each([1, 8, 40])('a ball without %d triangles', (missing) => {
    const soup = ball(8, 1);
    const { report } = latticeOf(meshOf(opened(soup, missing)));
    expect(report.openEdges).toBeGreaterThan(0);
    expect(report.components).toHaveLength(1);
    expect(report.warnings.join()).toContain(`open edges: ${report.openEdges}`);
    expect(Math.abs(report.fillVolume / BALL - 1)).toBeLessThan(0.05);
  });

  test('cracks where seams are not welded are welded', () => {
    const soup = torus(1, 0.3, 30, 12);
    const positions = soup.triangles.flatMap((v) => soup.positions.slice(3 * v, 3 * v + 3));
    const triangles = soup.triangles.map((_, i) => i);
    const mesh = createTriangleMesh({ positions, triangles, weld: false });
    const { report, embedding } = createLattice(mesh, { vertices: 900 });
    expect(report.openEdges).toBe(0);
    expect(report.components).toHaveLength(1);
    expect(report.repairs.join()).toContain('vertices welded to others in the same place');
    expect(embedding.tetrahedron).toHaveLength(mesh.sourceVertexCount);
  });
});

test('an edge of four triangles', () => {
  const { report } = latticeOf(meshOf(box([0, 0, 0], [1, 1, 1]), box([1, 1, 0], [2, 2, 1])));
  expect(report.nonManifoldEdges).toBe(1);
  expect(report.components).toHaveLength(1); // they share vertices
  expect(report.fillVolume / report.surfaceVolume).toBeCloseTo(1, 6);
});

test('degenerate and duplicate triangles, vertices in no triangle', () => {
  const soup = fork(0.03);
  soup.positions.push(7, 7, 7);
  soup.triangles.push(0, 0, 0, 0, 1, 1, 3, 4, 3, 5, 6, 7, 5, 7, 6); // the last two cancel
  const { report } = latticeOf(meshOf(soup));
  expect(report.warnings.join()).toContain('vertices in no triangle, hung on the nearest of the lattice: 1');
  expect(report.components).toHaveLength(1);
  expect(report.fillVolume / report.surfaceVolume).toBeCloseTo(1, 2);
});

test('thousands of loose triangles end in bounded time', () => {
  const random = createRandom(5);
  const triangles = Array.from({ length: 3000 }, (_, i) => i);
  const positions: number[] = [];
  for (let t = 0; t < 1000; t++) {
    const centre = [random(), random(), random()];
    for (let v = 0; v < 3; v++) for (let k = 0; k < 3; k++) positions.push(centre[k] + 0.05 * random());
  }
  const { report } = createLattice(meshOf({ positions, triangles }), { cellSize: 0.3 });
  expect(report.openEdges).toBe(3000);
});

test('any triangles at all: a lattice that holds them, or an error with a code', () => {
  fc.assert(
    fc.property(triangleSoup(), fc.integer({ min: 1, max: 12 }), (source, n) => {
      const mesh = createTriangleMesh(source);
      let lattice: Lattice;
      try {
        lattice = createLattice(mesh, { cellSize: 4 / n });
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        return;
      }
      const { error, lowest, sum } = checkEmbedding(mesh, lattice);
      expect(lowest).toBeGreaterThanOrEqual(0);
      expect(Math.max(error, sum)).toBeLessThan(1e-12);
      expect(countParts(lattice)).toBe(lattice.report.components.length);
      expect(lattice.fill.every((f) => f >= 0 && f <= 1)).toBe(true);
      expect(tornTriangles(mesh, lattice)).toEqual([]);
    }),
    { numRuns: process.env.PLIANT_FULL ? 1000 : 60 },
  );
});
