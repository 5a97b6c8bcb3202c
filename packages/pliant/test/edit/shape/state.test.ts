import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restoreShape } from '../../../src/edit/restore-shape.ts';
import { createEngine } from '../../../src/worker/create-engine.ts';
import { createFork, diagonalOf, largestDifference, squeeze } from './scenes.ts';

test('a state brings everything back, and steps go on from it alike', async () => {
  const { shape, mesh } = await createFork({ blendSteps: 0 });
  squeeze(shape, mesh, { by: 0.14, settle: 5 });
  const before = shape.positions.slice();
  const { state } = shape;
  const [left] = shape.handles;
  const goOn = () => {
    const [x, y, z] = left.target;
    left.moveTo([x + 0.01, y, z]);
    for (let k = 0; k < 5; k++) shape.step();
    return shape.positions.slice();
  };
  const once = goOn();
  shape.handles[1].remove();
  shape.handles[1].moveTo([0, 0, 0]);
  for (let k = 0; k < 5; k++) shape.step();
  shape.restore(state);
  expect(shape.handles.length).toBe(5);
  expect(shape.handles[0]).toBe(left); // the same object
  expect(largestDifference(shape.positions, before)).toBeLessThan(1e-12);
  expect(largestDifference(goOn(), once)).toBeLessThan(1e-6);
  shape.restore(structuredClone(state)); // plain data
  expect(largestDifference(shape.positions, before)).toBeLessThan(1e-12);
  shape.dispose();
});

test('a pose comes back with the functions that came since, or without them', async () => {
  const { shape, mesh } = await createFork();
  const { solver } = shape;
  squeeze(shape, mesh, { by: 0.04, steps: 3, settle: 0 });
  const pose = solver.savePose();
  const before = solver.surface.slice(),
    controls = solver.controls.slice();
  const [left, right] = shape.handles;
  left.moveTo(left.target.map((x, a) => (a === 0 ? x + 0.1 : x)));
  right.moveTo(right.target.map((x, a) => (a === 0 ? x - 0.1 : x)));
  for (let k = 0; k < 12; k++) shape.step();
  const { columns } = solver.system.basis;
  expect(columns).toBeGreaterThan(pose.v.length / 3);
  solver.restorePose(pose, true);
  expect(solver.system.basis.columns).toBe(columns);
  expect(largestDifference(solver.surface, before)).toBeLessThan(1e-12);
  solver.restorePose(pose);
  expect(solver.system.basis.columns).toBe(pose.v.length / 3);
  expect(largestDifference(solver.controls, controls)).toBeLessThan(1e-12);
  shape.dispose();
});

test('a shape that goes while projections are computed gives its memory back', async () => {
  const { shape } = await createFork();
  const bytes = shape.serialize();
  shape.dispose();
  const engine = await createEngine();
  const left: number[] = []; // what the engine keeps for queries
  for (let k = 0; k < 3; k++) {
    const other = await restoreShape(bytes, { engine });
    other.dispose();
    await new Promise((resolve) => setTimeout(resolve, 20));
    left.push(engine.usage.bytes);
    expect(() => other.basis.projection(0, 0)).toThrow('disposed');
  }
  expect(left[2]).toBe(left[0]);
  engine.dispose();
});

test('nothing lags behind after a state was restored', async () => {
  const { shape, mesh } = await createFork({ blendSteps: 50 });
  const { state } = shape;
  squeeze(shape, mesh, { by: 0.14, settle: 0 });
  const { cage, solver } = shape;
  const lag = () => {
    const solved = Float64Array.from(shape.positions, (_, i) => {
      const v = cage.surfaceVertex[Math.floor(i / 3)];
      return cage.centre[i % 3] + cage.scale * solver.surface[3 * v + (i % 3)];
    });
    return largestDifference(shape.positions, solved);
  };
  expect(lag()).toBeGreaterThan(1e-4);
  shape.restore(state);
  expect(lag()).toBeLessThan(1e-12);
  shape.addHandle(0).moveTo([0, 0, 0.2]);
  shape.step();
  expect(lag()).toBeLessThan(1e-12);
  shape.dispose();
});

