import { describe, expect, test } from 'vitest';
import { createEngine } from '../../../src/index.ts';
import { InputError } from '../../../src/mesh/input-error.ts';
import { createRandom } from '../../../src/shapes/random.ts';
import type { ReducedBody } from '../../../src/simulate/reduced/reduced-body.ts';
import { createReducedModel, type ReducedModel } from '../../../src/simulate/reduced/reduced-model.ts';
import { ReducedScene, type ReducedSceneOptions } from '../../../src/simulate/reduced/reduced-scene.ts';
import { createModalBox } from './beam.ts';
import { deepestOverlap } from './overlap.ts';

const FULL = process.env.PLIANT_FULL !== undefined;
const material = { young: 3e5, poisson: 0.3, density: 1000 };
const model = createReducedModel(createModalBox([3, 2, 3], [1, 0.5, 0.8], 8, material));
const DAMPING = { alpha: 1, beta: 2e-3 };
const WEIGHTLESS = { gravity: [0, 0, 0] };
const engine = await createEngine();

const floor = (friction: number, slope = 0) =>
  ({ kind: 'plane', normal: [Math.sin(slope), Math.cos(slope), 0], offset: 0, friction }) as const;

function createPile(count: number, seed: number, options: ReducedSceneOptions = {}): ReducedScene {
  const scene = new ReducedScene(engine, { obstacles: [floor(0.6)], ...options });
  const random = createRandom(seed);
  const draw = (size: number) => size * (2 * random() - 1);
  for (let i = 0; i < count; i++) {
    scene.addBody(model, {
      damping: DAMPING,
      tolerance: 1e-5,
      position: [1.2 * (i % 2) + draw(0.1), 1 + Math.trunc(i / 4), 1.2 * (Math.trunc(i / 2) % 2) + draw(0.1)],
      orientation: [1, draw(0.3), draw(0.3), draw(0.3)],
      angularVelocity: [draw(2), draw(2), draw(2)],
    });
  }
  return scene;
}

const stateOf = (bodies: readonly ReducedBody[]) =>
  bodies.flatMap(({ q, frame }) => [...q, ...frame.position, ...frame.orientation]);

test(`${FULL ? 16 : 6} bodies fall on each other, come to rest and do not go through each other`, () => {
  const scene = createPile(FULL ? 16 : 6, 1);
  const seconds = FULL ? 5 : 3.5;
  const height = scene.bodies.reduce((sum, { frame }) => sum + frame.position[1], 0);
  let most = 0;
  for (let frame = 0; frame < 60 * seconds; frame++) {
    scene.step(1 / 60);
    most = Math.max(most, scene.contactCount);
    expect(stateOf(scene.bodies).every(Number.isFinite)).toBe(true);
    if (frame < 60 * (seconds - 0.5)) continue;
    expect(scene.deepest).toBeLessThan(0.01 * model.size);
  }
  expect(most).toBeGreaterThan(20);
  expect(scene.time).toBeCloseTo(seconds, 6);
  expect(deepestOverlap(scene.bodies)).toBeLessThan(0.01 * model.size);
  const kinetic = scene.bodies.reduce((sum, body) => sum + body.kineticEnergy(), 0);
  expect(kinetic).toBeLessThan(0.01 * height * 9.81 * model.inertia.mass); // of what they had to lose
  const point = new Float64Array(3);
  for (const body of scene.bodies) {
    for (let v = 0; v < model.surface.vertexCount; v++) {
      body.getVertex(v, point);
      expect(point[1]).toBeGreaterThan(-0.01 * model.size);
    }
  }
  scene.dispose();
});

test('the same again for the same seed, another for another', () => {
  const play = (seed: number) => {
    const scene = createPile(3, seed);
    let contacts = 0;
    for (let frame = 0; frame < 40; frame++) {
      scene.step(1 / 60);
      contacts += scene.contactCount;
    }
    expect(contacts).toBeGreaterThan(0);
    scene.dispose();
    return stateOf(scene.bodies);
  };
  const first = play(1);
  expect(play(1)).toEqual(first);
  expect(play(2)).not.toEqual(first);
});

describe('on the ground', () => {
  test('a body at rest stays', () => {
    const scene = new ReducedScene(engine, { obstacles: [floor(0.5)] });
    const body = scene.addBody(model, { position: [0, 0.25, 0], damping: DAMPING });
    for (let frame = 0; frame < 120; frame++) scene.step(1 / 60);
    const before = stateOf(scene.bodies);
    for (let frame = 0; frame < 120; frame++) scene.step(1 / 60);
    expect(body.kineticEnergy()).toBeLessThan(1e-9);
    stateOf(scene.bodies).forEach((x, k) => void expect(Math.abs(x - before[k])).toBeLessThan(1e-6));
    expect(scene.deepest).toBeGreaterThan(0);
    expect(scene.deepest).toBeLessThan(1e-3 * model.size);
    scene.dispose();
  });

  const slide = (slope: number, friction: number) => {
    const scene = new ReducedScene(engine, { obstacles: [floor(friction, slope)] });
    const [s, c] = [Math.sin(slope), Math.cos(slope)];
    // Turned about z like the slope, 0.25 above it.
    const orientation = [Math.cos(-slope / 2), 0, 0, Math.sin(-slope / 2)];
    const body = scene.addBody(model, {
      position: [0.25 * s, 0.25 * c, 0],
      orientation,
      damping: { alpha: 0, beta: 5e-3 },
    });
    const along = () => body.frame.position[0] * c - body.frame.position[1] * s;
    const places = [];
    for (let frame = 0; frame < 60; frame++) {
      scene.step(1 / 60);
      places.push(along());
    }
    scene.dispose();
    return {
      moved: places[59] - places[29],
      speed: (body.momentum[0] * c - body.momentum[1] * s) / body.model.inertia.mass,
    };
  };

  test('friction holds a body below the cone', () => {
    const { moved, speed } = slide(0.35, 0.45); // tan 0.35 = 0.365
    expect(Math.abs(moved)).toBeLessThan(2e-4);
    expect(Math.abs(speed)).toBeLessThan(1e-3);
  });

  test('and not above it, where the body speeds up as Coulomb says', () => {
    for (const friction of [0, 0.2]) {
      const { speed } = slide(0.35, friction);
      expect(speed / (9.81 * (Math.sin(0.35) - friction * Math.cos(0.35)))).toBeCloseTo(1, 1);
    }
  });
});

