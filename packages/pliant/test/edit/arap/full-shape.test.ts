import { afterEach, describe, expect, test } from 'vitest';
import type { SymmetricMatrix } from '../../../src/algebra/sparse/symmetric-matrix.ts';
import { createCageRows } from '../../../src/edit/arap/cage-rows.ts';
import { createEnergy } from '../../../src/edit/arap/energy.ts';
import { FullShape } from '../../../src/edit/arap/full-shape.ts';
import type { Cage, ContactRow, ShapeEnergy, ShapePoint } from '../../../src/edit/types.ts';
import { createWasmKernels } from '../../../src/kernels/wasm-kernels.ts';
import { bar, noise, posed, twoBalls } from './cages.ts';

const kernels = await createWasmKernels();
const cage = bar(80);
const pair = twoBalls(false);
const METHODS = ['schur', 'refactor'] as const;
const owned: { dispose(): void }[] = [];
afterEach(() => {
  for (const thing of owned.splice(0)) thing.dispose();
  expect(kernels.memory.bytesInUse).toBe(0);
});

function shapeOf(method: 'schur' | 'refactor', of: Cage = cage): { shape: FullShape; energy: ShapeEnergy } {
  const energy = createEnergy(kernels, of);
  const shape = new FullShape(of, energy, { method });
  owned.push(shape, energy);
  return { shape, energy };
}

const at = (vertex: number): ShapePoint => ({ vertices: [vertex], weights: [1] });
const unit = (n: readonly number[]) => n.map((x) => x / Math.hypot(...n));
const contact = (point: ShapePoint, normal: readonly number[], offset: number, key: number): ContactRow => ({
  point,
  normal: unit(normal),
  offset,
  depth: 0,
  key,
  other: 0,
});

/** Corners of the bar's surface: the left end, the right end. */
const positionsOf = (v: number) => Array.from(cage.surface.positions.subarray(3 * v, 3 * v + 3));
const corners = Array.from({ length: cage.surface.vertexCount }, (_, v) => v);
const left = corners.filter((v) => positionsOf(v)[0] < 0),
  right = corners.filter((v) => positionsOf(v)[0] > 0);
const HANDLES = [at(left[0]), at(left[1]), at(left[2]), at(right[0])];
const CONTACTS = [
  contact(at(right[1]), [0, 1, 0], 0.02, 1),
  contact({ vertices: [right[2], left[3]], weights: [1, -1] }, [1, 0.3, -0.2], 0.9, 2),
  contact({ vertices: [right[0], right[1], right[3]], weights: [0.2, 0.3, 0.5] }, [0.1, 0.2, 1], -0.05, 3),
];
const TARGETS = [...HANDLES.slice(0, 3).flatMap(({ vertices }) => positionsOf(vertices[0])), 0.4, 0.2, 0.1];

/** The same by Gaussian elimination of everything, multipliers included. */
function denseStep(
  of: Cage,
  energy: ShapeEnergy,
  p: Float64Array,
  handles: ShapePoint[],
  targets: number[],
  contacts: ContactRow[],
): { p: number[]; multipliers: number[] } {
  const { size: n, start, row, value }: SymmetricMatrix = energy.laplacian;
  const b = new Float64Array(3 * n);
  energy.rhs(p, b);
  const size = 3 * n + 3 * handles.length + contacts.length;
  const A = Array.from({ length: size }, () => new Float64Array(size + 1));
  for (let axis = 0; axis < 3; axis++) {
    for (let j = 0; j < n; j++) {
      for (let e = start[j]; e < start[j + 1]; e++) {
        A[3 * row[e] + axis][3 * j + axis] = A[3 * j + axis][3 * row[e] + axis] = value[e];
      }
      A[3 * j + axis][size] = b[3 * j + axis];
    }
  }
  const put = (k: number, v: number, weight: number) => {
    A[k][v] += weight;
    A[v][k] += weight;
  };
  const H = createCageRows(of, handles),
    C = createCageRows(
      of,
      contacts.map(({ point }) => point),
    );
  for (let k = 0; k < 3 * handles.length; k++) {
    const h = Math.trunc(k / 3);
    for (let e = H.start[h]; e < H.start[h + 1]; e++) put(3 * n + k, 3 * H.vertex[e] + (k % 3), H.weight[e]);
    A[3 * n + k][size] = targets[k];
  }
  contacts.forEach(({ normal, offset }, k) => {
    const at = 3 * n + 3 * handles.length + k;
    for (let e = C.start[k]; e < C.start[k + 1]; e++) {
      for (let axis = 0; axis < 3; axis++) put(at, 3 * C.vertex[e] + axis, C.weight[e] * normal[axis]);
    }
    A[at][size] = offset;
  });
  const x = eliminate(A, size);
  return { p: x.slice(0, 3 * n), multipliers: x.slice(3 * n + 3 * handles.length) };
}

function eliminate(A: Float64Array[], size: number): number[] {
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let i = k + 1; i < size; i++) if (Math.abs(A[i][k]) > Math.abs(A[pivot][k])) pivot = i;
    [A[k], A[pivot]] = [A[pivot], A[k]];
    for (let i = k + 1; i < size; i++) {
      const factor = A[i][k] / A[k][k];
      if (factor !== 0) for (let j = k; j <= size; j++) A[i][j] -= factor * A[k][j];
    }
  }
  const x = new Array<number>(size);
  for (let k = size - 1; k >= 0; k--) {
    let sum = A[k][size];
    for (let j = k + 1; j < size; j++) sum -= A[k][j] * x[j];
    x[k] = sum / A[k][k];
  }
  return x;
}

const farthest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);

