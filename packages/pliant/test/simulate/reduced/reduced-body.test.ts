import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/mesh/input-error.ts';
import { createRandom } from '../../../src/shapes/random.ts';
import { ReducedBody } from '../../../src/simulate/reduced/reduced-body.ts';
import { createReducedModel, type ReducedModel } from '../../../src/simulate/reduced/reduced-model.ts';
import { assemble, createModalBox } from './beam.ts';

const material = { young: 2e5, poisson: 0.3, density: 1000 };
const box = createModalBox([3, 1, 2], [1, 0.3, 0.5], 8, material);
const model = createReducedModel(box);
const beam = createModalBox([4, 1, 1], [1, 0.2, 0.2], 6, material, (x) => x < -0.499);
const held = createReducedModel(beam);
const WEIGHTLESS = { gravity: [0, 0, 0] };
const { M } = assemble(box.mesh, material);
const SIZE = 3 * box.mesh.vertexCount;

/** Momenta and kinetic energy of all vertices with the full mass matrix: nothing of the reduced model is used. */
function fullMotion(body: ReducedBody) {
  const { positions, vertexCount } = box.mesh;
  const centre = body.model.inertia.centre;
  const omega = new Float64Array(3);
  body.getAngularVelocity(omega);
  const x = new Float64Array(SIZE),
    v = new Float64Array(SIZE);
  const blend = (weights: Float64Array, o: number) =>
    weights.reduce((sum, w, m) => sum + w * box.modes[m * SIZE + o], 0);
  const { rotation: R, position } = body.frame;
  for (let i = 0; i < vertexCount; i++) {
    const local = [0, 1, 2].map((k) => positions[3 * i + k] - centre[k] + blend(body.q, 3 * i + k));
    const rate = [0, 1, 2].map((k) => blend(body.velocities, 3 * i + k));
    const turned = (u: number[]) =>
      [0, 1, 2].map((k) => R[3 * k] * u[0] + R[3 * k + 1] * u[1] + R[3 * k + 2] * u[2]);
    const [r, w] = [turned(local), turned(rate)];
    const [a, b, c] = omega;
    const spun = [b * r[2] - c * r[1], c * r[0] - a * r[2], a * r[1] - b * r[0]];
    for (let k = 0; k < 3; k++) {
      x[3 * i + k] = r[k] + position[k];
      v[3 * i + k] = body.momentum[k] / body.model.inertia.mass + spun[k] + w[k];
    }
  }
  const p = Float64Array.from({ length: SIZE }, (_, o) => {
    let sum = 0;
    for (let j = 0; j < SIZE; j++) sum += M[o * SIZE + j] * v[j];
    return sum;
  });
  const linear = [0, 0, 0],
    angular = [0, 0, 0];
  let kinetic = 0;
  for (let o = 0; o < SIZE; o++) {
    const k = o % 3,
      i = o - k;
    linear[k] += p[o];
    kinetic += (v[o] * p[o]) / 2;
    const [a, b] = [(k + 1) % 3, (k + 2) % 3];
    angular[k] += (x[i + a] - position[a]) * p[i + b] - (x[i + b] - position[b]) * p[i + a];
  }
  return { linear, angular, kinetic };
}

function stir(body: ReducedBody, seed: number, size: number): void {
  const random = createRandom(seed);
  const draw = (scale: number) => scale * (2 * random() - 1);
  const { eigenvalues } = box;
  for (let k = 0; k < body.q.length; k++) {
    body.q[k] = draw(size);
    body.velocities[k] = draw(size * Math.sqrt(eigenvalues[k]));
  }
  if (!body.isFixed) body.setMotion([draw(2), draw(2), draw(2)], [draw(6), draw(6), draw(6)]);
}

const norm = (a: ArrayLike<number>) => Math.hypot(...Array.from(a));
const apart = (a: ArrayLike<number>, b: ArrayLike<number>) => norm(Array.from(a, (x, k) => x - b[k]));

