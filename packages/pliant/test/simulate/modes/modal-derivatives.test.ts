import { describe, expect, test } from 'vitest';
import { multiply } from '../../../src/algebra/sparse/index.ts';
import { lameConstants } from '../../../src/simulate/material.ts';
import { computeModes, type VibrationModes } from '../../../src/simulate/modes/compute-modes.ts';
import { createElasticSolver, type ElasticSolver } from '../../../src/simulate/modes/elastic-solver.ts';
import {
  type ElasticSystem,
  gatherFree,
  reduceSystem,
  spreadToVertices,
} from '../../../src/simulate/modes/elastic-system.ts';
import { modalDerivatives, nonlinearBasis } from '../../../src/simulate/modes/modal-derivatives.ts';
import { solveStatics } from '../../../src/simulate/modes/statics.ts';
import { createBox } from './boxes.ts';

const material = { young: 5, poisson: 0.3, density: 2 };
const held = () =>
  computeModes(createBox({ cells: [5, 2, 2], size: [2, 0.5, 0.4] }), {
    material,
    count: 4,
    fixed: Array.from({ length: 9 }, (_, v) => v),
  });

describe('modal derivatives', () => {
  test('are second differences of the nonlinear static displacement', async () => {
    const modes = await held();
    const derivatives = await modalDerivatives(modes);
    expect(derivatives.count).toBe(10);
    const solver = await createElasticSolver(modes.system);
    const step = 2e-4;
    let pair = 0;
    for (let i = 0; i < 4; i++) {
      for (let j = i; j < 4; j++, pair++) {
        const at = (a: number, b: number) => staticDisplacement(solver, modes, i, a * step, j, b * step);
        const [pp, pm, mp, mm] = [at(1, 1), at(1, -1), at(-1, 1), at(-1, -1)];
        const expected = derivatives.vectors.subarray(pair * pp.length, (pair + 1) * pp.length);
        let difference = 0,
          size = 0;
        expected.forEach((value, k) => {
          const found = (pp[k] - pm[k] - mp[k] + mm[k]) / (4 * step * step);
          difference = Math.max(difference, Math.abs(found - value));
          size = Math.max(size, Math.abs(value));
        });
        expect(difference).toBeLessThan(1e-4 * size);
      }
    }
    solver.dispose();
  });

  test('do not depend on the order of the two modes', async () => {
    const modes = await held();
    const stride = 3 * modes.system.mesh.vertexCount;
    const swapped = new Float64Array(2 * stride);
    swapped.set(modes.vectors.subarray(stride, 2 * stride));
    swapped.set(modes.vectors.subarray(0, stride), stride);
    const [a, b] = [
      await modalDerivatives({ ...modes, modeCount: 2, vectors: modes.vectors.slice(0, 2 * stride) }),
      await modalDerivatives({ ...modes, modeCount: 2, vectors: swapped }),
    ];
    const size = Math.max(...a.vectors.map(Math.abs));
    for (let k = 0; k < stride; k++) {
      expect(Math.abs(a.vectors[stride + k] - b.vectors[stride + k])).toBeLessThan(1e-10 * size);
    }
  });

  test('of a body that nothing holds: no rigid part, and K times them is the load less its inertia', async () => {
    const mesh = createBox({ cells: [4, 3, 2], size: [1, 0.5, 0.3], offset: [1, 2, 3] });
    const modes = await computeModes(mesh, { material, count: 3 });
    const { vectors, count } = await modalDerivatives(modes);
    const solver = await createElasticSolver(modes.system);
    const free = gatherFree(modes.system, vectors, count);
    const image = new Float64Array(solver.size);
    for (let k = 0; k < count; k++) {
      solver.applyMass(free.subarray(k * solver.size, (k + 1) * solver.size), image, 1);
      for (let r = 0; r < 6; r++) {
        let sum = 0;
        for (let i = 0; i < solver.size; i++) sum += image[i] * solver.rigid.vectors[r * solver.size + i];
        expect(Math.abs(sum)).toBeLessThan(1e-9 * Math.max(...vectors.map(Math.abs)));
      }
    }
    solver.dispose();
  });

  test('statics: K x = b for balanced loads, held or not', async () => {
    for (const fixed of [[], [0, 1, 3]]) {
      const mesh = createBox({ cells: [3, 3, 3] });
      const { system } = await computeModes(mesh, { material, count: 1, fixed });
      const solver = await createElasticSolver(system);
      const shape = Float64Array.from({ length: 11 * solver.size }, (_, i) => Math.sin(i * 1.7));
      const loads = new Float64Array(shape.length);
      multiply(system.stiffness, shape, loads, 11);
      const x = loads.slice();
      solveStatics(solver, x, 11);
      const back = new Float64Array(loads.length);
      multiply(system.stiffness, x, back, 11);
      const size = Math.max(...loads.map(Math.abs));
      back.forEach((value, i) => {
        expect(Math.abs(value - loads[i])).toBeLessThan(1e-11 * size);
      });
      solver.dispose();
    }
  });
});