test('a state taken at any moment while blending brings back what was shown, and goes on from there', async () => {
  const { shape, mesh } = await createFork({ blendSteps: 60 });
  squeeze(shape, mesh, { by: 0.14, settle: 0 });
  const size = diagonalOf(mesh);
  const [left] = shape.handles;
  const goOn = (steps: number) => {
    for (let k = 0; k < steps; k++) shape.step();
    return shape.positions.slice();
  };
  let blends = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      (wait, later, moves) => {
        if (moves) left.moveTo(left.target.map((x, axis) => (axis === 1 ? x + 0.004 : x)));
        goOn(wait);
        const before = shape.positions.slice();
        const { state } = shape;
        if (state.blend) blends++;
        const once = goOn(later);
        for (const kept of [state, structuredClone(state)]) {
          shape.restore(kept);
          expect(largestDifference(shape.positions, before)).toBeLessThan(1e-12 * size);
          expect(shape.state.blend).toEqual(state.blend);
          expect(largestDifference(goOn(later), once)).toBeLessThan(1e-6 * size);
        }
      },
    ),
    { numRuns: 30, seed: 22 },
  );
  expect(blends).toBeGreaterThan(10);
  shape.dispose();
});

test('a shape stored while blending shows the same, and goes on alike', async () => {
  const { shape, mesh } = await createFork({ blendSteps: 20 });
  squeeze(shape, mesh, { by: 0.14, settle: 3 });
  expect(shape.state.blend).toBeDefined();
  const other = await restoreShape(shape.serialize());
  for (let k = 0; k < 5; k++) {
    expect(largestDifference(other.positions, shape.positions)).toBeLessThan(k === 0 ? 1e-12 : 1e-6);
    shape.step();
    other.step();
  }
  const { state } = shape;
  const [steps, shown] = [3, state.pose.v];
  expect(() => shape.restore({ ...state, blend: { steps, shown } })).toThrow('blend.shown');
  expect(() => shape.restore({ ...state, blend: { ...state.blend!, steps: -1 } })).toThrow('blend.steps');
  other.dispose();
  shape.dispose();
});

test('a state of another shape is refused', async () => {
  const { shape } = await createFork({ contact: false });
  const { state } = shape;
  expect(() => shape.restore({ ...state, pose: { groups: [], v: new Float64Array(9) } })).toThrow(
    'coefficients',
  );
  expect(() => shape.restore({ ...state, pose: { groups: [1e6], v: state.pose.v } })).toThrow(
    'there is no group',
  );
  const v = state.pose.v.slice().fill(Number.NaN);
  expect(() => shape.restore({ ...state, pose: { groups: [], v } })).toThrow('NaN');
  expect(shape.positions.every(Number.isFinite)).toBe(true);
  shape.dispose();
});

test('a stored shape goes on where it was', async () => {
  const { shape, mesh } = await createFork({ damping: 0.3, maxLevel: 2, blendSteps: 0 });
  squeeze(shape, mesh, { by: 0.14, settle: 5 });
  const bytes = shape.serialize();
  const other = await restoreShape(bytes);
  expect(other.settings).toEqual(shape.settings);
  expect(other.handles.map(({ target }) => target)).toEqual(shape.handles.map(({ target }) => target));
  expect(largestDifference(other.positions, shape.positions)).toBeLessThan(1e-12);
  for (let k = 0; k < 5; k++) {
    shape.step();
    other.step();
    expect(largestDifference(other.positions, shape.positions)).toBeLessThan(1e-6);
  }
  other.dispose();
  shape.dispose();
});

test('damaged bytes are refused', async () => {
  const { shape } = await createFork({ contact: false });
  const bytes = shape.serialize();
  shape.dispose();
  await expect(restoreShape(bytes.slice(0, 100))).rejects.toMatchObject({ code: 'truncated' });
  const damaged = bytes.slice();
  damaged[damaged.length >>> 1] ^= 1;
  await expect(restoreShape(damaged)).rejects.toMatchObject({ code: 'syntax' });
  await expect(restoreShape([] as never)).rejects.toMatchObject({ code: 'wrong-type' });
});

test.each([false, 1] as const)(
  'a shape gives all its memory back, rotation level %s',
  async (rotationLevel) => {
    const engine = await createEngine();
    const { shape, mesh } = await createFork({ engine, rotationLevel });
    squeeze(shape, mesh, { by: 0.14, settle: 40 });
    shape.setContact(false);
    shape.setContact({});
    shape.step();
    shape.dispose();
    expect(engine.usage).toMatchObject({ bodies: 0 });
    engine.dispose();
    const empty = await createEngine();
    expect(engine.usage.bytes).toBe(empty.usage.bytes);
    empty.dispose();
  },
);

test('the kernels in TypeScript do the same', async () => {
  const surfaces: Float64Array[] = [];
  for (const kernels of ['wasm', 'ts'] as const) {
    const engine = await createEngine({ kernels });
    const { shape, mesh } = await createFork({ engine, cage: { vertices: 300 } });
    squeeze(shape, mesh, { by: 0.14, steps: 10, settle: 3 });
    surfaces.push(shape.positions.slice());
    shape.dispose();
    engine.dispose();
  }
  expect(surfaces[1]).toEqual(surfaces[0]);
});
