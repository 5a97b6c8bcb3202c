import { expect, test } from 'vitest';
import { barMesh, createBar, createFork, diagonalOf, forkMesh, squeeze, vertexNear } from './scenes.ts';

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

test('static damping ends limit cycles', async () => {
  const { shape, mesh } = await createFork({ damping: 0.5 });
  const { movements } = squeeze(shape, mesh, { settle: 120 });
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