describe('a free body', () => {
  test('its momenta and kinetic energy are those of all its vertices', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0.01, max: 2, noNaN: true }), (seed, size) => {
        const body = new ReducedBody(model, WEIGHTLESS);
        stir(body, seed, size);
        body.place([1, 2, 3], [1, 0.5, -0.3, 0.2]);
        const { linear, angular, kinetic } = fullMotion(body);
        expect(apart(linear, body.momentum)).toBeLessThan(1e-9 * (1 + norm(body.momentum)));
        expect(apart(angular, body.angularMomentum)).toBeLessThan(1e-9 * (1 + norm(body.angularMomentum)));
        expect(body.kineticEnergy() / kinetic).toBeCloseTo(1, 9);
      }),
      { numRuns: 20 },
    );
  });

  test('keeps its momenta in flight, to rounding, and its energy closely', () => {
    for (const [seed, size] of [
      [1, 0.3],
      [2, 1],
      [3, 2],
    ]) {
      const body = new ReducedBody(model, WEIGHTLESS);
      stir(body, seed, size);
      const before = fullMotion(body);
      const energy = body.kineticEnergy() + body.elasticEnergy();
      let [low, high] = [1, 1];
      for (let k = 0; k < 2000; k++) {
        body.step(1 / 1000);
        const share = (body.kineticEnergy() + body.elasticEnergy()) / energy;
        [low, high] = [Math.min(low, share), Math.max(high, share)];
      }
      const after = fullMotion(body);
      expect(apart(before.linear, after.linear)).toBeLessThan(1e-10 * norm(before.linear));
      expect(apart(before.angular, after.angular)).toBeLessThan(1e-10 * norm(before.angular));
      expect(low).toBeGreaterThan(0.95);
      expect(high).toBeLessThan(1.05);
    }
  });

  test('spins like a rigid one when it is stiff: energy and momentum, also about the unstable axis', () => {
    const stiff = createReducedModel({ ...box, material: { ...material, young: 2e9 } });
    const body = new ReducedBody(stiff, WEIGHTLESS);
    body.setMotion([0, 0, 0], [0.01, 0.02, 8]);
    const energy = body.kineticEnergy();
    const start = body.frame.rotation.slice();
    let flipped = 1;
    for (let k = 0; k < 4000; k++) {
      body.step(1 / 1000);
      flipped = Math.min(flipped, body.frame.rotation[8] * start[8]);
    }
    expect(body.kineticEnergy() / energy).toBeCloseTo(1, 3);
    expect(body.frame.orientation.reduce((s, x) => s + x * x, 0)).toBeCloseTo(1, 12);
    expect(flipped).toBeGreaterThan(-1.0001);
  });

  test('bulges when it spins', () => {
    const body = new ReducedBody(model, { ...WEIGHTLESS, damping: { alpha: 40, beta: 1e-3 } });
    body.setMotion([0, 0, 0], [0, 12, 0]);
    const inertia = model.inertia.restInertia[1];
    for (let k = 0; k < 1500; k++) body.step(1 / 1000);
    model.inertia.evaluate(body.q, body.velocities);
    expect(model.inertia.inertia[1]).toBeGreaterThan(1.0005 * inertia);
    const omega = new Float64Array(3);
    body.getAngularVelocity(omega);
    expect(omega[1]).toBeLessThan(12); // like a skater who spreads the arms
  });

  test('falls as it should, and is not deformed by that', () => {
    const body = new ReducedBody(model);
    body.setMotion([1, 2, 0]);
    for (let k = 0; k < 500; k++) body.step(1 / 500);
    expect(body.frame.position[0]).toBeCloseTo(1, 9);
    expect(body.frame.position[1]).toBeCloseTo(2 - 9.81 / 2, 9);
    expect(norm(body.q)).toBeLessThan(1e-9);
    expect(body.time).toBeCloseTo(1, 9);
  });

  test('an impulse on a vertex changes momenta by what it is', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(box.mesh.vertexCount - 1), (seed, vertex) => {
        const body = new ReducedBody(model, WEIGHTLESS);
        stir(body, seed, 0.5);
        const before = fullMotion(body);
        const at = new Float64Array(3);
        body.getVertex(vertex, at);
        const r = at.map((x, k) => x - body.frame.position[k]);
        body.applyImpulse(vertex, 3, -2, 5);
        const after = fullMotion(body);
        const lever = [r[1] * 5 + r[2] * 2, r[2] * 3 - r[0] * 5, -r[0] * 2 - r[1] * 3];
        expect(
          apart(
            after.linear.map((x, k) => x - before.linear[k]),
            [3, -2, 5],
          ),
        ).toBeLessThan(1e-8);
        expect(
          apart(
            after.angular.map((x, k) => x - before.angular[k]),
            lever,
          ),
        ).toBeLessThan(1e-7);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a body that is held', () => {
  test('keeps its energy within 5 % over 10 000 steps, deformed far into the nonlinear', () => {
    const body = new ReducedBody(held, { ...WEIGHTLESS, fixed: true });
    body.velocities[0] = 12;
    body.velocities[3] = 4;
    const energy = body.kineticEnergy();
    let [low, high, farthest] = [1, 1, 0];
    for (let k = 0; k < 10_000; k++) {
      body.step(1 / 1000);
      const share = (body.kineticEnergy() + body.elasticEnergy()) / energy;
      [low, high] = [Math.min(low, share), Math.max(high, share)];
      farthest = Math.max(farthest, body.reach - held.radius);
    }
    expect(farthest).toBeGreaterThan(0.3); // of a beam of length 1
    expect(low).toBeGreaterThan(0.95);
    expect(high).toBeLessThan(1.05);
  });

  test('small vibrations have the frequencies of the modes', () => {
    for (const mode of [0, 2]) {
      const body = new ReducedBody(held, { ...WEIGHTLESS, fixed: true });
      const omega = Math.sqrt(beam.eigenvalues[mode]);
      body.q[mode] = 1e-5;
      const h = (2 * Math.PI) / omega / 200;
      for (let k = 0; k < 1000; k++) body.step(h);
      expect(body.q[mode] / 1e-5).toBeCloseTo(1, 1); // five periods
    }
  });

  test('sags where elastic and outer forces balance, and damping leaves it there', () => {
    const body = new ReducedBody(held, { fixed: true, damping: { alpha: 10, beta: 0.001 } });
    for (let k = 0; k < 1500; k++) body.step(1 / 200);
    expect(body.kineticEnergy()).toBeLessThan(1e-12);
    const forces = new Float64Array(held.modeCount);
    held.elasticity.evaluate(body.q, forces);
    const weight = Float64Array.from(forces, (_, j) => -9.81 * held.inertia.modeMomenta[3 * j + 1]);
    expect(apart(forces, weight)).toBeLessThan(1e-6 * norm(weight));
    const tip = new Float64Array(3);
    body.getVertex(4, tip);
    expect(tip[1]).toBeLessThan(-0.11);
  });

  test('does not explode when it starts crushed or torn', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(1, 10, 100),
        fc.constantFrom(1e-3, 1e-2, 0.1),
        (seed, size, h) => {
          const body = new ReducedBody(held, { ...WEIGHTLESS, fixed: true, damping: { beta: 1e-4 } });
          stir(body, seed, size);
          const before = body.kineticEnergy() + body.elasticEnergy();
          for (let k = 0; k < 100; k++) body.step(h);
          expect(body.kineticEnergy() + body.elasticEnergy()).toBeLessThan(10 * before);
        },
      ),
      { numRuns: 20 },
    );
  });
});

