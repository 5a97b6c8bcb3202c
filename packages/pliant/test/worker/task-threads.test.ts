import { expect, test } from 'vitest';
import { rolledSheet } from '../cull/subspace/modal-cases.ts';

// Node cannot start a worker from TypeScript, so this looks at the built library.
const load = (name: string) => import(new URL(`../../dist/${name}.js`, import.meta.url).href);
const { createEngine, createTaskPool, createTriangleMesh, InputError } = (await load(
  'index',
)) as typeof import('../../src/index.ts');
const { prepareSubspaceCertificate, prepareSubspaceCertificateAsync } = (await load(
  'cull',
)) as typeof import('../../src/cull/index.ts');
const { createLatticeAsync } = (await load('solid')) as typeof import('../../src/solid/index.ts');
const { computeModes, SOFT_RUBBER } = (await load(
  'simulate',
)) as typeof import('../../src/simulate/index.ts');

const mesh = createTriangleMesh(rolledSheet(60, 5));
const displacements = Float64Array.from({ length: 4 * 3 * mesh.sourceVertexCount }, (_, k) =>
  Math.sin(0.01 * k + Math.trunc(k / (3 * mesh.sourceVertexCount))),
);

test('real workers: any number of them gives the same bits', async () => {
  const engine = await createEngine();
  const body = engine.createModalBody(mesh, { count: 4, displacements });
  const options = { tolerance: 0.5, reach: 0.05 };
  const alone = prepareSubspaceCertificate(body, options);
  for (const threads of [1, 2, 4]) {
    const pool = await createTaskPool({ threads });
    const together = await prepareSubspaceCertificateAsync(body, { ...options, pool });
    expect(together.balls).toEqual(alone.balls);
    pool.dispose();
  }
  engine.dispose();
});

test('real workers: a lattice, its modes, an error with its place, and an end in the middle', async () => {
  const pool = await createTaskPool({ threads: 2 });
  const box = createTriangleMesh({
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
    triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
  });
  const lattice = await createLatticeAsync(box, { vertices: 200, pool });
  expect(lattice).toEqual(await createLatticeAsync(box, { vertices: 200 }));
  const options = { material: SOFT_RUBBER, count: 4, weights: lattice.fill.map((x) => Math.max(x, 0.1)) };
  const here = await computeModes(lattice.tetrahedra, options);
  const there = await computeModes(lattice.tetrahedra, { ...options, pool });
  expect(there.vectors).toEqual(here.vectors);
  expect(there.system).toEqual(here.system);

  const bad = { ...options, fixed: [0, 100_000] };
  const error = await computeModes(lattice.tetrahedra, { ...bad, pool }).catch((reason) => reason);
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({ code: 'index-out-of-range' });
  expect(error.message).toMatch(/fixed\[1\] is 100000/);

  const stop = new AbortController();
  const attempt = createLatticeAsync(box, {
    vertices: 100_000,
    pool,
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('seen enough')),
  });
  await expect(attempt).rejects.toThrow('seen enough');
  expect(await createLatticeAsync(box, { vertices: 200, pool })).toEqual(lattice);
  pool.dispose();
});
