import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTriangleMesh, InputError } from '../../src/index.ts';
import { createFigure, createFish } from '../../src/shapes/index.ts';
import { createRandom } from '../../src/shapes/random.ts';
import { ElasticBody, ElasticModel, NodeContacts, sampleNodes } from '../../src/simulate/index.ts';

const STEPS = 1000;
const figure = sampleNodes(createTriangleMesh(createFigure({ triangles: 5000 }).source), { count: 65 });
const fish = sampleNodes(createTriangleMesh(createFish({ triangles: 5000 }).source), { count: 48 });
const models = {
  figure: new ElasticModel(figure),
  'soft fish': new ElasticModel(fish, { stiffness: 100, poissonRatio: 0.45, density: 2 }),
};
const WEIGHTLESS = { gravity: [0, 0, 0], damping: 0 } as const;

const rotation = fc
  .tuple(...[0, 1, 2, 3].map(() => fc.double({ min: -1, max: 1, noNaN: true })))
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => {
    const [w, x, y, z] = q.map((c) => c / Math.hypot(...q));
    return [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
  });
const offset = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 3, maxLength: 3 });

describe.each(Object.entries(models))('%s', (_, model) => {
  const n = 3 * model.nodeCount;
  const scatter = (seed: number, size: number) => {
    const random = createRandom(seed);
    return Float64Array.from({ length: n }, () => size * (2 * random() - 1));
  };

  test('forces are the slope of the energy', () => {
    const forces = new Float64Array(n),
      other = new Float64Array(n);
    for (const size of [0, 0.01, 0.1, 1]) {
      const u = scatter(1, size * model.spacing);
      const way = scatter(2, 1);
      const e = 1e-5 * model.spacing;
      model.evaluate(u, forces);
      const ahead = model.evaluate(
          u.map((x, k) => x + e * way[k]),
          other,
        ),
        behind = model.evaluate(
          u.map((x, k) => x - e * way[k]),
          other,
        );
      const slope = -forces.reduce((sum, f, k) => sum + f * way[k], 0);
      const scale = forces.reduce((sum, f, k) => sum + Math.abs(f * way[k]), 0) + (ahead + behind) / e;
      expect(Math.abs((ahead - behind) / (2 * e) - slope) / scale).toBeLessThan(1e-5);
    }
  });

  test('forces have no sum and no moment, and turn and move with the body', () => {
    const forces = new Float64Array(n),
      turned = new Float64Array(n);
    fc.assert(
      fc.property(rotation, offset, fc.integer(), (R, t, seed) => {
        const u = scatter(seed, 0.5 * model.spacing);
        const x = u.map((d, k) => model.positions[k] + d);
        const image = (p: Float64Array, o: number, r: number) =>
          R[r][0] * p[o] + R[r][1] * p[o + 1] + R[r][2] * p[o + 2];
        const moved = x.map((_, k) => image(x, k - (k % 3), k % 3) + t[k % 3] - model.positions[k]);
        const energy = model.evaluate(u, forces);
        const size = Math.max(...forces.map(Math.abs));
        expect(model.evaluate(moved, turned) / energy).toBeCloseTo(1, 9);
        turned.forEach(
          (f, k) => void expect(Math.abs(f - image(forces, k - (k % 3), k % 3)) / size).toBeLessThan(1e-8),
        );
        const sum = [0, 0, 0],
          moment = [0, 0, 0];
        for (let o = 0; o < n; o += 3) {
          for (let k = 0; k < 3; k++) {
            const [a, b] = [(k + 1) % 3, (k + 2) % 3];
            sum[k] += forces[o + k];
            moment[k] += x[o + a] * forces[o + b] - x[o + b] * forces[o + a];
          }
        }
        for (let k = 0; k < 3; k++) {
          expect(Math.abs(sum[k]) / size).toBeLessThan(1e-10);
          expect(Math.abs(moment[k]) / size).toBeLessThan(1e-9);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('gradients of an affine motion are those of the motion', () => {
    const body = new ElasticBody(model);
    body.place([1.5, 0.25, 0, 3, -0.5, 1, 0.75, 1, 0.125, 0, 2, -4]);
    const expected = [0.5, -0.5, 0.125, 0.25, 0, 0, 0, 0.75, 1]; // ∂u_b / ∂x_a at 3a + b
    body.gradients.forEach((g, k) => void expect(g).toBeCloseTo(expected[k % 9], 10));
  });

  test('rest stays rest, to the last bit, and a free fall is only that', () => {
    const still = new ElasticBody(model, WEIGHTLESS);
    for (let k = 0; k < 20; k++) still.step(1 / 60);
    expect([...still.displacements, ...still.gradients].every((x) => x === 0)).toBe(true);
    const falling = new ElasticBody(model, { damping: 0 });
    for (let k = 0; k < 60; k++) falling.step(1 / 60);
    const drop = (-9.81 * (60 * 61)) / 2 / 3600;
    falling.displacements.forEach((x, k) => void expect(x).toBeCloseTo(k % 3 === 1 ? drop : 0, 8));
    expect(falling.elasticEnergy()).toBeLessThan(1e-12);
  });

  test.each([
    ['stretched', [2.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.7, 0]],
    ['pressed flat', [1, 0, 0, 0, 0, 0.02, 0, 0, 0, 0, 1, 0]],
    ['sheared', [1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]],
    ['turned inside out', [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]],
    ['a point', new Array(12).fill(0)],
  ])('%s it does not blow up over many steps', (name, matrix) => {
    for (const step of [1 / 240, 1 / 60, 1 / 4]) {
      const body = new ElasticBody(model, WEIGHTLESS);
      body.place(matrix);
      if (name === 'a point') body.displacements.forEach((_, k, u) => void (u[k] += 1e-3 * Math.sin(k)));
      const before = body.elasticEnergy();
      let most = 0;
      for (let k = 0; k < (step === 1 / 60 ? STEPS : 100); k++) {
        body.step(step);
        most = Math.max(most, body.elasticEnergy() + body.kineticEnergy());
      }
      expect(most).toBeLessThanOrEqual(before * (1 + 1e-9));
      if (step < 0.1) expect(body.elasticEnergy()).toBeLessThan(before);
    }
  });

  test.each([
    ['stretched', [2.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.7, 0]],
    ['sheared', [1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]],
    ['pressed', [1, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 1, 0]],
  ])('%s it recovers its rest shape', (_, matrix) => {
    const body = new ElasticBody(model, { ...WEIGHTLESS, damping: 1 });
    body.place(matrix);
    for (let k = 0; k < STEPS; k++) body.step(1 / 60);
    expectRestShape(body, 1e-4);
  });

  test('random states of any size do not blow up either', () => {
    for (const size of [0.3, 3, 30]) {
      const body = new ElasticBody(model, WEIGHTLESS);
      body.displacements.set(scatter(3, size * model.spacing));
      body.velocities.set(scatter(4, size));
      const before = body.elasticEnergy() + body.kineticEnergy();
      for (let k = 0; k < 200; k++) {
        body.step(1 / 60);
        expect(body.elasticEnergy() + body.kineticEnergy()).toBeLessThanOrEqual(before);
      }
      expect(body.displacements.every(Number.isFinite)).toBe(true);
    }
  });
});

test('small strains cost what linear elasticity says', () => {
  const [stiffness, poissonRatio, e] = [3000, 0.3, 1e-4];
  const model = new ElasticModel(figure, { stiffness, poissonRatio });
  const body = new ElasticBody(model);
  const mu = stiffness / (2 * (1 + poissonRatio)),
    lambda = (stiffness * poissonRatio) / ((1 + poissonRatio) * (1 - 2 * poissonRatio));
  const volume = model.volumes.reduce((sum, v) => sum + v, 0);
  const rows: [number[], number][] = [
    [[1 + e, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], (lambda + 2 * mu) / 2], // stretched along x
    [[1, 2 * e, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 2 * mu], // sheared: ε_xy = e
    [[1 + e, 0, 0, 0, 0, 1 + e, 0, 0, 0, 0, 1 + e, 0], 3 * mu + 4.5 * lambda], // grown
  ];
  for (const [matrix, modulus] of rows) {
    body.place(matrix);
    expect(body.elasticEnergy() / (volume * modulus * e * e)).toBeCloseTo(1, 2);
  }
});

test('a pinned body hangs still in the end, and its pins stay where they are put', () => {
  const body = new ElasticBody(models.figure, { damping: 2 });
  const held = [...figure.volumes.keys()].filter((i) => figure.positions[3 * i + 1] > 0.8);
  expect(held.length).toBeGreaterThan(0);
  for (const node of held) body.pin(node);
  const start = body.gravityEnergy();
  for (let k = 0; k < 600; k++) body.step(1 / 60);
  expect(body.kineticEnergy()).toBeLessThan(1e-6);
  expect(body.gravityEnergy() + body.elasticEnergy()).toBeLessThan(start);
  const where = new Float64Array(3);
  body.movePin(held[0], 1, 2, 3);
  body.step(1 / 60);
  body.getNode(held[0], where);
  for (let k = 0; k < 3; k++) expect(where[k]).toBeCloseTo(k + 1, 12);
  for (const node of held.slice(1)) {
    body.getNode(node, where);
    where.forEach((x, k) => void expect(x).toBeCloseTo(figure.positions[3 * node + k], 12));
  }
  expect(() => body.movePin(held[0] === 0 ? 1 : 0, 0, 0, 0)).toThrow(/is not pinned/);
});

test('obstacles keep nodes out, and friction stops what slides', () => {
  const drop = (friction: number) => {
    const body = new ElasticBody(models['soft fish'], { damping: 0.5 });
    body.place([1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0]);
    for (let o = 0; o < body.velocities.length; o += 3) body.velocities[o] = 2;
    body.addObstacle({ kind: 'plane', normal: [0, 2, 0], offset: 0, friction });
    body.addObstacle({ kind: 'ball', centre: [0, -0.5, 0], radius: 0.8 });
    body.addObstacle({ kind: 'ball', centre: [0, 0, 0], radius: 9, hollow: true });
    for (let k = 0; k < 240; k++) body.step(1 / 60);
    const p = new Float64Array(3);
    for (let node = 0; node < body.nodeCount; node++) {
      body.getNode(node, p);
      expect(p[1]).toBeGreaterThan(0.4 * body.contactRadius);
      expect(Math.hypot(p[0], p[1] + 0.5, p[2])).toBeGreaterThan(0.8);
      expect(Math.hypot(...p)).toBeLessThan(9);
    }
    return body.displacements.reduce((sum, x, k) => sum + (k % 3 === 0 ? x : 0), 0) / body.nodeCount;
  };
  expect(drop(2)).toBeLessThan(0.7 * drop(0));
});

test('contacts push two bodies apart and keep their momentum', () => {
  const create = (x: number, speed: number) => {
    const body = new ElasticBody(models.figure, WEIGHTLESS);
    body.place([1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0]);
    for (let o = 0; o < body.velocities.length; o += 3) body.velocities[o] = speed;
    return body;
  };
  const bodies = [create(-1.2, 2), create(1.2, -1)];
  const contacts = new NodeContacts(bodies);
  const momentum = () =>
    bodies.reduce(
      (sum, { velocities: v, model }) => sum + model.masses.reduce((s, m, i) => s + m * v[3 * i], 0),
      0,
    );
  const before = momentum();
  let most = 0;
  for (let k = 0; k < 240; k++) {
    contacts.separate(1 / 60);
    most = Math.max(most, contacts.count);
    expect(momentum()).toBeCloseTo(before, 9);
    for (const body of bodies) body.step(1 / 60);
  }
  expect(most).toBeGreaterThan(0);
  expect(contacts.count).toBe(0);
  const mean = bodies.map(({ displacements: u }) => u.reduce((s, x, k) => s + (k % 3 === 0 ? x : 0), 0));
  expect(mean[0]).toBeLessThan(mean[1]); // they have not passed through each other
});

test('forces and impulses move what they act on', () => {
  const body = new ElasticBody(models.figure, WEIGHTLESS);
  const mass = models.figure.masses.reduce((sum, m) => sum + m, 0);
  body.applyForce(3, 0, 12, 0);
  body.addImpulse(5, mass, 0, 0);
  body.step(1 / 60);
  body.step(1 / 60); // the force is gone by now
  const velocity = [0, 1, 2].map(
    (k) => models.figure.masses.reduce((sum, m, i) => sum + m * body.velocities[3 * i + k], 0) / mass,
  );
  expect(velocity[0]).toBeCloseTo(1, 6);
  expect(velocity[1]).toBeCloseTo(12 / 60 / mass, 6);
  expect(velocity[2]).toBeCloseTo(0, 6);
});

test('senseless input is refused', () => {
  const body = new ElasticBody(models.figure);
  const flat = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], volumes: [1, 1, 1, 1] };
  const rows: [() => unknown, string][] = [
    [() => new ElasticModel(flat), 'singular'],
    [() => new ElasticModel({ ...flat, positions: new Array(12).fill(0) }), 'singular'],
    [() => new ElasticModel({ ...flat, volumes: [1, 1, 1, 0] }), 'out-of-range'],
    [() => new ElasticModel({ ...flat, volumes: [1] }), 'wrong-length'],
    [() => new ElasticModel({ positions: [0, 0, 0], volumes: [1] }), 'bad-option'],
    [() => new ElasticModel(figure, { stiffness: -1 }), 'bad-option'],
    [() => new ElasticModel(figure, { poissonRatio: 0.5 }), 'bad-option'],
    [() => new ElasticBody(models.figure, { gravity: [0, NaN, 0] }), 'not-finite'],
    [() => new ElasticBody(models.figure, { substeps: 0 }), 'bad-option'],
    [() => body.step(0), 'bad-option'],
    [() => body.step(NaN), 'bad-option'],
    [() => body.pin(65), 'index-out-of-range'],
    [() => body.applyForce(0.5, 0, 0, 0), 'index-out-of-range'],
    [() => body.applyForce(0, 0, Infinity, 0), 'not-finite'],
    [() => body.place([1, 2, 3]), 'wrong-length'],
    [() => body.addObstacle({ kind: 'plane', normal: [0, 0, 0], offset: 0 }), 'bad-option'],
    [() => body.addObstacle({ kind: 'cube' } as never), 'bad-option'],
    [() => new NodeContacts([]), 'empty'],
  ];
  for (const [attempt, code] of rows) {
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(expect.objectContaining({ code }));
  }
});

/** Whatever way it is turned: F is a rotation at every node. */
function expectRestShape({ gradients: g, nodeCount }: ElasticBody, tolerance: number): void {
  for (let i = 0; i < nodeCount; i++) {
    const F = Array.from(g.subarray(9 * i, 9 * i + 9), (x, k) => x + (k % 4 === 0 ? 1 : 0));
    for (let r = 0; r < 3; r++) {
      for (let s = 0; s < 3; s++) {
        const product = F[3 * r] * F[3 * s] + F[3 * r + 1] * F[3 * s + 1] + F[3 * r + 2] * F[3 * s + 2];
        expect(Math.abs(product - (r === s ? 1 : 0))).toBeLessThan(tolerance);
      }
    }
  }
}
