import { expect, test } from 'vitest';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createBumpyBall } from '../../src/shapes/bumpy-ball.ts';
import { createCloth } from '../../src/shapes/cloth.ts';
import { createLattice, createLatticeAsync, type LatticeOptions } from '../../src/solid/create-lattice.ts';
import { createEngine } from '../../src/worker/create-engine.ts';
import { ball, box, insideOut, meshOf, torus } from './meshes.ts';

const MESH = meshOf(ball(4, 1));

test.each([
  [{ cellSize: 0 }, 'cellSize must be more than 0'],
  [{ cellSize: -1 }, 'cellSize must be more than 0'],
  [{ cellSize: Number.NaN }, 'cellSize must be more than 0'],
  [{ cellSize: Infinity }, 'cellSize must be more than 0'],
  [{ cellSize: '1' }, 'cellSize must be more than 0'],
  [{ cellSize: 1, vertices: 10 }, 'cellSize and vertices exclude each other'],
  [{ vertices: 3 }, 'vertices must be at least 8'],
  [{ vertices: Infinity }, 'vertices must be at least 8'],
  [{ offset: [0, 0] }, 'offset has 2 numbers, expected 3'],
  [{ offset: [0, 0, 2] }, 'offset 2 is not from 0 to 1'],
  [{ onProgress: 1 }, 'onProgress must be a function'],
  [1, 'options must be an object'],
])('options %o', (options, message) => {
  expect(() => createLattice(MESH, options as LatticeOptions)).toThrow(message);
});

test('too many cells or tetrahedra are refused with their number', () => {
  expect(() => createLattice(MESH, { cellSize: 1e-3 })).toThrow(/= \d+ cells; the limit is 16777216/);
  expect(() => createLattice(MESH, { cellSize: 1e-30 })).toThrow('cells; the limit is');
});

test('surfaces without volume', () => {
  const soup = torus(1, 0.3, 12, 6);
  const twoSided = meshOf({ ...soup, triangles: [...soup.triangles, ...insideOut(soup).triangles] });
  expect(() => createLattice(twoSided)).toThrow('the surface encloses no volume');
  const cloth = createTriangleMesh(createCloth({ triangles: 200 }).source);
  expect(() => createLattice(cloth)).toThrow(/the surface "cloth" (is flat|encloses no volume)/);
  const tilted = meshOf({ positions: [0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 2], triangles: [0, 1, 2, 2, 1, 3] });
  expect(() => createLattice(tilted)).toThrow('the surface encloses no volume');
  const point = meshOf({ positions: [1, 1, 1], triangles: [0, 0, 0] });
  expect(() => createLattice(point)).toThrow('is flat');
});

test('one cell around everything is enough', () => {
  const { report } = createLattice(MESH, { cellSize: 100 });
  expect(report.components).toHaveLength(1);
  expect(report.fillVolume / report.surfaceVolume).toBeCloseTo(1, 6);
});

test('very large and very small surfaces', () => {
  for (const scale of [2 ** -250, 2 ** 250]) {
    const { report, tetrahedra } = createLattice(meshOf(ball(4, scale)), { vertices: 200 });
    expect(report.components).toHaveLength(1);
    expect(tetrahedra.defects.flatTetrahedra + tetrahedra.defects.invertedTetrahedra).toBe(0);
  }
});

test('slices give the same lattice, progress rises to 1', async () => {
  const mesh = createTriangleMesh(createBumpyBall({ triangles: 4000 }).source);
  const shares: number[] = [];
  const lattice = createLattice(mesh, { vertices: 1500, onProgress: (share) => shares.push(share) });
  expect(shares[0]).toBe(0);
  expect(shares.at(-1)).toBe(1);
  expect(shares.every((share, i) => i === 0 || share >= shares[i - 1])).toBe(true);
  expect(await createLatticeAsync(mesh, { vertices: 1500, slice: 1 })).toEqual(lattice);
});

test('an aborted signal stops the work', async () => {
  const mesh = createTriangleMesh(createBumpyBall({ triangles: 20_000 }).source);
  const controller = new AbortController();
  let told = 0;
  const onProgress = () => {
    if (++told === 2) controller.abort(new Error('enough'));
  };
  await expect(createLatticeAsync(mesh, { signal: controller.signal, slice: 1, onProgress })).rejects.toThrow(
    'enough',
  );
  expect(told).toBe(2);
  await expect(createLatticeAsync(mesh, { slice: 0 })).rejects.toThrow('slice must be more than 0');
  const signal = {} as AbortSignal;
  await expect(createLatticeAsync(mesh, { signal })).rejects.toThrow('signal must be an AbortSignal');
});

test('the embedding moves a body with its lattice', async () => {
  const engine = await createEngine({ kernels: 'ts' });
  const mesh = meshOf(box([0, 0, 0], [1, 1, 1]), box([2, 0, 0], [3, 1, 1]));
  const { embedding, tetrahedra } = createLattice(mesh, { vertices: 300 });
  const body = engine.createEmbeddedBody(mesh, embedding);
  body.setPose(tetrahedra.positions.map((x, i) => x + (i % 3 === 2 ? 5 : 0)));
  const moved = body.getPositions();
  for (let i = 0; i < moved.length; i++) {
    expect(moved[i]).toBeCloseTo(mesh.positions[i] + (i % 3 === 2 ? 5 : 0), 12);
  }
  body.dispose();
});
