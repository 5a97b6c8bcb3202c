import { expect, test } from 'vitest';
import {
  barMesh,
  createBar,
  createFork,
  diagonalOf,
  forkMesh,
  largestDifference,
  squeeze,
  vertexNear,
} from './scenes.ts';

test('a fork that is squeezed does not enter itself', async () => {
  const { mesh } = forkMesh();
  const diagonal = diagonalOf(mesh);
  const depths: number[] = [];
  for (const maxLevel of [0, 1, 3]) {
    const { shape } = await createFork({ maxLevel });
    squeeze(shape, mesh);
    const { depth } = shape.measure();
    depths.push(depth / diagonal);
    shape.dispose();
  }
  const { shape } = await createFork({ contact: false });
  squeeze(shape, mesh);
  shape.setContact({});
  expect(shape.measure().depth / diagonal).toBeGreaterThan(0.01); // it would enter
  shape.dispose();
  expect(depths[2]).toBeLessThanOrEqual(3e-4);
  expect(depths[1]).toBeLessThanOrEqual(1e-2);
});

test('measuring leaves contacts and the next step as they are', async () => {
  const [measured, plain] = [await createFork(), await createFork()];
  for (const { shape, mesh } of [measured, plain]) squeeze(shape, mesh);
  const { contacts } = measured.shape;
  expect(contacts.filter(({ force }) => force > 0).length).toBeGreaterThan(3);
  measured.shape.measure();
  expect(measured.shape.contacts).toEqual(contacts);
  for (const { shape } of [measured, plain]) shape.step();
  expect(measured.shape.positions).toEqual(plain.shape.positions);
  for (const { shape } of [measured, plain]) shape.dispose();
});

test('static damping ends limit cycles', async () => {
  const { shape, mesh } = await createFork({ damping: 0.5 });
  const { movements } = squeeze(shape, mesh, { settle: 120 });
  expect(shape.step().damping).toBe(0.5);
  const last = movements.slice(-20);
  expect(Math.max(...last) / diagonalOf(mesh)).toBeLessThan(1e-4);
  shape.dispose();
});

test.each(['push', 'sign'] as const)(
  'a bar that is pressed on things stays out of them, rule %s',
  async (rule) => {
    const mesh = barMesh();
    const shape = await createBar({
      contact: {
        rule,
        self: false,
        obstacles: [
          { kind: 'sphere', centre: [0, -0.6, 0], radius: 0.3 },
          { kind: 'plane', normal: [0, 1, 0], offset: -0.5 },
        ],
      },
    });
    const ends = [shape.addHandle(vertexNear(mesh, -1, 0, 0)), shape.addHandle(vertexNear(mesh, 1, 0, 0))];
    for (let k = 1; k <= 30; k++) {
      for (const handle of ends) handle.moveTo([handle.target[0], -0.012 * k, 0]);
      shape.step();
    }
    const { pushing } = shape.settle();
    expect(pushing).toBeGreaterThan(0);
    expect(shape.contacts.some(({ force, obstacle }) => force > 0 && obstacle === 0)).toBe(true);
    expect(shape.measure().depth / diagonalOf(mesh)).toBeLessThan(3e-4);
    for (let v = 0; v < mesh.sourceVertexCount; v++) {
      const [x, y, z] = shape.positions.subarray(3 * v, 3 * v + 3);
      expect(Math.hypot(x, y + 0.6, z)).toBeGreaterThan(0.3 - 1e-3);
    }
    shape.dispose();
  },
);

test('a handle that is drawn into an obstacle is held outside, and comes free again', async () => {
  const mesh = barMesh();
  const shape = await createBar({
    contact: { obstacles: [{ kind: 'plane', normal: [0, 1, 0], offset: -0.3 }] },
  });
  shape.addHandle(vertexNear(mesh, -1, 0, 0));
  const tip = shape.addHandle(vertexNear(mesh, 1, -0.2, 0));
  tip.moveTo([1, -1, 0]);
  shape.settle();
  const height = shape.positions[3 * tip.vertex + 1];
  expect(height).toBeGreaterThan(-0.3 - 1e-3);
  expect(height).toBeLessThan(-0.2);
  tip.moveTo([1, 0.1, 0]);
  shape.settle();
  expect(shape.positions[3 * tip.vertex + 1]).toBeCloseTo(0.1, 4);
  shape.dispose();
});