test('bodies that collide keep their momenta together', () => {
  const scene = new ReducedScene(engine, WEIGHTLESS);
  scene.addBody(model, { position: [-0.8, 0.1, 0], velocity: [2, 0, 0], angularVelocity: [0.5, 0, 1] });
  scene.addBody(model, { position: [0.8, 0, 0.2], velocity: [-1, 0, 0], orientation: [1, 0.2, 0.1, 0] });
  const momenta = () => {
    const sum = new Array(6).fill(0);
    for (const { momentum: p, angularMomentum: l, frame } of scene.bodies) {
      const x = frame.position;
      for (let k = 0; k < 3; k++) {
        const [a, b] = [(k + 1) % 3, (k + 2) % 3];
        sum[k] += p[k];
        sum[3 + k] += l[k] + x[a] * p[b] - x[b] * p[a];
      }
    }
    return sum;
  };
  const before = momenta();
  let touched = 0;
  for (let frame = 0; frame < 90; frame++) {
    scene.step(1 / 60);
    touched += scene.contactCount;
    momenta().forEach((x, k) => void expect(Math.abs(x - before[k])).toBeLessThan(1e-9 * 1000));
  }
  expect(touched).toBeGreaterThan(0);
  expect(scene.contactCount).toBe(0);
  const [first, second] = scene.bodies;
  expect(first.momentum[0] / model.inertia.mass).toBeLessThan(0.5); // it was stopped
  expect(first.frame.position[0]).toBeLessThan(second.frame.position[0]);
  scene.dispose();
});

describe('a fork whose prongs close', () => {
  // Two prongs along y on a base, 0.2 apart.
  const fork = createModalBox(
    [5, 6, 1],
    [0.5, 1.2, 0.2],
    6,
    { ...material, young: 1e5 },
    (_, y) => y < -0.59,
    (i, j) => j === 0 || i < 2 || i > 2,
  );
  const forked: ReducedModel = createReducedModel(fork);
  const play = (selfContact: boolean) => {
    const scene = new ReducedScene(engine, { ...WEIGHTLESS, selfContact, substeps: 4 });
    const body = scene.addBody(forked, { fixed: true, damping: { beta: 1e-4 } });
    // Push the tips towards each other.
    const { surface } = forked;
    for (let v = 0; v < surface.vertexCount; v++) {
      const [x, y] = [surface.positions[3 * v], surface.positions[3 * v + 1]];
      if (y > 0.59) body.applyImpulse(v, x < 0 ? 2.2 : -2.2, 0, 0);
    }
    let deepest = 0,
      contacts = 0;
    for (let frame = 0; frame < 160; frame++) {
      scene.step(1 / 480);
      deepest = Math.max(deepest, scene.deepest, gapOf(body) < 0 ? -gapOf(body) : 0);
      contacts += scene.contactCount;
    }
    scene.dispose();
    return { deepest, contacts };
  };
  /** Smallest x of the right prong's tip minus the largest of the left one's. */
  const gapOf = (body: ReducedBody) => {
    const { surface } = forked;
    const point = new Float64Array(3);
    let [left, right] = [-Infinity, Infinity];
    for (let v = 0; v < surface.vertexCount; v++) {
      if (surface.positions[3 * v + 1] < 0.59) continue;
      body.getVertex(v, point);
      if (surface.positions[3 * v] < 0) left = Math.max(left, point[0]);
      else right = Math.min(right, point[0]);
    }
    return right - left;
  };

  test('stops itself by material distances, and without self-contact does not', () => {
    const free = play(false),
      held = play(true);
    expect(free.contacts).toBe(0);
    expect(free.deepest).toBeGreaterThan(0.03);
    expect(held.contacts).toBeGreaterThan(0);
    expect(held.deepest).toBeLessThan(0.3 * free.deepest);
  });
});

test('senseless input is refused', () => {
  const scene = new ReducedScene(engine);
  const rows: [() => unknown, string][] = [
    [() => new ReducedScene(engine, { gravity: [0, NaN, 0] }), 'not-finite'],
    [() => new ReducedScene(engine, { substeps: 0 }), 'bad-option'],
    [() => new ReducedScene(engine, { obstacles: {} as never }), 'wrong-type'],
    [() => new ReducedScene(engine, { contactDamping: 2 }), 'bad-option'],
    [() => scene.addBody(model, { position: [1] }), 'wrong-length'],
    [() => scene.addBody(model, { velocity: [1, NaN, 0] }), 'not-finite'],
    [() => scene.step(-1), 'bad-option'],
  ];
  for (const [attempt, code] of rows) {
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(expect.objectContaining({ code }));
  }
  expect(scene.bodies.length).toBe(0);
});
