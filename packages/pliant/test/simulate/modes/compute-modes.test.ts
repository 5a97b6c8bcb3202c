import { describe, expect, test } from 'vitest';
import { smallestEigenpairs } from '../../../src/algebra/eigenpairs.ts';
import { createTetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import { computeModes, type VibrationModes } from '../../../src/simulate/modes/compute-modes.ts';
import { createElasticSolver } from '../../../src/simulate/modes/elastic-solver.ts';
import { createElasticSystem, reduceSystem } from '../../../src/simulate/modes/elastic-system.ts';
import { modalDerivatives } from '../../../src/simulate/modes/modal-derivatives.ts';
import { expectIsInputError } from '../../io/expect-input-error.ts';
import { createBox } from './boxes.ts';

const material = { young: 1e6, poisson: 0.35, density: 1000 };

describe('a body that nothing holds', () => {
  test('modes are mass-orthonormal, diagonal in stiffness, and free of rigid motion', async () => {
    const mesh = createBox({ cells: [4, 5, 6], size: [0.4, 0.5, 0.6], offset: [3, 2, 1] });
    const modes = await computeModes(mesh, { material, count: 12 });
    expect(modes.rigidModes).toBe(6);
    expectOrthonormal(modes);
    const { positions } = mesh;
    for (let m = 0; m < 12; m++) {
      // Shifts and turns, tested against every mode in the inner product of mass.
      for (let motion = 0; motion < 6; motion++) {
        const pair = new Float64Array(6 * mesh.vertexCount);
        pair.set(modes.vectors.subarray(m * 3 * mesh.vertexCount, (m + 1) * 3 * mesh.vertexCount));
        for (let v = 0; v < mesh.vertexCount; v++) {
          const [x, y, z] = positions.subarray(3 * v, 3 * v + 3);
          const rows = [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
            [0, -z, y],
            [z, 0, -x],
            [-y, x, 0],
          ];
          pair.set(rows[motion], 3 * mesh.vertexCount + 3 * v);
        }
        expect(Math.abs(reduceSystem(modes.system, pair, 2).mass[1])).toBeLessThan(1e-9);
      }
    }
    expect(Math.max(...modes.residuals)).toBeLessThan(1e-7);
  });

  test('without being told, six eigenvalues are zero to 1e-8 of the first elastic one', async () => {
    const mesh = createBox({ cells: [5, 5, 5] });
    const system = createElasticSystem(mesh, { material });
    const solver = await createElasticSolver(system);
    const { values } = smallestEigenpairs(solver, { count: 10 });
    for (let k = 0; k < 6; k++) expect(Math.abs(values[k])).toBeLessThan(1e-10 * values[6]);
    expect(values[6]).toBeGreaterThan(0);
    solver.dispose();
  });

  test('a cube has its modes in equal pairs and triples', async () => {
    // Tetrahedra mirrored from cell to cell leave the cube all its symmetries when sides are even.
    const { frequencies } = await computeModes(createBox({ cells: [4, 4, 4] }), { material, count: 11 });
    const distinct = [...frequencies].filter((f, k) => k === 0 || f > frequencies[k - 1] * (1 + 1e-7));
    expect(distinct.length).toBeLessThan(8);
  });

  test('pulling and stretching material and size: frequencies scale as they should', async () => {
    const base = await computeModes(createBox({ cells: [3, 3, 4] }), { material, count: 5 });
    const large = await computeModes(createBox({ cells: [3, 3, 4], size: [10, 10, 10] }), {
      material: { ...material, young: 4 * material.young },
      count: 5,
    });
    base.frequencies.forEach((f, k) => {
      expect(Math.abs(large.frequencies[k] / f - 0.2)).toBeLessThan(1e-8);
    });
  });
});

describe('what holds together badly', () => {
  test('parts on a hinge: the mechanism is left out', async () => {
    const mesh = hinged();
    const free = await computeModes(mesh, { material, count: 6 });
    expect(free.rigidModes).toBe(7);
    expect(free.eigenvalues[0]).toBeGreaterThan(1e-3 * free.eigenvalues[5]);
    const held = await computeModes(mesh, { material, count: 6, fixed: [0, 1, 2, 3] });
    expect(held.rigidModes).toBe(1);
    const { stiffness } = reduceSystem(held.system, held.rigidVectors, 1);
    expect(stiffness[0]).toBeLessThan(1e-10 * held.eigenvalues[0]);
    const derivatives = await modalDerivatives({
      ...held,
      modeCount: 2,
      vectors: held.vectors.slice(0, 6 * mesh.vertexCount),
    });
    const pairs = new Float64Array(6 * mesh.vertexCount);
    pairs.set(held.rigidVectors);
    for (let k = 0; k < 3; k++) {
      const one = derivatives.vectors.subarray(3 * k * mesh.vertexCount, 3 * (k + 1) * mesh.vertexCount);
      pairs.set(one, 3 * mesh.vertexCount);
      expect(Math.abs(reduceSystem(held.system, pairs, 2).mass[1])).toBeLessThan(
        1e-8 * Math.max(...one.map(Math.abs)),
      );
    }
    expect(held.eigenvalues[0]).toBeGreaterThan(1e-3 * held.eigenvalues[5]);
    expectOrthonormal(held);
  });

  test('two parts: twelve rigid motions', async () => {
    const one = createBox({ cells: [2, 2, 3] });
    const mesh = createTetrahedralMesh({
      positions: [...one.positions, ...one.positions.map((x) => x + 5)],
      tetrahedra: [...one.tetrahedra, ...[...one.tetrahedra].map((v) => v + one.vertexCount)],
    });
    const modes = await computeModes(mesh, { material, count: 8 });
    expect(modes.rigidModes).toBe(12);
    const alone = await computeModes(one, { material, count: 4 });
    modes.frequencies.forEach((f, k) => {
      expect(Math.abs(f / alone.frequencies[Math.trunc(k / 2)] - 1)).toBeLessThan(1e-7);
    });
  });
});

describe('long work', () => {
  const mesh = createBox({ cells: [4, 4, 4] });

  test('tells how far it is', async () => {
    const said: [string, number][] = [];
    await computeModes(mesh, {
      material,
      count: 10,
      onProgress: (stage, fraction) => said.push([stage, fraction]),
    });
    expect(said[0]).toEqual(['assembly', 0]);
    expect(said.at(-1)).toEqual(['eigenpairs', 1]);
    expect(said.every(([, fraction]) => fraction >= 0 && fraction <= 1)).toBe(true);
  });

  test('stops when it is told to, before and between steps', async () => {
    const reason = new Error('enough');
    await expect(computeModes(mesh, { material, count: 10, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    let steps = 0;
    const running = computeModes(mesh, {
      material,
      count: 10,
      slice: 1e-9, // one step each
      signal: controller.signal,
      onProgress(stage) {
        if (stage === 'eigenpairs' && ++steps === 2) controller.abort(reason);
      },
    });
    await expect(running).rejects.toBe(reason);
    expect(steps).toBe(2);
  });

  test('refuses what cannot be had', async () => {
    const refused = async (count: number, said: string) => {
      const error = await computeModes(createBox({ cells: [1, 1, 1] }), { material, count }).catch((e) => e);
      expectIsInputError(error, 'bad-option', said);
    };
    await refused(0, 'count must be');
    await refused(19, 'only 18 ways to deform');
    const all = await computeModes(createBox({ cells: [1, 1, 1] }), { material, count: 18 });
    expectOrthonormal(all);
  });
});

/** Two boxes that have one edge in common. */
function hinged() {
  const a = createBox({ cells: [2, 2, 2] });
  const b = createBox({ cells: [2, 2, 2], offset: [1, 1, 0] });
  const number = new Map<string, number>();
  const positions: number[] = [];
  const place = (source: Float64Array, v: number) => {
    const at = [...source.subarray(3 * v, 3 * v + 3)];
    const key = at.join();
    if (!number.has(key)) {
      number.set(key, positions.length / 3);
      positions.push(...at);
    }
    return number.get(key)!;
  };
  const tetrahedra = [a, b].flatMap((mesh) => [...mesh.tetrahedra].map((v) => place(mesh.positions, v)));
  return createTetrahedralMesh({ positions, tetrahedra });
}

function expectOrthonormal({ system, vectors, modeCount, eigenvalues, frequencies }: VibrationModes): void {
  const { stiffness, mass } = reduceSystem(system, vectors, modeCount);
  for (let i = 0; i < modeCount * modeCount; i++) {
    const isDiagonal = i % (modeCount + 1) === 0;
    expect(Math.abs(mass[i] - (isDiagonal ? 1 : 0))).toBeLessThan(1e-10);
    const expected = isDiagonal ? eigenvalues[i % modeCount] : 0;
    expect(Math.abs(stiffness[i] - expected)).toBeLessThan(1e-8 * eigenvalues[modeCount - 1]);
  }
  frequencies.forEach((f, k) => {
    expect((2 * Math.PI * f) ** 2).toBeCloseTo(eigenvalues[k], 3);
  });
}