test('obstacles may come and move, and functions go when contacts have gone', async () => {
  const mesh = barMesh();
  const shape = await createBar();
  for (const x of [-1, 1]) shape.addHandle(vertexNear(mesh, x, 0, 0));
  for (let k = 0; k < 20; k++) {
    shape.setObstacles([{ kind: 'sphere', centre: [0, -0.7 + 0.015 * k, 0], radius: 0.3 }]);
    shape.step();
  }
  const touching = shape.step();
  expect(touching.pushing).toBeGreaterThan(0);
  expect(touching.columns).toBeGreaterThan(12);
  shape.setObstacles([]);
  for (let k = 0; k < 120; k++) shape.step();
  const free = shape.step();
  expect(free.contacts).toBe(0);
  expect(free.columns).toBe(shape.basis.global.columns);
  shape.dispose();
});

test('a certificate changes nothing but the time', async () => {
  const { mesh } = forkMesh();
  const [plain, proved] = [(await createFork()).shape, (await createFork()).shape];
  await proved.prepareCertificate({ largest: 64 });
  for (const shape of [plain, proved]) squeeze(shape, mesh, { by: 0.14, steps: 12, settle: 3 });
  expect(proved.positions).toEqual(plain.positions);
  const [contact] = plain.contacts.filter(({ force }) => force > 0);
  expect(contact.obstacle).toBe(-1);
  expect(Math.hypot(...contact.normal)).toBeCloseTo(1, 9);
  for (const shape of [plain, proved]) shape.dispose();
});

test('what is deep in something comes out step by step, with positions that are those of the coefficients', async () => {
  const shape = await createBar({ blendSteps: 0, contact: { self: false } });
  const { solver, cage } = shape;
  shape.step();
  shape.setObstacles([{ kind: 'plane', normal: [0, 1, 0], offset: 0.15 }]); // the bar begins at −0.2
  const edge = cage.spacing * cage.scale;
  const movements: number[] = [];
  for (let k = 0; k < 8; k++) {
    movements.push(shape.step().movement);
    const before = solver.surface.slice(),
      energy = solver.energy();
    solver.restorePose(solver.savePose(), true); // U v
    expect(largestDifference(solver.surface, before)).toBeLessThan(1e-12);
    expect(solver.energy()).toBeCloseTo(energy, 9);
  }
  expect(movements[0]).toBeCloseTo(edge, 6); // it would go further at once
  expect(Math.max(...movements)).toBeLessThan(edge * (1 + 1e-6));
  expect(shape.settle().depth).toBe(0);
  shape.dispose();
});

test('there are never more functions in use than allowed', async () => {
  const { shape, mesh } = await createFork({ columnBudget: 60 });
  squeeze(shape, mesh, { settle: 10 });
  expect(shape.step().columns).toBeLessThanOrEqual(60);
  expect(shape.step().columns).toBeGreaterThan(40);
  shape.settings = { columnBudget: 120 };
  for (let k = 0; k < 10; k++) expect(shape.step().columns).toBeLessThanOrEqual(120);
  shape.dispose();
});

test('functions stay for as long as something presses on them', async () => {
  const { shape, mesh } = await createFork();
  squeeze(shape, mesh, { settle: 20 });
  const { oracle } = shape.solver;
  let pressing = 0;
  for (let k = 0; k < 70; k++) {
    shape.step();
    const { rows, lambda } = shape.solver;
    for (let row = 0; row < rows!.count; row++) {
      if (!(lambda[row] < 0)) continue;
      pressing++;
      const control = oracle.controlOf(rows!.vertices[4 * row]);
      const id = shape.basis.groupAt(1, control);
      if (oracle.groups.includes(id)) expect(oracle.ageOf(id)).toEqual([0, 1]); // not idle, and all of it
    }
  }
  expect(pressing).toBeGreaterThan(70);
  shape.dispose();
});

test('a step that leads deep into something is taken back', async () => {
  const { shape, mesh } = await createFork({ speed: 0.3, maxLevel: 1 });
  const left = shape.addHandle(vertexNear(mesh, 0.1, 0.12, 1));
  for (const [x, y] of [
    [0, 0],
    [1, 0],
    [0.5, 0.25],
  ]) {
    shape.addHandle(vertexNear(mesh, x, y, 0));
  }
  const [x, y, z] = left.target;
  left.moveTo([x + 0.6, y, z]); // through the other prong
  const edge = shape.cage.spacing * shape.cage.scale;
  let deepest = 0;
  for (let k = 0; k < 12; k++) deepest = Math.max(deepest, shape.step().depth);
  expect(shape.contacts.length).toBeGreaterThan(0);
  expect(deepest).toBeLessThan(0.3 * edge);
  shape.dispose();
});