test('two equal bodies move equally, to the last bit', () => {
  const play = (m: ReducedModel) => {
    const body = new ReducedBody(m, { damping: { beta: 1e-4 } });
    stir(body, 9, 0.5);
    for (let k = 0; k < 200; k++) {
      if (k % 20 === 0) body.applyForce(k % m.surface.vertexCount, 1e3, 50, -20);
      body.step(1 / 500);
    }
    return [...body.q, ...body.velocities, ...body.frame.position, ...body.frame.orientation];
  };
  expect(play(model)).toEqual(play(createReducedModel(box)));
});

test('senseless input is refused, with its address', () => {
  const body = new ReducedBody(model);
  const rows: [() => unknown, string, RegExp][] = [
    [() => body.applyForce(3, 0, NaN, 0), 'not-finite', /force on vertex 3/],
    [() => body.applyImpulse(2, Infinity, 0, 0), 'not-finite', /impulse on vertex 2/],
    [() => body.applyForce(-1, 0, 0, 0), 'index-out-of-range', /vertex/],
    [() => body.step(0), 'bad-option', /seconds/],
    [() => body.place([0, 0]), 'wrong-length', /position/],
    [() => body.place([0, 0, 0], [0, 0, 0, 0]), 'bad-option', /orientation/],
    [() => body.setMotion([0, NaN, 0]), 'not-finite', /velocity\[1\]/],
    [() => new ReducedBody(held), 'mismatch', /mode 0 moves the centre of mass/],
    [() => new ReducedBody(model, { damping: { alpha: -1 } }), 'bad-option', /alpha/],
    [() => createReducedModel({ ...box, surface: model.surface }), 'mismatch', /surfaceModes/],
    [() => createReducedModel({ ...box, elasticity: held.elasticity }), 'mismatch', /elasticity/],
  ];
  for (const [attempt, code, where] of rows) {
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(expect.objectContaining({ code, message: expect.stringMatching(where) }));
  }
  body.modalForces[5] = NaN;
  const before = [...body.q, ...body.frame.position];
  expect(() => body.step(0.01)).toThrow(/modalForces\[5\] is NaN/);
  expect([...body.q, ...body.frame.position]).toEqual(before);
});
