import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTaskPool, createTriangleMesh, InputError, type TaskPool } from '../../src/index.ts';
import { createTorusKnot } from '../../src/shapes/torus-knot.ts';
import {
  computeModes,
  createReducedElasticityAsync,
  createReducedModel,
  createReducedModelAsync,
  modalDerivatives,
  NotConverged,
  nonlinearBasis,
  nonlinearBasisAsync,
} from '../../src/simulate/index.ts';
import { createLatticeAsync } from '../../src/solid/index.ts';
import { createBox } from '../simulate/modes/boxes.ts';
import { inlineWorkers } from './inline-worker.ts';

// Everything that takes long gives the same, to the last bit, in a worker.
let pool: TaskPool;
beforeAll(async () => {
  pool = await createTaskPool({ threads: 2, createWorker: inlineWorkers().createWorker });
});
afterAll(() => pool.dispose());

const box = createBox({ cells: [6, 3, 2], size: [2, 1, 0.5] });
const material = { young: 5, poisson: 0.3, density: 2 };
const fixed = Array.from({ length: 12 }, (_, v) => v);

test('a lattice', async () => {
  const mesh = createTriangleMesh(createTorusKnot({ triangles: 800 }).source);
  const options = { vertices: 500, offset: [0.2, 0.1, 0.7] };
  const there = await createLatticeAsync(mesh, { ...options, pool });
  expect(there).toEqual(await createLatticeAsync(mesh, options));
  expect(there.embedding.controlPositions).toBe(there.tetrahedra.positions);
});

describe('modes', () => {
  test.each([[[]], [fixed]])('vibrations, derivatives and a basis; held at %j', async (held) => {
    const stages = { here: new Set<string>(), there: new Set<string>() };
    const options = { material, count: 5, fixed: held, weights: new Array(box.tetrahedronCount).fill(0.9) };
    const here = await computeModes(box, { ...options, onProgress: (stage) => stages.here.add(stage) });
    const there = await computeModes(box, {
      ...options,
      pool,
      onProgress: (stage) => stages.there.add(stage),
    });
    const { times: _here, ...modes } = here;
    const { times: _there, ...same } = there;
    expect(same).toEqual(modes);
    expect(there.system.mesh).toBe(box);
    expect(there.system.material).toBe(material);
    expect(stages.there).toEqual(stages.here);
    expect(stages.here).toEqual(new Set(['assembly', 'ordering', 'factorisation', 'eigenpairs']));

    const derivatives = await modalDerivatives(here);
    expect(await modalDerivatives(there, { pool })).toEqual(derivatives);
    const basis = nonlinearBasis(here, derivatives, 8);
    const shares: number[] = [];
    const onProgress = (stage: string, share: number) => {
      expect(stage).toBe('basis');
      shares.push(share);
    };
    expect(await nonlinearBasisAsync(there, derivatives, 8, { pool, onProgress })).toEqual(basis);
    expect(await nonlinearBasisAsync(there, derivatives, 8, { slice: 0.01, onProgress })).toEqual(basis);
    expect(shares.length).toBeGreaterThan(2);
  });

  test('what goes wrong there goes wrong here', async () => {
    const cases = [
      { material, count: 0 },
      { material, count: 3, fixed: [0, 5000] },
      { material, count: 3, weights: [1, 2] },
      { material: { ...material, poisson: 0.7 }, count: 3 },
      { material, count: 10_000 },
    ];
    for (const options of cases) {
      const here = await computeModes(box, options).catch((error) => error);
      const there = await computeModes(box, { ...options, pool }).catch((error) => error);
      expect(there).toBeInstanceOf(InputError);
      expect(there).toMatchObject({ code: here.code, message: here.message });
    }
    const impossible = { material, count: 3, tolerance: 1e-30 };
    await expect(computeModes(box, { ...impossible, pool })).rejects.toBeInstanceOf(NotConverged);
  });

  test('a reduced solid', async () => {
    const { vectors } = await computeModes(box, { material, count: 4, fixed });
    const source = { mesh: box, modes: vectors, material };
    const here = createReducedModel(source);
    const there = await createReducedModelAsync(source, { pool });
    expect(there.elasticity.coefficients).toEqual(here.elasticity.coefficients);
    const shares: number[] = [];
    await createReducedElasticityAsync(source, { pool, onProgress: (_, share) => shares.push(share) });
    expect(shares[shares.length - 1]).toBe(1);
    expect(vectors.length).toBe(12 * box.vertexCount); // nothing was moved away from the caller
  });

  test('cancelled', async () => {
    const stop = new AbortController();
    const attempt = computeModes(box, {
      material,
      count: 5,
      pool,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('seen enough')),
    });
    await expect(attempt).rejects.toThrow('seen enough');
  });
});
