import { expect, test } from 'vitest';
import { createEnergy } from '../../../src/edit/arap/energy.ts';
import { FullShape } from '../../../src/edit/arap/full-shape.ts';
import { createShape } from '../../../src/edit/create-shape.ts';
import { barMesh, createBar, diagonalOf, largestDifference, vertexNear } from './scenes.ts';

test('at rest nothing moves', async () => {
  const shape = await createBar();
  shape.addHandle(3);
  const { positions } = barMesh();
  expect(largestDifference(shape.positions, positions)).toBeLessThan(1e-6);
  const rest = shape.positions.slice();
  for (let k = 0; k < 5; k++) expect(shape.step().state).toBe('moved');
  expect(largestDifference(shape.positions, rest)).toBeLessThan(1e-6);
  shape.dispose();
});

test('handles are where they were told to be, and the shape follows rigidly when they move alike', async () => {
  const mesh = barMesh();
  const shape = await createBar({ speed: 10 });
  const ends = [vertexNear(mesh, -1, 0, 0), vertexNear(mesh, 1, 0.2, 0), vertexNear(mesh, 0, 0, 0.2)];
  const handles = ends.map((vertex) => shape.addHandle(vertex));
  const turn = (p: ArrayLike<number>, o: number) => [-p[o + 1] + 0.3, p[o], p[o + 2] - 0.1]; // a quarter about z
  handles.forEach((handle) => {
    handle.moveTo(turn(handle.target, 0));
  });
  shape.settle();
  for (const handle of handles) {
    for (let a = 0; a < 3; a++) {
      expect(shape.positions[3 * handle.vertex + a]).toBeCloseTo(handle.target[a], 7);
    }
  }
  const expected = Float64Array.from(shape.positions, (_, i) => turn(mesh.positions, i - (i % 3))[i % 3]);
  expect(largestDifference(shape.positions, expected)).toBeLessThan(1e-5);
  expect(shape.step().energy).toBeLessThan(1e-9);
  shape.dispose();
});

test('energy never grows without contact', async () => {
  const mesh = barMesh();
  const shape = await createBar({ contact: false, speed: 10 });
  for (const [y, z] of [
    [-0.2, -0.2],
    [0.2, 0.2],
  ]) {
    shape.addHandle(vertexNear(mesh, -1, y, z));
  }
  const tip = shape.addHandle(vertexNear(mesh, 1, 0, 0)),
    side = shape.addHandle(vertexNear(mesh, -1, 0.2, -0.2));
  tip.moveTo([0.2, 0.9, 0.3]);
  side.moveTo([-1, 0.3, -0.25]);
  shape.step();
  let before = shape.step().energy;
  for (let k = 0; k < 100; k++) {
    const { energy } = shape.step();
    expect(energy).toBeLessThanOrEqual(before * (1 + 1e-12));
    before = energy;
  }
  shape.dispose();
});

test('without contact a step is that of a shape without contacts', async () => {
  const mesh = barMesh();
  const obstacles = [{ kind: 'plane' as const, normal: [0, 0, 1], offset: -3 }];
  const shapes = [await createBar({ contact: false }), await createBar({ contact: { obstacles } })];
  for (const shape of shapes) {
    shape.addHandle(vertexNear(mesh, -1, 0, 0));
    shape.addHandle(vertexNear(mesh, 0, -0.2, 0));
    shape.addHandle(vertexNear(mesh, 1, 0, 0)).moveTo([0.7, 0.6, 0.2]);
  }
  for (let k = 0; k < 30; k++) {
    const reports = shapes.map((shape) => shape.step());
    expect(reports[1].contacts).toBe(0);
    expect(largestDifference(shapes[0].positions, shapes[1].positions)).toBeLessThan(1e-9);
  }
  for (const shape of shapes) shape.dispose();
});

test('with all functions in use the solution is that of the full space', async () => {
  const mesh = barMesh(2);
  const shape = await createShape(mesh, {
    cage: { vertices: 120 },
    hierarchy: { manipulators: 8, children: 4 },
    maxLevel: 100,
    columnBudget: 4096,
    contact: false,
    speed: 10,
    blendSteps: 0,
  });
  const { cage, basis, solver } = shape;
  const vertices = [
    vertexNear(mesh, -1, -0.2, -0.2),
    vertexNear(mesh, -1, 0.2, 0.2),
    vertexNear(mesh, 1, 0, 0),
  ];
  const handles = vertices.map((vertex) => shape.addHandle(vertex));
  solver.oracle.addGroups(Array.from({ length: basis.groupCount - 1 }, (_, id) => id + 1));
  expect(solver.system.basis.columns).toBe(cage.tetrahedra.vertexCount); // as many functions as vertices
  handles[2].moveTo([0.6, 0.8, 0.2]);
  const energy = createEnergy(shape.parts.engine.kernels, cage);
  const full = new FullShape(cage, energy);
  await full.setHandles(
    handles.map(({ vertex }) => ({ vertices: [cage.surfaceVertex[vertex]], weights: [1] })),
  );
  full.setTargets(handles.flatMap(({ target }) => target.map((x, a) => (x - cage.centre[a]) / cage.scale)));
  for (let k = 0; k < 10; k++) {
    full.positions.set(solver.controls);
    if (k === 0)
      shape.step(); // the first one moves the shape as a whole before it
    else {
      full.step();
      shape.step();
      expect(largestDifference(full.positions, solver.controls)).toBeLessThan(1e-6);
    }
  }
  full.dispose();
  energy.dispose();
  shape.dispose();
});

test('shared rotations give nearly the same shape, and energy never grows with them either', async () => {
  const mesh = barMesh();
  const shapes = [
    await createBar({ contact: false, speed: 10 }),
    await createBar({ contact: false, speed: 10, rotationLevel: 1 }),
  ];
  for (const shape of shapes) {
    shape.addHandle(vertexNear(mesh, -1, -0.2, -0.2));
    shape.addHandle(vertexNear(mesh, -1, 0.2, 0.2));
    shape.addHandle(vertexNear(mesh, -1, 0.2, -0.2));
    const tip = shape.addHandle(vertexNear(mesh, 1, 0, 0));
    expect(Math.abs(shape.step().energy)).toBeLessThan(1e-9); // at rest
    tip.moveTo([0.5, 0.8, 0.2]);
    shape.step();
    let before = shape.step().energy;
    for (let k = 0; k < 60; k++) {
      const { energy } = shape.step();
      expect(energy).toBeLessThanOrEqual(before * (1 + 1e-9));
      before = energy;
    }
  }
  expect(largestDifference(shapes[0].positions, shapes[1].positions) / diagonalOf(mesh)).toBeLessThan(0.03);
  for (const shape of shapes) shape.dispose();
});