describe.each(METHODS)('%s', (method) => {
  test.each([0, 1, 3])('a step with %d contacts is that of the dense system', async (count) => {
    const { shape, energy } = shapeOf(method);
    const contacts = CONTACTS.slice(0, count);
    await shape.setHandles(HANDLES);
    shape.setTargets(TARGETS);
    await shape.setContacts(contacts);
    for (let step = 0; step < 3; step++) {
      const expected = denseStep(cage, energy, shape.positions, HANDLES, TARGETS, contacts);
      shape.step();
      expect(farthest(shape.positions, expected.p)).toBeLessThan(1e-9);
      const size = Math.max(1, ...expected.multipliers.map(Math.abs));
      expect(farthest(shape.multipliers, expected.multipliers)).toBeLessThan(1e-8 * size);
    }
  });

  test('contacts come and go', async () => {
    const { shape, energy } = shapeOf(method);
    await shape.setHandles(HANDLES);
    shape.setTargets(TARGETS);
    for (const contacts of [[CONTACTS[0]], CONTACTS, [CONTACTS[2], CONTACTS[1]], []]) {
      await shape.setContacts(contacts);
      const expected = denseStep(cage, energy, shape.positions, HANDLES, TARGETS, contacts);
      shape.step();
      expect(farthest(shape.positions, expected.p)).toBeLessThan(1e-9);
      expect(shape.multipliers).toHaveLength(contacts.length);
    }
  });

  test('the energy never rises without contacts', async () => {
    const { shape } = shapeOf(method);
    await shape.setHandles(HANDLES);
    shape.setTargets(TARGETS);
    shape.step();
    let last = Infinity;
    for (let step = 0; step < 40; step++) {
      const energy = shape.step();
      expect(energy).toBeLessThanOrEqual(last + 1e-15);
      last = energy;
    }
  });

  test('rigid targets bring it there, without energy', async () => {
    const { shape } = shapeOf(method);
    const turned = posed(cage.surface.positions, 0.5, 0);
    await shape.setHandles(HANDLES);
    shape.setTargets(HANDLES.flatMap(({ vertices: [v] }) => Array.from(turned.subarray(3 * v, 3 * v + 3))));
    let energy = 0;
    for (let step = 0; step < 300; step++) energy = shape.step();
    expect(energy).toBeLessThan(1e-9);
    expect(farthest(shape.positions, posed(cage.tetrahedra.positions, 0.5, 0))).toBeLessThan(1e-3);
  });

  test('a part without a handle stays, and without any handle all does', async () => {
    const { shape } = shapeOf(method, pair);
    await shape.setHandles([at(0)]); // of the large ball
    const rest = pair.tetrahedra.positions;
    shape.setTargets(Array.from(pair.surface.positions.subarray(0, 3), (x, k) => x + [0.1, 0.2, 0][k]));
    for (let step = 0; step < 5; step++) shape.step();
    const part = new Map<number, number>();
    pair.tetrahedra.tetrahedra.forEach((v, i) => {
      part.set(v, pair.component[i >>> 2]);
    });
    for (const [v, which] of part) {
      const moved = Math.hypot(...[0, 1, 2].map((k) => shape.positions[3 * v + k] - rest[3 * v + k]));
      expect(moved).toBeCloseTo(which === 0 ? Math.hypot(0.1, 0.2) : 0, 5);
    }
    await shape.setHandles([]);
    const before = shape.positions.slice();
    shape.step();
    expect(farthest(shape.positions, before)).toBeLessThan(1e-5);
  });
});

test('rows that depend on one another do no harm', async () => {
  for (const method of METHODS) {
    const { shape } = shapeOf(method);
    await shape.setHandles(HANDLES);
    shape.setTargets(TARGETS);
    await shape.setContacts([CONTACTS[0], { ...CONTACTS[0], key: 9 }]);
    shape.step();
    expect(shape.positions.every(Number.isFinite)).toBe(true);
    const v = CONTACTS[0].point.vertices[0];
    const y = createCageRows(cage, [at(v)]);
    let height = 0;
    for (let e = 0; e < y.vertex.length; e++) height += y.weight[e] * shape.positions[3 * y.vertex[e] + 1];
    expect(height).toBeCloseTo(CONTACTS[0].offset, 6);
  }
});

test('bad input', async () => {
  const { shape } = shapeOf('schur');
  const random = noise(1);
  expect(() => shape.step()).toThrow(expect.objectContaining({ code: 'no-pose' }));
  await expect(shape.setHandles([at(10_000)])).rejects.toThrow(
    expect.objectContaining({ code: 'index-out-of-range' }),
  );
  await shape.setHandles(HANDLES);
  expect(() => shape.setTargets([1, 2, 3])).toThrow(expect.objectContaining({ code: 'wrong-length' }));
  expect(() => shape.setTargets(TARGETS.map(() => Number.NaN))).toThrow(
    expect.objectContaining({ code: 'not-finite' }),
  );
  await expect(shape.setContacts([{ ...CONTACTS[0], offset: Number.NaN }])).rejects.toThrow(
    expect.objectContaining({ code: 'not-finite' }),
  );
  shape.positions.set(shape.positions.map((x) => x + 0.1 * random()));
  shape.step();
  expect(shape.positions.every(Number.isFinite)).toBe(true);
  expect(() => new FullShape(cage, createEnergyOnce(), { method: 'magic' as never })).toThrow(
    expect.objectContaining({ code: 'bad-option' }),
  );
});

function createEnergyOnce(): ShapeEnergy {
  const energy = createEnergy(kernels, cage);
  owned.push(energy);
  return energy;
}
