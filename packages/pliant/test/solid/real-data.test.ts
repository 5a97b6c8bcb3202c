import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readMesh } from '../../src/io/read-mesh.ts';
import { readTgf } from '../../src/io/tgf.ts';
import { createTetrahedralMesh } from '../../src/mesh/tetrahedral-mesh.ts';
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createLattice, type Lattice } from '../../src/solid/create-lattice.ts';
import { measureTetrahedra } from '../../src/solid/tetrahedron-quality.ts';
import { boxOf } from '../../src/solid/unit-box.ts';
import { checkEmbedding, countParts, graphDistance, naiveDistance, tornTriangles } from './lattice-oracle.ts';

const DATA = process.env.PLIANT_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const FULL = process.env.PLIANT_FULL !== undefined;
const SKIP = process.env.PLIANT_DATA === undefined && !existsSync(`${DATA}/static`);

async function load(path: string): Promise<TriangleMesh> {
  const readSibling = async (name: string) => readFileSync(`${DATA}/${path.replace(/[^/]*$/, name)}`);
  const file = await readMesh(readFileSync(`${DATA}/${path}`), path.replace(/.*\//, ''), { readSibling });
  if (!('tetrahedra' in file)) return createTriangleMesh(file);
  const solid = createTetrahedralMesh(file);
  return createTriangleMesh({ positions: solid.positions, triangles: solid.boundaryTriangles });
}

/** The longest side of the box divided by n. */
function latticeOf(mesh: TriangleMesh, n: number): Lattice {
  return createLattice(mesh, { cellSize: Math.max(...boxOf(mesh).extent) / n });
}

function expectSound(mesh: TriangleMesh, lattice: Lattice): void {
  const { error, lowest, sum } = checkEmbedding(mesh, lattice);
  expect(lowest).toBeGreaterThanOrEqual(0);
  expect(sum).toBeLessThan(1e-14);
  expect(error).toBeLessThan(1e-12 * Math.max(...boxOf(mesh).extent));
  expect(lattice.report.smallestAngle).toBeCloseTo(60, 5);
  expect(lattice.report.largestAngle).toBeCloseTo(90, 5);
  expect(countParts(lattice)).toBe(lattice.report.components.length);
}

describe.skipIf(SKIP)('real meshes', () => {
  test.each([
    ['tet/hand/hand.mesh', 10],
    ['tet/armadillo_4k.node', 12],
    ['tet/bunny.msh', 10],
    ['static/cat-low-resolution.obj', 10],
  ] as const)('%s: one part, exact volume, no tears', async (path, n) => {
    const mesh = await load(path);
    const lattice = latticeOf(mesh, n);
    expectSound(mesh, lattice);
    expect(lattice.report.components).toHaveLength(1);
    expect(lattice.report.fillVolume / lattice.report.surfaceVolume).toBeCloseTo(1, 8);
    expect(lattice.report.repairs).toEqual([]);
    expect(lattice.report.warnings.filter((text) => !text.startsWith('vertices in no triangle'))).toEqual([]);
    expect(tornTriangles(mesh, lattice)).toEqual([]);
  });

  test.each(FULL ? [8, 12, 16, 24] : [8])('fingers of the hand stay apart at 1/%d', async (n) => {
    const mesh = await load('tet/hand/hand.mesh');
    const size = Math.max(...boxOf(mesh).extent);
    const { positions } = readTgf(readFileSync(`${DATA}/tet/hand/hand.tgf`), 'hand.tgf');
    const lattice = latticeOf(mesh, n);
    const [index, middle] = [8, 12].map((joint) => {
      const tip = topNear(mesh, positions.subarray(3 * joint, 3 * joint + 3), 0.12);
      return lattice.embedding.controls[4 * mesh.sourceVertex[tip]] as number;
    });
    const distance = graphDistance(lattice, index, middle) / size;
    expect(distance).toBeGreaterThan(0.65);
    expect(distance).toBeLessThan(0.95);
    expect(naiveDistance(lattice, index, middle) / size).toBeLessThan(distance - 0.15);
  });

  test.each([
    ['selfx/cow.off', 12, 0.01],
    ...(FULL ? [['static/dragon_vrip_res3.ply.gz', 16, 0.01] as const] : []), // 2,094 non-manifold edges
    ['tet/asianDragon/asianDragon.obj', 16, 0.01],
    ['selfx/self_intersectA.obj', 16, 0.06], // overlaps itself deeply
    ['selfx/two-cubes-intersecting.ply', 10, 0.05],
  ] as const)('%s at 1/%d: imperfect, but in one part', async (path, n, tolerance) => {
    const mesh = await load(path);
    const lattice = latticeOf(mesh, n);
    expectSound(mesh, lattice);
    expect(lattice.report.components).toHaveLength(1);
    expect(Math.abs(lattice.report.fillVolume / lattice.report.surfaceVolume - 1)).toBeLessThan(tolerance);
  });

  test('cubes close to each other stay two, a bottle of one side is named', async () => {
    expect(latticeOf(await load('selfx/two-cubes-close.ply'), 10).report.components).toHaveLength(2);
    const klein = latticeOf(await load('selfx/klein_bottle.obj'), 10);
    expect(klein.report.warnings.join()).toContain('one side only');
    const cloth = await load('static/cloth100.obj');
    expect(() => createLattice(cloth)).toThrow('is flat');
  });

  test('the quality of meshes from files', async () => {
    const file = await readMesh(readFileSync(`${DATA}/tet/bunny.msh`), 'bunny.msh');
    if (!('tetrahedra' in file)) throw new Error('no tetrahedra');
    const { smallestAngle, largestAngle, volume } = measureTetrahedra(createTetrahedralMesh(file));
    expect(smallestAngle).toBeGreaterThan(0.2);
    expect(largestAngle).toBeLessThan(179.8);
    const { report } = latticeOf(await load('tet/bunny.msh'), 12);
    expect(report.surfaceVolume).toBeCloseTo(volume, 6);
  });
});

/** The table of SHAPING §1, with what we have; `opened` leaves out a patch of triangles. */
const TABLE = [
  ['tet/hand/hand.mesh', 36, ''],
  ['static/armadillo.obj', 35, ''],
  ['static/armadillo.obj', 64, ''],
  ['static/armadillo.obj', 84, ''],
  ['static/bunny_hr.obj', 30, ''],
  ['static/bunny_hr.obj', 30, 'opened'],
  ['static/sphere-tentacles0.obj', 35, ''],
  ['static/dragon_vrip_res3.ply.gz', 35, ''],
  ['tet/asianDragon/asianDragon.obj', 40, ''],
  ['tet/octopus_11K.vtk', 40, ''],
  ['sequences/kick_unfixed.obj', 35, ''],
  ['selfx/klein_bottle.obj', 30, ''],
] as const;

describe.skipIf(SKIP || !FULL)('figures', () => {
  test.each(TABLE)('%s at 1/%d %s', async (path, n, opened) => {
    const whole = await load(path);
    const mesh =
      opened !== '' ? createTriangleMesh({ ...whole, triangles: whole.triangles.subarray(1200) }) : whole;
    const start = process.cpuUsage();
    const lattice = latticeOf(mesh, n);
    const { user } = process.cpuUsage(start);
    expectSound(mesh, lattice);
    const { vertices, tetrahedra, duplicates, components, openEdges, shells } = lattice.report;
    const volume = (100 * (lattice.report.fillVolume / lattice.report.surfaceVolume - 1)).toFixed(4);
    console.log(
      `${path} ${opened} | ${mesh.triangleCount} triangles, ${shells} shells, ${openEdges} open edges | 1/${n} | ` +
        `${vertices} / ${tetrahedra} | dup. ${duplicates} | parts ${components.length} | volume ${volume} % | ` +
        `${(user / 1e6).toFixed(1)} s CPU`,
    );
  });
});

/** The highest vertex of a triangle within reach of a point. */
function topNear({ positions: p, triangles }: TriangleMesh, at: ArrayLike<number>, reach: number): number {
  let top = -1;
  for (const v of triangles) {
    const distance = Math.hypot(...[0, 1, 2].map((k) => p[3 * v + k] - at[k]));
    if (distance < reach && (top < 0 || p[3 * v + 1] > p[3 * top + 1])) top = v;
  }
  return top;
}