test('a basis for large deformations holds the modes, orthonormal, in the wanted number', async () => {
  const modes = await held();
  const derivatives = await modalDerivatives(modes);
  const basis = nonlinearBasis(modes, derivatives, 9);
  expect(basis.modeCount).toBe(9);
  const { mass } = reduceSystem(modes.system, basis.vectors, 9);
  mass.forEach((value, i) => {
    expect(Math.abs(value - (i % 10 === 0 ? 1 : 0))).toBeLessThan(1e-10);
  });
  const all = nonlinearBasis(modes, derivatives, 100);
  expect(all.modeCount).toBe(14);
});

/** Where the load K (p Φ_i + q Φ_j) takes a St. Venant–Kirchhoff body; Newton with the stiffness at rest. */
function staticDisplacement(
  solver: ElasticSolver,
  { system, vectors }: VibrationModes,
  i: number,
  p: number,
  j: number,
  q: number,
): Float64Array {
  const stride = 3 * system.mesh.vertexCount;
  const linear = Float64Array.from(
    { length: stride },
    (_, k) => p * vectors[i * stride + k] + q * vectors[j * stride + k],
  );
  const load = new Float64Array(solver.size);
  multiply(system.stiffness, gatherFree(system, linear), load);
  let u = linear;
  for (let round = 0; round < 60; round++) {
    const force = gatherFree(system, internalForces(system, u));
    const rest = load.map((value, k) => value - force[k]);
    const size = Math.max(...rest.map(Math.abs));
    if (size < 1e-15 * Math.max(...load.map(Math.abs))) break;
    solver.solve(rest, 1);
    const change = spreadToVertices(system, rest);
    u = u.map((value, k) => value + change[k]);
  }
  return u;
}

/** f_a = V F S g_a with S = λ tr(E) I + 2 μ E, E = (FᵀF − I) / 2: straight from the definition. */
function internalForces({ mesh, shapes, material: of }: ElasticSystem, u: Float64Array): Float64Array {
  const { lambda, mu } = lameConstants(of);
  const out = new Float64Array(u.length);
  for (let t = 0; t < mesh.tetrahedronCount; t++) {
    const F = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    for (let k = 0; k < 36; k++) {
      const a = Math.trunc(k / 9),
        r = Math.trunc(k / 3) % 3,
        c = k % 3;
      F[3 * r + c] += u[3 * mesh.tetrahedra[4 * t + a] + r] * shapes.gradients[12 * t + 3 * a + c];
    }
    const E = F.map((_, k) => {
      const [r, c] = [Math.trunc(k / 3), k % 3];
      return (F[r] * F[c] + F[3 + r] * F[3 + c] + F[6 + r] * F[6 + c] - (r === c ? 1 : 0)) / 2;
    });
    const S = E.map((e, k) => 2 * mu * e + (k % 4 === 0 ? lambda * (E[0] + E[4] + E[8]) : 0));
    const P = F.map((_, k) => {
      const [r, c] = [Math.trunc(k / 3), k % 3];
      return F[3 * r] * S[c] + F[3 * r + 1] * S[3 + c] + F[3 * r + 2] * S[6 + c];
    });
    for (let k = 0; k < 36; k++) {
      const a = Math.trunc(k / 9),
        r = Math.trunc(k / 3) % 3,
        c = k % 3;
      out[3 * mesh.tetrahedra[4 * t + a] + r] +=
        shapes.volumes[t] * P[3 * r + c] * shapes.gradients[12 * t + 3 * a + c];
    }
  }
  return out;
}
